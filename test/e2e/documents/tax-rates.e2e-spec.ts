import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TaxRateBody } from '../../../src/documents/wire/catalogue/tax-rate.js';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import { LoneTx } from '../../../src/platform/database/lone-tx.js';
import type { TestClient } from '../../support/client.js';
import { aCreditNote } from '../../support/documents.js';
import { startTestService, type TestService } from '../../support/service.js';
import { FROZEN, Statements } from '../../support/statements.js';
import { expectProblem } from '../expectations.js';
import { closeWithBooks, historyOf, patched, pathOf } from './document-calls.js';

// A line names a tax rate of the catalogue, and copies its tax.

const RATES = '/v1/finance/tax-rates';
const SELLER = '/v1/finance/seller';
const DOCUMENTS = '/v1/finance/documents';

let service: TestService;
let client: TestClient;
const sql = new Statements(() => service.database);
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => closeWithBooks(service));
beforeEach(async () => {
  client = await service.aClient();
});
afterEach(() => vi.restoreAllMocks());

async function aRate(over: object = {}, of = client): Promise<TaxRateBody> {
  const wish = { name: 'VAT', tax_rate: '19', country: 'DE', ...over };
  const answer = await of.post<TaxRateBody>(RATES, wish);
  expect(answer.status).toBe(201);
  return answer.body;
}
const exempt = { tax_rate: '0', tax_category: 'E', tax_exemption_code: 'VATEX-EU-132-1I' };
const aLine = (over: object) => ({ description: 'Work', unit_amount: 10_000, ...over });
const aDraft = (...lines: object[]) => ({
  customer: { name: 'Globex' },
  lines: lines.map(aLine),
});
const make = (...lines: object[]) => client.post<DocumentBody>(DOCUMENTS, aDraft(...lines));
const makeDefault = (id: string | null) => client.patch(SELLER, { default_tax_rate_id: id });

describe('a tax rate', () => {
  it('is made, read, renamed, archived and listed; its tax stays', async () => {
    const reason = 'Medical care, Article 132 (1) (i)';
    const wish = { ...exempt, tax_exemption_reason: reason, metadata: { code: '42' } };
    const rate = await aRate({ ...wish, name: 'Exempt', tax_rate: '0.000', description: 'Care' });
    expect(rate).toMatchObject({ ...wish, name: 'Exempt', version: 1, archived_at: null });
    expect(rate.id).toMatch(/^txr_/);
    const path = `${RATES}/${rate.id}`;
    const renamed = await client.patch(path, { name: 'Care', metadata: null, description: null });
    expect(renamed.headers.get('etag')).toBe('"2"');
    expect(renamed.body).toMatchObject({
      ...exempt,
      name: 'Care',
      metadata: {},
      description: null,
    });
    expectProblem(
      await client.patch(path, { name: 'x' }, { 'If-Match': '"1"' }),
      412,
      'version_mismatch',
    );
    for (const field of ['tax_rate', 'tax_category', 'country']) {
      expectProblem(await client.patch(path, { [field]: '7' }), 422, 'unknown_field');
    }
    const set = `UPDATE tax_rates SET tax_rate = 7 WHERE name = 'Care'`;
    expect(await sql.verdict(set)).toBe(FROZEN);

    const other = await aRate();
    const archived = await client.post<TaxRateBody>(`${path}/archive`);
    expect(archived.body.archived_at).not.toBeNull();
    expect((await client.post(`${path}/archive`)).body).toEqual(archived.body);
    const listed = async (query: string) => {
      const { body } = await client.get<{ data: TaxRateBody[] }>(`${RATES}?${query}`);
      return body.data.map(({ id }) => id);
    };
    expect(await listed('')).toEqual([other.id]);
    expect(await listed('archived=true')).toEqual([rate.id]);
    expect(await listed('archived=all')).toEqual([other.id, rate.id]);
    expect(await listed('archived=all&tax_category=E')).toEqual([rate.id]);
    expect(await listed('archived=all&country=DE&limit=1')).toEqual([other.id]);
    const unarchived = await client.post<TaxRateBody>(`${path}/unarchive`);
    expect(unarchived.body).toMatchObject({ archived_at: null, version: 4 });
    expect((await client.get(path)).body).toEqual(unarchived.body);
  });

  it('is walked page by page', async () => {
    const made: string[] = [];
    for (const tax_rate of ['1', '2', '3']) made.unshift((await aRate({ tax_rate })).id);
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await client.get<{ data: TaxRateBody[]; next_cursor: string | null }>(
        `${RATES}?limit=2${cursor}`,
      );
      seen.push(...body.data.map(({ id }) => id));
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(seen).toEqual(made);
  });

  it.each([
    [{ tax_rate: '0', tax_category: 'S' }, 'tax_rate_required', '/tax_rate'],
    [{ tax_rate: '19', tax_category: 'AE' }, 'tax_rate_not_allowed', '/tax_rate'],
    [{ tax_exemption_reason: 'None' }, 'exemption_not_allowed', '/tax_exemption_reason'],
    [
      { ...exempt, tax_exemption_code: 'VATEX-EU-AE' },
      'exemption_not_allowed',
      '/tax_exemption_code',
    ],
    [{ tax_rate: '100.1' }, 'invalid_decimal', '/tax_rate'],
    [{ country: 'XX' }, 'invalid_country', '/country'],
    [{ name: ' ' }, 'invalid_text', '/name'],
  ])('with %o is refused', async (over, code, pointer) => {
    const answer = await client.post(RATES, { name: 'VAT', tax_rate: '19', ...over });
    expect(answer.body['errors']).toMatchObject([{ code, pointer }]);
  });

  it('is made once with one key, and is in the audit log', async () => {
    const key = { 'Idempotency-Key': 'rate' };
    const wish = { name: 'VAT', tax_rate: 19 };
    const [one, two] = [await client.post(RATES, wish, key), await client.post(RATES, wish, key)];
    expect(two.body).toEqual(one.body);
    const { body } = await client.get<{ data: object[] }>('/v1/audit?action=tax_rate.*');
    expect(body.data).toMatchObject([
      { action: 'tax_rate.created', subject: one.body['id'], after: { tax_rate: '19' } },
    ]);
  });
});

describe('a line', () => {
  it('copies the tax that it names, whatever becomes of the tax rate', async () => {
    const [rate, care] = [await aRate(), await aRate({ ...exempt, name: 'Care' })];
    const made = await make({ tax_rate_id: rate.id }, { tax_rate_id: care.id });
    expect(made.body).toMatchObject({
      lines: [
        { tax_rate_id: rate.id, tax_rate: '19', tax_category: 'S' },
        { tax_rate_id: care.id, ...exempt },
      ],
      tax_total: 1900,
    });
    await client.post(`${RATES}/${care.id}/archive`);
    expect(await client.read(made.body)).toMatchObject({ lines: made.body.lines });
    // A line that has it may be sent again; a new line may not have it.
    const again = {
      lines: made.body.lines.map(({ id, description, tax_rate_id }) =>
        aLine({ id, description, tax_rate_id }),
      ),
    };
    const kept = await patched(client, made.body, again);
    expect(kept.lines).toMatchObject(
      made.body.lines.map(({ id, tax_rate_id }) => ({ id, tax_rate_id })),
    );
    expectProblem(await make({ tax_rate_id: care.id }), 422, 'tax_rate_archived');
    const named = await patched(client, made.body, {
      lines: [aLine({ id: made.body.lines[0]?.id, tax_rate: '7' })],
    });
    expect(named.lines).toMatchObject([{ tax_rate_id: null, tax_rate: '7' }]);
    expect((await historyOf(client, made.body)).at(-1)?.changes).toContainEqual(
      expect.objectContaining({ field: '/lines/0/tax_rate_id', from: rate.id, to: null }),
    );
  });

  it('has the same on a preview, in a batch, by an external id, and on copies and credit notes', async () => {
    const rate = await aRate({ tax_rate: '7' });
    const body = aDraft({ tax_rate_id: rate.id });
    const same = { lines: [{ tax_rate_id: rate.id, tax_rate: '7' }], total: 10_700 };
    expect((await client.post(`${DOCUMENTS}/preview`, body)).body).toMatchObject(same);
    const put = await client.put(`${DOCUMENTS}/by-external-id/E-1`, { ...body, issue: true });
    expect(put.body).toMatchObject(same);
    const batch = await client.post<{ results: object[] }>(`${DOCUMENTS}/batch`, {
      documents: [body],
    });
    expect(batch.body.results).toMatchObject([{ status: 201, document: same }]);
    const { body: invoice } = await client.post<DocumentBody>(DOCUMENTS, { ...body, issue: true });
    await client.post(`${RATES}/${rate.id}/archive`);
    const copy = await client.post<DocumentBody>(`${pathOf(invoice)}/duplicate`);
    expect(copy.body).toMatchObject(same);
    expect(await client.issue(copy.body)).toMatchObject(same);
    const parts = await aCreditNote(client, invoice, { lines: [{ position: 1, amount: 107 }] });
    expect(parts.lines).toMatchObject([{ tax_rate_id: rate.id, tax_rate: '7' }]);
    const whole = await aCreditNote(client, copy.body, {});
    expect(whole.lines).toMatchObject(same.lines);
  });

  it('with a wrong name is refused, and all are told at once', async () => {
    const medical = { ...exempt, tax_exemption_reason: 'Medical care' };
    const [rate, care, gone] = [await aRate(), await aRate(medical), await aRate()];
    await client.post(`${RATES}/${gone.id}/archive`);
    const foreign = await aRate({}, await service.aClient());
    const lines = [
      { tax_rate_id: foreign.id },
      { tax_rate_id: gone.id },
      { tax_rate_id: rate.id, tax_rate: '7' },
      { tax_rate_id: rate.id, tax_category: 'AE' },
      { tax_rate_id: rate.id, tax_rate: '19.00', tax_category: 'S' },
      { tax_rate_id: care.id, tax_exemption_reason: 'Care' },
    ];
    const expected = [
      { pointer: '/lines/0/tax_rate_id', code: 'unknown_tax_rate' },
      { pointer: '/lines/1/tax_rate_id', code: 'tax_rate_archived' },
      { pointer: '/lines/2/tax_rate', code: 'tax_rate_differs' },
      { pointer: '/lines/3/tax_rate', code: 'tax_rate_differs' },
    ];
    for (const path of [DOCUMENTS, `${DOCUMENTS}/preview`]) {
      const answer = await client.post(path, aDraft(...lines));
      expectProblem(answer, 422, 'validation_failed');
      expect(answer.body['errors']).toMatchObject(expected);
    }
    const fine = await make(...lines.slice(4));
    expect(fine.body.lines).toMatchObject([{ tax_rate: '19' }, { tax_exemption_reason: 'Care' }]);
    expectProblem(await make({ tax_rate_id: 'txr_1' }), 422, 'unknown_tax_rate');
    expectProblem(
      await make({ tax_rate_id: rate.id, unit_amount: undefined }),
      422,
      'one_price_required',
    );
  });

  it('of many costs one query, and of none that names anything none', async () => {
    const [rate, care] = [await aRate(), await aRate(exempt)];
    const read = vi.spyOn(LoneTx.prototype, 'read');
    const asked = () => read.mock.calls.filter(([text]) => text.includes('FROM tax_rates')).length;
    await make({ tax_rate: '19' }, {});
    expect(asked()).toBe(0);
    await make({ tax_rate_id: rate.id }, { tax_rate_id: care.id }, { tax_rate_id: rate.id });
    expect(asked()).toBe(1);
  });

  it('is made again with the same key after the tax rate was archived', async () => {
    const rate = await aRate();
    const [body, key] = [aDraft({ tax_rate_id: rate.id }), { 'Idempotency-Key': 'named' }];
    const first = await client.post<DocumentBody>(DOCUMENTS, body, key);
    await client.post(`${RATES}/${rate.id}/archive`);
    const again = await client.post<DocumentBody>(DOCUMENTS, body, key);
    expect([again.status, again.body]).toEqual([201, first.body]);
  });
});

describe('the default tax rate', () => {
  it('is that of lines that say nothing of tax', async () => {
    const rate = await aRate();
    expect((await makeDefault(rate.id)).body['default_tax_rate_id']).toBe(rate.id);
    const { body } = await make({}, { tax_rate: '7' }, { tax_category: 'Z' });
    expect(body.lines).toMatchObject([
      { tax_rate_id: rate.id, tax_rate: '19' },
      { tax_rate_id: null, tax_rate: '7' },
      { tax_rate_id: null, tax_rate: '0' },
    ]);
    // A seller with a VAT number has to say a rate; the default says it.
    await client.patch(SELLER, { tax_id: 'DE123456788' });
    expect((await make({})).status).toBe(201);
    await client.patch(SELLER, { small_business: true });
    expect((await make({})).body.lines).toMatchObject([{ tax_category: 'E', tax_rate_id: null }]);
    await client.patch(SELLER, { small_business: false });
    await makeDefault(null);
    expectProblem(await make({}), 422, 'tax_rate_required');
  });

  it('is one that may be named, and is not archived', async () => {
    const [rate, gone] = [await aRate(), await aRate()];
    await client.post(`${RATES}/${gone.id}/archive`);
    expectProblem(await makeDefault(gone.id), 422, 'tax_rate_archived');
    expectProblem(
      await makeDefault((await aRate({}, await service.aClient())).id),
      422,
      'unknown_tax_rate',
    );
    await makeDefault(rate.id);
    expectProblem(await client.post(`${RATES}/${rate.id}/archive`), 409, 'tax_rate_in_use');
    await makeDefault(null);
    expect((await client.post(`${RATES}/${rate.id}/archive`)).status).toBe(200);
  });
});
