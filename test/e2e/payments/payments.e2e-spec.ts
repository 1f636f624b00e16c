import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Retention } from '../../../src/platform/database/retention.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let client: TestClient;

beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => service.close());

/** The clock of the database cannot be turned: the key `old` gets older instead. */
async function getsOlder(hours: number): Promise<void> {
  await service.database.query(`UPDATE idempotency_keys
    SET created_at = created_at - interval '${hours} hours' WHERE key = 'old'`);
  await service.app.get(Retention).run();
}

describe('recording a payment', () => {
  it('answers with the running totals of the document', async () => {
    const invoice = await client.anInvoice();
    const first = await client.pay(invoice, { amount: 2500, reference: 'RF18' });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      success: true,
      amount_paid: 2500,
      amount_due: 9400,
      status: 'partially_paid',
      payment: { amount: 2500, applied: 2500, credited: 0, reference: 'RF18', currency: 'EUR' },
    });
    const rest = await client.pay(invoice, { amount: 9400 });
    expect(rest.body).toMatchObject({ amount_paid: 11_900, amount_due: 0, status: 'paid' });
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_due: 0 });
    const list = await client.get<{ data: { amount: number }[] }>(
      `/v1/finance/documents/${invoice.id}/payments`,
    );
    expect(list.body.data.map(({ amount }) => amount)).toEqual([2500, 9400]);
  });

  it.each([
    ['Bank transfer', 'bank_transfer'],
    ['DIRECT-DEBIT', 'direct_debit'],
    [' cash ', 'cash'],
  ])('forgives case, hyphens and spaces: %s', async (sent, stored) => {
    const invoice = await client.anInvoice();
    const answer = await client.pay(invoice, { method: sent });
    expect(answer.body).toMatchObject({ payment: { method: stored } });
  });

  it('refuses more than is due, and says how much is', async () => {
    const invoice = await client.anInvoice();
    const answer = await client.pay(invoice, { amount: 11_901 });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code: 'amount_exceeds_due', amount_due: 11_900 });
    expect(await client.read(invoice)).toMatchObject({ amount_paid: 0, status: 'open' });
  });

  it('keeps the rest as customer credit where asked to, which then pays another document', async () => {
    const invoice = await client.anInvoice();
    const over = await client.pay(invoice, { amount: 15_000, on_overpayment: 'credit' });
    expect(over.body).toMatchObject({
      amount_paid: 11_900,
      amount_due: 0,
      status: 'paid',
      payment: { applied: 11_900, credited: 3100 },
    });
    const creditPath = `/v1/finance/customers/${invoice.customer_id}/credit`;
    expect((await client.get(creditPath)).body).toEqual({
      data: [{ currency: 'EUR', amount: 3100 }],
      has_more: false,
      next_cursor: null,
    });
    const next = await client.anInvoice({ customer: undefined, customer_id: invoice.customer_id });
    const tooMuch = await client.pay(next, { amount: 3101, method: 'credit_balance' });
    expect(tooMuch.body).toMatchObject({ code: 'insufficient_credit', available_credit: 3100 });
    const spent = await client.pay(next, { amount: 3000, method: 'credit_balance' });
    expect(spent.status).toBe(201);
    expect((await client.get(creditPath)).body).toEqual({
      data: [{ currency: 'EUR', amount: 100 }],
      has_more: false,
      next_cursor: null,
    });
  });

  it('spends credit once when it is asked for twice at the same time', async () => {
    const invoice = await client.anInvoice();
    await client.pay(invoice, { amount: 12_900, on_overpayment: 'credit' });
    const targets = await Promise.all(
      Array.from({ length: 6 }, () =>
        client.anInvoice({ customer: undefined, customer_id: invoice.customer_id }),
      ),
    );
    const answers = await Promise.all(
      targets.map((target) => client.pay(target, { amount: 1000, method: 'credit_balance' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  it('names every wrong field at once', async () => {
    const invoice = await client.anInvoice();
    const answer = await client.pay(invoice, {
      amount: '25.00',
      method: 'gold',
      reference: 'x'.repeat(256),
      paid_at: '2026-02-30T00:00:00Z',
      total: 1,
    });
    expect(answer.status).toBe(422);
    const errors = answer.body['errors'] as { pointer: string; code: string }[];
    expect(Object.fromEntries(errors.map(({ pointer, code }) => [pointer, code]))).toEqual({
      '/amount': 'amount_not_integer',
      '/method': 'unknown_method',
      '/reference': 'invalid_text',
      '/paid_at': 'invalid_instant',
      '/total': 'unknown_field',
    });
  });

  it.each([
    ['EUR', '1250 for 12.50 EUR'],
    ['JPY', '1250 for 1250 JPY'],
    ['KWD', '1250 for 1.250 KWD'],
  ])('shows the right form of an amount in %s', async (currency, example) => {
    const invoice = await client.anInvoice({ currency });
    const answer = await client.pay(invoice, { amount: 12.5 });
    expect(answer.body).toMatchObject({ code: 'amount_not_integer' });
    expect(answer.body['detail']).toContain(example);
  });

  it.each([
    [0, 'amount_out_of_range'],
    [-5, 'amount_out_of_range'],
    [10_000_000_000_001, 'amount_out_of_range'],
    [1e21, 'amount_out_of_range'],
    ['100', 'amount_not_integer'],
    [true, 'amount_not_integer'],
    [[100], 'amount_not_integer'],
    [null, 'required'],
  ])('refuses the amount %p', async (amount, code) => {
    const invoice = await client.anInvoice();
    const answer = await client.pay(invoice, { amount });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code });
  });

  it('refuses another currency and a payment from the future', async () => {
    const invoice = await client.anInvoice();
    const other = await client.pay(invoice, { currency: 'USD' });
    expect(other.body).toMatchObject({ status: 422, code: 'currency_mismatch' });
    const later = new Date(service.clock.now().getTime() + 3_600_000).toISOString();
    const future = await client.pay(invoice, { paid_at: later });
    expect(future.body).toMatchObject({ status: 422, code: 'paid_at_in_future' });
  });

  it('takes no money for a draft, a quote, a void or a rejected document', async () => {
    const draft = await client.anInvoice({ issue: false });
    const quote = await client.aQuote();
    const voided = await client.anInvoice();
    await client.post(`/v1/finance/documents/${voided.id}/void`);
    const rejected = await client.anInvoice();
    const token = await client.aPortalToken(rejected);
    await service.call(`/v1/portal/${token}/reject`, { method: 'POST', body: { reason: 'no' } });
    for (const [document, status] of [
      [draft, 'draft'],
      [quote, 'open'],
      [voided, 'void'],
      [rejected, 'rejected'],
    ] as const) {
      const answer = await client.pay(document);
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({ code: 'document_not_payable', document_status: status });
    }
  });

  it('does not show or pay the document of another account', async () => {
    const invoice = await client.anInvoice();
    const stranger = await service.aClient();
    const answer = await stranger.pay(invoice);
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ code: 'document_not_found' });
    expect(await client.read(invoice)).toMatchObject({ amount_paid: 0 });
  });

  it('needs the scope payments:write', async () => {
    const invoice = await client.anInvoice();
    const reader = await service.aClient({ scopes: ['payments:read'], of: client });
    const answer = await reader.pay(invoice);
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ code: 'insufficient_scope', scope: 'payments:write' });
  });
});

describe('Idempotency-Key', () => {
  it('sends the stored answer again, byte for byte', async () => {
    const invoice = await client.anInvoice();
    const key = { 'Idempotency-Key': 'once' };
    const first = await client.pay(invoice, {}, key);
    const again = await client.pay(invoice, {}, key);
    expect(again.status).toBe(first.status);
    expect(again.text).toBe(first.text);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await client.read(invoice)).toMatchObject({ amount_paid: 2500 });
  });

  it('refuses a key that was used for another body or another document', async () => {
    const invoice = await client.anInvoice();
    const other = await client.anInvoice();
    const key = { 'Idempotency-Key': 'mine' };
    await client.pay(invoice, {}, key);
    for (const answer of [
      await client.pay(invoice, { amount: 2501 }, key),
      await client.pay(other, {}, key),
    ]) {
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject({ code: 'idempotency_key_reused' });
    }
  });

  it('judges a refusal anew, which it does not store', async () => {
    const invoice = await client.anInvoice();
    const key = { 'Idempotency-Key': 'refused' };
    const pay = () => client.pay(invoice, { amount: 99_999 }, key);
    const [first, again] = [await pay(), await pay()];
    expect([first.status, again.status]).toEqual([422, 422]);
    expect(again.headers.get('idempotency-replayed')).toBeNull();
    // The key is free for the call as it should have been.
    const right = await client.pay(invoice, {}, key);
    expect([right.status, (await client.pay(invoice, {}, key)).text]).toEqual([201, right.text]);
  });

  it('replays what was done, also where it would be refused by now', async () => {
    const invoice = await client.anInvoice();
    const key = { 'Idempotency-Key': 'done' };
    const paid_at = service.clock.now().toISOString();
    const pay = () => client.pay(invoice, { paid_at }, key);
    const first = await pay();
    service.clock.advance({ days: -1 });
    try {
      // It is judged before the key is looked up, and refused as of the future.
      expect([first.status, (await pay()).text]).toEqual([201, first.text]);
    } finally {
      service.clock.advance({ days: 1 });
    }
  });

  it('belongs to one client', async () => {
    const invoice = await client.anInvoice();
    const colleague = await service.aClient({ of: client });
    const key = { 'Idempotency-Key': 'shared' };
    await client.pay(invoice, {}, key);
    const answer = await colleague.pay(invoice, {}, key);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('idempotency-replayed')).toBeNull();
  });

  it('is forgotten after 72 hours', async () => {
    const invoice = await client.anInvoice();
    const key = { 'Idempotency-Key': 'old' };
    await client.pay(invoice, {}, key);
    await getsOlder(71);
    expect((await client.pay(invoice, {}, key)).headers.get('idempotency-replayed')).toBe('true');
    await getsOlder(2);
    expect((await client.pay(invoice, {}, key)).headers.get('idempotency-replayed')).toBeNull();
  });

  it.each(['', 'x'.repeat(256), 'tab\there'])('refuses the key %p', async (key) => {
    const invoice = await client.anInvoice();
    const answer = await client.pay(invoice, {}, { 'Idempotency-Key': key });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'invalid_idempotency_key' });
  });

  it('warns of a payment that looks like a recent one when there is no key', async () => {
    const invoice = await client.anInvoice();
    const first = await client.pay(invoice, { amount: 100, reference: 'same' });
    expect(first.body['warnings']).toBeUndefined();
    const second = await client.pay(invoice, { amount: 100, reference: 'same' });
    expect(second.status).toBe(201);
    expect(second.body['warnings']).toEqual([
      expect.objectContaining({
        code: 'similar_payment',
        payment_id: (first.body['payment'] as { id: string }).id,
      }),
    ]);
    const keyed = { 'Idempotency-Key': 'no warning' };
    const third = await client.pay(invoice, { amount: 100, reference: 'same' }, keyed);
    expect(third.body['warnings']).toBeUndefined();
  });
});
