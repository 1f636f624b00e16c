import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import pg from 'pg';
import { createApp, platformOptions } from '../src/boot.js';
import { Installation } from '../src/extensions/installation.js';
import { loadConfig } from '../src/platform/config/config.js';
import { createLog } from '../src/platform/observability/log.js';
import { type Contestant, query, type Stage } from './contestants.js';
import type { CostRow } from './report.js';

/**
 * The cost to PostgreSQL of each table, index, key, check and trigger on the way of a payment. A group
 * of payments is recorded once as the service sends it. Then it is sent again and again, and rolled
 * back, to a database as it is and in turn to one without that part.
 */
const CALLERS = 32;
const TURNS = 80;
const WARM_UP_TURNS = 15;
/** The quietest turns: others on the machine only ever add to what a statement takes. */
const QUIET = 0.25;
const TABLES = ['payments', 'transfers', 'events', 'idempotency_keys', 'documents'];

interface Sent {
  text: string;
  values: unknown[];
}

interface Group {
  members: number;
  lookups: Sent[];
  write: Sent;
}

export async function measureRowCosts(
  stage: Stage,
  service: Contestant,
  say: (line: string) => void,
): Promise<CostRow[]> {
  const group = await recordGroup(stage, service);
  say(`a group of ${group.members} payments`);
  const without = new Variants(service.databaseUrl, group);
  const rows: CostRow[] = [];
  const all = await without.compare('', [...group.lookups, group.write]);
  rows.push({ name: `a payment of ${group.members}`, micros: all.whole });
  for (const lookup of group.lookups) {
    const { whole } = await without.compare('', [lookup]);
    rows.push({
      name: `look-up: ${/FROM (\w+)(?: \w+)?\s+WHERE/.exec(lookup.text)?.[1]}`,
      micros: whole,
    });
  }
  for (const part of partsOf(group.write)) {
    const { whole } = await without.compare('', [part]);
    const [, verb, table] = /^(INSERT|UPDATE)(?: INTO)? (\w+)/.exec(part.text) ?? [];
    rows.push({ name: `${verb} ${table}, by itself`, micros: whole });
  }
  for (const { name, sql } of await removableParts(service.databaseUrl)) {
    say(`without ${name}`);
    const { whole, less } = await without.compare(sql, [group.write]);
    if (!Number.isNaN(less)) rows.push({ name, micros: whole - less });
  }
  return rows;
}

/** The largest group that payments sent at once made, as the driver got it. */
async function recordGroup(stage: Stage, service: Contestant): Promise<Group> {
  const env = { ...stage.serviceEnv, QUITTANCE_PROCESSES: '1', QUITTANCE_SEAL_SECONDS: '0' };
  const installation = await Installation.read(env, stage.folder);
  const config = await loadConfig(
    { ...env, DATABASE_URL: service.databaseUrl },
    stage.folder,
    installation.providers,
  );
  const app = await createApp(
    platformOptions({ ...config, doesJobs: false }, createLog('silent'), service.databaseUrl),
    installation,
  );
  const server = (await app.listen(0, '127.0.0.1')) as Server;
  const { port } = server.address() as AddressInfo;
  const transactions = recordTransactions();
  try {
    for (let turn = 0; turn < 5; turn += 1) {
      const paths = service.payments.paths.slice(turn * CALLERS, (turn + 1) * CALLERS);
      await Promise.all(
        paths.map(async (path, index) => {
          const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
            method: 'POST',
            headers: {
              ...service.payments.headers,
              'Content-Type': 'application/json',
              'Idempotency-Key': `rows-${turn}-${index}`,
            },
            body: '{"amount":100,"method":"bank_transfer","reference":"4711"}',
          });
          if (answer.status !== 201) throw new Error(await answer.text());
        }),
      );
    }
  } finally {
    await app.close();
  }
  const groups = transactions.flatMap((sent): Group[] => {
    const write = sent.at(-1);
    const lookups = sent.slice(0, -1);
    const [first] = lookups[0]?.values ?? [];
    if (!write || !Buffer.isBuffer(first)) return [];
    return [{ members: first.readInt32BE(12), lookups, write }];
  });
  const [largest] = groups.sort((one, other) => other.members - one.members);
  if (!largest) throw new Error('no payments shared a transaction');
  return largest;
}

/** The statements of each transaction from now on, without BEGIN and COMMIT. */
function recordTransactions(): Sent[][] {
  const transactions: Sent[][] = [];
  const open = new WeakMap<object, Sent[]>();
  const send = pg.Client.prototype.query as (...given: unknown[]) => unknown;
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [asked] = given as [string | Sent];
    if (asked === 'BEGIN') open.set(this, []);
    else if (asked === 'COMMIT') transactions.push(open.get(this) ?? []);
    else if (typeof asked === 'object')
      open.get(this)?.push({ text: asked.text, values: asked.values });
    return send.apply(this, given);
  } as typeof pg.Client.prototype.query;
  return transactions;
}

/** `WITH w0 AS (...), w1 AS (...) ...` as statements of their own. */
function partsOf({ text, values }: Sent): Sent[] {
  const parts: string[] = [];
  let depth = 0;
  let from = text.indexOf('(') + 1;
  for (let at = from - 1; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] !== ')') continue;
    depth -= 1;
    if (depth > 0) continue;
    parts.push(text.slice(from, at));
    const next = /^, w\d+ AS \(/.exec(text.slice(at + 1));
    if (!next) {
      parts.push(text.slice(at + 2));
      break;
    }
    at += next[0].length;
    from = at + 1;
    depth = 1;
  }
  return parts.map((part) => {
    const places = [
      ...new Set(Array.from(part.matchAll(/\$(\d+)/g), ([, place]) => Number(place))),
    ];
    return {
      text: part.replaceAll(
        /\$(\d+)/g,
        (_, place: string) => `$${places.indexOf(Number(place)) + 1}`,
      ),
      values: places.map((place) => values[place - 1]),
    };
  });
}

/** Everything that PostgreSQL does beside the rows themselves, and how to do without it. */
async function removableParts(url: string): Promise<{ name: string; sql: string }[]> {
  const tables = TABLES.map((table) => `'${table}'::regclass`).join(', ');
  const rows = await query(
    url,
    `SELECT format('index %s', indexrelid::regclass) AS name,
       format('DROP INDEX %s', indexrelid::regclass) AS sql
     FROM pg_index i WHERE indrelid IN (${tables})
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid)
     UNION ALL
     SELECT format('%s %s', CASE contype WHEN 'f' THEN 'foreign key' WHEN 'c' THEN 'check' ELSE 'key' END,
         conname), format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname)
     FROM pg_constraint WHERE conrelid IN (${tables}) AND contype IN ('f', 'c', 'u', 'p')
     UNION ALL
     SELECT format('trigger %s', tgname), format('ALTER TABLE %s DISABLE TRIGGER %I', tgrelid::regclass, tgname)
     FROM pg_trigger WHERE tgrelid IN (${tables}) AND NOT tgisinternal
     UNION ALL
     SELECT format('check %s of domain %s', conname, contypid::regtype),
       format('ALTER DOMAIN %s DROP CONSTRAINT %I', contypid::regtype, conname)
     FROM pg_constraint WHERE contypid::regtype::text IN ('ledger_account', 'ledger_fact')
     ORDER BY 1`,
  );
  const keys = 'the keys of other tables that refer to documents';
  return [
    ...rows.map(({ name = '', sql = '' }) => ({ name, sql })),
    {
      name: keys,
      sql: `DO $$ DECLARE one record; BEGIN
        FOR one IN SELECT conname, conrelid::regclass AS owner FROM pg_constraint
          WHERE confrelid = 'documents'::regclass AND conrelid <> 'payments'::regclass LOOP
          EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', one.owner, one.conname);
        END LOOP; END $$`,
    },
  ];
}

interface Compared {
  /** Microseconds of CPU for a payment, as the database is. */
  whole: number;
  /** And without the part; NaN if something else needs it. */
  less: number;
}

class Variants {
  constructor(
    private readonly url: string,
    private readonly group: Group,
  ) {}

  /** @param sql takes the part out */
  async compare(sql: string, statements: readonly Sent[]): Promise<Compared> {
    const names = ['rows_whole', 'rows_less'];
    const sides: Side[] = [];
    try {
      for (const name of names) {
        await query(this.at('postgres'), `CREATE DATABASE ${name} TEMPLATE quittance`);
        await query(this.at(name), 'VACUUM FULL ANALYZE documents');
      }
      try {
        await query(this.at('rows_less'), sql);
      } catch {
        return { whole: Number.NaN, less: Number.NaN };
      }
      for (const name of names) sides.push(await Side.open(this.at(name), statements));
      for (let turn = -WARM_UP_TURNS; turn < TURNS; turn += 1) {
        for (const side of turn % 2 === 0 ? sides : sides.toReversed()) await side.turn(turn >= 0);
      }
      const [whole = Number.NaN, less = Number.NaN] = sides.map(
        (side) => side.quiet() / this.group.members,
      );
      return { whole, less };
    } finally {
      for (const side of sides) await side.close();
      for (const name of names) await query(this.at('postgres'), `DROP DATABASE IF EXISTS ${name}`);
    }
  }

  private at(name: string): string {
    return this.url.replace(/[^/]+$/, name);
  }
}

/** One connection, whose process's CPU time is read around each turn. */
class Side {
  private readonly micros: number[] = [];

  private constructor(
    private readonly client: pg.Client,
    private readonly pid: number,
    private readonly statements: readonly Sent[],
  ) {}

  static async open(url: string, statements: readonly Sent[]): Promise<Side> {
    const client = new pg.Client(url);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return new Side(client, rows[0]?.pid ?? 0, statements);
  }

  async turn(counts: boolean): Promise<void> {
    await this.client.query('BEGIN');
    const before = await this.cpuMicros();
    for (const [place, { text, values }] of this.statements.entries()) {
      await this.client.query({ name: `s${place}`, text, values });
    }
    const spent = (await this.cpuMicros()) - before;
    await this.client.query('ROLLBACK');
    if (counts) this.micros.push(spent);
  }

  quiet(): number {
    const sorted = this.micros.toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length * QUIET)] ?? Number.NaN;
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  /** proc(5), schedstat: nanoseconds on a processor. Linux only. */
  private async cpuMicros(): Promise<number> {
    const stat = await readFile(`/proc/${this.pid}/schedstat`, 'utf8');
    return Number(stat.split(' ')[0]) / 1000;
  }
}
