import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { type Read, type ReadField, readsOf } from '../support/reads.js';

// Each statement whose rows TypeScript gives a type is prepared against the migrated database.
// PostgreSQL says the columns of its answer, and those have to be what the type says.

/** The driver's value for a type of PostgreSQL, and where another name is wanted for it. */
const TYPES: Record<string, { as: RegExp; written?: RegExp }> = {
  int8: { as: /^bigint$/ },
  int2: { as: /^number$/ },
  _int2: { as: /^number\[\]$/ },
  int4: { as: /^number$/ },
  // Seconds, bytes and estimates; money is never one.
  float8: { as: /^number$/ },
  name: { as: /^string$/ },
  _int4: { as: /^number\[\]$/ },
  bool: { as: /^boolean$/ },
  timestamptz: { as: /^Date$/ },
  bytea: { as: /^Buffer/ },
  uuid: { as: /^string$/, written: /Uuid|^$/ },
  date: { as: /^string$/, written: /IsoDate|^$/ },
  text: { as: /^string$/, written: /^(?!.*\b(Uuid|IsoDate)\b)/ },
  varchar: { as: /^string$/ },
  inet: { as: /^string$/ },
  numeric: { as: /^string$/ },
  _text: { as: /^(readonly )?string\[\]$/ },
  _uuid: { as: /^(readonly )?string\[\]$/ },
  jsonb: { as: /^(?!(string|number|bigint|boolean|Date|Buffer)$)/ },
  json: { as: /^(?!(string|number|bigint|boolean|Date|Buffer)$)/ },
};

/** Made of what a list or the database names at run time: tests that run them see what they answer. */
const COMPOSED = new Set([
  'src/integrity/infrastructure/books-part.ts: Touched',
  'src/integrity/infrastructure/integrity.query.ts: Found',
  'src/integrity/infrastructure/seals.repository.ts: SealHead',
  'src/integrity/infrastructure/seals.repository.ts: { name: string; }',
  'src/platform/database/database.ts: { found: number; }',
  'src/platform/database/migrate.ts: { newest: string | null; next: string; }',
  'src/platform/observability/waiting-rows.ts: WaitingThings',
  'src/privacy/infrastructure/personal-data.query.ts: RecordColumns',
]);

interface Column {
  name: string;
  type: string;
  /** Null where it is no column of a table of ours. */
  mayBeNull: boolean | null;
}

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await aDatabase();
  client = await database.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Parsed and described, but never executed. */
class Preparation implements pg.Submittable {
  fields: pg.FieldDef[] = [];
  private failure?: Error;
  readonly done: Promise<void>;
  private settle!: () => void;

  constructor(private readonly text: string) {
    this.done = new Promise((resolve, reject) => {
      this.settle = () => (this.failure ? reject(this.failure) : resolve());
    });
  }

  submit(connection: pg.Connection): void {
    connection.parse({ name: '', text: this.text, types: [] }, true);
    connection.describe({ type: 'S', name: '' } as pg.MessageConfig, true);
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.fields = fields;
  }

  handleError(error: Error): void {
    this.failure = error;
    this.settle();
  }

  handleReadyForQuery(): void {
    this.settle();
  }
}

const NAMES = `SELECT t.oid::int, t.typname AS name FROM pg_type t`;
const NULLS = `SELECT format('%s.%s', a.attrelid::int, a.attnum) AS id, NOT a.attnotnull AS "mayBeNull"
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE c.relnamespace = 'public'::regnamespace`;

/** Of each read, what PostgreSQL says that its statement answers; or why it does not. */
async function columnsOf(reads: readonly Read[]): Promise<Map<Read, Column[] | string>> {
  const names = await database.query<{ oid: number; name: string }>(NAMES);
  const nulls = await database.query<{ id: string; mayBeNull: boolean }>(NULLS);
  const typeOf = new Map(names.map(({ oid, name }) => [oid, name]));
  const nullable = new Map(nulls.map(({ id, mayBeNull }) => [id, mayBeNull]));
  const found = new Map<Read, Column[] | string>();
  for (const read of reads) {
    if (read.text === undefined) continue;
    const preparation = client.query(new Preparation(read.text));
    const refused = await preparation.done.catch((error: Error) => error);
    if (refused) {
      found.set(read, refused.message);
      continue;
    }
    const columns = preparation.fields.map(({ name, dataTypeID, tableID, columnID }) => ({
      name,
      type: typeOf.get(dataTypeID) ?? `${dataTypeID}`,
      mayBeNull: nullable.get(`${tableID}.${columnID}`) ?? null,
    }));
    found.set(read, columns);
  }
  return found;
}

function mistakesOf(
  read: Read,
  columns: readonly Column[] | string = 'no constant text',
): string[] {
  if (typeof columns === 'string')
    return COMPOSED.has(read.place) ? [] : [`${read.place}: ${columns}`];
  if (read.fields.length === 0) return [`${read.place} names no column`];
  return read.fields.flatMap((field) => {
    const column = columns.find(({ name }) => name === field.name);
    const wrong = column ? mistakeIn(field, column, read.text ?? '') : 'is not read';
    return wrong && !(field.mayBeMissing && !column) ? `${read.place}.${field.name} ${wrong}` : [];
  });
}

function mistakeIn(field: ReadField, { type, mayBeNull }: Column, text: string) {
  if (field.type === 'unknown') return undefined;
  const expected = TYPES[type];
  if (!expected?.as.test(field.type)) return `is ${type}, not ${field.type}`;
  if (expected.written && !expected.written.test(field.written)) {
    return `is ${type}, not ${field.written}`;
  }
  if (mayBeNull === true && !field.mayBeNull && !field.isNeverNull) return 'may be null';
  // A row that is not there has null in each column.
  const isOuter = /\b(LEFT|FULL)\b/.test(text);
  return mayBeNull === false && field.mayBeNull && !isOuter ? 'is never null' : undefined;
}

/** Fields of payments that are not what a statement answers, and why. */
const WRONG = [
  ['payment_id: string', 'SELECT payment_id FROM payments', 'is uuid, not string'],
  ['amount: number', 'SELECT amount FROM payments', 'is int8, not number'],
  ['amount: bigint', 'SELECT sum(amount) AS amount FROM payments', 'is numeric, not bigint'],
  ['note: string', 'SELECT note FROM payments', 'may be null'],
  ['amount: bigint | null', 'SELECT amount FROM payments', 'is never null'],
  ['paidAt: Date', 'SELECT paid_at FROM payments', 'is not read'],
  ['note: string', 'SELECT note FROM paymnets', 'relation "paymnets" does not exist'],
  ['note: Uuid | null', 'SELECT ${COLUMN} FROM payments', 'is text, not Uuid | null'],
] as const;

const WRONG_FILE = `
  import type { Uuid } from './kernel/ids.js';
  import type { Tx } from './platform/database/tx.js';
  const COLUMN = 'note';
  export const wrong = (tx: Tx) => [
    tx.read<Record<string, unknown>>('SELECT amount FROM payments'),
    ${WRONG.map(([field, sql]) => `tx.read<{ ${field} }>(\`${sql}\`)`).join(',\n')}
  ];`;

const isWrong = ({ place }: Read) => place.startsWith('src/wrong.ts');

describe('types of rows', () => {
  let reads: Read[];
  let columns: Map<Read, Column[] | string>;
  beforeAll(async () => {
    reads = readsOf({ 'src/wrong.ts': WRONG_FILE });
    columns = await columnsOf(reads);
  });

  const mistakes = (of: (read: Read) => boolean) =>
    reads.filter(of).flatMap((read) => mistakesOf(read, columns.get(read)));

  it('are what the statements answer that read them', () => {
    expect(reads.length).toBeGreaterThan(100);
    expect(mistakes((read) => !isWrong(read))).toEqual([]);
  });

  it('are refused where they are not', () => {
    const reasons = ['names no column', ...WRONG.map(([, , reason]) => reason)];
    expect(mistakes(isWrong)).toEqual(
      reasons.map((reason) =>
        expect.stringMatching(new RegExp(`[.:].* ${reason.replaceAll('|', '.')}$`)),
      ),
    );
  });

  it('can be told for all but a few statements', () => {
    const untold = reads.filter((read) => typeof columns.get(read) === 'string');
    const ours = untold.filter((read) => !isWrong(read)).map(({ place }) => place);
    expect(new Set(ours)).toEqual(COMPOSED);
  });
});
