import type { Duplex } from 'node:stream';
import pg from 'pg';
import { serverUrls } from './server-urls.js';

/** Connections come in bursts, and one look serves them all. */
const REMEMBERED_MS = 1000;
const WATCH_MS = 2000;
const LOOK_MS = 2000;

/** A promotion begins a timeline: the primary of before, back again, still has the older one. */
const STATE = `SELECT current_setting('transaction_read_only') = 'off' AS "takesChanges",
  CASE WHEN NOT pg_is_in_recovery()
    THEN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END AS timeline`;

interface Place {
  host: string;
  port: number;
}

interface Primary extends Place {
  timeline: number;
}

/** The servers of one database: one of them takes changes, the others follow it. */
export class Servers {
  private static readonly known = new Map<string, Servers>();

  private readonly urls: readonly string[];
  private readonly streams = new Map<Duplex, string>();
  private looking?: Promise<Primary> | undefined;
  private found?: { primary: Primary; at: number };
  /** No server of an older history is written to any more. */
  private timeline = 0;
  private watching?: NodeJS.Timeout | undefined;

  private constructor(url: string) {
    this.urls = serverUrls(url);
  }

  /** The same for all connections of an address, so that they move together. */
  static of(url: string): Servers {
    const known = Servers.known.get(url) ?? new Servers(url);
    Servers.known.set(url, known);
    return known;
  }

  /** @throws Error of the last one that did not answer, or that none takes changes */
  async primary(): Promise<Place> {
    if (this.found && performance.now() - this.found.at < REMEMBERED_MS) return this.found.primary;
    this.looking ??= this.look().finally(() => (this.looking = undefined));
    return this.looking;
  }

  /** A connection that is open; it ends when another server takes over, whether it was told or not. */
  add(stream: Duplex, host: string, port: number): void {
    this.streams.set(stream, nameOf({ host, port }));
    this.watching ??= setInterval(() => void this.watch(), WATCH_MS).unref();
    stream.once('close', () => {
      this.streams.delete(stream);
      if (this.streams.size > 0) return;
      clearInterval(this.watching);
      this.watching = undefined;
    });
  }

  private async watch(): Promise<void> {
    await this.primary().catch(() => undefined);
  }

  private async look(): Promise<Primary> {
    const primary = await Promise.any(this.urls.map((url) => this.ask(url))).catch(
      (error: AggregateError) => {
        throw error.errors.at(-1);
      },
    );
    this.timeline = primary.timeline;
    this.found = { primary, at: performance.now() };
    const name = nameOf(primary);
    // Its network may be gone, so that nobody ever told us.
    for (const [stream, of] of this.streams) if (of !== name) stream.destroy();
    return primary;
  }

  private async ask(url: string): Promise<Primary> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'quittance server look-up',
      connectionTimeoutMillis: LOOK_MS,
      query_timeout: LOOK_MS,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ takesChanges: boolean; timeline: number | null }>(
        STATE,
      );
      // Nobody waits for a farewell.
      client.end().catch(() => undefined);
      const { takesChanges, timeline } = rows[0] ?? {};
      if (!takesChanges || timeline == null) throw new NoPrimary('takes no changes');
      if (timeline < this.timeline) throw new NoPrimary('has an older history');
      return { host: client.host, port: client.port, timeline };
    } catch (error) {
      client.connection.stream.destroy();
      throw error;
    }
  }
}

/** SQLSTATE of a transaction that may only read. */
class NoPrimary extends Error {
  readonly code = '25006';

  constructor(why: string) {
    super(`a server of the database ${why}`);
  }
}

function nameOf({ host, port }: Place): string {
  return `${host}:${port}`;
}
