import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Chance } from '../../../src/testing/chance.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';
import { answerOf, type AnyPage, namesIn, partsOfPage } from '../list-parts.js';
import type { OpenApi, Schema } from '../schema-check.js';
import { attached } from './attachment-calls.js';
import { good } from './document-calls.js';
import { DOCUMENTS, type DocumentPageBody } from './list-calls.js';

// Documents in all their states, read in parts: the same as parts of all that a list says of them.

const SUBSETS = 120;

let service: TestService;
let owner: TestClient;
let clerk: TestClient;
let stranger: TestClient;
let names: string[];
let customer: string;
beforeAll(async () => {
  service = await startTestService();
  owner = await service.aClient();
  clerk = await service.aClient({ of: owner, scopes: ['documents:read'] });
  stranger = await service.aClient();
  await stranger.anInvoice();
  await everyKind(owner);
  const document = (await service.call<OpenApi>('/v1/openapi.json')).body;
  const schema = document.components.schemas['Document'] as Schema;
  names = namesIn(document, schema, 4).filter((name) => !/^expanded\.\w+\./.test(name));
});
afterAll(() => service.close());

const LINES = [
  {
    description: 'A',
    unit_amount: 10_000,
    tax_rate: '19',
    discounts: [{ percent: '3', reason: 'Loyalty' }],
    charges: [{ amount: 250 }],
  },
  { description: 'B', unit_amount: 5000, tax_rate: '7', quantity: '1.5', metadata: { a: 'b' } },
];

async function everyKind(client: TestClient): Promise<void> {
  const step = async (of: { id: string }, name: string, body: object = {}) => {
    const { status, text } = await client.post(`${DOCUMENTS}/${of.id}/${name}`, body);
    expect([name, status < 300 ? '' : text]).toEqual([name, '']);
  };
  const rich = (over: object = {}) =>
    client.anInvoice({
      lines: LINES,
      discounts: [{ percent: '5' }],
      charges: [{ amount: 490, tax_rate: '19' }],
      cash_discounts: [{ percent: '2', days: 10 }],
      notes: 'Thank you.',
      metadata: { project: 'Relaunch' },
      purchase_order: 'PO-1',
      project_reference: 'P-1',
      tax_currency: { currency: 'PLN', exchange_rate: '4.3' },
      ...over,
    });
  const draft = await rich({ issue: false, external_id: 'E-1' });
  await attached(client, draft);
  await client.issue(draft);
  customer = draft.customer_id;
  const open = await rich({ customer: undefined, customer_id: customer });
  await client.pay(open, { amount: 3000 });
  const credited = await rich();
  await step(credited, 'credit-notes', { lines: [{ position: 1, quantity: '0.5' }] });
  await step(credited, 'write-off', { tax_relief: true });
  const paid = await client.anInvoice();
  const payment = await client.pay(paid, { amount: paid.total });
  const { id } = payment.body['payment'] as { id: string };
  const refund = { amount: 1000, meaning: 'lowers_document' };
  good(await client.post(`/v1/finance/payments/${id}/refunds`, refund), 201);
  await client.void(await rich());
  const quote = await client.aQuote({ lines: LINES });
  await step(quote, 'convert');
  const rejected = await client.aQuote({ proforma: true });
  const token = await client.aPortalToken(rejected);
  const no = { method: 'POST', body: { reason: 'Too late.' } };
  expect((await service.call(`/v1/portal/${token}/reject`, no)).status).toBe(200);
  await step(rejected, 'revise');
  await client.anInvoice({ issue: false, currency: 'USD', language: 'de-AT' });
}

/** Each page, from the first to the last. */
async function pagesOf(client: TestClient, query: Record<string, string>): Promise<AnyPage[]> {
  const pages: AnyPage[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await answerOf(client, DOCUMENTS, { ...query, ...(cursor && { cursor }) });
    pages.push(page);
    cursor = page.next_cursor;
  }
  return pages;
}

const FILTERS: (() => Record<string, string>)[] = [
  () => ({}),
  () => ({ status: 'open,partially_paid' }),
  () => ({ kind: 'invoice', unpaid: 'true' }),
  () => ({ customer_id: customer }),
  () => ({ q: 'globex' }),
  () => ({ currency: 'USD' }),
  () => ({ total_min: '5000', issue_date_from: '2020-01-01' }),
  () => ({ is_overdue: 'false', kind: 'credit_note' }),
  () => ({ external_id: 'E-1', include: 'total_count' }),
];
const SORTS = ['', 'created_at', '-total', 'number', 'due_date', '-issue_date'];
const LIMITS = ['', '1', '2', '3', '7', '100'];

const TO_BE_SAID =
  'loss origin follow_ups amount_given_back attachments rejection cash_discounts charges discounts ' +
  'tax_total_in_tax_currency project_reference amount_refunded amount_credited amount_written_off notes';

const isSaid = (value: unknown) =>
  Array.isArray(value) ? value.length > 0 : value !== null && value !== 0 && value !== false;

describe('documents in parts', () => {
  it('have every kind of part at least once', async () => {
    const { data } = (await owner.get<DocumentPageBody>(`${DOCUMENTS}?limit=100`)).body;
    const all = data as unknown as Record<string, unknown>[];
    for (const name of TO_BE_SAID.split(' ')) {
      expect([name, all.some((one) => one[name] !== undefined && isSaid(one[name]))]).toEqual([
        name,
        true,
      ]);
    }
    const losses = all.flatMap(({ loss }) => (loss as { taxes: object[] } | null)?.taxes ?? []);
    expect(losses.length).toBeGreaterThan(0);
  });

  it('are each field as it is without', async () => {
    const [all] = await pagesOf(owner, { limit: '100' });
    expect(all!.data.length).toBeGreaterThan(10);
    for (const name of names) {
      const part = await answerOf(owner, DOCUMENTS, { limit: '100', fields: name });
      expect([name, part]).toEqual([name, partsOfPage(all!, [name])]);
    }
    expect(names.length).toBeGreaterThan(200);
  }, 120_000);

  it('are any fields, of any filter, order, page and client', async () => {
    const chance = new Chance(296);
    for (let run = 0; run < SUBSETS; run += 1) {
      const some = Array.from({ length: 1 + chance.below(run % 5 === 0 ? 60 : 8) }, () =>
        chance.of(names),
      );
      const [sort, limit] = [chance.of(SORTS), chance.of(LIMITS)];
      const query = { ...chance.of(FILTERS)(), ...(sort && { sort }), ...(limit && { limit }) };
      const client = chance.of([owner, clerk]);
      const whole = await pagesOf(owner, query);
      const parts = await pagesOf(client, { ...query, fields: some.join(',') });
      // The cursors are the same, too.
      const expected = whole.map((page) => partsOfPage(page, some));
      expect([query, some, parts]).toEqual([query, some, expected]);
    }
  }, 120_000);

  it('go on with or without fields at any cursor', async () => {
    const whole = await pagesOf(owner, { limit: '3' });
    const [first] = whole;
    const cursor = first!.next_cursor!;
    const second = await answerOf(owner, DOCUMENTS, { limit: '3', cursor, fields: 'number' });
    expect(second).toEqual(partsOfPage(whole[1]!, ['number']));
    const third = { limit: '3', cursor: second.next_cursor! };
    expect(await answerOf(owner, DOCUMENTS, third)).toEqual(whole[2]);
  });

  it('are those of the account alone', async () => {
    const mine = await pagesOf(owner, { fields: 'customer.name' });
    const theirs = await pagesOf(stranger, { fields: 'id' });
    const ids = new Set(mine.flatMap(({ data }) => data.map(({ id }) => id)));
    expect(theirs[0]!.data.map(({ id }) => ids.has(id as string))).toEqual([false]);
  });

  it('have the expansions that were asked for, whole or in part', async () => {
    const expand = 'customer,payments';
    const all = await answerOf(owner, DOCUMENTS, { expand });
    const asked = { expand, fields: 'number' };
    expect(await answerOf(owner, DOCUMENTS, asked)).toEqual(
      partsOfPage(all, ['number', 'expanded']),
    );
    const inner = 'expanded.customer.name,total';
    expect(await answerOf(owner, DOCUMENTS, { expand, fields: inner })).toEqual(
      partsOfPage(all, inner.split(',')),
    );
    const query = `?expand=payments&fields=id`;
    expectProblem(await clerk.get(DOCUMENTS + query), 403, 'insufficient_scope');
  });

  it('leave unread what nobody asked for', async () => {
    const sent = vi.spyOn(pg.Client.prototype, 'query');
    const readFor = async (query: Record<string, string>) => {
      sent.mockClear();
      await answerOf(owner, DOCUMENTS, query);
      const texts = sent.mock.calls.map(([one]) => (one as { text?: string }).text ?? '');
      return texts.filter((text) => text.includes('FROM documents d')).join('\n');
    };
    const state = await readFor({ fields: 'number,status,total,amount_due,due_date,is_overdue' });
    expect(state).toContain('d.number');
    expect(state).not.toMatch(/document_contents|origin_number|follow_ups|credited_taxes/);
    const named = await readFor({ fields: 'number,customer.name' });
    expect(named).toMatch(/c\.customer\b/);
    expect(named).not.toMatch(/c\.(lines|seller|tax_groups)|follow_ups/);
    const whole = await readFor({});
    expect(whole).toMatch(/c\.lines[^]*credited_taxes/);
    // Pages of every day are planned once, and those of few are not kept.
    const kept = async (query: Record<string, string>) => {
      sent.mockClear();
      await answerOf(owner, DOCUMENTS, query);
      const all = sent.mock.calls.map(([one]) => one as { name?: string; text?: string });
      return all.filter(({ text }) => text?.includes('sort_key')).map(({ name }) => Boolean(name));
    };
    expect(await kept({})).toEqual([true]);
    expect(await kept({ fields: 'customer.name' })).toEqual([true]);
    expect(await kept({ fields: 'seller.name' })).toEqual([false]);
    expect(await kept({ limit: '3' })).toEqual([false]);
    expect(await kept({ currency: 'USD' })).toEqual([false, false]);
    sent.mockRestore();
  });
});
