import pg from 'pg';
import { tracing } from '../tracing/tracing.js';
import { PooledClient } from './servers/server-client.js';

/** The parts of pg's own class that the columns of its rows are kept in. */
interface Columns {
  fields: unknown;
  _parsers: unknown;
  _prebuiltEmptyResultObject: unknown;
}

type Answered = (error: Error | undefined, result: pg.QueryResult) => void;

/** The fields of pg's own class that its types leave out. */
interface OwnParts {
  name: string;
  _result: Columns;
  _accumulateRows: boolean;
  prepare(connection: pg.Connection): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
}
const ParsedQuery = pg.Query as unknown as new (
  query: pg.QueryConfig,
  answered: Answered,
) => pg.Query & OwnParts;

/** Of a connection: the columns of the statements that it has answered. */
class Answers {
  readonly columns = new Map<string, Columns>();
  /** Of the statement that is being sent. */
  areKnown = false;

  constructor(connection: pg.Connection) {
    const describe = connection.describe.bind(connection);
    connection.describe = (...message) => {
      if (!this.areKnown) describe(...message);
    };
  }
}
const answers = new WeakMap<pg.Connection, Answers>();

function answersOf(connection: pg.Connection): Answers {
  let known = answers.get(connection);
  if (!known) answers.set(connection, (known = new Answers(connection)));
  return known;
}

/**
 * pg asks for the columns each time. A named statement cannot change them (PostgreSQL refuses it
 * then), so that a connection is asked once. With 70 columns that was a tenth of a
 * read (decision 150).
 */
class NamedQuery extends ParsedQuery {
  override prepare(connection: pg.Connection): void {
    const known = answersOf(connection);
    const columns = known.columns.get(this.name);
    if (columns) {
      this._result.fields = columns.fields;
      this._result._parsers = columns._parsers;
      this._result._prebuiltEmptyResultObject = columns._prebuiltEmptyResultObject;
      this._accumulateRows = true;
    }
    known.areKnown = columns !== undefined;
    try {
      super.prepare(connection);
    } finally {
      known.areKnown = false;
    }
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    const { columns } = answersOf(connection);
    if (!columns.has(this.name)) {
      columns.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
    }
    super.handleCommandComplete(message, connection);
  }
}

/**
 * All take the same way through promises, so that of several the first to fail is the first to reject.
 * @throws the database's error, with the stack of whoever sent the statement
 */
export async function send(client: pg.ClientBase, query: pg.QueryConfig): Promise<pg.QueryResult> {
  return tracing.statement(query.text, async () => sent(client, query));
}

async function sent(client: pg.ClientBase, query: pg.QueryConfig): Promise<pg.QueryResult> {
  const isPooled = client instanceof PooledClient;
  const Kind = query.name === undefined || isPooled ? ParsedQuery : NamedQuery;
  try {
    return await new Promise<pg.QueryResult>((resolve, reject) => {
      const answered: Answered = (error, result) => (error ? reject(error) : resolve(result));
      const statement = new Kind(query, answered);
      if (isPooled) statement.name = '';
      client.query(statement);
    });
  } catch (error) {
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}
