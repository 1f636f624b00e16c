import { usualSort } from '../src/documents/domain/document-list.js';
import { ListDocumentsQuery, toFilter } from '../src/documents/wire/document-list.js';
import { documentConditionsOf } from '../src/documents/infrastructure/document-filter.js';
import { orderOf } from '../src/documents/infrastructure/document-order.js';
import { documentKeys } from '../src/documents/infrastructure/documents-list.query.js';
import { publicId, type Uuid } from '../src/kernel/ids.js';
import { PENDING_DOCUMENTS } from '../src/documents/infrastructure/status-sql.js';
import { Cursors, DEFAULT_PAGE_SIZE } from '../src/platform/http/paging.js';
import { validated } from '../src/platform/http/validation/validation.js';
import { type DataService, onData } from './data-service.js';
import { asRound, refuseFailures, type Round, type Timing } from './money-load.js';
import type { LoadGenerator } from './processes.js';
import { type ListRow, median, type PageFigures } from './report.js';

const DOCUMENTS = 1_000_000;
const PAGES = 10_000;
const ROWS_BEFORE = (PAGES - 1) * DEFAULT_PAGE_SIZE;
/** A cursor does not mind how long the pages are. */
const WALKED_PAGE_SIZE = 100;

/** First pages of several lists, and their pages 10,000, out of one million documents. */
export async function measureLists(
  generator: LoadGenerator,
  timing: Timing,
  say: (line: string) => void,
): Promise<ListRow[]> {
  return onData({ documents: DOCUMENTS, payments: 1 }, say, async (lists) => {
    const rows: ListRow[] = [];
    for (const { name, query, isShort } of await queriesOf(lists)) {
      say(`measuring ${name}`);
      const first = await measurePage(lists, generator, timing, pathOf(query));
      if (isShort) {
        rows.push({ name, first });
        continue;
      }
      const cursor = await cursorBehind(lists, query, ROWS_BEFORE);
      if (rows.length === 0) await assertWalkLeadsTo(lists, query, cursor, say);
      const deep = await measurePage(lists, generator, timing, pathOf({ ...query, cursor }));
      rows.push({ name, first, deep });
    }
    return rows;
  });
}

type Query = Record<string, string>;

const pathOf = (query: Query) => `/v1/finance/documents?${new URLSearchParams(query)}`;

async function queriesOf({ database, accountId }: DataService) {
  const { rows } = await database.query<{ customer: Uuid; number: string }>(
    `SELECT mode() WITHIN GROUP (ORDER BY customer_id) AS customer,
       min(number) FILTER (WHERE number LIKE '%-012345') AS number
     FROM documents WHERE account_id = $1`,
    [accountId],
  );
  const { customer = '', number = '' } = rows[0] ?? {};
  const queries: { name: string; query: Query; isShort?: boolean }[] = [
    { name: 'newest first', query: {} },
    { name: 'largest total first', query: { sort: '-total' } },
    { name: 'by number', query: { sort: 'number' } },
    { name: 'status open', query: { status: 'open' } },
    { name: 'overdue, by due date', query: { is_overdue: 'true', sort: 'due_date' } },
    { name: 'of one customer', query: { customer_id: publicId('cus', customer) } },
    { name: 'search "consulting"', query: { q: 'consulting' } },
    { name: 'search for a number', query: { q: number }, isShort: true },
  ];
  return queries;
}

/** The cursor that a client would have after so many documents, without walking there. */
async function cursorBehind(lists: DataService, query: Query, rowCount: number): Promise<string> {
  const filter = toFilter(validated(ListDocumentsQuery, query));
  const sort = (query['sort'] as 'total' | undefined) ?? usualSort(filter);
  const { name, column, key, isDescending } = orderOf(sort);
  const values: unknown[] = [lists.accountId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = documentConditionsOf(filter, name, new Date(), bind);
  const found = conditions.isPendingInOrder ? PENDING_DOCUMENTS : 'documents d';
  const wide = conditions.wide.map(({ near }) => near);
  const direction = isDescending ? 'DESC' : 'ASC';
  const { rows } = await lists.database.query<{ key: string; id: Uuid }>(
    `SELECT ${key} AS key, d.document_id AS id FROM ${found}
     WHERE ${['d.account_id = $1', ...conditions.narrow, ...wide].join(' AND ')}
     ORDER BY ${column} ${direction}, d.document_id ${direction}
     OFFSET ${rowCount - 1} LIMIT 1`,
    values,
  );
  if (!rows[0]) throw new Error(`${pathOf(query)} has no page ${PAGES}`);
  const cursors = new Cursors({ list: 'documents', sort, filter }, documentKeys(sort));
  const position = { keys: [rows[0].key], id: rows[0].id };
  return Buffer.from(cursors.keyOf(position)).toString('base64url');
}

/** Page after page over HTTP: as many documents, none twice, and the same cursor behind them. */
async function assertWalkLeadsTo(
  lists: DataService,
  query: Query,
  expected: string,
  say: (line: string) => void,
): Promise<void> {
  const seen = new Set<string>();
  let cursor = '';
  const startedAt = performance.now();
  while (seen.size < ROWS_BEFORE) {
    const limit = String(Math.min(WALKED_PAGE_SIZE, ROWS_BEFORE - seen.size));
    const path = pathOf({ ...query, limit, ...(cursor && { cursor }) });
    const answer = await fetch(`http://127.0.0.1:${lists.server.port}${path}`, {
      headers: lists.headers,
    });
    const page = (await answer.json()) as { data: { id: string }[]; next_cursor: string };
    for (const { id } of page.data) seen.add(id);
    cursor = page.next_cursor;
  }
  if (cursor !== expected) throw new Error('the walk ended elsewhere');
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  say(`walked to page ${PAGES} in ${seconds} s: ${seen.size} documents, each once`);
}

async function measurePage(
  { server, headers }: DataService,
  generator: LoadGenerator,
  { seconds, rounds, warmUpSeconds, connections }: Timing,
  path: string,
): Promise<PageFigures> {
  const run = async (callers: number, length: number): Promise<Round> => {
    const result = await generator.run({
      kind: 'reads',
      port: server.port,
      connections: callers,
      seconds: length,
      paths: [path],
      headers,
      expect: { status: 200, body: '"has_more"' },
      prefix: '',
      secret: '',
      links: [],
    });
    refuseFailures('service', result);
    return asRound(result, 0);
  };
  await run(connections, warmUpSeconds / 2);
  const alone: Round[] = [];
  const together: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await run(1, seconds));
    together.push(await run(connections, seconds));
  }
  return {
    p50Ms: median(alone.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(alone.map(({ p99Ms }) => p99Ms)),
    perSecond: median(together.map(({ perSecond }) => perSecond)),
  };
}
