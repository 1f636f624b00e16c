import pg from 'pg';
import { Servers } from './servers.js';
import { serverUrls } from './server-urls.js';

type Connected = (error: Error | null, client?: pg.Client) => void;

/** A connection to the one of several servers that takes changes. */
class ServerClient extends pg.Client {
  private readonly servers: Servers;

  constructor({ servers, ...config }: pg.ClientConfig & { servers: Servers }) {
    super(config);
    this.servers = servers;
    // One that ends also fails its query.
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
    const { host, port } = await this.servers.primary();
    const { stream } = this.connection;
    if (stream.destroyed) throw new Error('timeout exceeded when trying to connect');
    Object.assign(this, { host, port });
    await super.connect();
    this.servers.add(stream, host, port);
    return this;
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
  if (others.length === 0) return { connectionString };
  const options = { connectionString, servers: Servers.of(url), Client: ServerClient };
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
