import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PayoutBody, PayoutDetailBody } from '../../../src/bank/wire/payout.js';
import type { TestClient } from '../../support/client.js';
import { sandboxDelivery } from '../../support/sandbox-delivery.js';
import { startTestService, type TestService } from '../../support/service.js';
import { balancesOf, entryOf, imported, tellOf } from './bank-calls.js';
import { type Paid, sandboxPaymentsOf } from './sandbox-payments.js';
import { payoutImports } from './payout-imports.js';
import { closeWithBooks } from '../documents/document-calls.js';

// Money that a provider sends to the bank: recorded by hand, at the bank, back again, undone.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  client = await service.aClient({ timeZone: 'Europe/Berlin' });
});
afterAll(() => closeWithBooks(service));

type Answered = PayoutBody & { code: string; errors?: { pointer: string; code: string }[] };

const PAYOUTS = '/v1/finance/payouts';
const tell = tellOf(() => client);
const balances = async () => balancesOf(client);
const aPayout = (over: object = {}) => ({
  gateway: 'sandbox',
  provider_payout_id: 'po_1',
  amount: 11_600,
  currency: 'EUR',
  sent_on: '2026-11-17',
  ...over,
});
const record = async (over: object = {}) => client.post<Answered>(PAYOUTS, aPayout(over));
const { deliver, paid } = sandboxPaymentsOf(
  () => service,
  () => client,
);
const step = async (id: string, name: 'fail' | 'reverse', body: object = {}) =>
  client.post<Answered>(`${PAYOUTS}/${id}/${name}`, body);
const counted = async (query: string) =>
  (await client.get<{ data: PayoutBody[] }>(`${PAYOUTS}?${query}`)).body.data.length;
const read = async (id: string) => (await client.get<PayoutDetailBody>(`${PAYOUTS}/${id}`)).body;

describe('a payout', () => {
  it('clears the gateway, is proposed for its entry, and is paid with it', async () => {
    await paid();
    const { body: payout, status } = await record({ fee: 300, arrives_on: '2026-11-19' });
    expect([status, payout.status, payout.booked_fee]).toEqual([201, 'sent', 300]);
    const inTransit = { gateway_fees: 300, payouts_in_transit: 11_600 };
    expect(await balances()).toMatchObject(inTransit);
    expect(await balances()).not.toHaveProperty('gateway_clearing');

    const [entry] = await imported(client, { amount: '116.00', name: 'STRIPE', text: 'PO_1 SHOP' });
    expect(entry?.status).toBe('proposed');
    expect(entry?.payouts).toEqual([
      {
        payout_id: payout.id,
        gateway: 'sandbox',
        provider_payout_id: 'po_1',
        amount: 11_600,
        sent_on: '2026-11-17',
        arrives_on: '2026-11-19',
        reasons: ['days_near'],
      },
    ]);
    const { body } = await tell(entry?.id, 'confirm', { payout_id: payout.id });
    expect(body).toMatchObject({
      status: 'posted',
      payout_id: payout.id,
      ledger_account: 'payouts_in_transit',
    });
    const atBank = { status: 'paid', bank_entry_id: entry?.id };
    expect(await read(payout.id)).toMatchObject(atBank);
    expect(await balances()).toMatchObject({ cash: 11_600, gateway_fees: 300 });
    expect(await balances()).not.toHaveProperty('payouts_in_transit');
    expect((await step(payout.id, 'fail')).body.code).toBe('payout_paid');
    expect((await step(payout.id, 'reverse')).body.code).toBe('payout_paid');

    await tell(entry?.id, 'unbook');
    expect(await balances()).toMatchObject(inTransit);
    type Report = { cash: { in_transit: number }[] };
    const { body: bank } = await client.get<Report>('/v1/finance/reports/bank-reconciliation');
    expect(bank.cash.map(({ in_transit }) => in_transit)).toEqual([11_600]);
    expect(await read(payout.id)).toMatchObject({ status: 'sent', bank_entry_id: null });
    expect(await entryOf(client, entry?.id ?? '')).toMatchObject({
      status: 'unmatched',
      payout_id: null,
    });
  });

  it('is found by its id or text however late, and never by amount alone', async () => {
    const long = {
      sent_on: '2026-10-01',
      provider_payout_id: 'po_long_ago',
      descriptor: 'MYSHOP EU',
    };
    const { body: payout } = await record(long);
    const [byId, byText, byNothing, byOther] = await imported(
      client,
      { amount: '116.00', text: 'Payout PO_LONG_AGO' },
      { amount: '116.00', text: 'myshop eu' },
      { amount: '116.00', text: 'hello' },
      { amount: '115.99', text: 'po_long_ago' },
    );
    const proposed = [byId, byText, byNothing, byOther].map((one) =>
      one?.payouts.map(({ payout_id, reasons }) => [payout_id, ...reasons]),
    );
    const named = [[payout.id, 'named']];
    expect(proposed).toEqual([named, named, [], []]);
    const wrong = await tell(byOther?.id, 'confirm', { payout_id: payout.id });
    expect(wrong.body.code).toBe('bank_entry_payout_differs');
    expect((await tell(byId?.id, 'confirm', { payout_id: payout.id })).status).toBe(200);
    const twice = await tell(byText?.id, 'confirm', { payout_id: payout.id });
    expect(twice.body.code).toBe('bank_entry_payout_differs');
  });

  it('becomes one entry only, if two are confirmed at once', async () => {
    const { body: payout } = await record();
    const entries = await imported(client, { amount: '116.00' }, { amount: '116.00', text: 'b' });
    const confirm = async ({ id }: { id: string }) => tell(id, 'confirm', { payout_id: payout.id });
    const answers = await Promise.all(entries.map(confirm));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await balances()).toMatchObject({ cash: 11_600 });
  });

  it('below zero is money that the provider takes from the bank', async () => {
    const before = await balances();
    const { body: payout } = await record({ amount: -2500 });
    expect(await balances()).toMatchObject({ gateway_clearing: 2500, payouts_in_transit: -2500 });
    const [credit, debit] = await imported(
      client,
      { amount: '25.00' },
      { amount: '25.00', direction: 'debit' },
    );
    expect(credit?.payouts).toEqual([]);
    expect(debit?.payouts.map(({ payout_id }) => payout_id)).toEqual([payout.id]);
    await tell(debit?.id, 'confirm', { payout_id: payout.id });
    expect(await balances()).toEqual({ gateway_clearing: 2500, cash: -2500 });
    await tell(debit?.id, 'unbook');
    expect((await entryOf(client, debit?.id ?? '')).status).toBe('debit');
    await step(payout.id, 'reverse');
    expect(await balances()).toEqual(before);
  });

  it('that fails is with the provider again, but for its fee; reversed, it never was', async () => {
    await paid();
    const before = await balances();
    const { body: payout } = await record({ fee: 300 });
    const early = await step(payout.id, 'fail', { failed_on: '2026-11-16' });
    expect(early.body.code).toBe('date_too_early');
    const late = await step(payout.id, 'fail', { failed_on: '2899-01-01' });
    expect(late.body.code).toBe('date_in_future');
    const failed = await step(payout.id, 'fail', { failed_on: '2026-11-19', reason: 'closed' });
    const came = { status: 'failed', failed_on: '2026-11-19', undone_reason: 'closed' };
    expect(failed.body).toMatchObject(came);
    expect(await balances()).toEqual({ ...before, gateway_clearing: 11_600, gateway_fees: 300 });
    expect((await step(payout.id, 'fail')).body.code).toBe('payout_undone');
    const [entry] = await imported(client, { amount: '116.00' });
    expect(entry?.payouts).toEqual([]);
    const ofIt = await tell(entry?.id, 'confirm', { payout_id: payout.id });
    expect(ofIt.body.code).toBe('bank_entry_payout_differs');
    expect((await step(payout.id, 'reverse')).body.status).toBe('reversed');
    expect(await balances()).toEqual(before);
    expect((await step(payout.id, 'reverse')).body.code).toBe('payout_undone');
  });

  it('is recorded once, until it is reversed', async () => {
    const answers = await Promise.all([record(), record()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect((await record()).body.code).toBe('payout_exists');
    expect((await record({ gateway: 'gateway-b' })).status).toBe(201);
    const made = answers.find(({ status }) => status === 201);
    await step(made?.body.id ?? '', 'reverse', { reason: 'wrong' });
    expect((await record({ amount: 100 })).status).toBe(201);
    const of = ['', 'status=reversed', 'gateway=gateway-b', 'currency=USD', 'limit=1'];
    expect(await Promise.all(of.map(counted))).toEqual([3, 1, 1, 0, 1]);
  });
});

describe('the lines of a payout', () => {
  it('name our payments, and book the fees that no payment has booked, each once', async () => {
    const stripe = await paid();
    const before = await balances();
    expect(stripe.fee).toBeNull();
    const ofPayment = {
      kind: 'payment',
      amount: 11_900,
      fee: 250,
      provider_id: stripe.reference,
    };
    const lines = [
      ofPayment,
      { kind: 'payment', amount: 1000, fee: 30, provider_id: 'pi_unknown' },
      { kind: 'fee', amount: -20 },
    ];
    const { body: payout } = await record({ amount: 12_600, lines });
    // Of the unknown payment nothing is booked, so neither is its fee.
    expect(payout.booked_fee).toBe(270);
    expect((await read(payout.id)).lines).toMatchObject([
      { payment_id: stripe.id, fee: 250, booked_fee: 250, is_unknown: false },
      { payment_id: null, booked_fee: 0, is_unknown: true },
      { kind: 'fee', booked_fee: 20, is_unknown: false },
    ]);
    expect((await balances())['gateway_fees']).toBe(270);
    // Another payout tells of the same payment; then the first was wrong.
    const again = { provider_payout_id: 'po_2', amount: 11_650, lines: [ofPayment] };
    const { body: second } = await record(again);
    expect(second.booked_fee).toBe(0);
    await step(second.id, 'reverse');
    await step(payout.id, 'reverse');
    expect(await balances()).toEqual(before);
    expect((await record(again)).body.booked_fee).toBe(250);
  });

  it('find a refund that a person recorded before the provider named it', async () => {
    const { id, reference } = await paid(0);
    const byHand = { amount: 500, method: 'bank_transfer' };
    await client.post(`/v1/finance/payments/${id}/refunds`, byHand);
    const told = {
      payment_id: reference,
      sandbox_refund_id: 'sbx_1',
      amount: 500,
      currency: 'EUR',
    };
    const delivery = sandboxDelivery(service, 'refund.succeeded', told);
    await service.call('/v1/webhooks/sandbox', { method: 'POST', ...delivery });
    const lines = [{ kind: 'refund', amount: -500, fee: 7, provider_id: 'sbx_1' }];
    const { body: payout } = await record({ amount: -507, lines });
    expect((await read(payout.id)).lines).toMatchObject([{ booked_fee: 7, is_unknown: false }]);
  });

  it('book no fee that its payment has booked, also when two payouts come at once', async () => {
    const told = await paid(199);
    const untold = await paid();
    expect([told.fee, untold.fee]).toEqual([199, null]);
    const line = { kind: 'payment', amount: 11_900, fee: 250 };
    const known = [{ ...line, provider_id: told.reference }];
    const ofKnown = { provider_payout_id: 'po_known', amount: 11_650, lines: known };
    expect((await record(ofKnown)).body.booked_fee).toBe(0);
    expect((await balances())['gateway_fees']).toBe(199);
    const same = [{ ...line, provider_id: untold.reference }];
    const both = await Promise.all(
      ['po_a', 'po_b'].map(async (provider_payout_id) =>
        record({ provider_payout_id, amount: 11_650, lines: same }),
      ),
    );
    expect(both.map(({ body }) => body.booked_fee).toSorted()).toEqual([0, 250]);
    expect((await balances())['gateway_fees']).toBe(199 + 250);
  });

  it('leave the fee of money without a document to its receipt, which books it on arrival', async () => {
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice, { gateway: 'sandbox' });
    await client.void(invoice);
    const provider_id = await deliver(link, 199);
    const arrived = { gateway_clearing: 11_701, gateway_fees: 199, unmatched_receipts: -11_900 };
    expect(await balances()).toEqual(arrived);
    const line = { kind: 'payment', amount: 11_900, fee: 199, provider_id };
    const { body: payout } = await record({ amount: 11_701, lines: [line] });
    expect(payout.booked_fee).toBe(0);
    const [told] = (await read(payout.id)).lines;
    expect(told).toMatchObject({ payment_id: null, is_unknown: false });
    const other = await client.anInvoice();
    const path = `/v1/finance/unmatched-receipts/${told?.receipt_id}/assign`;
    const assigned = await client.post<{ payment: Paid }>(path, { document_id: other.id });
    expect(assigned.body.payment.fee).toBeNull();
    const after = await balances();
    expect(after).toMatchObject({ gateway_fees: 199, payouts_in_transit: 11_701 });
    expect(after).not.toHaveProperty('gateway_clearing');
    expect(after).not.toHaveProperty('unmatched_receipts');
    // Assigned wrongly: the money is open again, and the fee is the provider's all the same.
    await client.post(`/v1/finance/payments/${assigned.body.payment.id}/reverse`, {
      reason: 'wrong',
    });
    expect(await balances()).toMatchObject({ gateway_fees: 199, unmatched_receipts: -11_900 });
  });

  it('are refused where they do not add up, and so is what makes no sense', async () => {
    const lines = [{ kind: 'payment', amount: 11_900, fee: 299 }];
    expect((await record({ lines })).body).toMatchObject({
      code: 'payout_lines_differ',
      lines: 11_601,
    });
    const codes = async (over: object) => (await record(over)).body.code;
    expect(await codes({ amount: 0 })).toBe('amount_out_of_range');
    expect(await codes({ fee: -1 })).toBe('amount_out_of_range');
    expect(await codes({ sent_on: '2899-01-01' })).toBe('date_in_future');
    expect(await codes({ sent_on: '1999-01-01' })).toBe('date_too_early');
    expect(await codes({ arrives_on: '2026-11-16' })).toBe('date_too_early');
    expect(await codes({ gateway: 'gateway-z' })).toBe('gateway_not_found');
    const { errors } = (await record({ amount: 1.5, currency: 'XXX', sent_on: 'today' })).body;
    expect(errors?.map(({ code }) => code)).toEqual([
      'amount_not_integer',
      'unknown_currency',
      'invalid_date',
    ]);
    expect(await balances()).toEqual({});
    const [entry] = await imported(client, { amount: '1.00' });
    const refused = async (body: object) => (await tell(entry?.id, 'confirm', body)).body.code;
    expect(await refused({ payout_id: 'pout_x' })).toBe('invalid_id');
    const unknown = 'pout_01h455vb4pex5vsknk084sn02q';
    expect(await refused({ payout_id: unknown })).toBe('payout_not_found');
    expect(await refused({ payout_id: unknown, payment_id: 'pay_x' })).toBe('said_twice');
  });
});

payoutImports(() => ({ service, client }));
