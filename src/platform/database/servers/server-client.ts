import pg from 'pg';
import { Servers } from './servers.js';
import { isPooled, serverUrls } from './server-urls.js';

type Connected = (error: Error | null, client?: pg.Client) => void;

interface ServerOptions extends pg.ClientConfig {
  servers?: Servers;
  /** Each transaction only reads. */
  onlyReads?: boolean | undefined;
}

const SESSION_READS = 'SET default_transaction_read_only = on';

/** A connection to a server, or to the one of several that takes changes. */
class ServerClient extends pg.Client {
  private readonly servers: Servers | undefined;
  private readonly onlyReads: boolean;

  constructor({ servers, onlyReads = false, ...config }: ServerOptions) {
    super(config);
    this.servers = servers;
    this.onlyReads = onlyReads;
    // One that ends also fails its query; without a listener from the beginning it could end the process.
    this.on('error', () => undefined);
  }

  override connect(): Promise<pg.Client>;
  override connect(done: Connected): void;
  override connect(done?: Connected): Promise<pg.Client> | void {
    const connected = this.connectToServer();
    if (!done) return connected;
    void tell(connected, done);
  }

  private async connectToServer(): Promise<pg.Client> {
    const connected = await this.connectToPrimary();
    if (this.onlyReads) await this.query(SESSION_READS);
    return connected;
  }

  private async connectToPrimary(): Promise<pg.Client> {
    if (!this.servers) return super.connect();
    const { host, port } = await this.servers.primary();
    const { stream } = this.connection;
    if (stream.destroyed) throw new Error('timeout exceeded when trying to connect');
    Object.assign(this, { host, port });
    await super.connect();
    this.servers.add(stream, host, port);
    return this;
  }
}

/** Settings that pg sends as a session begins. A pooler refuses those that it does not keep apart. */
const LIMITS = [
  'lock_timeout',
  'statement_timeout',
  'idle_in_transaction_session_timeout',
] as const;
const BEGINNING = /^(BEGIN|START TRANSACTION)\b/;
const ENDING = /^(COMMIT|ROLLBACK)\b/;

/**
 * A connection to a pooler that gives each transaction another session. Limits are set in each
 * transaction, and statements have no names. Outside of transactions the limits of the role hold. A
 * client that only reads has no statement outside of one.
 */
export class PooledClient extends ServerClient {
  private readonly limits: string;
  private readonly wraps: boolean;
  /** As far as was sent. */
  private isInside = false;

  constructor({ onlyReads = false, ...options }: ServerOptions) {
    const rest = { ...options };
    let limits = onlyReads ? '; SET TRANSACTION READ ONLY' : '';
    for (const name of LIMITS) {
      if (typeof rest[name] === 'number') limits += `; SET LOCAL ${name} = ${rest[name]}`;
      delete rest[name];
    }
    super(rest);
    this.limits = limits;
    this.wraps = onlyReads;
  }

  override query(first: unknown, ...others: unknown[]): never {
    const text = textOf(first);
    const send = (super.query as (...sent: unknown[]) => never).bind(this);
    if (BEGINNING.test(text)) {
      this.isInside = true;
      return send(text + this.limits, ...others);
    }
    if (ENDING.test(text)) this.isInside = false;
    else if (this.wraps && !this.isInside) {
      return wrapped(send, `BEGIN${this.limits}`, [first, ...others]) as never;
    }
    return send(first, ...others);
  }
}

const textOf = (query: unknown): string =>
  typeof query === 'string' ? query : ((query as { text?: string } | null)?.text ?? '');

/** One round trip, as all of it is sent at once. */
async function wrapped(
  send: (...sent: unknown[]) => unknown,
  begin: string,
  statement: unknown[],
): Promise<unknown> {
  const sent = [send(begin), send(...statement), send('COMMIT')];
  // The connection is free once the last of them is answered.
  await Promise.allSettled(sent);
  await sent[0];
  return sent[1];
}

/** As pg-pool wants to be told. */
async function tell(connected: Promise<pg.Client>, done: Connected): Promise<void> {
  const [error, client] = await connected.then(
    (one) => [null, one] as const,
    (reason: Error) => [reason] as const,
  );
  done(error, client);
}

/**
 * How pg makes a connection: to the server of an address, or to the one of several that takes changes.
 * @param url may name several servers, as libpq has it
 * @param onlyReads each transaction refuses to write
 */
export function clientOptions(url: string, onlyReads = false): pg.ClientConfig {
  const [connectionString = url, ...others] = serverUrls(url);
  const servers = others.length > 0 ? { servers: Servers.of(url) } : {};
  const kind = isPooled(url) ? PooledClient : ServerClient;
  const options = { connectionString, ...servers, ...(onlyReads && { onlyReads }), Client: kind };
  return options;
}

/** A connection of its own, which is not open yet. */
export function clientFor(url: string, config: pg.ClientConfig = {}): pg.Client {
  const options = { ...config, ...clientOptions(url) };
  return new (clientKindOf(options))(options);
}

/** The class that fits the options. */
export function clientKindOf(options: pg.ClientConfig): typeof pg.Client {
  return (options as { Client?: typeof pg.Client }).Client ?? pg.Client;
}
