import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { ValidationBody } from '../../../src/einvoices/wire/e-invoice-validation.js';
import { keptBy } from '../../documents/legal/kept-rules.js';
import { requestFor, type TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem, pointersOf } from '../expectations.js';
import { attached } from './attachment-calls.js';
import { closeWithBooks, DOCUMENTS, made, pathOf } from './document-calls.js';
import { BACKWARDS, line, NO_SCHEME, REFUSED, SELLER } from './en16931-refusals.js';

// Rules of EN 16931 that no document can break, because what would break them is refused, or because
// every issued document says what they ask for. The others are in test/documents/legal.

const ADDRESS = { address: ['Torstraße 49'], city: 'Berlin', country: 'DE' };

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => closeWithBooks(service));

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
        payment_means_code: '71',
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
  'BR-52': ({ kind, attachments: [one] = [] }) => [kind === 'credit_note' || one?.name],
  'BR-53': ({ tax_total_in_tax_currency: tax }) => [tax],
  'BR-55': ({ kind, preceding_invoice: invoice }) => [kind === 'invoice' || invoice?.number],
  'BR-CL-24': ({ kind, attachments: [one] = [] }) => [kind === 'credit_note' || one?.media_type],
  'BR-CO-04': ({ lines }) => lines.map(({ tax_category: category }) => category),
  'BR-CO-25': ({ due_date: date }) => [date],
  'BR-DEC-16': ({ amount_paid: paid }) => [paid === 0 || null],
};

describe('an issued document', () => {
  it('says what the rules ask for that are kept so, and its credit note does', async () => {
    expect(Object.keys(SAID).sort()).toEqual(keptBy('said').sort());
    const of = { percent: '10' };
    const lines = [{ description: 'Advice', unit_amount: 10_000, discounts: [of], charges: [of] }];
    const draft = await client.anInvoice({
      issue: false,
      lines: [...lines, { ...lines[0], tax_rate: '19' }],
      discounts: [of],
      charges: [of, { amount: 5, tax_category: 'E' }],
      due_date: undefined,
      tax_currency: { currency: 'PLN', exchange_rate: '4.3' },
    });
    await attached(client, draft);
    const invoice = await client.issue(draft);
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
