import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import { requestFor, type TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem, pointersOf } from '../expectations.js';
import { closeWithBooks, made, pathOf } from './document-calls.js';

// The details of EN 16931 are kept, frozen and copied.

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

const ADDRESS = { address: ['Hof 1'], postal_code: '53111', city: 'Bonn', region: null };
const DETAILS = {
  supply_date: '2026-11-19',
  service_period: { start: '2026-11-01', end: '2026-11-30' },
  delivery: { name: 'Depot', ...ADDRESS, country: 'DE' },
  buyer_reference: '04011000-12345-03',
  project_reference: 'P-17',
  contract_reference: 'V-4711',
  sales_order: 'SO-1',
  despatch_reference: 'LS-1',
  payment_means_code: '58',
  tax_representative: { name: 'Fiskal GmbH', tax_id: 'DE123456789', ...ADDRESS, country: 'DE' },
  payee: { name: 'Factoring AG', id: 'F-1', registration_id: null },
};

const read = async ({ id }: { id: string }) =>
  (await client.get<DocumentBody>(`${DOCUMENTS}/${id}`)).body;

describe('the details of a document', () => {
  it('are kept as they were said, and none of them when none was', async () => {
    expect(await read(await client.anInvoice(DETAILS))).toMatchObject(DETAILS);
    const plain = await client.anInvoice();
    const none = Object.fromEntries(Object.keys(DETAILS).map((name) => [name, null]));
    expect(plain).toMatchObject({ ...none, preceding_invoice: null });
    const stored = 'SELECT details FROM document_contents WHERE document_id = $1';
    const rows = await service.database.query(stored, [uuidOf('doc', plain.id)]);
    expect(rows).toEqual([{ details: null }]);
  });

  it('are changed one by one in a draft, and told in its history', async () => {
    const draft = await client.anInvoice({ ...DETAILS, issue: false });
    const change = { payee: null, sales_order: 'SO-2', delivery: { city: 'Ulm' } };
    const patched = await client.patch<DocumentBody>(pathOf(draft), change);
    expect(patched.body).toMatchObject({
      ...DETAILS,
      payee: null,
      sales_order: 'SO-2',
      delivery: { name: null, address: [], city: 'Ulm', country: null },
    });
    const history = await client.get<{ data: { changes?: { field: string }[] }[] }>(
      pathOf(draft, 'history'),
    );
    const fields = history.body.data.flatMap(({ changes = [] }) => changes).map((one) => one.field);
    expect(fields).toEqual(
      expect.arrayContaining(['/payee/name', '/sales_order', '/delivery/city']),
    );
  });

  it('go with a credit note, which names its invoice and the date of it', async () => {
    const invoice = await client.anInvoice({ ...DETAILS, issue_date: '2026-11-18' });
    const note = await made(client, invoice, 'credit-notes', { amount: 100 });
    expect(note).toMatchObject({
      ...DETAILS,
      preceding_invoice: { number: invoice.number, issue_date: '2026-11-18' },
    });
  });

  it('go with a duplicate, but for the days and the delivery note', async () => {
    const copy = await made(client, await client.anInvoice(DETAILS), 'duplicate');
    const once = { supply_date: null, service_period: null, despatch_reference: null };
    expect(copy).toMatchObject({ ...DETAILS, ...once });
  });

  it('are refused all at once, by field', async () => {
    const answer = await client.post(
      DOCUMENTS,
      requestFor({
        supply_date: '2026-02-30',
        service_period: { start: '2026-11-01' },
        delivery: { country: 'XX' },
        payment_means_code: '71',
        tax_representative: { name: 'Fiskal' },
        payee: {},
        buyer_reference: 'x'.repeat(101),
        preceding_invoice: { number: '1', issue_date: '2026-11-01' },
      }),
    );
    expectProblem(answer, 422, 'validation_failed');
    expect(pointersOf(answer.body as object).sort()).toEqual([
      '/buyer_reference',
      '/delivery/country',
      '/payee/name',
      '/payment_means_code',
      '/preceding_invoice',
      '/service_period/end',
      '/supply_date',
      '/tax_representative/tax_id',
    ]);
  });

  it('have no period that ends before it starts', async () => {
    const service_period = { start: '2026-11-02', end: '2026-11-01' };
    const answer = await client.post(DOCUMENTS, requestFor({ service_period }));
    expectProblem(answer, 422, 'period_ends_before_start');
    expect(pointersOf(answer.body as object)).toEqual(['/service_period/end']);
    const day = { start: '2026-11-02', end: '2026-11-02' };
    expect((await client.post(DOCUMENTS, requestFor({ service_period: day }))).status).toBe(201);
  });
});

const exempt = (tax_exemption_code: string | null, tax_category = 'E') => ({
  description: 'Care',
  unit_amount: 1000,
  tax_category,
  tax_exemption_code,
});

describe('the details of a line', () => {
  const LINE = {
    service_period: { start: '2026-11-01', end: '2026-11-30' },
    order_line: '10',
    buyer_item_id: 'B-4711',
    standard_item_id: { scheme: '0160', value: '4012345678901' },
    classifications: [{ list: 'STI', code: '72000000-5', version: null }],
  };
  it('are kept, and go with a credit note; a duplicate has no period', async () => {
    const lines = [{ description: 'Hosting', unit_amount: 1000, tax_rate: '19', ...LINE }];
    const invoice = await client.anInvoice({ lines });
    const kept = { ...LINE, tax_exemption_code: null };
    expect((await read(invoice)).lines[0]).toMatchObject(kept);
    const part = { lines: [{ position: 1, amount: 100 }] };
    expect((await made(client, invoice, 'credit-notes', part)).lines[0]).toMatchObject(kept);
    const copy = await made(client, invoice, 'duplicate');
    expect(copy.lines[0]).toMatchObject({ ...kept, service_period: null });
  });

  it('give a tax group its exemption code', async () => {
    const lines = [exempt('vatex-eu-132-1i'), exempt(null), exempt(null, 'AE')];
    const { tax_groups: groups } = await client.anInvoice({ lines });
    expect(groups.map((group) => [group.tax_category, group.exemption_code])).toEqual([
      ['AE', 'VATEX-EU-AE'],
      ['E', 'VATEX-EU-132-1I'],
    ]);
  });

  it.each<[string, object[], string, string]>([
    [
      'an unknown exemption',
      [exempt('VATEX-X')],
      'unknown_exemption_code',
      '/lines/0/tax_exemption_code',
    ],
    [
      'an exemption of another category',
      [exempt('VATEX-EU-AE')],
      'exemption_not_allowed',
      '/lines/0/tax_exemption_code',
    ],
    [
      'two exemptions of one category',
      [exempt('VATEX-EU-132-1I'), exempt('VATEX-EU-132-1J')],
      'exemptions_differ',
      '/lines/1/tax_exemption_code',
    ],
    [
      'a period that ends before it starts',
      [{ ...exempt(null), service_period: { start: '2026-11-02', end: '2026-11-01' } }],
      'period_ends_before_start',
      '/lines/0/service_period/end',
    ],
    [
      'an unknown scheme',
      [{ ...exempt(null), standard_item_id: { scheme: '0092', value: '1' } }],
      'unknown_scheme',
      '/lines/0/standard_item_id/scheme',
    ],
    [
      'an unknown list',
      [{ ...exempt(null), classifications: [{ list: 'CPV', code: '1' }] }],
      'unknown_classification_list',
      '/lines/0/classifications/0/list',
    ],
  ])('do not have %s', async (_, lines, code, pointer) => {
    const answer = await client.post(DOCUMENTS, requestFor({ lines }));
    expectProblem(answer, 422, code);
    expect(pointersOf(answer.body as object)).toEqual([pointer]);
  });
});

describe('a small business', () => {
  it('charges no tax where nothing is said of it, in a preview too', async () => {
    const patched = await client.patch('/v1/finance/seller', {
      country: 'DE',
      small_business: true,
    });
    expect(patched).toMatchObject({ status: 200, body: { small_business: true } });
    const lines = [{ description: 'Work', unit_amount: 1000 }];
    const group = {
      tax_category: 'E',
      exemption_reason: 'Steuerfrei für Kleinunternehmer, § 19 UStG',
    };
    const preview = await client.post(`${DOCUMENTS}/preview`, { currency: 'EUR', lines });
    expect(preview.body).toMatchObject({ tax_groups: [group] });
    const invoice = await client.anInvoice({ lines });
    expect(invoice).toMatchObject({ tax_groups: [group], seller: { small_business: true } });
  });
});
