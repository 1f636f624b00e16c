import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { ValidationBody } from '../../../src/documents/wire/validation.js';
import { keptBy } from '../../documents/legal/kept-rules.js';
import { requestFor, type TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem, pointersOf } from '../expectations.js';
import { closeWithBooks, DOCUMENTS, made, pathOf } from './document-calls.js';

// Rules of EN 16931 that no document can break, because what would break them is refused, or because
// every issued document says what they ask for. The others are in test/documents/legal.

const SELLER = '/v1/finance/seller';
const CUSTOMERS = '/v1/finance/customers';
const ADDRESS = { address: ['Torstraße 49'], city: 'Berlin', country: 'DE' };

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => closeWithBooks(service));

const line = (over: object) => ({
  lines: [{ description: 'Advice', unit_amount: 100, tax_rate: '0', ...over }],
});
const charge = (over: object) => ({ charges: [{ amount: 100, reason: 'Freight', ...over }] });
const item = (over: object) => line({ classifications: [], ...over });

type Case = [body: object, code: string, pointer: string, path?: typeof SELLER | typeof CUSTOMERS];

const NO_SCHEME = { electronic_address: { value: '4012345678901' } };
const BACKWARDS = { service_period: { start: '2026-11-02', end: '2026-11-01' } };

const REFUSED: Record<string, Case[]> = {
  'BR-06': [[{ name: ' ' }, 'invalid_text', '/name', SELLER]],
  'BR-16': [[{ lines: [] }, 'too_few_items', '/lines']],
  'BR-18': [
    [{ tax_representative: { tax_id: 'DE123456788' } }, 'required', '/tax_representative/name'],
  ],
  'BR-25': [[line({ description: ' ' }), 'invalid_text', '/lines/0/description']],
  'BR-27': [
    [line({ unit_amount: -1 }), 'amount_out_of_range', '/lines/0/unit_amount'],
    [
      line({ unit_amount: undefined, unit_amount_decimal: '-0.1' }),
      'invalid_decimal',
      '/lines/0/unit_amount_decimal',
    ],
  ],
  'BR-29': [[BACKWARDS, 'period_ends_before_start', '/service_period/end']],
  'BR-30': [[line(BACKWARDS), 'period_ends_before_start', '/lines/0/service_period/end']],
  'BR-50': [
    [{ bank_accounts: [{ bic: 'DEUTDEFF' }] }, 'required', '/bank_accounts/0/iban', SELLER],
  ],
  'BR-62': [[NO_SCHEME, 'required', '/electronic_address/scheme', SELLER]],
  'BR-63': [
    [
      { customer: { name: 'Globex', ...NO_SCHEME } },
      'required',
      '/customer/electronic_address/scheme',
    ],
    [{ name: 'Globex', ...NO_SCHEME }, 'required', '/electronic_address/scheme', CUSTOMERS],
  ],
  'BR-64': [
    [item({ standard_item_id: { value: '1' } }), 'required', '/lines/0/standard_item_id/scheme'],
  ],
  'BR-65': [
    [item({ classifications: [{ code: '1' }] }), 'required', '/lines/0/classifications/0/list'],
  ],
  'BR-CO-19': [[{ service_period: { start: '2026-11-01' } }, 'required', '/service_period/end']],
  'BR-CO-20': [
    [line({ service_period: { end: '2026-11-01' } }), 'required', '/lines/0/service_period/start'],
  ],
  ...rates('S', 'S', '0', 'tax_rate_required'),
  ...rates('Z', 'Z', '19', 'tax_rate_not_allowed'),
  ...rates('E', 'E', '19', 'tax_rate_not_allowed'),
  ...rates('AE', 'AE', '19', 'tax_rate_not_allowed'),
  ...rates('IC', 'K', '19', 'tax_rate_not_allowed'),
  ...rates('G', 'G', '19', 'tax_rate_not_allowed'),
  ...rates('O', 'O', '19', 'tax_rate_not_allowed'),
  ...rates('AF', 'L', '-1', 'invalid_decimal'),
  ...rates('AG', 'M', '-1', 'invalid_decimal'),
  'BR-S-10': exemptions('S', '19'),
  'BR-Z-10': exemptions('Z', '0'),
  'BR-AF-10': exemptions('L', '7'),
  'BR-AG-10': exemptions('M', '4'),
  'BR-B-01': [[line({ tax_category: 'B' }), 'not_in_list', '/lines/0/tax_category']],
  'BR-B-02': [[charge({ tax_category: 'B' }), 'not_in_list', '/charges/0/tax_category']],
  'BR-CL-01': [[{ kind: 'order' }, 'not_in_list', '/kind']],
  'BR-CL-03': [[{ currency: 'XXX' }, 'unknown_currency', '/currency', SELLER]],
  'BR-CL-04': [[{ currency: 'XXX' }, 'unknown_currency', '/currency']],
  'BR-CL-13': [
    [
      item({ classifications: [{ list: 'CPV', code: '1' }] }),
      'unknown_classification_list',
      '/lines/0/classifications/0/list',
    ],
  ],
  'BR-CL-14': [
    [{ country: 'XX' }, 'invalid_country', '/country', SELLER],
    [{ customer: { name: 'Globex', country: 'UK' } }, 'invalid_country', '/customer/country'],
    [{ delivery: { country: 'XX' } }, 'invalid_country', '/delivery/country'],
  ],
  'BR-CL-16': [[{ payment_means_code: '69' }, 'unknown_payment_means', '/payment_means_code']],
  'BR-CL-17': [[charge({ tax_category: 'Q' }), 'not_in_list', '/charges/0/tax_category']],
  'BR-CL-18': [[line({ tax_category: 'Q' }), 'not_in_list', '/lines/0/tax_category']],
  'BR-CL-21': [
    [
      item({ standard_item_id: { scheme: '0092', value: '1' } }),
      'unknown_scheme',
      '/lines/0/standard_item_id/scheme',
    ],
  ],
  'BR-CL-22': [
    [
      line({ tax_category: 'E', tax_exemption_code: 'VATEX-X' }),
      'unknown_exemption_code',
      '/lines/0/tax_exemption_code',
    ],
  ],
  'BR-CL-23': [[line({ unit: 'QQQ' }), 'unknown_unit', '/lines/0/unit']],
  'BR-CL-25': [
    [
      { electronic_address: { scheme: '0001', value: '1' } },
      'unknown_scheme',
      '/electronic_address/scheme',
      SELLER,
    ],
  ],
};

/** A wrong rate of a category, on a line and on a charge. */
function rates(family: string, category: string, rate: string, code: string) {
  const tax = { tax_category: category, tax_rate: rate };
  return {
    [`BR-${family}-05`]: [[line(tax), code, '/lines/0/tax_rate'] satisfies Case],
    [`BR-${family}-07`]: [
      [
        { ...line({ tax_category: category === 'O' ? 'O' : 'Z' }), ...charge(tax) },
        code,
        '/charges/0/tax_rate',
      ] satisfies Case,
    ],
  };
}

function exemptions(category: string, rate: string): Case[] {
  const tax = { tax_category: category, tax_rate: rate };
  return [
    [
      line({ ...tax, tax_exemption_reason: 'Why not' }),
      'exemption_not_allowed',
      '/lines/0/tax_exemption_reason',
    ],
    [
      line({ ...tax, tax_exemption_code: 'VATEX-EU-132' }),
      'exemption_not_allowed',
      '/lines/0/tax_exemption_code',
    ],
  ];
}

const cases = Object.entries(REFUSED).flatMap(([id, list]) =>
  list.map(([body, code, pointer, path = DOCUMENTS]) => ({ id, body, code, pointer, path })),
);

describe('what would break a rule', () => {
  it('has an example for each that is kept by refusing', () => {
    expect(Object.keys(REFUSED).sort()).toEqual(keptBy('refused').sort());
  });

  it.each(cases)('is refused: $id, $pointer', async ({ body, code, pointer, path }) => {
    if (path === DOCUMENTS) {
      const draft = await client.anInvoice({ issue: false });
      const patch = 'kind' in body ? undefined : await client.patch(pathOf(draft), body);
      for (const answer of [
        await client.post(path, requestFor({ ...body })),
        await client.post(`${path}/preview`, requestFor({ ...body, issue: undefined })),
        await client.post(`${path}/validate`, requestFor({ ...body, issue: undefined })),
        ...(patch ? [patch] : []),
      ]) {
        expectProblem(answer, 422, code);
        expect(pointersOf(answer.body)).toEqual([pointer]);
      }
      return;
    }
    const answer = await (path === SELLER ? client.patch(path, body) : client.post(path, body));
    expectProblem(answer, 422, code);
    expect(pointersOf(answer.body)).toEqual([pointer]);
  });

  it('is refused all at once', async () => {
    const period = { start: '2026-11-01' };
    const answer = await client.post(
      DOCUMENTS,
      requestFor({
        ...line({ unit_amount: -1, unit: 'QQQ', service_period: period, tax_category: 'B' }),
        service_period: period,
        payment_means_code: '69',
        tax_representative: { tax_id: 'DE123456788' },
        customer: { name: 'Globex', ...NO_SCHEME },
      }),
    );
    expectProblem(answer, 422, 'validation_failed');
    expect(pointersOf(answer.body)).toEqual([
      '/customer/electronic_address/scheme',
      '/lines/0/service_period/end',
      '/lines/0/tax_category',
      '/lines/0/unit',
      '/lines/0/unit_amount',
      '/payment_means_code',
      '/service_period/end',
      '/tax_representative/name',
    ]);
  });

  it('is refused all at once where fields are right one by one', async () => {
    const lines = [BACKWARDS, {}, BACKWARDS].flatMap((over) => line(over).lines);
    const answer = await client.post(DOCUMENTS, requestFor({ lines, ...BACKWARDS }));
    expectProblem(answer, 422, 'validation_failed');
    expect(pointersOf(answer.body)).toEqual([
      '/lines/0/service_period/end',
      '/lines/2/service_period/end',
      '/service_period/end',
    ]);
  });
});

/** By rule, all that it asks for of an issued document, whatever was left out. */
const SAID: Record<string, (document: DocumentBody) => unknown[]> = {
  'BR-02': ({ number }) => [number],
  'BR-03': ({ issue_date: date }) => [date],
  'BR-04': ({ kind }) => [kind],
  'BR-05': ({ currency }) => [currency],
  'BR-12': ({ subtotal }) => [subtotal],
  'BR-13': ({ net_total: net }) => [net],
  'BR-14': ({ total }) => [total],
  'BR-15': ({ amount_due: due }) => [due],
  'BR-21': ({ lines }) => lines.map(({ position }) => position),
  'BR-22': ({ lines }) => lines.map(({ quantity }) => quantity),
  'BR-23': ({ lines }) => lines.map(({ unit }) => unit),
  'BR-24': ({ lines }) => lines.map(({ net_amount: net }) => net),
  'BR-26': ({ lines }) => lines.map(({ unit_amount_decimal: price }) => price),
  'BR-31': ({ discounts }) => discounts.map(({ amount }) => amount),
  'BR-32': ({ discounts }) => discounts.map(({ shares }) => shares[0]?.tax_category),
  'BR-36': ({ charges }) => charges.map(({ amount }) => amount),
  'BR-37': ({ charges }) => charges.map(({ shares }) => shares[0]?.tax_category),
  'BR-41': ({ lines }) => lines.flatMap(({ discounts }) => discounts.map(({ amount }) => amount)),
  'BR-43': ({ lines }) => lines.flatMap(({ charges }) => charges.map(({ amount }) => amount)),
  'BR-45': ({ tax_groups: groups }) => groups.map(({ taxable_amount: base }) => base),
  'BR-46': ({ tax_groups: groups }) => groups.map(({ tax_amount: tax }) => tax),
  'BR-47': ({ tax_groups: groups }) => groups.map(({ tax_category: category }) => category),
  'BR-48': ({ tax_groups: groups }) => groups.map(({ tax_rate: rate }) => rate),
  'BR-55': ({ kind, preceding_invoice: invoice }) => [kind === 'invoice' || invoice?.number],
  'BR-CO-04': ({ lines }) => lines.map(({ tax_category: category }) => category),
  'BR-CO-25': ({ due_date: date }) => [date],
  'BR-DEC-16': ({ amount_paid: paid }) => [paid === 0 || null],
};

describe('an issued document', () => {
  it('says what the rules ask for that are kept so, and its credit note does', async () => {
    expect(Object.keys(SAID).sort()).toEqual(keptBy('said').sort());
    const of = { percent: '10' };
    const lines = [{ description: 'Advice', unit_amount: 10_000, discounts: [of], charges: [of] }];
    const invoice = await client.anInvoice({
      lines: [...lines, { ...lines[0], tax_rate: '19' }],
      discounts: [of],
      charges: [of, { amount: 5, tax_category: 'E' }],
      due_date: undefined,
    });
    const note = await made(client, invoice, 'credit-notes', {});
    for (const document of [invoice, note]) {
      const lacking = Object.entries(SAID).filter(([, ask]) =>
        ask(document).some((said) => said == null || said === '' || said === false),
      );
      expect(lacking.map(([id]) => id)).toEqual([]);
    }
    expect(Object.values(SAID).every((ask) => ask(invoice).length > 0)).toBe(true);
  });
});

describe('what an e-invoice cannot say', () => {
  it('is told of a representative without an address, and of a third decimal', async () => {
    const other = await service.aClient();
    await other.patch(SELLER, { ...ADDRESS, tax_id: 'DE123456788' });
    const answer = await other.post<ValidationBody>(`${DOCUMENTS}/validate`, {
      currency: 'KWD',
      customer: { ...ADDRESS, name: 'Globex' },
      supply_date: '2026-11-01',
      tax_representative: { name: 'Fiskal', tax_id: 'DE123456788', country: 'DE' },
      lines: [
        {
          description: 'Advice',
          unit_amount: 100_001,
          tax_rate: '19',
          discounts: [{ amount: 1, reason: 'Loyalty' }],
        },
      ],
      discounts: [{ amount: 5, reason: 'Sale' }],
      charges: [{ amount: 5, reason: 'Freight' }],
    });
    expect(answer.body.warnings.map(({ rule, pointer }) => [rule, pointer])).toEqual([
      ['BR-19', '/tax_representative/address'],
      ['BR-19', '/tax_representative/city'],
      ['BR-DEC-01', '/discounts/0/shares/0/net_amount'],
      ['BR-DEC-05', '/charges/0/shares/0/net_amount'],
      ['BR-DEC-10', '/discount_total'],
      ['BR-DEC-11', '/charge_total'],
      ['BR-DEC-24', '/lines/0/discounts/0/amount'],
    ]);
  });
});
