import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentFilter, DocumentSort } from '../../../src/documents/domain/document-list.js';
import { orderOf, DOCUMENT_ORDERS } from '../../../src/documents/infrastructure/document-order.js';
import {
  CUSTOMER_SORTS,
  CustomersQuery,
} from '../../../src/documents/infrastructure/customers.query.js';
import { DocumentsListQuery } from '../../../src/documents/infrastructure/documents-list.query.js';
import { type Uuid, uuidOf } from '../../../src/kernel/ids.js';
import type { Database } from '../../../src/platform/database/database.js';
import type { Position } from '../../../src/platform/http/paging.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';

// How PostgreSQL reads a page out of 20,000 documents: from which index, and how many of them.

const PAGE = 26;
const NOBODY: Uuid = '01900000-0000-7000-8000-000000000000';
const EPOCH = new Date(0);
const NO_FILTER: DocumentFilter = {
  issueDate: {},
  dueDate: {},
  created: {},
  updated: {},
  total: {},
};

let service: TestService;
let account: Uuid;
let customer: Uuid;
beforeAll(async () => {
  service = await startTestService();
  const client = await service.aClient();
  account = uuidOf('acc', client.accountId) ?? '';
  customer = await fill(client, 20_000);
  await fill(await service.aClient(), 5000);
  await service.database.query('VACUUM ANALYZE documents, document_contents, pending_documents');
});
afterAll(() => service.close());

/** Copies of a paid invoice, of one that is open, of a draft and a quote; most are paid. */
async function fill(client: TestClient, count: number): Promise<Uuid> {
  const paid = await client.anInvoice({ notes: 'everyday' });
  await client.pay(paid, { amount: 11_900 });
  const { customer_id } = paid;
  const open = await client.anInvoice({ customer: undefined, customer_id, notes: 'everyday' });
  const draft = await client.anInvoice({ issue: false, notes: 'everyday' });
  const quote = await client.aQuote({ notes: 'everyday' });
  const rare = await client.anInvoice({ notes: 'rarely' });
  await client.pay(rare, { amount: 11_900 });
  const ids = [paid, open, draft, quote, rare].map(({ id }) => uuidOf('doc', id));
  await service.database.query(
    `WITH copies AS MATERIALIZED (
       SELECT n, uuidv7() AS id, source, ($2::uuid[])[source] AS source_id
       FROM generate_series(1, $3::int) n
       CROSS JOIN LATERAL (SELECT CASE WHEN n % 1000 = 0 THEN 5 WHEN n % 50 = 1 THEN 4
         WHEN n % 100 = 2 THEN 3 WHEN n % 20 = 3 THEN 2 ELSE 1 END AS source) s
     ), words AS (
       INSERT INTO document_contents SELECT r.* FROM copies
       JOIN document_contents c ON c.account_id = $1 AND c.document_id = source_id,
         LATERAL jsonb_populate_record(c, jsonb_build_object('document_id', id)) r
     )
     INSERT INTO documents SELECT r.* FROM copies
     JOIN documents d ON d.account_id = $1 AND d.document_id = source_id,
       LATERAL jsonb_populate_record(d, jsonb_build_object('document_id', id,
         'number', 'N-' || CASE WHEN source <> 3 THEN n END, 'number_series', null,
         'number_period', null, 'number_sequence', null, 'external_id', 'e-' || n,
         'issue_date', d.issue_date - n % 900, 'due_date', d.due_date - n % 900,
         'lapses_at', d.lapses_at - n % 900 * interval '1 day',
         'created_at', d.created_at - n * interval '1 hour')) r`,
    [uuidOf('acc', client.accountId), ids, count],
  );
  return uuidOf('cus', customer_id) ?? '';
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Parent Relationship'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** The statements of a list, in the order in which they are tried, as PostgreSQL ran them. */
async function explained(list: (database: Database) => Promise<unknown>): Promise<PlanNode[][]> {
  const asked: [string, unknown[]][] = [];
  const ask = async (text: string, values: unknown[]) => {
    asked.push([text, values]);
    return [];
  };
  await list({ list: ask, usualList: ask } as unknown as Database);
  const plans: PlanNode[][] = [];
  for (const [text, values] of asked) {
    const rows = await service.database.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values,
    );
    plans.push(nodesOf(rows[0]!['QUERY PLAN'][0]!.Plan));
  }
  return plans;
}

const documents =
  (of: Uuid, filter: Partial<DocumentFilter>, sort: DocumentSort, after: Position | null) =>
  async (database: Database) => {
    const query = new DocumentsListQuery(database, service.clock);
    return query.list(of, { ...NO_FILTER, ...filter }, sort, { after, count: PAGE });
  };

async function plansOf(
  filter: Partial<DocumentFilter>,
  sort: DocumentSort,
  after: Position | null,
): Promise<{ scans: string[]; sorted: boolean; read: number }[]> {
  const plans: { scans: string[]; sorted: boolean; read: number }[] = [];
  for (const nodes of await explained(documents(account, filter, sort, after))) {
    // The nodes below find the page; beside them, its documents are read by their ids.
    const page = nodesOf(nodes.find((node) => node['Node Type'] === 'Limit')!);
    const scans = page.filter((node) => node['Node Type'].endsWith('Scan'));
    plans.push({
      scans: scans.flatMap((node) => node['Index Name'] ?? node['Relation Name'] ?? []),
      sorted: page.some((node) => node['Node Type'].includes('Sort')),
      read: Math.max(
        ...scans.map((node) => node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)),
      ),
    });
    const whole = nodes.filter((node) => node['Node Type'] === 'Seq Scan');
    expect(whole.filter((node) => node['Relation Name'] === 'documents')).toEqual([]);
  }
  return plans;
}

/** The start of a page far behind: two thirds through everything. */
async function farBehind(sort: DocumentSort): Promise<Position> {
  const { column, key, isDescending } = orderOf(sort);
  const direction = isDescending ? 'DESC' : 'ASC';
  const [row] = await service.database.query<{ key: string; id: Uuid }>(
    `SELECT ${key} AS key, d.document_id AS id FROM documents d WHERE d.account_id = $1
     ORDER BY ${column} ${direction}, d.document_id ${direction} OFFSET 14000 LIMIT 1`,
    [account],
  );
  return { keys: [row!.key], id: row!.id };
}

/** Two indexes of documents begin with the id. */
const BY_ID = /^documents_(pkey|currency)$/;

describe('a page is read in the order of an index, far behind as at the beginning', () => {
  it.each<[string, Partial<DocumentFilter>, DocumentSort, string]>([
    ['everything, newest first', {}, '-created_at', 'documents_created'],
    ['everything, oldest first', {}, 'created_at', 'documents_created'],
    ['everything by issue date', {}, '-issue_date', 'documents_issue_date'],
    ['everything by due date', {}, 'due_date', 'documents_due_date'],
    ['everything by number', {}, 'number', 'documents_number_order'],
    ['everything by total', {}, '-total', 'documents_total'],
    ['drafts', { statuses: ['draft'] }, '-created_at', 'documents_lifecycle'],
    ['void ones', { statuses: ['void'] }, '-created_at', 'documents_lifecycle'],
    ['open ones', { statuses: ['open'] }, '-created_at', 'pending_documents_created'],
    ['open ones by due date', { statuses: ['open'] }, 'due_date', 'pending_documents_due_date'],
    [
      'owed ones',
      { statuses: ['open', 'partially_paid'] },
      '-created_at',
      'pending_documents_created',
    ],
    ['unpaid ones by due date', { isUnpaid: true }, 'due_date', 'pending_documents_due_date'],
    ['overdue ones', { isOverdue: true }, '-created_at', 'pending_documents_created'],
    ['overdue ones by due date', { isOverdue: true }, 'due_date', 'pending_documents_due_date'],
    ['years', { issueDate: { to: '2099-01-01' } }, '-issue_date', 'documents_issue_date'],
  ])('%s', async (_name, filter, sort, index) => {
    for (const after of [null, await farBehind(sort)]) {
      const [plan, ...further] = await plansOf(filter, sort, after);
      expect(further).toEqual([]);
      const [first, ...byId] = plan?.scans ?? [];
      expect([first, plan?.sorted]).toEqual([index, false]);
      // Pending ones are found in their own table, and then looked up.
      expect(byId).toEqual(index.startsWith('pending') ? [expect.stringMatching(BY_ID)] : []);
      // Some that are not of the page may lie between: quotes between invoices that are overdue.
      expect(plan?.read).toBeLessThanOrEqual(4 * PAGE);
    }
  });

  it('that of a customer', async () => {
    const [plan] = await plansOf({ customerId: customer }, '-created_at', null);
    expect([plan?.scans, plan?.sorted]).toEqual([['documents_customer'], false]);
    expect(plan?.read).toBe(PAGE);
  });
});

describe('a document is looked up', () => {
  it.each<[string, Partial<DocumentFilter>, string]>([
    ['by number', { number: 'N-77' }, 'documents_number'],
    ['by number and kind', { number: 'N-77', kind: 'invoice' }, 'documents_number'],
    ['by external id', { externalId: 'e-77', statuses: ['paid'] }, 'documents_external_id'],
    ['by ids', { ids: [NOBODY, `${NOBODY.slice(0, -1)}1`] }, 'documents_currency'],
    ['by recent changes', { among: [NOBODY], updated: { from: EPOCH } }, 'documents_currency'],
    ['by its origin', { originId: NOBODY }, 'documents_of_origin'],
  ])('%s', async (_name, filter, index) => {
    const [plan, ...further] = await plansOf(filter, '-created_at', null);
    expect(further).toEqual([]);
    expect(plan?.scans).toEqual([index]);
    expect(plan?.read).toBeLessThanOrEqual(3);
  });
});

const INDEX_OF: Partial<Record<DocumentSort, string>> = {
  '-created_at': 'documents_created',
  '-total': 'documents_total',
  number: 'documents_number_order',
};

describe('a filter that may leave many or none', () => {
  it.each<[string, Partial<DocumentFilter>, DocumentSort, string]>([
    ['a word', { q: 'everyday' }, '-created_at', 'document_contents_search'],
    ['a rare word', { q: 'rarely' }, '-total', 'document_contents_search'],
    ['a number in a search', { q: 'N-777' }, '-created_at', 'document_contents_search'],
    [
      'attached values',
      { metadata: { project: '42' } },
      '-created_at',
      'document_contents_metadata',
    ],
    ['old changes', { updated: { to: EPOCH } }, '-created_at', 'documents_created'],
    ['a kind', { kind: 'credit_note' }, '-created_at', 'documents_number'],
    ['a currency', { currency: 'JPY' }, '-created_at', 'documents_currency'],
    ['a series', { series: 'none' }, '-created_at', 'documents_number_sequence'],
    ['totals', { total: { from: 1_000_000 } }, '-created_at', 'documents_total'],
    ['old dates', { issueDate: { to: '2001-01-01' } }, 'number', 'documents_issue_date'],
  ])(
    'is tried on the next documents, then read from an index: %s',
    async (_name, filter, sort, index) => {
      const [near, all, ...further] = await plansOf(filter, sort, null);
      expect(further).toEqual([]);
      expect(near?.read).toBeLessThanOrEqual(100 * PAGE);
      // The words of each are looked up.
      const words = near?.scans.filter((scan) => scan !== 'document_contents_pkey');
      expect(words).toEqual([INDEX_OF[sort]]);
      expect(all?.scans).toContain(index);
    },
  );
});

/** Rows that all scans of a statement looked at, each as often as it was run. */
async function worked(list: (database: Database) => Promise<unknown>): Promise<number[]> {
  const plans = await explained(list);
  return plans.map((nodes) =>
    nodes
      .filter((node) => node['Node Type'].endsWith('Scan'))
      .map(
        (node) =>
          (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      )
      .reduce((sum, rows) => sum + rows, 0),
  );
}

describe('an account that came after the statistics', () => {
  const MANY = 1500;
  let late: Uuid;
  beforeAll(async () => {
    for (const table of ['documents', 'document_contents', 'pending_documents', 'customers']) {
      await service.database.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
    }
    await service.database.query('VACUUM ANALYZE customers');
    const client = await service.aClient();
    await fill(client, MANY);
    late = uuidOf('acc', client.accountId) ?? '';
    await service.database.query(
      `INSERT INTO customers (account_id, customer_id, profile, created_at)
       SELECT $1, uuidv7(), jsonb_build_object('name', 'Everyday ' || n), now()
       FROM generate_series(1, $2::int) n`,
      [late, MANY],
    );
  });

  // PostgreSQL thinks that it has one row. Everything may be read, but not once for each row.
  const SORTS = Object.keys(DOCUMENT_ORDERS).flatMap((name) => [
    name,
    `-${name}`,
  ]) as DocumentSort[];
  const FILTERS: Partial<DocumentFilter>[] = [
    {},
    { q: 'rarely' },
    { q: 'everyday' },
    { kind: 'quote' },
    { isUnpaid: true },
    { statuses: ['open'], q: 'everyday' },
  ];
  it.each(SORTS)('has its documents read a few times at most: by %s', async (sort) => {
    for (const filter of FILTERS) {
      const rows = await worked(documents(late, filter, sort, null));
      expect([filter, Math.max(...rows) < 20 * MANY, rows]).toEqual([filter, true, rows]);
    }
  });

  it.each(CUSTOMER_SORTS)('has its customers read a few times at most: by %s', async (sort) => {
    for (const filter of [{}, { q: '77' }, { q: 'everyday' }]) {
      const list = async (database: Database) =>
        new CustomersQuery(database).list(late, filter, sort, null, PAGE);
      const rows = await worked(list);
      expect([filter, Math.max(...rows) < 20 * MANY, rows]).toEqual([filter, true, rows]);
    }
  });
});

describe('the indexes', () => {
  it('hold nothing that a payment changes, so that its update stays on its page', async () => {
    const indexes = await service.database.query<{ name: string; definition: string }>(
      `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
       FROM pg_index WHERE indrelid = 'documents'::regclass`,
    );
    expect(indexes.length).toBeGreaterThan(12);
    const paid =
      /amount_paid|amount_credited|credit_notes_total|version|event_sequence|settled_at|updated_at/;
    expect(indexes.filter(({ definition }) => paid.test(definition))).toEqual([]);
    const open = indexes.filter(({ definition }) => !/\(account_id, /.test(definition));
    expect(open.map(({ name }) => name)).toEqual(['documents_issued_xact']);
  });
});
