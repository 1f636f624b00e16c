import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Demo } from '../src/demo/demo-account.js';
import { type Uuid, uuidOf } from '../src/kernel/ids.js';
import type { Server } from './processes.js';

const LINES = 20;
/** So large that no run pays a document in full. */
const UNIT_AMOUNT_MINOR = 10_000_000_000;

export interface Seeded {
  demo: Demo;
  accountId: Uuid;
  clientId: Uuid;
  documentIds: Uuid[];
  linkIds: Uuid[];
}

export interface SeedSize {
  documents: number;
  links: number;
}

/** One invoice of 20 lines through the API of a service that runs with the demo. */
export async function createPrototype(
  server: Server,
  dataDir: string,
): Promise<Demo & { prototype: Uuid }> {
  const demo = await readDemo(dataDir);
  const headers = {
    Authorization: `Bearer ${await accessToken(server, demo)}`,
    'Content-Type': 'application/json',
  };
  const lines = Array.from({ length: LINES }, (_, index) => ({
    description: `Consulting, work package ${index + 1}`,
    quantity: '1.5',
    unit_amount: UNIT_AMOUNT_MINOR,
    tax_rate: index % 2 === 0 ? '19' : '7',
  }));
  const customer = {
    name: 'Globex GmbH',
    address: ['Hauptstraße 1', '10115 Berlin'],
    country: 'DE',
  };
  const url = `http://127.0.0.1:${server.port}/v1/finance/documents`;
  const body = JSON.stringify({ customer, lines, issue: true, notes: 'Thank you.' });
  const answer = await fetch(url, { method: 'POST', headers, body });
  const document = (await answer.json()) as { id?: string };
  const prototype = uuidOf('doc', document.id ?? '');
  if (!prototype) throw new Error(`no invoice was made: ${JSON.stringify(document)}`);
  return { ...demo, prototype };
}

export async function accessToken(
  server: Server,
  { client_id, client_secret }: Pick<Demo, 'client_id' | 'client_secret'>,
): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${server.port}/v1/auth/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_id, client_secret }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

async function readDemo(dataDir: string): Promise<Demo> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as Demo;
    } catch (error) {
      if (attempt === 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Copies the prototype and a payment link of the demo, whatever columns they have. */
export async function copyDocuments(
  url: string,
  demo: Demo & { prototype: Uuid },
  size: SeedSize,
): Promise<Seeded> {
  const accountId = uuidOf('acc', demo.account_id) ?? '';
  const link = demo.payment_links.find(({ gateway }) => gateway === 'gateway-a');
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(`CREATE TEMP TABLE copies AS
      SELECT n, uuidv7() AS id FROM generate_series(1, ${size.documents}) n`);
    // An issued document takes lines only in the transaction that wrote it.
    await client.query('BEGIN');
    const changes = {
      documents: `, 'number', 'BENCH-' || c.n,
        'number_series', null, 'number_period', null, 'number_sequence', null`,
      document_contents: '',
      document_lines: ", 'line_id', uuidv7()",
      document_tax_groups: '',
    };
    for (const [table, own] of Object.entries(changes)) {
      const changed = `jsonb_build_object('document_id', c.id ${own})`;
      await client.query(
        `INSERT INTO ${table} SELECT r.* FROM ${table} p, copies c,
           LATERAL jsonb_populate_record(p, ${changed}) r WHERE p.document_id = $1`,
        [demo.prototype],
      );
    }
    await client.query('COMMIT');
    await client.query(`CREATE TEMP TABLE link_copies AS
      SELECT 1 + made % ${size.documents} AS n, uuidv7() AS id
      FROM generate_series(1, ${size.links}) AS made`);
    await client.query(
      `INSERT INTO payment_links SELECT r.*
       FROM payment_links p, link_copies k JOIN copies c USING (n),
         LATERAL jsonb_populate_record(p, jsonb_build_object(
           'payment_link_id', k.id, 'document_id', c.id)) r
       WHERE p.payment_link_id = $1`,
      [uuidOf('plink', link?.id ?? '')],
    );
    // As a database that has had them for a while, and not in the middle of its housekeeping. Only
    // what was filled: an ANALYZE of the empty tables would plan for tables that stay empty.
    await client.query(
      `VACUUM (ANALYZE) ${Object.keys(changes).join(', ')}, pending_documents, payment_links`,
    );
    const documents = await client.query<{ id: Uuid }>('SELECT id FROM copies');
    const links = await client.query<{ id: Uuid }>('SELECT id FROM link_copies ORDER BY random()');
    return {
      demo,
      accountId,
      clientId: uuidOf('cli', demo.client_id) ?? '',
      documentIds: documents.rows.map(({ id }) => id),
      linkIds: links.rows.map(({ id }) => id),
    };
  } finally {
    await client.end();
  }
}

/**
 * The first seal is of all documents at once: of a million it takes a processor for half a minute,
 * which is not what a payment costs.
 */
export async function untilSealed(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    for (;;) {
      const { rows } = await client.query<{ sealed: boolean | null }>(
        `SELECT max(through_xact) > (SELECT max(issued_xact) FROM documents) AS sealed FROM seals`,
      );
      if (rows[0]?.sealed) return;
      await sleep(1000);
    }
  } finally {
    await client.end();
  }
}

/** The lean server's tables, with so many documents. */
export async function seedLean(url: string, { documents }: SeedSize): Promise<Uuid[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(`
      CREATE TABLE documents (document_id uuid PRIMARY KEY, currency text NOT NULL,
        total bigint NOT NULL, amount_paid bigint NOT NULL CHECK (amount_paid BETWEEN 0 AND total),
        version integer NOT NULL) WITH (fillfactor = 50);
      CREATE TABLE payments (payment_id uuid PRIMARY KEY, document_id uuid NOT NULL,
        amount bigint NOT NULL CHECK (amount > 0), method text NOT NULL, reference text,
        recorded_at timestamptz NOT NULL);
      CREATE TABLE transfers (transfer_id uuid PRIMARY KEY, debit text NOT NULL, credit text NOT NULL,
        amount bigint NOT NULL, document_id uuid NOT NULL, recorded_at timestamptz NOT NULL);
      CREATE TABLE events (event_id uuid PRIMARY KEY, document_id uuid NOT NULL,
        sequence integer NOT NULL, type text NOT NULL, data jsonb NOT NULL,
        occurred_at timestamptz NOT NULL);
      CREATE TABLE idempotency_keys (key text PRIMARY KEY, sha256 bytea NOT NULL,
        body bytea NOT NULL, created_at timestamptz NOT NULL)`);
    const made = await client.query<{ id: Uuid }>(
      `INSERT INTO documents SELECT uuidv7(), 'EUR', 1000000000000000, 0, 1
       FROM generate_series(1, $1::int) RETURNING document_id AS id`,
      [documents],
    );
    await client.query('ANALYZE');
    return made.rows.map(({ id }) => id);
  } finally {
    await client.end();
  }
}

/** The same number of invoices and links in the textbook's own tables. */
export async function seedTextbook(
  url: string,
  size: SeedSize,
): Promise<{ invoiceIds: Uuid[]; linkIds: Uuid[] }> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(
      `INSERT INTO invoices (number, "customerName", "customerEmail", currency, total)
       SELECT 'BENCH-' || n, 'Globex GmbH', 'accounts@globex.example', 'EUR', $2::bigint
       FROM generate_series(1, $1) n`,
      [size.documents, LINES * UNIT_AMOUNT_MINOR],
    );
    await client.query(
      `INSERT INTO payment_links ("invoiceId", amount)
       SELECT i.id, 10000 FROM generate_series(1, $1) AS made
       JOIN (SELECT id, row_number() OVER () AS place FROM invoices) i
         ON i.place = 1 + made % $2`,
      [size.links, size.documents],
    );
    await client.query('ANALYZE invoices, payment_links');
    const ids = async (table: string) =>
      (await client.query<{ id: Uuid }>(`SELECT id FROM ${table} ORDER BY random()`)).rows.map(
        ({ id }) => id,
      );
    return { invoiceIds: await ids('invoices'), linkIds: await ids('payment_links') };
  } finally {
    await client.end();
  }
}
