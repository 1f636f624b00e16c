import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { IntegrityQuery } from '../../../src/integrity/infrastructure/integrity.query.js';
import { addDays } from '../../../src/kernel/clock.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import { requestFor, type TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { balancesOf, PAYMENTS, receipt } from '../books/books.js';
import { closeWithBooks, good, made, pathOf } from '../documents/document-calls.js';
import { expectProblem, pointersOf } from '../expectations.js';

// Agreed reductions for those who pay early, from the invoice to the tax.

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

const TERMS = [
  { percent: '3', days: 7 },
  { percent: '2.50', days: 14 },
];

/** 200.00 with tax: 119.00 at 19 %, 53.50 at 7 %, and 27.50 that the buyer is taxed for. */
const THREE_TAXES = {
  lines: [
    { description: 'A', unit_amount: 10_000, tax_rate: '19' },
    { description: 'B', unit_amount: 5000, tax_rate: '7' },
    { description: 'C', unit_amount: 2750, tax_category: 'AE' },
  ],
};

/** Of so many days ago, which is due 30 days after it. */
const discounted = async (daysAgo = 0, wish: object = {}) =>
  client.anInvoice({
    ...THREE_TAXES,
    issue_date: addDays(today, -daysAgo),
    payment_terms_days: 30,
    cash_discounts: TERMS,
    ...wish,
  });

const pay = async (of: { id: string }, amount: number, over: object = {}) => {
  const answer = await client.pay(of, { amount, ...over });
  return good(answer, 201) as { status: string; payment: { id: string } };
};

const paidAgo = (days: number) => ({ paid_at: `${addDays(today, -days)}T12:00:00Z` });

/** The status that a payment leads to, of an invoice of so many days ago. */
const statusOf = async (age: number, paidDaysAgo: number, amount: number) =>
  (await pay(await discounted(age), amount, paidAgo(paidDaysAgo))).status;

const share = (tax_category: string, tax_rate: string, taxable_amount: number, tax: number) => ({
  tax_category,
  tax_rate,
  taxable_amount,
  tax_amount: tax,
});

describe('cash discounts', () => {
  it('stand on the invoice with their last day and their amounts, and settle it', async () => {
    const invoice = await discounted();
    const [until, second] = [addDays(today, 7), addDays(today, 14)];
    expect(invoice.cash_discounts).toEqual([
      { percent: '3', days: 7, until, amount: 600, total: 19_400, amount_due: 19_400 },
      { percent: '2.5', days: 14, until: second, amount: 500, total: 19_500, amount_due: 19_500 },
    ]);
    expect((await pay(invoice, 19_400)).status).toBe('paid');
    const settled = await client.read(invoice);
    expect(settled.cash_discounts.map((one) => one.amount_due)).toEqual([null, null]);
    expect(settled).toMatchObject({
      amount_due: 0,
      amount_waived: 600,
      loss: {
        amount: 600,
        tax_relief: true,
        taxes: [share('S', '19', 300, 57), share('S', '7', 150, 11), share('AE', '0', 82, 0)],
      },
    });
    // 22.50 of tax, less what was in the discount.
    expect(await balancesOf(service, client)).toEqual({
      cash: 19_400,
      payment_differences: 532,
      revenue: -17_750,
      tax_payable: -2182,
    });
  });

  it('are of the day that the payer paid on, and of no other', async () => {
    expect(await statusOf(9, 2, 19_400)).toBe('paid');
    expect(await statusOf(9, 1, 19_400)).toBe('partially_paid');
    expect(await statusOf(9, 1, 19_499)).toBe('partially_paid');
    expect(await statusOf(9, 1, 19_500)).toBe('paid');
    expect(await statusOf(16, 2, 19_500)).toBe('paid');
    expect(await statusOf(16, 1, 19_999)).toBe('partially_paid');
  });

  it('count together what came in time, and nothing that came too late', async () => {
    const invoice = await discounted(8);
    const inTime = paidAgo(2);
    await pay(invoice, 10_000, inTime);
    expect((await client.read(invoice)).cash_discounts.map((one) => one.amount_due)).toEqual([
      null,
      9500,
    ]);
    expect((await pay(invoice, 9399, inTime)).status).toBe('partially_paid');
    expect((await pay(invoice, 1, inTime)).status).toBe('paid');
    expect((await client.read(invoice)).amount_waived).toBe(600);
  });

  it('are not added to the tolerance: the larger of both counts', async () => {
    await client.patch('/v1/finance/payment-settings', {
      underpayment_tolerance: [{ currency: 'EUR', amount: 700 }],
    });
    const [less, more] = [await discounted(), await discounted()];
    expect((await pay(less, 19_299)).status).toBe('partially_paid');
    expect((await pay(less, 1)).status).toBe('paid');
    // Only the tolerance let that pass, and nobody claims its tax.
    expect((await client.read(less)).loss).toMatchObject({ amount: 700, tax_relief: false });
    await pay(more, 19_400);
    expect((await client.read(more)).loss).toMatchObject({ amount: 600, tax_relief: true });
  });

  it('are due again, with their tax, once the payment is reversed', async () => {
    const invoice = await discounted();
    const before = await balancesOf(service, client);
    const { payment } = await pay(invoice, 19_400);
    good(await client.post(`${PAYMENTS}/${payment.id}/reverse`), 200);
    expect(await client.read(invoice)).toMatchObject({ amount_due: 20_000, amount_waived: 0 });
    expect(await balancesOf(service, client)).toEqual(before);
  });

  it('are a part of what credit notes have left', async () => {
    const [before, after] = [await discounted(), await discounted()];
    await made(client, before, 'credit-notes', { lines: [{ position: 1 }] });
    // 3 % of 81.00.
    expect((await client.read(before)).cash_discounts[0]).toMatchObject({
      amount: 600,
      amount_due: 7857,
    });
    expect((await pay(before, 7856)).status).toBe('partially_paid');
    expect((await pay(before, 1)).status).toBe('paid');
    expect((await client.read(before)).loss).toMatchObject({
      amount: 243,
      taxes: [share('S', '19', 0, 0), share('S', '7', 150, 11), share('AE', '0', 82, 0)],
    });
    await pay(after, 19_400);
    // A note takes off what was let pass first, and the rest becomes credit.
    await made(client, after, 'credit-notes', { amount: 1000 });
    expect(await client.read(after)).toMatchObject({ amount_waived: 0, amount_credited: 600 });
  });

  it('are taken by a payment link, and by one payment of several invoices', async () => {
    const one = await discounted();
    const payer = { customer: undefined, customer_id: one.customer_id };
    const [other, third] = [await discounted(0, payer), await discounted(0, payer)];
    const link = await client.aPaymentLink(one, { amount: 19_400 });
    await service.deliverPaid(link);
    expect(await client.read(one)).toMatchObject({ status: 'paid', amount_waived: 600 });
    const allocations = [other, third].map(({ id }) => ({ document_id: id, amount: 19_400 }));
    const { body } = await receipt(client, { amount: 38_800, allocations });
    expect(body.documents.map(({ status }) => status)).toEqual(['paid', 'paid']);
  });

  it('are said on the portal as long as they hold', async () => {
    const invoice = await discounted(8, { language: 'de' });
    const token = await client.aPortalToken(invoice);
    const page = await client.get(`/v1/portal/${token}`, { accept: 'text/html' });
    const said = page.text.replaceAll('\u00a0', ' ');
    expect(said).toMatch(/2,5 % Skonto bei Zahlung bis [^:]+: 195,00 €/);
    expect(said).not.toContain('3 % Skonto');
  });
});

describe('cash discounts of a draft', () => {
  it.each([
    [[{ percent: '10.01', days: 7 }], 'invalid_decimal', '/cash_discounts/0/percent'],
    [[{ percent: '0', days: 7 }], 'invalid_decimal', '/cash_discounts/0/percent'],
    [[...TERMS, { percent: '2.5', days: 20 }], 'cash_discounts_out_of_order', '/cash_discounts/2'],
    [[...TERMS, { percent: '1', days: 14 }], 'cash_discounts_out_of_order', '/cash_discounts/2'],
    [[{ percent: '2', days: 31 }], 'cash_discount_after_due', '/cash_discounts/0/days'],
  ])('refuse %j', async (cash_discounts, code, pointer) => {
    const wish = requestFor({ payment_terms_days: 30, cash_discounts, issue: false });
    const answer = await client.post('/v1/finance/documents', wish);
    expectProblem(answer, 422, code);
    expect(pointersOf(answer.body)).toEqual([pointer]);
  });

  it('are judged again by the dates of the issue, and frozen then', async () => {
    const due = { due_date: addDays(today, 10) };
    const draft = await discounted(0, {
      issue: false,
      issue_date: undefined,
      ...due,
      payment_terms_days: undefined,
    });
    expect(draft.cash_discounts[0]).toMatchObject({ until: null, amount_due: null, amount: 600 });
    const issue = await client.post(pathOf(draft, 'issue'));
    expectProblem(issue, 422, 'cash_discount_after_due');
    expect(pointersOf(issue.body)).toEqual(['/cash_discounts/1/days']);
    const cash_discounts = TERMS.slice(0, 1);
    good(await client.patch(pathOf(draft), { cash_discounts }), 200);
    expect((await client.issue(draft)).cash_discounts[0]?.until).toBe(addDays(today, 7));
    const frozen = service.database.query(
      `UPDATE documents SET cash_discounts = NULL WHERE number = $1`,
      ['INV-00001'],
    );
    await expect(frozen).rejects.toThrow('is refused');
  });

  it('come from the customer or the seller, with their terms', async () => {
    good(await client.patch('/v1/finance/seller', { cash_discounts: TERMS }), 200);
    const of = async (wish: object) =>
      (await client.anInvoice({ issue: false, ...wish })).cash_discounts.map((one) => one.percent);
    expect(await of({})).toEqual(['3', '2.5']);
    expect(await of({ payment_terms_days: 30 })).toEqual([]);
    expect(await of({ cash_discounts: [] })).toEqual([]);
    const named = async (over: object) => ({
      customer: undefined,
      customer_id: (await client.aCustomer(over)).id,
    });
    expect(await of(await named({}))).toEqual(['3', '2.5']);
    expect(await of(await named({ payment_terms_days: 10 }))).toEqual([]);
    const own = {
      cash_discounts: [
        { percent: 4, days: 5 },
        { percent: '1', days: 20 },
      ],
    };
    expect(await of(await named({ ...own, payment_terms_days: 10 }))).toEqual(['4']);
    expect(await of(await named({ cash_discounts: [] }))).toEqual([]);
    const wrong = { cash_discounts: [...TERMS].toReversed() };
    for (const path of [
      '/v1/finance/seller',
      `/v1/finance/customers/${(await client.aCustomer()).id}`,
    ]) {
      expectProblem(await client.patch(path, wrong), 422, 'cash_discounts_out_of_order');
    }
  });

  it('go with copies as far as their terms reach', async () => {
    const invoice = await discounted();
    expect((await made(client, invoice, 'duplicate')).cash_discounts).toHaveLength(2);
    const sooner = { payment_terms_days: 10, issue: true };
    expect((await made(client, invoice, 'duplicate', sooner)).cash_discounts).toHaveLength(1);
  });
});

describe('integrity', () => {
  it('compares what was let pass with what was agreed, both ways', async () => {
    await client.patch('/v1/finance/payment-settings', {
      underpayment_tolerance: [{ currency: 'EUR', amount: 700 }],
    });
    const [agreed, tolerated] = [await discounted(), await discounted()];
    await pay(agreed, 19_400);
    await pay(tolerated, 19_300);
    const terms = async (of: { id: string }, percent: string) =>
      service.database.query(
        `ALTER TABLE documents DISABLE TRIGGER USER;
         UPDATE documents SET cash_discounts = jsonb_set(cash_discounts, '{0,percent}', '"${percent}"')
           WHERE document_id = '${uuidOf('doc', of.id)}';
         ALTER TABLE documents ENABLE TRIGGER USER`,
      );
    await terms(agreed, '2');
    await terms(tolerated, '4');
    const { differences } = await service.app.get(IntegrityQuery).differences();
    const check =
      'the tax of a shortfall is claimed with its payment where a cash discount let it pass';
    expect(
      differences
        .filter((one) => one.check === check)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([agreed.id, tolerated.id].sort());
    await terms(agreed, '3');
    await terms(tolerated, '3');
  });
});

describe('payee and tax representative of the seller', () => {
  const agent = { name: 'Fiskal GmbH', tax_id: 'DE123456788', country: 'DE' };
  const payee = { name: 'Factoring AG', id: null, registration_id: null };

  it('are taken over by new documents that do not say otherwise', async () => {
    const seller = { payee: { name: 'Factoring AG' }, tax_representative: agent };
    const changed = good(await client.patch('/v1/finance/seller', seller), 200);
    expect(changed).toMatchObject({ payee, tax_representative: agent, cash_discounts: [] });
    const invoice = await client.anInvoice();
    expect(invoice).toMatchObject({ payee, tax_representative: agent });
    const other = await client.anInvoice({ payee: null });
    expect(other).toMatchObject({ payee: null, tax_representative: agent });
    good(await client.patch('/v1/finance/seller', { payee: null }), 200);
    expect(await client.anInvoice()).toMatchObject({ payee: null, tax_representative: agent });
    expect(await client.read(invoice)).toMatchObject({ payee });
  });

  it('are changed by those who may change where money goes', async () => {
    const clerk = await service.aClient({ scopes: ['documents:write'], of: client });
    const answer = await clerk.patch('/v1/finance/seller', { payee });
    expectProblem(answer, 403, 'insufficient_scope');
  });
});
