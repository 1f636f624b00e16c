import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { HistoryBody } from '../../../src/documents/wire/history.js';
import { Database } from '../../../src/platform/database/database.js';
import type { CountedEnds } from '../../../src/platform/http/paging.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';
import { DOCUMENTS, idsOf, pageOf, pathOf, type Query } from './list-calls.js';

// Which documents a list shows; by status, by words and page by page are files of their own.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});

const listed = async (query: Query) => idsOf((await pageOf(client, query)).data);
const step = async (document: { id: string }, name: string, body: object = {}) =>
  client.post<DocumentBody>(`${DOCUMENTS}/${document.id}/${name}`, body);

describe('a filter', () => {
  it('takes kind, number, currency, series and external id', async () => {
    const invoice = await client.anInvoice({ external_id: 'A-1' });
    const quote = await client.aQuote({ currency: 'USD' });
    const draft = await client.anInvoice({ issue: false, external_id: 'a-1' });
    const proforma = await client.aQuote({ proforma: true });
    expect(await listed({})).toEqual(idsOf([proforma, draft, quote, invoice]));
    expect(await listed({ kind: 'invoice' })).toEqual(idsOf([draft, invoice]));
    expect(await listed({ kind: 'credit_note' })).toEqual([]);
    expect(await listed({ currency: 'USD' })).toEqual([quote.id]);
    expect(await listed({ currency: 'JPY' })).toEqual([]);
    expect(await listed({ number: quote.number ?? '' })).toEqual([quote.id]);
    expect(await listed({ number: 'INV-0000' })).toEqual([]);
    expect(await listed({ number: 'INV-00001', kind: 'quote' })).toEqual([]);
    expect(await listed({ external_id: 'A-1' })).toEqual([invoice.id]);
    expect(await listed({ external_id: 'A-1', kind: 'invoice' })).toEqual([invoice.id]);
    expect(await listed({ external_id: 'A' })).toEqual([]);
    expect(await listed({ series_id: 'quote' })).toEqual([quote.id]);
    expect(await listed({ series_id: 'proforma' })).toEqual([proforma.id]);
    expect((await pageOf(client, { kind: 'quote', currency: 'USD' })).data).toEqual([
      await client.read(quote),
    ]);
  });

  it('takes one number of each kind that has it', async () => {
    const dates = { number: 'X-1', issue_date: '2026-03-01' };
    const invoice = await client.anInvoice(dates);
    const quote = await client.aQuote(dates);
    expect(await listed({ number: 'X-1' })).toEqual(idsOf([quote, invoice]));
    expect(await listed({ number: 'X-1', kind: 'invoice' })).toEqual([invoice.id]);
  });

  it('takes a customer, and ids that are none name nobody', async () => {
    const first = await client.anInvoice();
    const { customer_id } = first;
    const second = await client.aQuote({ customer: undefined, customer_id });
    await client.anInvoice();
    expect(await listed({ customer_id })).toEqual(idsOf([second, first]));
    expect(await listed({ customer_id, kind: 'quote' })).toEqual([second.id]);
    expect(await listed({ customer_id: 'cus_01h455vb4pex5vsknk084sn02q' })).toEqual([]);
  });

  it('takes the document that others were made from', async () => {
    const invoice = await client.anInvoice();
    const note = (await step(invoice, 'credit-notes', { amount: 100 })).body;
    const copy = (await step(invoice, 'duplicate')).body;
    expect(await listed({ origin: invoice.id })).toEqual(idsOf([copy, note]));
    expect(await listed({ origin: invoice.id, kind: 'credit_note' })).toEqual([note.id]);
    expect(await listed({ origin: note.id })).toEqual([]);
  });

  it('takes several statuses, and whether something is due', async () => {
    const open = await client.anInvoice();
    const part = await client.anInvoice();
    await client.pay(part, { amount: 100 });
    const paid = await client.anInvoice();
    await client.pay(paid, { amount: 11_900 });
    const draft = await client.anInvoice({ issue: false });
    const quote = await client.aQuote();
    const gone = await client.anInvoice();
    await client.void(gone);
    expect(await listed({ status: 'open,partially_paid' })).toEqual(idsOf([quote, part, open]));
    expect(await listed({ status: 'paid,draft,void' })).toEqual(idsOf([gone, draft, paid]));
    expect(await listed({ status: 'partially_paid,open', kind: 'invoice', sort: 'total' })).toEqual(
      idsOf([open, part]),
    );
    expect(await listed({ unpaid: true })).toEqual(idsOf([part, open]));
    expect(await listed({ unpaid: false })).toEqual(idsOf([gone, quote, draft, paid]));
  });

  it('takes ids, and leaves out those of nobody and of another account', async () => {
    const first = await client.anInvoice();
    const second = await client.aQuote();
    await client.anInvoice();
    const other = await (await service.aClient()).anInvoice();
    const nobody = 'doc_01h455vb4pex5vsknk084sn02q';
    const ids = [first.id, nobody, other.id, second.id, first.id].join(',');
    expect(await listed({ ids })).toEqual(idsOf([second, first]));
    expect(await listed({ ids, kind: 'quote' })).toEqual([second.id]);
    expect(await listed({ ids, status: 'draft,paid', sort: 'total' })).toEqual([]);
    expect(await listed({ ids: Array(100).fill(first.id).join(',') })).toEqual([first.id]);
    const tooMany = { ids: Array(101).fill(first.id).join(',') };
    const problem = expectProblem(await client.get(pathOf(tooMany)), 400, 'invalid_query');
    expect(problem.errors).toMatchObject([{ pointer: '/ids', code: 'invalid_id' }]);
  });

  it('takes attached values, all of which must be there', async () => {
    const both = await client.anInvoice({ metadata: { project: '42', team: 'ä=b' } });
    const one = await client.anInvoice({ metadata: { project: '42' } });
    await client.anInvoice({ metadata: { project: '4', team: '2' } });
    await client.anInvoice();
    const other = await service.aClient();
    await other.anInvoice({ metadata: { project: '42' } });
    expect(await listed({ 'metadata[project]': '42' })).toEqual(idsOf([one, both]));
    expect(await listed({ 'metadata[team]': 'ä=b', 'metadata[project]': '42' })).toEqual([both.id]);
    expect(await listed({ 'metadata[team]': '42' })).toEqual([]);
    expect(await listed({ 'metadata[__proto__]': '42', sort: 'total' })).toEqual([]);
    expect(await listed({ 'metadata[project]': '42', status: 'draft' })).toEqual([]);
    // The old value is not found any more.
    await client.patch(`${DOCUMENTS}/${one.id}`, { metadata: { project: '43' } });
    expect(await listed({ 'metadata[project]': '42' })).toEqual([both.id]);
    expect(await listed({ 'metadata[project]': '43' })).toEqual([one.id]);
  });

  it('counts all pages when asked', async () => {
    for (let made = 0; made < 3; made += 1) await client.anInvoice();
    await client.aQuote();
    const other = await service.aClient();
    await other.anInvoice();
    const count = async (query: Query) => {
      const page = await pageOf(client, { include: 'total_count', limit: 1, ...query });
      const { total_count, total_count_exact } = page as CountedEnds;
      return [page.data.length, total_count, total_count_exact];
    };
    expect(await count({})).toEqual([1, 4, true]);
    expect(await count({ kind: 'invoice', q: 'globex' })).toEqual([1, 3, true]);
    expect(await count({ kind: 'credit_note' })).toEqual([0, 0, true]);
    const { next_cursor } = await pageOf(client, { include: 'total_count', limit: 3 });
    expect(await count({ cursor: next_cursor ?? '' })).toEqual([1, 4, true]);
    expect('total_count' in (await pageOf(client))).toBe(false);
    const paths = ['/v1/finance/customers', '/v1/finance/customers?q=globex&limit=1'];
    await client.pay((await pageOf(client, { kind: 'invoice' })).data[0]!, { amount: 100 });
    for (const path of [...paths, '/v1/finance/payments']) {
      const sign = path.includes('?') ? '&' : '?';
      const { body } = await client.get<CountedEnds>(`${path}${sign}include=total_count`);
      const all = path.endsWith('payments') ? 1 : 4;
      expect([path, body.total_count, body.total_count_exact]).toEqual([path, all, true]);
    }
  });

  it('takes the time of the last change', async () => {
    const paid = await client.anInvoice();
    const quiet = await client.anInvoice();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await client.pay(paid, { amount: 100 });
    const [now, before] = [await client.read(paid), await client.read(quiet)];
    expect(before.updated_at).toBe(before.created_at);
    expect(now.updated_at > now.created_at).toBe(true);
    const { data } = (await client.get<HistoryBody>(`${DOCUMENTS}/${paid.id}/history`)).body;
    expect(
      Math.abs(Date.parse(data.at(-1)!.occurred_at) - Date.parse(now.updated_at)),
    ).toBeLessThan(60_000);
    const since = now.updated_at;
    expect(await listed({ updated_from: since })).toEqual([paid.id]);
    expect(await listed({ updated_from: before.created_at })).toEqual(idsOf([quiet, paid]));
    expect(await listed({ updated_from: since, status: 'open' })).toEqual([]);
    expect(await listed({ updated_to: since })).toEqual([quiet.id]);
    expect(
      await listed({ updated_from: paid.created_at, updated_to: since, sort: 'total' }),
    ).toEqual([quiet.id]);
    expect(await listed({ updated_from: '2899-01-01T00:00:00Z' })).toEqual([]);
    expect(await listed({ updated_to: '1900-01-01T00:00:00Z' })).toEqual([]);
    expect(await listed({ updated_from: '1900-01-01T00:00:00Z' })).toHaveLength(2);
    const metadata = { looked: 'at' };
    const labelled = await client.patch<DocumentBody>(`${DOCUMENTS}/${quiet.id}`, { metadata });
    expect(labelled.body.updated_at > before.updated_at).toBe(true);
    expect((await client.read(quiet)).updated_at).toBe(labelled.body.updated_at);
  });

  it('takes ranges of dates with both ends, and of totals', async () => {
    const at = (issue_date: string, due_date: string, unitAmount: number) =>
      client.anInvoice({ issue_date, due_date, unitAmount, taxRate: '0' });
    const january = await at('2026-01-31', '2026-03-01', 100);
    const february = await at('2026-02-01', '2026-02-15', 200);
    await client.anInvoice({ issue: false, unitAmount: 300, taxRate: '0' });
    expect(await listed({ issue_date_from: '2026-02-01' })).toEqual([february.id]);
    expect(await listed({ issue_date_to: '2026-01-31' })).toEqual([january.id]);
    const both = { issue_date_from: '2026-01-31', issue_date_to: '2026-02-01' };
    expect(await listed(both)).toEqual(idsOf([february, january]));
    expect(await listed({ ...both, sort: 'created_at' })).toEqual(idsOf([january, february]));
    expect(await listed({ issue_date_from: '2026-02-02', issue_date_to: '2026-01-01' })).toEqual(
      [],
    );
    expect(await listed({ due_date_from: '2026-02-16' })).toEqual([january.id]);
    expect(await listed({ due_date_to: '2026-02-15' })).toEqual([february.id]);
    // Newest first by the date that is asked for.
    expect(await listed({ due_date_from: '2000-01-01' })).toEqual(idsOf([january, february]));
    expect(await listed({ total_min: 200, total_max: 200 })).toEqual([february.id]);
    expect(await listed({ total_max: 200 })).toEqual(idsOf([february, january]));
    expect(await listed({ total_min: 301 })).toEqual([]);
    expect(await listed({ total_min: 10_000_000_000_000 })).toEqual([]);
  });

  it('takes instants from the first to before the last', async () => {
    const { created_at, id } = await client.anInvoice();
    const after = new Date(Date.parse(created_at) + 1).toISOString();
    expect(await listed({ created_from: created_at, created_to: after })).toEqual([id]);
    expect(await listed({ created_from: created_at, sort: 'total' })).toEqual([id]);
    expect(await listed({ created_to: created_at })).toEqual([]);
    expect(await listed({ created_from: after })).toEqual([]);
    expect(await listed({ created_from: '2026-01-01T00:00:00+14:00' })).toEqual([id]);
  });

  it('knows nothing of another account', async () => {
    const invoice = await client.anInvoice({ external_id: 'A-1' });
    const { customer_id, created_at } = invoice;
    const other = await service.aClient();
    await other.anInvoice();
    await other.anInvoice();
    expect(await listed({ limit: 1 })).toEqual([invoice.id]);
    expect(await listed({ limit: 1, q: 'globex' })).toEqual([invoice.id]);
    client = await service.aClient();
    const queries: Query[] = [
      {},
      { customer_id },
      { external_id: 'A-1' },
      { number: 'INV-00001' },
      { origin: invoice.id },
      { q: 'globex' },
      { status: 'open' },
      { created_from: created_at },
      { issue_date_from: '2000-01-01' },
    ];
    for (const query of queries) expect([query, await listed(query)]).toEqual([query, []]);
  });

  it.each([
    'limit=0', 'limit=101', 'limit=1.5', 'limit=1e1', 'limit=', 'limit=1&limit=2',
    'status=unknown', 'status=', 'status=open,', 'status=open,unknown', 'unpaid=1',
    'ids=', 'ids=x', 'include=', 'include=data', 'updated_from=2026-01-01', 'updated_to=x',
    'metadata=x', 'metadata[]=x', 'metadata[a]=1&metadata[a]=2', 'metadata[a]=1&metadata=2',
    `metadata[${'x'.repeat(41)}]=1`, 'metadata[a]=%00', 'kind[a]=invoice', 'kind=receipt', 'currency=eur', 'currency=',
    'number=%00', 'number=', 'external_id=', `external_id=${'x'.repeat(256)}`,
    'is_overdue=yes', 'is_overdue=1', 'is_overdue=', 'is_overdue=true&is_overdue=false',
    'issue_date_from=2026-02-30', 'issue_date_to=tomorrow', 'due_date_from=0000-01-01',
    'due_date_to=20260101', 'created_from=2026-01-01', 'created_to=2026-01-01T00:00:00',
    'created_to=2026-01-01T00:00:00+99:00', 'total_min=1.5', 'total_min=-1', 'total_max=x',
    'total_max=10000000000001', 'total_max=', 'sort=id', 'sort=total%20DESC', 'sort=',
    'q=', 'q=%20', 'q=%00', `q=${'x'.repeat(201)}`, 'q=a&q=b', 'q[]=a',
    'offset=10', 'constructor=1', '__proto__=1',
  ])('is refused as %s', async (query) => {
    expectProblem(await client.get(`${DOCUMENTS}?${query}`), 400, 'invalid_query');
  }); // oxfmt-ignore
});

/** Statements beside that of the list itself. */
/** The statements of its account, which their first value is; jobs ask for nobody's. */
async function asked(query: Query): Promise<number> {
  const spy = vi.spyOn(service.app.get(Database), 'query');
  await pageOf(client, query);
  const account = uuidOf('acc', client.accountId);
  const statements = spy.mock.calls.filter(([, values]) => values?.[0] === account).length;
  spy.mockRestore();
  return statements;
}

describe('expand', () => {
  it('adds the customer and the payments as they are now, to a document and to a list', async () => {
    const paid = await client.anInvoice();
    const other = await client.anInvoice({ customer: undefined, customer_id: paid.customer_id });
    const payment = (await client.pay(paid, { amount: 100 })).body['payment'] as { id: string };
    await client.patch(`/v1/finance/customers/${paid.customer_id}`, { name: 'Renamed' });
    const renamed = { id: paid.customer_id, name: 'Renamed' };
    const ends = { has_more: false, next_cursor: null };
    const expand = 'customer,payments';
    const { body } = await client.get<DocumentBody>(`${DOCUMENTS}/${paid.id}?expand=${expand}`);
    expect(body.customer.name).not.toBe('Renamed');
    const data = [expect.objectContaining({ id: payment.id, amount: 100 })];
    const own = { customer: expect.objectContaining(renamed), payments: { data, ...ends } };
    expect(body.expanded).toEqual(own);
    const { data: listed } = await pageOf(client, { expand });
    const none = { customer: expect.objectContaining(renamed), payments: { data: [], ...ends } };
    expect(listed.map(({ id, expanded }) => [id, expanded])).toEqual([
      [other.id, none],
      [paid.id, own],
    ]);
    const { data: plain } = await pageOf(client, {});
    expect(plain.some((document) => 'expanded' in document)).toBe(false);
    const [alone] = (await pageOf(client, { expand: 'payments', ids: paid.id })).data;
    expect(Object.keys(alone?.expanded ?? {})).toEqual(['payments']);
  });

  it('has a few payments of each document, the newest, also those that were moved to it', async () => {
    const invoice = await client.anInvoice();
    const { customer_id } = invoice;
    const target = await client.anInvoice({ customer: undefined, customer_id });
    const ids: string[] = [];
    for (let made = 0; made < 12; made += 1) {
      const { payment } = (await client.pay(invoice, { amount: 100 + made })).body;
      ids.unshift((payment as { id: string }).id);
    }
    const move = { from: invoice.id, to: target.id, amount: 50 };
    await client.post(`/v1/finance/payments/${ids[0]}/allocations`, move);
    const { data } = await pageOf(client, { expand: 'payments' });
    const shown = data.map(({ expanded }) => {
      const { data: payments, has_more } = expanded!.payments!;
      return [idsOf(payments as { id: string }[]), has_more];
    });
    expect(shown).toEqual([
      [[ids[0]], false],
      [ids.slice(0, 10), true],
    ]);
  });

  it('reads each kind of things once, however many documents', async () => {
    const expand = 'customer,payments';
    for (let made = 0; made < 3; made += 1)
      await client.pay(await client.anInvoice(), { amount: 1 });
    const [few, many] = [await asked({ expand, limit: 1 }), await asked({ expand, limit: 3 })];
    expect([few, many]).toEqual([2, 2]);
  });

  it('refuses other names, and payments without their scope', async () => {
    const invoice = await client.anInvoice();
    for (const path of [DOCUMENTS, `${DOCUMENTS}/${invoice.id}`]) {
      const wrong = await client.get(`${path}?expand=customer,lines`);
      const problem = expectProblem(wrong, 400, 'invalid_query');
      expect(problem.errors).toMatchObject([{ pointer: '/expand', code: 'not_in_list' }]);
      const reader = await service.aClient({ of: client, scopes: ['documents:read'] });
      expectProblem(await reader.get(`${path}?expand=payments`), 403, 'insufficient_scope');
      expect((await reader.get(`${path}?expand=customer`)).status).toBe(200);
    }
  });
});
