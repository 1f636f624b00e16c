import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TransferSumming } from '../../../src/books/application/transfer-summing.js';
import { IntegrityQuery } from '../../../src/integrity/index.js';
import { INTEGRITY_CHECKS } from '../../../src/integrity/infrastructure/checks/all-checks.js';
import { whole } from '../../../src/integrity/infrastructure/books-part.js';
import { booksOfEverything, sealAll } from '../../support/books.js';
import type { TestClient } from '../../support/client.js';
import { withoutConstraints } from '../../support/without-constraints.js';
import { startTestService, type TestService } from '../../support/service.js';
import { oneIn } from '../../support/share.js';

// The owner of the tables turns their triggers off, changes one row, and turns them on again. Every
// table and every column that the catalog has is tried, but for those below, with the reason.

/** Tables without money. */
const NOT_MONEY: Record<string, string> = {
  accounts: 'who the tenant is',
  api_clients: 'who may call',
  collections: 'by which mandate a link is collected; the link has the money',
  debit_retries: 'when a debit is tried again; its link has the money',
  customers: 'whom documents copy when they are issued',
  bank_file_mappings: 'how files to come are read',
  gateways: 'how providers are reached',
  gateway_deliveries: 'calls of providers, kept for days; what came of them is elsewhere',
  idempotency_keys: 'answers to requests, kept for days',
  integrity_runs: 'when the books were checked',
  items: 'what lines copy when they are written',
  mandates: 'who may be debited; what was debited is elsewhere',
  mail_letters: 'how much was written to whom; mail moves no money',
  mail_messages: 'what was written to whom; mail moves no money',
  event_marks: 'up to which events their readers have read',
  mail_progress: 'when due invoices were looked for',
  mail_refusals: 'who wants no reminders',
  mail_settings: 'what is written by itself',
  extension_settings: 'what an account wishes of an extension',
  extension_seals: 'of tables of extensions; what was sealed of one that it does not name is told',
  extension_migrations: 'of the tables of extensions, which the check of the schema reads',
  migrations: 'of the schema',
  number_counters: 'the audit of a series tells',
  number_series: 'patterns for numbers to come',
  payment_settings: 'what holds for payments to come',
  chart_settings: 'how files name the accounts of the ledger',
  debtors: 'how files number the customers',
  portal_tokens: 'who may look',
  refresh_tokens: 'who may call',
  revocations: 'who may no longer call',
  checkout_look_ups: 'when a provider is asked next',
  payment_list_reads: 'how far lists of providers were read',
  refund_requests: 'which request asked for which refund, kept for days',
  schedules: 'what documents to come are made of',
  schedule_periods: 'which document a period has; the document has the money',
  schedule_usage: 'what documents to come are made of',
  held_work: 'which work waits since a restore',
  removed_files: 'objects of the store of files that no row named',
  dunning_plans: 'what letters to come ask for',
  dunning_states: 'when a document is looked at next',
  reminders: 'what letters asked; the documents have the money',
  reminder_documents: 'what letters asked; the documents have the money',
  dunning_charges: 'what letters asked; the invoices that bill them have the money',
  seller_logos: 'each is found by its SHA-256',
  tax_rates: 'what lines copy when they are written',
  token_families: 'who may call',
  test_clocks: 'what time it is for an account made for trying',
  webhook_deliveries: 'how events got to others; the events have the money',
  webhook_endpoints: 'who is told of events',
  webhook_queues: 'when events are sent',
};

/** Columns that may change in the life of a row and move no money; events tell what they were. */
const MAY_CHANGE: Record<string, readonly string[]> = {
  bank_entries: ['judged_at'],
  bank_statements: ['withdrawn_at'],
  document_contents: ['metadata', 'search'],
  document_lines: [
    'credited_line_id',
    'external_id',
    'item_id',
    'line_id',
    'metadata',
    'sku',
    'tax_rate_id',
  ],
  documents: [
    'collection_method',
    'converted_at',
    'created_at',
    'payment_terms_days',
    'rejected_version',
    'version',
  ],
  pending_documents: ['tell_at'],
  payment_links: ['canceled_at', 'failed_at', 'failure', 'paid_at', 'processing_at'],
  refunds: ['attempts', 'next_look_at'],
  seals_seen: ['seen_at'],
};

/** Until they are sealed, nothing else tells what these say; they move no money by themselves. */
const ONLY_SEALED: Record<string, string> = {
  audit_entries: 'who changed what, and what was refused',
  document_pdfs: 'a print can be made again',
  e_invoices: 'it can be written again',
  exchange_rates: 'what will be booked; what is booked keeps its own rate',
  period_closings: 'which months were closed; what got into one afterwards is found',
  vat_methods: 'when tax is due, for a report; what is booked is the same',
  unmatched_item_steps: 'who has seen to it',
  unmatched_items: 'money that is in no books',
  provider_failures: 'failures of payments that never were reported',
  provider_payouts: 'payouts that nobody could book yet',
  provider_payout_waits: 'what payouts wait for; of those in the books, that they wait',
  refund_names: 'what a provider calls a refund that was recorded before it told of it',
  disputes: 'what a provider calls the dispute, and when it was told',
  dispute_steps: 'what providers said of a dispute; of what moved the ledger tells',
  provider_events: 'what providers said; of the money their receipts tell',
  bank_entries: 'what a bank says; of what is booked the payment tells',
  bank_entry_mentions: 'which other files tell of an entry',
  credited_lines: 'for which lines the total of a credit note is; one by amount has none',
  payment_links: 'what an invitation to pay asks for',
};

/** The fee of a receipt is booked when that becomes a payment; credit is kept until a refund is settled. */
const SAID_OF_LATER = new Set(['unmatched_receipts.fee', 'refunds.credit_kept']);

/** Copies that say nothing which is not so: another invitation to pay, print or word of a provider. */
const HARMLESS_COPIES = new Set([
  'audit_entries',
  'bank_entry_mentions',
  'document_pdfs',
  'e_invoices',
  'exchange_rates',
  'payment_links',
  'period_closings',
  'vat_methods',
  'provider_events',
  'provider_failures',
  'provider_payout_waits',
  'provider_payouts',
  'unmatched_item_steps',
  'unmatched_items',
]);

/** Another value of the same type. */
const otherText = (column: string) => `coalesce(${column}, '') || 'x'`;
const OTHER: Record<string, (column: string) => string> = {
  bigint: (column) => `coalesce(${column}, 0) + 1000`,
  smallint: (column) => `${column} - 1`,
  integer: (column) => `coalesce(${column}, 0) + 1000`,
  numeric: (column) => `coalesce(${column}, 0) + 1`,
  inet: (column) => `coalesce(${column}, '192.0.2.1') + 1`,
  boolean: (column) => `NOT ${column}`,
  text: otherText,
  'text[]': (column) => `${column} || 'x'::text`,
  ledger_account: otherText,
  ledger_fact: otherText,
  uuid: () => 'gen_random_uuid()',
  date: (column) => `coalesce(${column}, '2026-01-01') + 1`,
  bytea: (column) => `sha256(${column})`,
  'timestamp with time zone': (column) => `coalesce(${column}, now()) + interval '1 hour'`,
  json: (column) => `json_build_array(${column})`,
  jsonb: (column) => `jsonb_build_array(${column})`,
};

interface Column {
  table: string;
  name: string;
  type: string;
  key: boolean;
}

let service: TestService;
let client: TestClient;
let tables: Map<string, Column[]>;

beforeAll(async () => {
  // Jobs would make something of rows that are changed for a moment, which stays.
  service = await startTestService({ doesJobs: false });
  client = await service.aClient();
  await booksOfEverything(service, client);
  await sealAll(service);
  await service.app.get(TransferSumming).sum();
  tables = await moneyTables();
  await service.database.query('CREATE SCHEMA kept');
  for (const table of tables.keys()) {
    await service.database.query(`CREATE TABLE kept.${table} AS SELECT * FROM ${table}`);
  }
});
afterAll(() => service.close());

async function moneyTables(): Promise<Map<string, Column[]>> {
  const columns = await service.database.query<Column>(
    `SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, NULL) AS type,
       a.attnum = ANY (i.indkey) AS key
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
     WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND a.attnum > 0
       AND NOT a.attisdropped ORDER BY c.relname, a.attnum`,
  );
  const found = new Map<string, Column[]>();
  for (const column of columns) {
    if (column.table in NOT_MONEY) continue;
    found.set(column.table, [...(found.get(column.table) ?? []), column]);
  }
  return found;
}

/** In the rows: test/schema/schema-listing.e2e-spec.ts is about what keeps bad ones out. */
async function found(): Promise<number> {
  const { differences } = await service.app.get(IntegrityQuery).differences();
  return differences.filter(({ check }) => check !== 'the schema is as the migrations made it')
    .length;
}

/** After the first check that finds something, the others have nothing to add. */
async function isFound(): Promise<boolean> {
  for (const check of INTEGRITY_CHECKS) {
    const { text, values } = whole(check, null);
    const all = `WITH difference AS MATERIALIZED (${text}) SELECT FROM difference LIMIT 1`;
    if ((await service.database.query(all, values)).length > 0) return true;
  }
  return false;
}

/** One statement of the owner; the error where a constraint refuses it. */
async function tamper(table: string, sql: string): Promise<string> {
  try {
    const rows = await service.database.query(`
      BEGIN; ALTER TABLE ${table} DISABLE TRIGGER USER;
      ${sql}; ALTER TABLE ${table} ENABLE TRIGGER USER; COMMIT`);
    return rows ? 'done' : '';
  } catch (error) {
    await service.database.query('ROLLBACK');
    return `refused: ${(error as Error).message}`;
  }
}

const without = (one: string, other: string) =>
  `NOT EXISTS (SELECT FROM ${other} o WHERE to_jsonb(o) = to_jsonb(${one}))`;

/** Restores only the rows that differ, so that rows on which others stand may stay. */
async function restore(table: string): Promise<void> {
  const columns = (tables.get(table) ?? []).map(({ name }) => name).join(', ');
  const done = await tamper(
    table,
    `DELETE FROM ${table} t WHERE ${without('t', `kept.${table}`)};
     INSERT INTO ${table} (${columns})
       SELECT ${columns} FROM kept.${table} k WHERE ${without('k', table)}`,
  );
  if (done !== 'done') throw new Error(done);
}

/** `found`, `missed`, or that a constraint refuses it. */
async function verdict(table: string, sql: string): Promise<string> {
  const done = await tamper(table, sql);
  if (done !== 'done') return done;
  const answer = (await isFound()) ? 'found' : 'missed';
  await restore(table);
  return answer;
}

/** Whether other rows tell of a table's rows, beside the seals. */
const isTold = (table: string) => !(table in ONLY_SEALED) && !table.startsWith('seal');

/** Which columns nobody missed when they were changed, of those that are to be tried. */
async function changedColumns(isTried: (table: string, column: Column) => boolean) {
  const missed: string[] = [];
  const known = [...tables].flatMap(([table, columns]) =>
    columns.filter((column) => isTried(table, column)).map((column) => ({ ...column, table })),
  );
  for (const { table, name, type } of oneIn(6, known)) {
    const other = OTHER[type]?.(name);
    if (!other) throw new Error(`no other value for ${type}`);
    const sql = `UPDATE ${table} SET ${name} = ${other} WHERE ${oneRow(table, name)}`;
    const answer = await verdict(table, sql);
    if (answer !== 'found') missed.push(`${table}.${name}${answer === 'missed' ? '' : answer}`);
  }
  return { missed, known };
}

/** Before it is sealed, an event in no document's history could be there or not. */
const IN_HISTORY = 'document_id';

/** The condition that finds one row, with a value in the column where there is one. */
function oneRow(table: string, column = table === 'events' ? IN_HISTORY : undefined): string {
  const keys = (tables.get(table) ?? []).filter(({ key }) => key).map(({ name }) => name);
  const order = [...(column ? [`${column} IS NULL`] : []), ...keys].join(', ');
  return `ctid = (SELECT ctid FROM ${table} ORDER BY ${order} LIMIT 1)`;
}

describe('books that were tampered with', () => {
  it('agree before', async () => {
    const { differences, unsealed } = await service.app.get(IntegrityQuery).differences();
    expect({ differences, unsealed }).toEqual({ differences: [], unsealed: 0n });
  });

  it('have a row in every table of money', async () => {
    const empty = [];
    for (const table of tables.keys()) {
      const rows = await service.database.query(`SELECT FROM ${table} LIMIT 1`);
      if (rows.length === 0) empty.push(table);
    }
    expect(empty).toEqual([]);
    expect(tables.size).toBeGreaterThan(15);
  });

  it.each(['in the window of the row', 'now'])(
    'do not agree after a copy was inserted %s',
    async (when) => {
      const missed = [];
      for (const [table, columns] of tables) {
        const last = columns.findLast(({ key }) => key);
        const others = columns.filter(
          ({ name }) => name !== last?.name && (when !== 'now' || !/^(\w+_)?xact$/.test(name)),
        );
        const names = others.map(({ name }) => name);
        const other = OTHER[last?.type ?? '']?.(last?.name ?? '');
        const answer = await verdict(
          table,
          `INSERT INTO ${table} (${[last?.name, ...names].join(', ')})
           SELECT ${[other, ...names].join(', ')} FROM ${table} WHERE ${oneRow(table)}`,
        );
        if (answer === 'missed' && !HARMLESS_COPIES.has(table)) missed.push(table);
      }
      expect(missed).toEqual([]);
    },
  );

  it('stand without keys, which an owner may drop too', async () => {
    await withoutConstraints(service.database);
    expect(await found()).toBe(0);
  });

  it('do not agree after any row was deleted', async () => {
    const missed = [];
    for (const table of tables.keys()) {
      const answer = await verdict(table, `DELETE FROM ${table} WHERE ${oneRow(table)}`);
      if (answer !== 'found') missed.push([table, answer]);
    }
    expect(missed).toEqual([]);
  });

  it('do not agree after any column of any table was changed', async () => {
    const { missed, known } = await changedColumns((table, { name }) => {
      return !MAY_CHANGE[table]?.includes(name);
    });
    expect(missed).toEqual([]);
    expect(known.length).toBeGreaterThan(150);
  });

  it('do not agree after an amount or currency was changed that is not sealed yet', async () => {
    for (const table of ['seals', 'seal_heads', 'seals_seen']) {
      await tamper(table, `DELETE FROM ${table}`);
    }
    const { missed, known } = await changedColumns(
      (table, { name, type }) =>
        isTold(table) &&
        !SAID_OF_LATER.has(`${table}.${name}`) &&
        (name === 'currency' || (type === 'bigint' && !name.endsWith('xact'))),
    );
    expect(missed).toEqual([]);
    expect(known.length).toBeGreaterThan(30);
  });

  it('do not agree after a row was deleted that is not sealed yet', async () => {
    const missed = [];
    for (const table of tables.keys()) {
      if (!isTold(table)) continue;
      const answer = await verdict(table, `DELETE FROM ${table} WHERE ${oneRow(table)}`);
      if (answer !== 'found') missed.push([table, answer]);
    }
    expect(missed).toEqual([]);
  });

  it('agree again when everything is as it was', async () => {
    expect(await found()).toBe(0);
  });
});
