import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { balancesOf, type PaymentDetail, PAYMENTS, receipt } from '../books/books.js';
import { creditOf, expectBooksToAgree, good } from '../documents/document-calls.js';
import { refund } from './refund-calls.js';

let service: TestService;
let client: TestClient;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});

const SETTINGS = '/v1/finance/payment-settings';

const letPass = async (amount: number, currency = 'EUR') =>
  client.patch(SETTINGS, { underpayment_tolerance: [{ currency, amount }] });

describe('payment settings', () => {
  it('begin with no tolerance, and count their changes', async () => {
    const first = await client.get(SETTINGS);
    const meaning = {
      refund_meaning: 'owed_again',
      refund_meaning_set: false,
      debit_retry_days: [],
    };
    expect(first.body).toEqual({ ...meaning, underpayment_tolerance: [], version: 1 });
    expect(first.headers.get('etag')).toBe('"1"');
    const next = await client.patch(SETTINGS, {
      underpayment_tolerance: [
        { currency: 'USD', amount: 100 },
        { currency: 'EUR', amount: 50 },
      ],
    });
    expect(next.body).toEqual({
      ...meaning,
      underpayment_tolerance: [
        { currency: 'EUR', amount: 50 },
        { currency: 'USD', amount: 100 },
      ],
      version: 2,
    });
    expect((await client.get(SETTINGS)).body).toEqual(next.body);
    const stale = await client.patch(SETTINGS, {}, { 'If-Match': '"1"' });
    expect([stale.status, stale.body['code']]).toEqual([412, 'version_mismatch']);
  });

  it.each([
    [[{ currency: 'EUR', amount: -1 }], 'amount_out_of_range'],
    [[{ currency: 'EUR', amount: 0.5 }], 'amount_not_integer'],
    [[{ currency: 'XXX', amount: 1 }], 'unknown_currency'],
    [[{ currency: 'EUR' }], 'required'],
    [
      [
        { currency: 'EUR', amount: 1 },
        { currency: 'EUR', amount: 2 },
      ],
      'said_twice',
    ],
  ])('refuse %j', async (underpayment_tolerance, code) => {
    const answer = await client.patch(SETTINGS, { underpayment_tolerance });
    const { errors } = answer.body as { errors?: { code: string }[] };
    expect([answer.status, errors?.[0]?.code]).toEqual([422, code]);
    expect((await client.get(SETTINGS)).body).toMatchObject({ version: 1 });
  });
});

describe('an underpayment', () => {
  it('within the tolerance pays the document, and the shortfall is a loss', async () => {
    await letPass(50);
    const invoice = await client.anInvoice();
    const answer = await client.pay(invoice, { amount: 11_850 });
    expect(answer.body).toMatchObject({ amount_paid: 11_850, amount_due: 0, status: 'paid' });
    expect(await client.read(invoice)).toMatchObject({ amount_waived: 50, amount_due: 0 });
    expect(await balancesOf(service, client)).toMatchObject({
      cash: 11_850,
      payment_differences: 50,
    });
    await expectBooksToAgree(service);
  });

  it('is due again as a whole when the payment is reversed', async () => {
    await letPass(50);
    const invoice = await client.anInvoice();
    const { body } = await client.pay(invoice, { amount: 11_850 });
    const { id } = body['payment'] as PaymentDetail;
    await client.post(`${PAYMENTS}/${id}/reverse`);
    expect(await client.read(invoice)).toMatchObject({
      status: 'open',
      amount_waived: 0,
      amount_due: 11_900,
    });
    expect(await balancesOf(service, client)).toMatchObject({ receivables: 11_900 });
    expect(await balancesOf(service, client)).not.toHaveProperty('payment_differences');
    await expectBooksToAgree(service);
  });

  it('stays let pass where another document of its payment gives something back', async () => {
    await letPass(50);
    const short = await client.anInvoice();
    const whole = await client.anInvoice({ customer: undefined, customer_id: short.customer_id });
    const { payment } = good(
      await receipt(client, {
        amount: 23_750,
        allocations: [
          { document_id: short.id, amount: 11_850 },
          { document_id: whole.id, amount: 11_900 },
        ],
      }),
      201,
    );
    good(await refund(client, payment, { amount: 1000, from: whole.id }), 201);
    expect(await client.read(short)).toMatchObject({ amount_waived: 50, amount_due: 0 });
    expect(await client.read(whole)).toMatchObject({ amount_due: 1000 });
    await expectBooksToAgree(service);
  });

  it.each([
    ['one unit more than the tolerance', 50, 'EUR', 11_849],
    ['a tolerance in another currency', 50, 'USD', 11_850],
    ['more than a tenth of the total', 5000, 'EUR', 10_709],
  ])('stays due: %s', async (_, tolerance, currency, amount) => {
    await letPass(tolerance, currency);
    const invoice = await client.anInvoice();
    expect((await client.pay(invoice, { amount })).body).toMatchObject({
      status: 'partially_paid',
      amount_due: 11_900 - amount,
    });
  });

  it('of a credited document is let pass on what is left', async () => {
    await letPass(50);
    const invoice = await client.anInvoice();
    await client.post(`/v1/finance/documents/${invoice.id}/credit-notes`, { amount: 5000 });
    expect((await client.pay(invoice, { amount: 6860 })).body).toMatchObject({ status: 'paid' });
    const notes = await client.get<{ data: { id: string }[] }>(
      `/v1/finance/documents?origin=${invoice.id}`,
    );
    await client.void(notes.body.data[0] ?? { id: '' });
    expect(await client.read(invoice)).toMatchObject({ amount_due: 5040, amount_waived: 0 });
    await expectBooksToAgree(service);
  });

  it('gives nobody credit for what was never paid', async () => {
    await letPass(100);
    const invoice = await client.anInvoice();
    await client.pay(invoice, { amount: 11_800 });
    const path = `/v1/finance/documents/${invoice.id}/credit-notes`;
    expect((await client.post(path, { amount: 30 })).body).toMatchObject({ amount_applied: 30 });
    expect(await client.read(invoice)).toMatchObject({ amount_waived: 70, status: 'paid' });
    await client.post(path);
    expect(await client.read(invoice)).toMatchObject({ amount_waived: 0, amount_credited: 100 });
    expect(await creditOf(client, invoice.customer_id)).toBe(11_800);
    expect(await balancesOf(service, client)).toEqual({ cash: 11_800, customer_credit: -11_800 });
    await expectBooksToAgree(service);
  });
});
