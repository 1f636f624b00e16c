import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ItemBody } from '../../../src/documents/wire/catalogue/item.js';
import type { TaxRateBody } from '../../../src/documents/wire/catalogue/tax-rate.js';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import { LoneTx } from '../../../src/platform/database/lone-tx.js';
import type { TestClient } from '../../support/client.js';
import { aCreditNote } from '../../support/documents.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';
import { closeWithBooks, historyOf, patched, pathOf } from './document-calls.js';
import { WHOLE_ITEM } from './whole-item.js';

// A line names an item of the catalogue, and copies what it does not say itself.

const ITEMS = '/v1/finance/items';
const DOCUMENTS = '/v1/finance/documents';

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => closeWithBooks(service));
beforeEach(async () => {
  client = await service.aClient();
});
afterEach(() => vi.restoreAllMocks());

const HOURS = { name: 'Hours', prices: [{ currency: 'EUR', unit_amount: 10_000 }], tax_rate: '19' };

async function anItem(over: object = {}, of = client): Promise<ItemBody> {
  const answer = await of.post<ItemBody>(ITEMS, { ...HOURS, ...over });
  expect(answer.status).toBe(201);
  return answer.body;
}
async function aRate(over: object = {}): Promise<TaxRateBody> {
  const wish = { name: 'VAT', tax_rate: '7', ...over };
  return (await client.post<TaxRateBody>('/v1/finance/tax-rates', wish)).body;
}
const aDraft = (...lines: object[]) => ({ customer: { name: 'Globex' }, lines });
const make = (...lines: object[]) => client.post<DocumentBody>(DOCUMENTS, aDraft(...lines));
const change = (item: ItemBody, body: object) =>
  client.patch<ItemBody>(`${ITEMS}/${item.id}`, body);
const archive = (item: ItemBody) => client.post<ItemBody>(`${ITEMS}/${item.id}/archive`);

const found = async (query: string) => {
  const { body } = await client.get<{ data: ItemBody[]; next_cursor: string | null }>(
    `${ITEMS}?${query}`,
  );
  return [...body.data.map(({ id }) => id), ...(body.next_cursor ? ['more'] : [])];
};

describe('an item', () => {
  it('is made, read, changed and archived, with every field', async () => {
    const item = await anItem(WHOLE_ITEM);
    expect(item).toMatchObject({ ...WHOLE_ITEM, version: 1, archived_at: null });
    expect(item.id).toMatch(/^prod_/);
    const path = `${ITEMS}/${item.id}`;
    expect((await client.get(path)).body).toEqual(item);

    const nothing = Object.fromEntries(Object.keys(WHOLE_ITEM).map((name) => [name, null]));
    const emptied = await change(item, { ...nothing, name: 'Bare' });
    expect(emptied.headers.get('etag')).toBe('"2"');
    const { prices, prices_include_tax, metadata, name, ...empty } = emptied.body;
    expect([prices, prices_include_tax, metadata, name]).toEqual([[], false, {}, 'Bare']);
    expect(empty).toMatchObject({
      sku: null,
      tax_rate: null,
      tax_category: null,
      standard_item_id: null,
    });
    const stale = await client.patch(path, { name: 'x' }, { 'If-Match': '"1"' });
    expectProblem(stale, 412, 'version_mismatch');
    const archived = (await archive(item)).body;
    expect((await archive(item)).body).toEqual(archived);
    expect((await client.post(`${path}/unarchive`)).body).toMatchObject({
      archived_at: null,
      version: 4,
    });
    const log = await client.get<{ data: object[] }>('/v1/audit?action=item.*');
    expect(log.body.data).toMatchObject([
      { action: 'item.unarchived' },
      { action: 'item.archived' },
      { action: 'item.updated', before: { sku: 'C-1' }, after: { sku: null } },
      { action: 'item.created', subject: item.id, before: null, after: { name: 'Consulting' } },
    ]);
  });

  it('is found by its names, and by words', async () => {
    const [work, book, gone] = [
      await anItem({ name: 'Café work', sku: 'W-1', external_id: 'E-1' }),
      await anItem({ name: 'Book', description: 'About cafés', sku: 'B-1' }),
      await anItem({ name: 'Café chair' }),
    ];
    await archive(gone);
    await anItem({ name: 'Café of another' }, await service.aClient());
    expect(await found('')).toEqual([book.id, work.id]);
    expect(await found('limit=1')).toEqual([book.id, 'more']);
    expect(await found('q=cafe')).toEqual([book.id, work.id]);
    expect(await found('q=cafe%20wo')).toEqual([work.id]);
    expect(await found('q=cafe&archived=all')).toEqual([gone.id, book.id, work.id]);
    expect(await found('archived=true')).toEqual([gone.id]);
    expect(await found('sku=B-1')).toEqual([book.id]);
    expect(await found('external_id=E-1')).toEqual([work.id]);
    expect(await found('external_id=E-1&sku=B-1')).toEqual([]);
  });

  it('has an external id of its own', async () => {
    const [item, other] = [await anItem({ external_id: 'E-1' }), await anItem()];
    const key = { 'Idempotency-Key': 'item' };
    const again = await client.post(ITEMS, { ...HOURS, external_id: 'E-1' }, key);
    expect(expectProblem(again, 409, 'external_id_taken')['item_id']).toBe(item.id);
    expectProblem(await change(other, { external_id: 'E-1' }), 409, 'external_id_taken');
    expect((await change(item, { external_id: 'E-1' })).status).toBe(200);
    const crowd = await Promise.all(
      [1, 2, 3].map(() => client.post(ITEMS, { ...HOURS, external_id: 'E-2' })),
    );
    expect(crowd.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  it('has one tax, and the one that is said last', async () => {
    const [rate, item] = [await aRate(), await anItem({ tax_category: 'S' })];
    const named = (await change(item, { tax_rate_id: rate.id })).body;
    expect(named).toMatchObject({ tax_rate_id: rate.id, tax_rate: null, tax_category: null });
    const valued = (await change(item, { tax_rate: '5.50' })).body;
    expect(valued).toMatchObject({ tax_rate_id: null, tax_rate: '5.5', tax_category: 'S' });
    await client.post(`/v1/finance/tax-rates/${rate.id}/archive`);
    expectProblem(await change(item, { tax_rate_id: rate.id }), 422, 'tax_rate_archived');
    expectProblem(
      await client.post(ITEMS, { name: 'x', tax_rate_id: rate.id }),
      422,
      'tax_rate_archived',
    );
  });

  it.each([
    [
      { tax_rate_id: 'txr_01h455vb4pex5vsknk084sn02q', tax_rate: '7' },
      '/tax_rate_id',
      'said_twice',
    ],
    [{ tax_rate_id: 'txr_01h455vb4pex5vsknk084sn02q' }, '/tax_rate_id', 'unknown_tax_rate'],
    [{ tax_category: 'AE', tax_rate: '7' }, '/tax_rate', 'tax_rate_not_allowed'],
    [{ tax_exemption_reason: 'None' }, '/tax_exemption_reason', 'exemption_not_allowed'],
    [{ prices: [{ currency: 'EUR' }] }, '/prices/0/unit_amount', 'one_price_required'],
    [
      { prices: [{ currency: 'EUR', unit_amount: 1, unit_amount_decimal: '1' }] },
      '/prices/0/unit_amount',
      'one_price_required',
    ],
    [
      {
        prices: [
          { currency: 'EUR', unit_amount: 1 },
          { currency: 'EUR', unit_amount: 2 },
        ],
      },
      '/prices/1/currency',
      'said_twice',
    ],
    [{ prices: [{ currency: 'XYZ', unit_amount: 1 }] }, '/prices/0/currency', 'unknown_currency'],
    [{ unit: 'hours' }, '/unit', 'unknown_unit'],
  ])('with %o is refused', async (over, pointer, code) => {
    const answer = await client.post(ITEMS, { name: 'Work', ...over });
    expect(answer.body['errors']).toMatchObject([{ pointer, code }]);
    if (code !== 'unknown_tax_rate') return;
    expectProblem(await client.post(ITEMS, { name: 'Work', tax_rate_id: 'cus_1' }), 422, code);
  });
});

describe('a line', () => {
  it('copies of its item what it does not say, and keeps it', async () => {
    const item = await anItem(WHOLE_ITEM);
    const {
      prices: _,
      metadata: _own,
      name: _name,
      external_id: _id,
      prices_include_tax: _tax,
      ...copied
    } = WHOLE_ITEM;
    const { body } = await make(
      { item_id: item.id, quantity: '2' },
      {
        item_id: item.id,
        description: 'Own',
        unit: 'DAY',
        sku: 'X',
        unit_amount: 1,
        tax_exemption_reason: 'Mine',
        buyer_item_id: 'B-2',
      },
    );
    const same = { ...copied, item_id: item.id, metadata: {}, external_id: null };
    expect(body.lines).toMatchObject([
      { ...same, unit_amount_decimal: '9500.5', subtotal: 19_001 },
      {
        ...same,
        description: 'Own',
        unit: 'DAY',
        sku: 'X',
        unit_amount_decimal: '1',
        tax_exemption_reason: 'Mine',
        buyer_item_id: 'B-2',
      },
    ]);
    await change(item, {
      name: 'Other',
      description: null,
      prices: [],
      tax_rate: '7',
      tax_category: 'S',
      tax_exemption_reason: null,
      tax_exemption_code: null,
    });
    expect((await client.read(body)).lines).toEqual(body.lines);
    const noted = await patched(client, body, { notes: 'Thanks' });
    expect(noted.lines).toEqual(body.lines);
    expect((await client.issue(noted)).lines).toEqual(body.lines);
    const fresh = await make({ item_id: item.id, unit_amount: 100 });
    expect(fresh.body.lines).toMatchObject([
      { description: 'Other', tax_rate: '7', tax_category: 'S' },
    ]);
  });

  it('takes the price of its currency and kind, or has to say one', async () => {
    const item = await anItem(WHOLE_ITEM);
    const inCurrency = (currency: string, over: object = {}) =>
      client.post<DocumentBody>(DOCUMENTS, { ...aDraft({ item_id: item.id, ...over }), currency });
    expect((await inCurrency('USD')).body.lines).toMatchObject([{ unit_amount_decimal: '10000' }]);
    expectProblem(await inCurrency('CHF'), 422, 'item_price_missing');
    expect((await inCurrency('CHF', { unit_amount: 5 })).body.total).toBe(5);
    expectProblem(
      await client.post(DOCUMENTS, { ...aDraft({ item_id: item.id }), prices_include_tax: true }),
      422,
      'item_price_missing',
    );
    // The customer's currency decides, where the document says none.
    const customer = await client.aCustomer({ currency: 'USD' });
    const body = { customer_id: customer.id, lines: [{ item_id: item.id }] };
    for (const path of [DOCUMENTS, `${DOCUMENTS}/preview`]) {
      expect((await client.post(path, body)).body).toMatchObject({ total: 10_000 });
    }
  });

  it('takes the tax of its item before the default, and its own before both', async () => {
    const [rate, general] = [await aRate(), await aRate({ tax_rate: '19' })];
    await client.patch('/v1/finance/seller', { default_tax_rate_id: general.id });
    const [named, valued, plain] = [
      await anItem({ tax_rate: undefined, tax_rate_id: rate.id }),
      await anItem({ tax_rate: '5' }),
      await anItem({ tax_rate: undefined }),
    ];
    const { body } = await make(
      { item_id: named.id },
      { item_id: valued.id },
      { item_id: plain.id },
      { item_id: named.id, tax_rate: '3' },
      { item_id: valued.id, tax_rate_id: rate.id },
    );
    expect(body.lines.map(({ tax_rate, tax_rate_id }) => [tax_rate, tax_rate_id])).toEqual([
      ['7', rate.id],
      ['5', null],
      ['19', general.id],
      ['3', null],
      ['7', rate.id],
    ]);
    await client.post(`/v1/finance/tax-rates/${rate.id}/archive`);
    const late = await make({ item_id: named.id });
    expect(expectProblem(late, 422, 'tax_rate_archived').errors).toMatchObject([
      { pointer: '/lines/0/item_id' },
    ]);
  });

  it('has the same on a preview, in a batch, by an external id, and on copies and credit notes', async () => {
    const item = await anItem({ sku: 'H-1' });
    const body = aDraft({ item_id: item.id });
    const same = { lines: [{ item_id: item.id, sku: 'H-1', tax_rate: '19' }], total: 11_900 };
    expect((await client.post(`${DOCUMENTS}/preview`, body)).body).toMatchObject(same);
    expect((await client.post(`${DOCUMENTS}/validate`, body)).status).toBe(200);
    const put = await client.put(`${DOCUMENTS}/by-external-id/E-1`, body);
    expect([put.status, put.body]).toMatchObject([201, same]);
    const batch = await client.post<{ results: object[] }>(`${DOCUMENTS}/batch`, {
      documents: [body],
    });
    expect(batch.body.results).toMatchObject([{ status: 201, document: same }]);
    const key = { 'Idempotency-Key': 'once' };
    const issued = { ...body, issue: true };
    const { body: invoice } = await client.post<DocumentBody>(DOCUMENTS, issued, key);
    await archive(item);
    expect((await client.post(DOCUMENTS, issued, key)).body).toEqual(invoice);
    const copy = await client.post<DocumentBody>(`${pathOf(invoice)}/duplicate`);
    expect(copy.body).toMatchObject(same);
    expect(await client.issue(copy.body)).toMatchObject(same);
    const part = await aCreditNote(client, invoice, { lines: [{ position: 1, amount: 119 }] });
    expect(part.lines).toMatchObject(same.lines);
    expect((await aCreditNote(client, copy.body, {})).lines).toMatchObject(same.lines);
  });

  it('of a draft may be sent again, and names another item', async () => {
    const [item, other] = [await anItem({ sku: 'H-1' }), await anItem({ name: 'Days' })];
    const { body } = await make({ item_id: item.id });
    await archive(item);
    const [line] = body.lines;
    const again = await patched(client, body, { lines: [{ id: line?.id, item_id: item.id }] });
    expect(again.lines).toEqual(body.lines);
    const moved = await patched(client, body, { lines: [{ id: line?.id, item_id: other.id }] });
    expect(moved.lines).toMatchObject([
      { id: line?.id, item_id: other.id, description: 'Days', sku: null },
    ]);
    const [last] = (await historyOf(client, body)).slice(-1);
    expect(last?.changes).toContainEqual({
      field: '/lines/0/item_id',
      from: item.id,
      to: other.id,
    });
    expectProblem(
      await client.patch(pathOf(body), { lines: [{ item_id: item.id }] }),
      422,
      'item_archived',
    );
  });

  it('with a wrong name is refused, and all are told at once', async () => {
    const [item, gone] = [await anItem(), await anItem()];
    await archive(gone);
    const foreign = await anItem({}, await service.aClient());
    const rate = await aRate();
    const lines = [
      { item_id: foreign.id },
      { item_id: gone.id },
      { item_id: item.id, tax_rate_id: rate.id, tax_rate: '19' },
      { item_id: (await anItem({ prices: [] })).id },
    ];
    for (const path of [DOCUMENTS, `${DOCUMENTS}/preview`]) {
      const answer = await client.post(path, aDraft(...lines));
      expect(expectProblem(answer, 422, 'validation_failed').errors).toMatchObject([
        { pointer: '/lines/0/item_id', code: 'unknown_item' },
        { pointer: '/lines/1/item_id', code: 'item_archived' },
        { pointer: '/lines/2/tax_rate', code: 'tax_rate_differs' },
        { pointer: '/lines/3/unit_amount', code: 'item_price_missing' },
      ]);
    }
    expectProblem(await make({ item_id: 'item_1' }), 422, 'unknown_item');
    const bare = await make({ unit_amount: 1 }, { item_id: null, unit_amount: 1 });
    expect(bare.body).toMatchObject({
      errors: [
        { pointer: '/lines/0/description', code: 'required' },
        { pointer: '/lines/1/description', code: 'required' },
      ],
    });
  });

  it('of many costs one query for items and one for taxes, and none that names nothing none', async () => {
    const rate = await aRate();
    const [one, two] = [
      await anItem(),
      await anItem({ tax_rate: undefined, tax_rate_id: rate.id }),
    ];
    const read = vi.spyOn(LoneTx.prototype, 'read');
    const asked = (table: string) =>
      read.mock.calls.filter(([text]) => text.includes(`FROM ${table}`)).length;
    await make({ description: 'Work', unit_amount: 1 });
    expect([asked('items'), asked('tax_rates')]).toEqual([0, 0]);
    await make({ item_id: one.id }, { item_id: two.id }, { item_id: one.id });
    expect([asked('items'), asked('tax_rates')]).toEqual([1, 1]);
  });
});
