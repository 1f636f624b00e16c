import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CalculationBody } from '../../../src/documents/wire/calculation.js';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import { addDays } from '../../../src/kernel/clock.js';
import { minorDigits } from '../../../src/kernel/currency.js';
import { Decimal } from '../../../src/kernel/decimal.js';
import { amountsOf, isTrue } from '../../documents/calculation/true-formula.js';
import type { DocumentWish, TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { disputeCalls } from '../payments/dispute-calls.js';
import { answered, closeWithBooks, good, made, pathOf, taxLeft } from './document-calls.js';

// Every amount of a document's JSON is explained, in every state that a document may come to.

let service: TestService;
let client: TestClient;
let today: string;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => closeWithBooks(service));
beforeEach(async () => {
  client = await service.aClient();
  today = service.clock.now().toISOString().slice(0, 10);
});

const LINES = [
  { description: 'Hours', quantity: '2.5', unit_amount: 99_990, tax_rate: '19' },
  {
    description: 'Books',
    quantity: '3',
    unit_amount_decimal: '12345.678',
    tax_rate: '7',
    discounts: [{ percent: '3.5' }, { amount: 99 }],
    charges: [{ amount: 250 }],
  },
  { description: 'Taken back', quantity: '-1', unit_amount: 4999, tax_rate: '19' },
  { description: 'Abroad', unit_amount: 5000, tax_category: 'AE', tax_exemption_reason: '§ 13b' },
];

const WISHES: Record<string, DocumentWish> = {
  'with net prices': {
    lines: LINES,
    discounts: [{ percent: '10' }, { amount: 77 }],
    charges: [{ percent: '2' }, { amount: 990, tax_rate: '7' }],
  },
  'with tax in its prices, to the coin': {
    lines: LINES,
    prices_include_tax: true,
    discounts: [{ percent: '3.3333' }],
    cash_rounding: 5,
  },
  'without decimals': { lines: LINES, currency: 'JPY', charges: [{ amount: 990 }] },
  'with three decimals': { lines: LINES, currency: 'KWD', discounts: [{ amount: 1001 }] },
};

const CASH_DISCOUNTS = [
  { percent: '3', days: 7 },
  { percent: '2.5', days: 14 },
];

const anInvoice = async (wish: DocumentWish) =>
  client.anInvoice({ payment_terms_days: 30, cash_discounts: CASH_DISCOUNTS, ...wish });
const part = ({ total }: DocumentBody, parts: number) => Math.floor(total / parts);

const pay = async (invoice: DocumentBody, amount: number) =>
  good(await client.pay(invoice, { amount }), 201) as { payment: { id: string } };
const step = async (of: { id: string }, name: string, body: object = {}) =>
  good(await client.post<DocumentBody>(pathOf(of, name), body), 200);
const refund = async (payment: string, body: object) => {
  const path = `/v1/finance/payments/${payment}/refunds`;
  return good(await client.post(path, { method: 'cash', ...body }), 201);
};
const note = (of: { id: string }, body: object = {}) => made(client, of, 'credit-notes', body);

const tolerate = async ({ currency }: DocumentBody, amount: number) =>
  good(
    await client.patch('/v1/finance/payment-settings', {
      underpayment_tolerance: [{ currency, amount }],
    }),
    200,
  );

/** Each state, and the documents that come to it. */
const STATES: Record<string, (wish: DocumentWish) => Promise<{ id: string }[]>> = {
  draft: async (wish) => [await anInvoice({ ...wish, issue: false })],
  'open, with cash discounts that hold': async (wish) => [await anInvoice(wish)],
  'overdue, with cash discounts that are late': async (wish) => [
    await anInvoice({ ...wish, issue_date: addDays(today, -40) }),
  ],
  'part paid': async (wish) => {
    const invoice = await anInvoice(wish);
    await pay(invoice, part(invoice, 3));
    return [invoice];
  },
  paid: async (wish) => {
    const invoice = await anInvoice(wish);
    await pay(invoice, invoice.total);
    return [invoice];
  },
  'paid less its cash discount': async (wish) => {
    const invoice = await anInvoice(wish);
    await pay(invoice, invoice.cash_discounts[0]?.amount_due ?? 0);
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_due: 0 });
    return [invoice];
  },
  'credited in part, then paid less its cash discount': async (wish) => {
    const invoice = await anInvoice(wish);
    await note(invoice, { amount: part(invoice, 7) });
    const { cash_discounts: discounts } = await client.read(invoice);
    await pay(invoice, discounts[1]?.amount_due ?? 0);
    expect((await client.read(invoice)).loss).toMatchObject({ tax_relief: true });
    return [invoice];
  },
  'paid within the tolerance, and credited': async (wish) => {
    const invoice = await anInvoice({ ...wish, cash_discounts: [] });
    await tolerate(invoice, 50);
    await pay(invoice, invoice.total - 49);
    const given = await note(invoice, { amount: 20 });
    expect(await client.read(invoice)).toMatchObject({ amount_waived: 29 });
    return [invoice, given];
  },
  'credited in part, by a note that is open and one that is void': async (wish) => {
    const invoice = await anInvoice(wish);
    const first = await note(invoice, { lines: [{ position: 1, quantity: '1.1' }] });
    const second = await note(invoice, { amount: part(invoice, 5) });
    await client.void(second);
    return [invoice, first, second];
  },
  'credited in full': async (wish) => {
    const invoice = await anInvoice(wish);
    return [invoice, await note(invoice, { amount: part(invoice, 3) }), await note(invoice)];
  },
  'paid and credited: the note is customer credit': async (wish) => {
    const invoice = await anInvoice(wish);
    await pay(invoice, invoice.total - 100);
    return [invoice, await note(invoice, { amount: part(invoice, 2) })];
  },
  'written off, with its tax claimed back': async (wish) => {
    const invoice = await anInvoice(wish);
    await pay(invoice, part(invoice, 4));
    await note(invoice, { amount: part(invoice, 9) });
    await step(invoice, 'write-off', { tax_relief: true });
    return [invoice];
  },
  'written off and recovered in part': async (wish) => {
    const invoice = await anInvoice(wish);
    await step(invoice, 'write-off');
    await pay(invoice, part(invoice, 3));
    return [invoice];
  },
  'written off and recovered': async (wish) => {
    const invoice = await anInvoice(wish);
    await step(invoice, 'write-off');
    await pay(invoice, invoice.total);
    return [invoice];
  },
  'written off and asked for again': async (wish) => {
    const invoice = await anInvoice(wish);
    await step(invoice, 'write-off');
    await step(invoice, 'write-off/reverse');
    return [invoice];
  },
  'written off, with more to lose than credit notes left': async (wish) => {
    const invoices = [await anInvoice(wish), await anInvoice(wish)];
    for (const [index, invoice] of invoices.entries()) {
      const { payment } = await pay(invoice, invoice.total);
      const credited = index === 0 ? part(invoice, 4) * 3 : invoice.total;
      await note(invoice, { amount: credited });
      // The credit is spent, so nothing but the invoice gives what goes back.
      const { customer_id } = invoice;
      const other = await anInvoice({ ...wish, customer: undefined, customer_id });
      const spent = { amount: credited, method: 'credit_balance' };
      good(await client.pay(other, spent), 201);
      await refund(payment.id, { amount: part(invoice, 2), from: invoice.id });
      await step(invoice, 'write-off');
    }
    return invoices;
  },
  refunded: async (wish) => {
    const invoice = await anInvoice(wish);
    const { payment } = await pay(invoice, invoice.total);
    await refund(payment.id, { amount: part(invoice, 3) });
    expect((await client.read(invoice)).amount_refunded).toBe(part(invoice, 3));
    return [invoice];
  },
  disputed: async (wish) => {
    const calls = disputeCalls(service, () => client);
    const invoice = await anInvoice(wish);
    const link = await client.aPaymentLink(invoice, { gateway: 'sandbox' });
    const paid = { invoice, link, id: `sbx_${invoice.id}` };
    await calls.pay(paid);
    await calls.tell('dispute.opened', paid);
    expect((await client.read(invoice)).amount_disputed).toBe(invoice.total);
    return [invoice];
  },
  void: async (wish) => [await client.void(await anInvoice(wish))],
  'a quote that is open, accepted, rejected, expired and converted': async (wish) => {
    const quote = { ...wish, kind: 'quote' } as const;
    const [open, accepted, rejected, converted, revised] = await Promise.all(
      Array.from({ length: 5 }, () => client.anInvoice(quote)),
    );
    const dates = { issue_date: addDays(today, -9), due_date: addDays(today, -2) };
    const expired = await client.anInvoice({ ...quote, ...dates });
    await answered(service, client, accepted!, 'accept');
    await answered(service, client, rejected!, 'reject');
    const all = [open!, accepted!, rejected!, converted!, expired, revised!];
    return [
      ...all,
      await made(client, converted!, 'convert'),
      await made(client, revised!, 'revise'),
    ];
  },
};

/** Only the calculation tells them. */
const OWN = /^\/lines\/\d+\/(?:discount_share|charge_share|gross_amount)$/;

async function expectExplained(id: string): Promise<void> {
  const document = await client.read({ id });
  const { steps, ...body } = good(
    await client.get<CalculationBody>(pathOf({ id }, 'calculation')),
    200,
  );
  const told = new Map(steps.map(({ figure, amount }) => [figure, amount]));
  expect(told.size).toBe(steps.length);
  const ofDocument = [...told].filter(([figure]) => !OWN.test(figure));
  expect(new Map(ofDocument)).toEqual(new Map(amountsOf(document)));
  // A line's share of nothing has no step.
  const ofCalculation = amountsOf(body).filter(([, amount]) => amount !== 0);
  expect(ofCalculation.filter(([figure, amount]) => told.get(figure) !== amount)).toEqual([]);
  expect(steps.filter((one) => !one.rule || !isTrue(one, document.currency))).toEqual([]);
  await expectKnownOperands(document, steps);
}

const SETTLED = /^\/(?:amount_|loss|cash_discounts)/;

/** Formulas of what came after the total use amounts of the document and of its credit notes. */
async function expectKnownOperands(document: DocumentBody, steps: CalculationBody['steps']) {
  const notes = await Promise.all(
    document.follow_ups
      .filter(({ relation }) => relation === 'credit')
      .map(({ id }) => client.read({ id })),
  );
  const valid = notes.filter(({ status }) => status !== 'void');
  expect(document.amount_credited).toBe(sumOf(valid.map((one) => one.amount_applied)));
  const credited = sumOf(valid.map(({ total }) => total));
  const known = new Set([
    ...amountsOf(document).map(([, amount]) => amount),
    credited,
    document.total - credited,
    ...runningTaxes(document, valid),
  ]);
  const unit = Decimal.of(10n ** BigInt(minorDigits(document.currency)));
  const minorOf = (text: string) => Number(Decimal.parse(text).times(unit).roundHalfUp());
  const unknown = steps.filter(({ figure, formula }) => {
    const amounts = formula.replaceAll(/[\d.]+ %/g, '').match(/[\d.]+/g) ?? [];
    return SETTLED.test(figure) && amounts.some((text) => !known.has(minorOf(text)));
  });
  expect(unknown).toEqual([]);
}

const sumOf = (amounts: number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

/** The taxes that credit notes left, the gross down to each, and what of it is lost. */
function runningTaxes(document: DocumentBody, notes: DocumentBody[]): number[] {
  const left = taxLeft(document, ...notes);
  let [gross, lost] = [0, 0];
  return document.tax_groups.flatMap(({ tax_rate: rate }, index) => {
    const [base = 0, tax = 0] = left[rate] ?? [];
    const of = document.loss?.taxes[index];
    gross += base + tax;
    lost += (of?.taxable_amount ?? 0) + (of?.tax_amount ?? 0);
    return [tax, gross, lost];
  });
}

describe.each(Object.entries(WISHES))('a document %s', (_, wish) => {
  it.each(Object.entries(STATES))('is explained: %s', async (__, come) => {
    for (const { id } of await come(wish)) await expectExplained(id);
  });
});
