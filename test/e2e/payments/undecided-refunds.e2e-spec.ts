import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { RefundBody, RefundedBody } from '../../../src/payments/returning/wire/refund.js';
import type { TestClient } from '../../support/client.js';
import {
  creditOf,
  expectBooksToAgree,
  good,
  historyOf,
  key,
  made,
  pathOf,
} from '../documents/document-calls.js';
import {
  BY_HAND,
  dashboardRefund,
  decide,
  firstRefund,
  LOWERS,
  OWED,
  paidByHand,
  setMeaning,
  SETTINGS,
  warningsOf,
} from './refund-meaning-calls.js';
import {
  afresh,
  paidByCard,
  paymentOf,
  readRefund,
  refund,
  type RefundService,
  startRefundService,
} from './refund-calls.js';

// A client who got money back is not asked to pay again, unless the seller says so.

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

/** A refund of which nobody says what it means. */
async function undecided() {
  const invoice = await paidByHand(client);
  const payment = await paymentOf(client, invoice);
  const answer = await refund(client, payment, { amount: 1000, ...BY_HAND });
  return { invoice, refund: good(answer, 201).refund };
}

describe('a refund that does not say what it means', () => {
  it('is due and not asked for, and the answer names the other meaning', async () => {
    const invoice = await paidByHand(client);
    const payment = await paymentOf(client, invoice);
    const answer = good(
      await refund(client, payment, { amount: 1000, ...BY_HAND }, key('D-1')),
      201,
    );
    expect(answer.refund).toMatchObject({
      meaning: 'owed_again',
      meaning_said_by: 'default',
      is_undecided: true,
    });
    expect(answer.warnings).toMatchObject([
      { code: 'refund_meaning_assumed', meaning: 'owed_again', other_meaning: 'lowers_document' },
      { code: 'refund_undecided' },
    ]);
    const again = await refund(client, payment, { amount: 1000, ...BY_HAND }, key('D-1'));
    expect(again.body).toEqual(answer);
    expect(await client.read(invoice)).toMatchObject({
      status: 'partially_paid',
      refund_status: 'partial',
      amount_due: 1000,
      amount_undecided: 1000,
    });
  });

  it('means what the account has set', async () => {
    expect(good(await client.get(SETTINGS), 200)).toMatchObject({
      refund_meaning: 'owed_again',
      refund_meaning_set: false,
    });
    await setMeaning(client, 'lowers_document');
    const invoice = await paidByHand(client);
    const lowered = good(
      await refund(client, await paymentOf(client, invoice), { amount: 1000 }),
      201,
    );
    expect(lowered.refund).toMatchObject({
      meaning: 'lowers_document',
      meaning_said_by: 'setting',
    });
    expect(lowered.refund.credit_notes).toHaveLength(1);
    expect(lowered.warnings).toMatchObject([
      { code: 'refund_meaning_assumed', other_meaning: 'owed_again' },
    ]);
    expect(await setMeaning(client, 'owed_again')).toMatchObject({ refund_meaning_set: true });
    const other = await paidByHand(client);
    const owed = good(await refund(client, await paymentOf(client, other), { amount: 1000 }), 201);
    expect(warningsOf(owed)).toEqual(['refund_meaning_assumed']);
    expect(await client.read(other)).toMatchObject({ amount_due: 1000, amount_undecided: 0 });
    expect(await setMeaning(client, null)).toMatchObject({
      refund_meaning: 'owed_again',
      refund_meaning_set: false,
    });
    const said = good(
      await refund(client, await paymentOf(client, other), { amount: 1, ...OWED }),
      201,
    );
    expect([said.warnings, said.refund.is_undecided]).toEqual([undefined, false]);
  });

  it('is followed where a dashboard made it: by the setting, else by a person', async () => {
    const { invoice, payment } = await paidByCard(world);
    await dashboardRefund(world, payment, 700);
    expect(await firstRefund(client, payment)).toMatchObject({
      made_by: 'gateway',
      meaning_said_by: 'default',
      is_undecided: true,
    });
    expect(await client.read(invoice)).toMatchObject({ amount_due: 700, amount_undecided: 700 });
    await setMeaning(client, 'lowers_document');
    const next = await paidByCard(world);
    await dashboardRefund(world, next.payment, 800, 're_dash_2');
    expect((await firstRefund(client, next.payment)).credit_notes).toHaveLength(1);
    expect(await client.read(next.invoice)).toMatchObject({ amount_due: 0, status: 'paid' });
    const credited = await paidByCard(world);
    await made(client, credited.invoice, 'credit-notes', { amount: 11_900 });
    const spent = await client.anInvoice({
      customer: undefined,
      customer_id: credited.invoice.customer_id,
    });
    good(await client.pay(spent, { amount: 11_900, method: 'credit_balance' }), 201);
    await dashboardRefund(world, credited.payment, 900, 're_dash_3');
    const { data } = good(
      await client.get<{ data: RefundBody[] }>('/v1/finance/refunds?is_undecided=true'),
      200,
    );
    expect(data.map(({ id }) => id)).toContain((await firstRefund(client, payment)).id);
  });
});

describe('a refund that is decided later', () => {
  it('lowers its document by a note, once', async () => {
    const { invoice, refund: it_ } = await undecided();
    const done = good(await decide(client, it_, LOWERS), 200);
    expect(done.refund).toMatchObject({ meaning_said_by: 'later', is_undecided: false });
    expect(await client.read(invoice)).toMatchObject({
      status: 'paid',
      amount_due: 0,
      amount_undecided: 0,
      amount_credited: 1000,
    });
    const types = (await historyOf(client, invoice)).map(({ type }) => type);
    expect(types.slice(-2)).toEqual(['refund.meaning_decided', 'document.credited']);
    for (const body of [LOWERS, OWED]) {
      expect((await decide(client, it_, body)).body.code).toBe('refund_meaning_decided');
    }
  });

  it('is owed again, and may still be lowered', async () => {
    const { invoice, refund: it_ } = await undecided();
    good(await decide(client, it_, OWED), 200);
    expect(await client.read(invoice)).toMatchObject({ amount_due: 1000, amount_undecided: 0 });
    const done = good(await decide(client, it_, LOWERS), 200);
    expect(done.refund.credit_notes).toHaveLength(1);
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_due: 0 });
  });

  it('takes a note that was made for it already', async () => {
    const { invoice, refund: it_ } = await undecided();
    const other = await made(client, await paidByHand(client), 'credit-notes', { amount: 1000 });
    const note = await made(client, invoice, 'credit-notes', { amount: 1000 });
    expect(await client.read(invoice)).toMatchObject({ amount_due: 0, amount_undecided: 0 });
    const strange = await decide(client, it_, { ...LOWERS, credit_note_id: other.id });
    expect(strange.body).toMatchObject({ code: 'unknown_document' });
    const done = good(await decide(client, it_, { ...LOWERS, credit_note_id: note.id }), 200);
    expect(done.refund.credit_notes).toMatchObject([{ id: note.id }]);
    expect(await client.read(invoice)).toMatchObject({ amount_credited: 1000, amount_due: 0 });
  });

  it('is owed again once its note is void, and decided anew', async () => {
    const { invoice, refund: it_ } = await undecided();
    const { refund: lowered } = good(await decide(client, it_, LOWERS), 200);
    good(await client.post(pathOf(lowered.credit_notes[0] ?? { id: '' }, 'void')), 200);
    expect(await client.read(invoice)).toMatchObject({ amount_due: 1000, amount_undecided: 0 });
    good(await decide(client, it_, LOWERS), 200);
    expect((await readRefund(client, it_)).credit_notes.map(({ is_void }) => is_void)).toEqual([
      true,
      false,
    ]);
    expect(await client.read(invoice)).toMatchObject({ amount_due: 0 });
  });

  it('is of the own account only, and has succeeded', async () => {
    const { refund: it_ } = await undecided();
    const stranger = await world.service.aClient();
    const answer = await stranger.post(`/v1/finance/refunds/${it_.id}/meaning`, OWED);
    expect(answer.status).toBe(404);
    good(await client.post(`/v1/finance/refunds/${it_.id}/reverse`, {}), 200);
    expect((await decide(client, it_, OWED)).body.code).toBe('refund_meaning_decided');
  });
});

describe('a refund that is undone', () => {
  it('leaves the customer credit where its note stands', async () => {
    const invoice = await paidByHand(client);
    const { refund: done } = good(
      await refund(client, await paymentOf(client, invoice), {
        amount: 1000,
        ...BY_HAND,
        ...LOWERS,
      }),
      201,
    );
    const back = good(
      await client.post<RefundedBody>(`/v1/finance/refunds/${done.id}/reverse`, {}),
      200,
    );
    expect(warningsOf(back)).toEqual(['credit_note_stands']);
    expect(await creditOf(client, invoice.customer_id)).toBe(1000);
    expect(await client.read(invoice)).toMatchObject({
      status: 'paid',
      refund_status: 'none',
      amount_due: 0,
      amount_refunded: 0,
      amount_credited: 0,
    });
  });

  it('leaves nothing undecided', async () => {
    const invoice = await paidByHand(client);
    const { refund: done } = good(
      await refund(client, await paymentOf(client, invoice), { amount: 1000, ...BY_HAND }),
      201,
    );
    good(await client.post(`/v1/finance/refunds/${done.id}/reverse`, {}), 200);
    expect(await client.read(invoice)).toMatchObject({ amount_due: 0, amount_undecided: 0 });
    expect((await readRefund(client, done)).is_undecided).toBe(false);
  });
});

describe('the refund status of documents', () => {
  it('is a filter of their list', async () => {
    const whole = await paidByHand(client);
    good(await refund(client, await paymentOf(client, whole), BY_HAND), 201);
    const part = await paidByHand(client);
    good(await refund(client, await paymentOf(client, part), { amount: 1, ...BY_HAND }), 201);
    const none = await paidByHand(client);
    const list = async (status: string) =>
      good(
        await client.get<{ data: DocumentBody[] }>(`/v1/finance/documents?refund_status=${status}`),
        200,
      ).data.map(({ id }) => id);
    expect(await list('full')).toEqual([whole.id]);
    expect(await list('partial')).toEqual([part.id]);
    expect(await list('partial,full')).toEqual([part.id, whole.id]);
    expect(await list('none')).toEqual([none.id]);
  });

  it('is not overdue by what nobody has decided', async () => {
    const invoice = await paidByHand(client, { issue_date: '2026-10-01', due_date: '2026-10-10' });
    const { refund: done } = good(
      await refund(client, await paymentOf(client, invoice), BY_HAND),
      201,
    );
    const overdue = async () =>
      good(await client.get<{ data: DocumentBody[] }>('/v1/finance/documents?is_overdue=true'), 200)
        .data.length;
    expect([await overdue(), (await client.read(invoice)).is_overdue]).toEqual([0, false]);
    good(await decide(client, done, OWED), 200);
    expect([await overdue(), (await client.read(invoice)).is_overdue]).toEqual([1, true]);
  });
});
