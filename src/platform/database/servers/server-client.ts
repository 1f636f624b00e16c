import pg from 'pg';
import { Servers } from './servers.js';
import { isPooled, serverUrls } from './server-urls.js';

type Connected = (error: Error | null, client?: pg.Client) => void;

interface ServerOptions extends pg.ClientConfig {
  servers?: Servers;
}

/** A connection to a server, or to the one of several that takes changes. */
class ServerClient extends pg.Client {
  private readonly servers: Servers | undefined;

  constructor({ servers, ...config }: ServerOptions) {
    super(config);
    this.servers = servers;
    // One that ends also fails its query; without a listener from the beginning it could end the process.
    this.on('error', () => undefined);
  }

  override connect(): Promise<pg.Client>;
  override connect(done: Connected): void;
  override connect(done?: Connected): Promise<pg.Client> | void {
    const connected = this.connectToPrimary();
    if (!done) return connected;
    void tell(connected, done);
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

/**
 * A connection to a pooler that gives each transaction another session. Limits are set in each
 * transaction, and statements have no names. Outside of transactions the limits of the role hold.
 */
export class PooledClient extends ServerClient {
  private readonly limits: string;

  constructor(options: ServerOptions) {
    const rest = { ...options };
    let limits = '';
    for (const name of LIMITS) {
      if (typeof rest[name] === 'number') limits += `; SET LOCAL ${name} = ${rest[name]}`;
      delete rest[name];
    }
    super(rest);
    this.limits = limits;
  }

  override query(first: unknown, ...others: unknown[]): never {
    const begins = typeof first === 'string' && BEGINNING.test(first);
    const send = super.query as (...sent: unknown[]) => never;
    return send.call(this, begins ? first + this.limits : first, ...others);
  }
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
 */
export function clientOptions(url: string): pg.ClientConfig {
  const [connectionString = url, ...others] = serverUrls(url);
  const servers = others.length > 0 ? { servers: Servers.of(url) } : {};
  const kind = isPooled(url) ? PooledClient : ServerClient;
  const options = { connectionString, ...servers, Client: kind };
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
