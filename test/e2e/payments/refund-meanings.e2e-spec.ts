import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { expectBooksToAgree, good, historyOf, key, made } from '../documents/document-calls.js';
import { BY_HAND, LOWERS, notesOf, paidByHand } from './refund-meaning-calls.js';
import {
  afresh,
  lookUpAll,
  paidByCard,
  paymentOf,
  readRefund,
  refund,
  type RefundService,
  startRefundService,
} from './refund-calls.js';

// A refund may lower what it is of: its credit note is made with it, or nothing is.

let world: RefundService;
let client: TestClient;

beforeAll(async () => {
  world = await startRefundService();
});
afterAll(async () => {
  await expectBooksToAgree(world.service);
  await world.close();
});
beforeEach(async () => {
  world = await afresh(world);
  ({ client } = world);
});

describe('a refund that lowers its document', () => {
  it('has its credit note in the same call, and nothing is due again', async () => {
    const invoice = await paidByHand(client);
    const before = await client.read(invoice);
    world.service.clock.advance({ hours: 30 });
    const answer = good(
      await refund(client, await paymentOf(client, invoice), {
        amount: 1000,
        ...BY_HAND,
        ...LOWERS,
      }),
      201,
    );
    expect(answer.refund).toMatchObject({
      meaning: 'lowers_document',
      meaning_said_by: 'call',
      is_undecided: false,
      credit_notes: [{ document_id: invoice.id, is_void: false }],
    });
    expect(answer.warnings).toBeUndefined();
    const [note] = await notesOf(client, answer.refund);
    expect(note).toMatchObject({ total: 1000, amount_applied: 1000, status: 'applied' });
    expect(await client.read(invoice)).toMatchObject({
      status: 'paid',
      refund_status: 'partial',
      amount_due: 0,
      amount_paid: 11_900,
      amount_refunded: 1000,
      amount_credited: 1000,
      amount_undecided: 0,
      status_transitions: { paid_at: before.status_transitions.paid_at },
    });
    const types = (await historyOf(client, invoice)).map(({ type }) => type);
    expect(types.slice(-2)).toEqual(['payment.refunded', 'document.credited']);
    expect(await readRefund(client, answer.refund)).toEqual(answer.refund);
  });

  it('is made by lines, whose total is what goes back', async () => {
    const invoice = await paidByHand(client, { lines: 2 }, 23_800);
    const payment = await paymentOf(client, invoice);
    const lines = [{ position: 2 }];
    const wrong = await refund(client, payment, {
      amount: 5000,
      ...BY_HAND,
      ...LOWERS,
      credit_note: { lines },
    });
    expect([wrong.status, wrong.body.code]).toEqual([422, 'credit_note_differs']);
    const { refund: done } = good(
      await refund(client, payment, {
        amount: 11_900,
        ...BY_HAND,
        ...LOWERS,
        credit_note: { lines, notes: 'Returned', external_id: 'N-1', metadata: { a: 'b' } },
      }),
      201,
    );
    const [note] = await notesOf(client, done);
    expect(note).toMatchObject({
      total: 11_900,
      notes: 'Returned',
      external_id: 'N-1',
      metadata: { a: 'b' },
      lines: [{ credited_line_id: invoice.lines[1]?.id }],
    });
  });

  it('refuses what the note cannot be, with every field, before any money moves', async () => {
    const invoice = await paidByHand(client, { lines: 2 }, 23_800);
    const payment = await paymentOf(client, invoice);
    const bad = await refund(client, payment, {
      amount: 1000,
      ...LOWERS,
      ...BY_HAND,
      credit_note: { lines: [{ position: 9 }, { position: 1, amount: 99_999 }] },
    });
    expect(bad).toMatchObject({
      status: 422,
      body: {
        errors: [
          { pointer: '/credit_note/lines/0/position', code: 'unknown_line' },
          { pointer: '/credit_note/lines/1', code: 'amount_exceeds_creditable' },
        ],
      },
    });
    const twice = { lines: [{ position: 1 }], amount: 5 };
    const both = await refund(client, payment, { ...LOWERS, credit_note: twice });
    expect(both.body).toMatchObject({
      code: 'said_twice',
      errors: [{ pointer: '/credit_note/amount' }],
    });
    expect((await paymentOf(client, invoice)).amount_refunded).toBe(0);
  });

  it('takes no more than credit notes have left', async () => {
    const invoice = await paidByHand(client);
    await made(client, invoice, 'credit-notes', { amount: 11_500 });
    const answer = await refund(client, await paymentOf(client, invoice), {
      amount: 1000,
      from: invoice.id,
      ...BY_HAND,
      ...LOWERS,
    });
    expect(answer.body).toMatchObject({
      code: 'amount_exceeds_creditable',
      errors: [{ pointer: '/amount' }],
    });
  });

  it('has a note for each document that gives a part', async () => {
    const customer = await client.aCustomer();
    const [one, two] = [
      await client.anInvoice({ customer: undefined, customer_id: customer.id }),
      await client.anInvoice({ customer: undefined, customer_id: customer.id }),
    ];
    const { payment } = good(
      await client.post<{ payment: { id: string } }>('/v1/finance/payments', {
        amount: 23_800,
        method: 'bank_transfer',
        allocations: [{ document_id: one.id }, { document_id: two.id }],
      }),
      201,
    );
    const lines = await refund(client, payment, {
      ...LOWERS,
      credit_note: { amount: 100 },
    });
    expect(lines.body.code).toBe('refund_meaning_not_possible');
    const { refund: done } = good(
      await refund(client, payment, { amount: 15_000, ...LOWERS }),
      201,
    );
    expect(done.credit_notes).toHaveLength(2);
    for (const document of [one, two]) {
      expect(await client.read(document)).toMatchObject({ status: 'paid', amount_due: 0 });
    }
  });

  it('means nothing where only credit gives it', async () => {
    const invoice = await client.anInvoice();
    good(await client.pay(invoice, { amount: 12_900, on_overpayment: 'credit' }), 201);
    const payment = await paymentOf(client, invoice);
    const answer = await refund(client, payment, { amount: 1000, ...LOWERS });
    expect(answer.body).toMatchObject({
      code: 'refund_meaning_not_possible',
      errors: [{ pointer: '/meaning' }],
    });
    const plain = good(await refund(client, payment, { amount: 1000 }), 201);
    expect([plain.refund.meaning, plain.warnings]).toEqual([null, undefined]);
  });

  it('has one note, whatever is repeated', async () => {
    const payment = await paymentOf(client, await paidByHand(client));
    const body = { amount: 1000, ...BY_HAND, ...LOWERS };
    const [first, second] = await Promise.all([
      refund(client, payment, body, key('R-1')),
      refund(client, payment, body, key('R-1')),
    ]);
    const third = await refund(client, payment, body, key('R-1'));
    const done = [first, second, third].filter(({ status }) => status === 201);
    expect(new Set(done.map(({ body: { refund: one } }) => one.credit_notes[0]?.id)).size).toBe(1);
    expect(
      (await paymentOf(client, { id: done[0]?.body.refund.documents[0]?.id ?? '' }))
        .amount_refunded,
    ).toBe(1000);
  });

  it('has its note with the success of the gateway, and none if that fails', async () => {
    const { invoice, payment } = await paidByCard(world);
    world.stub.next = ['pending'];
    const begun = good(await refund(client, payment, { amount: 1000, ...LOWERS }), 201);
    expect(begun.refund).toMatchObject({ status: 'pending', credit_notes: [] });
    expect(await client.read(invoice)).toMatchObject({ amount_credited: 0 });
    for (const each of world.stub.refunds) each.status = 'succeeded';
    await lookUpAll(world);
    const done = await readRefund(client, begun.refund);
    expect(done).toMatchObject({
      status: 'succeeded',
      credit_notes: [{ document_id: invoice.id }],
    });
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_due: 0 });
    world.stub.next = ['refused'];
    const failed = good(await refund(client, payment, { amount: 500, ...LOWERS }), 201);
    expect(failed.refund).toMatchObject({ status: 'failed', credit_notes: [] });
    expect(await client.read(invoice)).toMatchObject({ amount_credited: 1000 });
  });

  it('waits for a person where the note is not possible any more when the money is gone', async () => {
    const { invoice, payment } = await paidByCard(world);
    world.stub.next = ['pending'];
    const begun = good(await refund(client, payment, { amount: 1000, ...LOWERS }), 201);
    await made(client, invoice, 'credit-notes', { amount: 11_500 });
    for (const each of world.stub.refunds) each.status = 'succeeded';
    await lookUpAll(world);
    const done = await readRefund(client, begun.refund);
    expect(done).toMatchObject({
      status: 'succeeded',
      is_undecided: true,
      credit_note_problem: 'amount_exceeds_creditable',
      credit_notes: [],
    });
    const types = (await historyOf(client, invoice)).map(({ type }) => type);
    expect(types).toContain('refund.undecided');
    // The other note has credit for it, so nothing is due meanwhile.
    expect(await client.read(invoice)).toMatchObject({ amount_due: 0, amount_undecided: 0 });
  });

  it('says the date of its note only where it is known', async () => {
    const { payment } = await paidByCard(world);
    const dated = { ...LOWERS, credit_note: { issue_date: '2026-11-21' } };
    const answer = await refund(client, payment, { amount: 100, ...dated });
    expect(answer.body).toMatchObject({
      code: 'refund_meaning_not_possible',
      errors: [{ pointer: '/credit_note/issue_date' }],
    });
  });

  it('leaves no note in a closed month', async () => {
    const invoice = await paidByHand(client, { issue_date: '2026-09-10', due_date: '2026-09-20' });
    good(await client.post('/v1/finance/periods/2026-09/close'), 200);
    const payment = await paymentOf(client, invoice);
    const body = { amount: 100, ...BY_HAND, ...LOWERS };
    const closed = await refund(client, payment, {
      ...body,
      credit_note: { issue_date: '2026-09-15' },
    });
    expect(closed.body).toMatchObject({ code: 'period_closed' });
    const { refund: done } = good(await refund(client, payment, body), 201);
    const [note] = await notesOf(client, done);
    expect(note?.issue_date).toBe(world.service.clock.now().toISOString().slice(0, 10));
  });

  it('keeps the cash rounding of a whole refund', async () => {
    const invoice = await paidByHand(
      client,
      { currency: 'CHF', cash_rounding: 5, unitAmount: 1001 },
      1190,
    );
    const payment = await paymentOf(client, invoice);
    const { refund: done } = good(await refund(client, payment, { ...BY_HAND, ...LOWERS }), 201);
    const [note] = await notesOf(client, done);
    expect(note).toMatchObject({
      total: invoice.total,
      rounding_amount: invoice.rounding_amount,
      tax_total: invoice.tax_total,
    });
    expect(await client.read(invoice)).toMatchObject({ refund_status: 'full', status: 'paid' });
  });
});
