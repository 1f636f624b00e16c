import { RefundLookUps } from '../../src/payments/application/refunds/refund-look-ups.js';
import { uuidOf } from '../../src/kernel/ids.js';
import type { Answer } from '../support/http.js';
import { sandboxDelivery } from '../support/sandbox-delivery.js';
import { type Books, creditOf, isUnderWay, type Payment, type Refund } from './books.js';
import { chosen, fitting, foreignCall, quartersOf } from './document-operations.js';
import { isOpen, receiptOf } from './home-operations.js';
import { assertFields, type Call, refused } from './judge.js';
import { CREDIT, free, paymentOf, places, shownPayment } from './move-operations.js';
import { isOfGateway } from './payment-operations.js';
import { GATEWAY } from './provider.js';
import { comeBack, goBack, judgeAnswer, setAside } from './refund-steps.js';
import type { WishOf } from './wishes.js';
import type { World } from './world.js';

/** Well formed, and nobody's. */
const NO_REFUND = 'rfnd_01h455vb4pex5vsknk084sn02q';

/** The method that is sent; notes leave the till, and a card is paid back by the provider. */
const METHODS = { hand: 'cash', dashboard: 'card', gateway: 'gateway' } as const;

interface RefundAnswer {
  refund: Pick<Refund, 'id' | 'amount' | 'documents'> & { status: string; from_credit: number };
  payment?: object;
  receipt?: object;
}

/** A provider can give something of it back. */
export function isOfProvider({ provider, returned, amount }: Payment): boolean {
  return provider !== null && returned < amount;
}

/** Money goes back: of a place, or of wherever it is; without quarters all that can. */
export async function refund(world: World, books: Books, wish: WishOf<'refund'>): Promise<Call> {
  const { pick, mood, quarters } = wish;
  const payments = mood === 'done' ? books.payments : fitting(books.payments, isOfProvider);
  const payment = chosen(payments, pick);
  const from =
    payment && wish.from !== null ? (chosen(places(payment), wish.from) ?? CREDIT) : null;
  const left = payment ? payment.amount - payment.returned : 100;
  const asked = quarters === 0 ? null : quartersOf(left, quarters);
  const id = payment ? await world.paymentId(payment.id) : world.foreign.payment;
  const request = world.request(`payments/${id}/refunds`, {
    ...(asked !== null && { amount: asked }),
    ...(from !== null && { from }),
    ...(wish.method !== 'default' && { method: METHODS[wish.method] }),
  });
  if (!payment) return foreignCall(request, 'payment_not_found');
  const isByHand = wish.method === 'hand' || wish.method === 'dashboard';
  const byGateway = !isByHand && isOfGateway(payment.from);
  return {
    ...(byGateway ? world.inMood(request, payment.provider ?? '', mood) : request),
    judge: (after, answer) => {
      const of = paymentOf(after, payment.id);
      const most = refundable(after, of, from);
      const amount = asked ?? most.all;
      const broken = [
        of.reversed && 'payment_reversed',
        of.from === 'credit' && 'payment_not_refundable',
        wish.method === 'gateway' && !isOfGateway(of.from) && 'payment_not_refundable',
        (amount <= 0 || amount > most.all) && 'amount_exceeds_refundable',
      ];
      if (refused(answer, broken)) return;
      const { refund: made } = answer.body as unknown as RefundAnswer;
      const fromCredit = Math.min(most.credit, amount);
      assertFields(made, { amount, from_credit: fromCredit });
      const begun = begin(after, of.id, made, byGateway);
      const isAtProvider = wish.method === 'dashboard' && isOfGateway(of.from);
      if (!byGateway) goBack(after, begun, isAtProvider ? 'gateway_clearing' : 'cash');
    },
    later: [whatBecameOf(world)],
  };
}

/** The amount of a payment that can go back: by hand over what it paid, and of which credit. */
function refundable(books: Books, payment: Payment, from: string | null) {
  const { customer, currency, on, amount, returned } = payment;
  const spendable = creditOf(books, customer, currency);
  const noted = byNotes(books, payment);
  const own = Math.min(free(payment, CREDIT) + noted.credit, spendable);
  const credit = from === CREDIT ? spendable : from === null ? own : 0;
  const everywhere = Object.keys(on).reduce(
    (sum, place) => sum + Math.min(free(payment, place), noted.most[place] ?? Infinity),
    0,
  );
  const paying = from === CREDIT ? 0 : from === null ? everywhere : free(payment, from);
  return { credit, all: Math.min(amount - returned, credit + paying) };
}

/**
 * The credit of credit notes goes back before a document does, so that none is due again that a note
 * settled. As much of it goes as the payment pays there, and as is left of it.
 */
function byNotes(books: Books, payment: Payment) {
  const noted = books.invoices
    .map(({ id, creditNotes, credited }) => ({ id, given: creditNotes - credited }))
    .filter(({ id, given }) => given > 0 && free(payment, id) > 0);
  const paying = books.payments.filter((one) => noted.some(({ id }) => free(one, id) > 0));
  const wentBack = paying.reduce((sum, { inCredit }) => sum + Math.max(0, -inCredit), 0);
  const left = noted.reduce((sum, { given }) => sum + given, -wentBack);
  const own = noted.reduce((sum, { id, given }) => sum + Math.min(given, free(payment, id)), 0);
  const most = noted.map(({ id, given }) => {
    const there = books.payments.reduce((sum, one) => sum + free(one, id), 0);
    return [id, Math.max(0, there - given)] as const;
  });
  return {
    credit: noted.length > 0 ? Math.max(0, Math.min(left, own)) : 0,
    most: Object.fromEntries(most) as Record<string, number>,
  };
}

function begin(
  books: Books,
  of: string,
  { id, amount, from_credit: fromCredit, documents }: RefundAnswer['refund'],
  byGateway: boolean,
): Refund {
  const begun: Refund = {
    id,
    of,
    amount,
    fromCredit,
    documents,
    byGateway,
    status: 'asked',
    paidFrom: '',
    waived: {},
  };
  setAside(books, begun);
  return begun;
}

export async function refundReceipt(
  world: World,
  books: Books,
  wish: WishOf<'refundReceipt'>,
): Promise<Call> {
  const { pick, mood, quarters, byHand } = wish;
  const receipts = mood === 'done' ? books.receipts : fitting(books.receipts, isOpen);
  const receipt = chosen(receipts, pick);
  const asked = quarters === 0 ? null : quartersOf(receipt?.amount ?? 100, quarters);
  const id = receipt ? await world.receiptId(receipt.id) : world.foreign.receipt;
  const request = world.request(`unmatched-receipts/${id}/refunds`, {
    ...(asked !== null && { amount: asked }),
    ...(byHand && { method: 'bank_transfer' }),
  });
  if (!receipt) return foreignCall(request, 'receipt_not_found');
  return {
    ...(byHand ? request : world.inMood(request, receipt.id, mood)),
    judge: (after, answer) => {
      const of = receiptOf(after, receipt.id);
      const open = of.amount - of.settled;
      const amount = asked ?? open;
      const broken = [
        open === 0 && 'receipt_settled',
        amount > open && 'amount_exceeds_refundable',
      ];
      if (refused(answer, broken)) return;
      const { refund: made } = answer.body as unknown as RefundAnswer;
      assertFields(made, { amount, from_credit: 0, documents: [] });
      const begun = begin(after, of.id, made, !byHand);
      if (byHand) goBack(after, begun, 'gateway_clearing');
    },
    later: [whatBecameOf(world)],
  };
}

/**
 * The second transaction of a refund: what the provider said, if it was asked, and what is left by
 * then. Or the one of a look-up.
 */
function whatBecameOf({ provider }: World): Call['judge'] {
  return (after, answer) => {
    if (answer.status >= 400) return;
    const { refund: made, payment, receipt } = answer.body as unknown as RefundAnswer;
    const { of } = judgeAnswer(after, made, provider);
    const receiptNow = after.receipts.find(({ id }) => id === of);
    if (payment) assertFields(payment, shownPayment(paymentOf(after, of)));
    if (receipt && receiptNow) {
      assertFields(receipt, { amount_open: receiptNow.amount - receiptNow.settled });
    }
  };
}

/** One that is under way, or for some picks any. */
function pickedRefund({ refunds }: Books, pick: number): Refund | undefined {
  return chosen(pick % 4 > 0 ? fitting(refunds, isUnderWay) : refunds, pick);
}

/** The outcome, asked by a person or by the job. */
export function lookUp(world: World, books: Books, { pick, mood, byJob }: WishOf<'lookUp'>): Call {
  const known = pickedRefund(books, pick);
  const id = known?.id ?? NO_REFUND;
  const request = world.request(`refunds/${id}/look-up`, {});
  if (!known) return foreignCall(request, 'refund_not_found');
  const asked = byJob
    ? { text: `job: look-up of ${id}`, send: async () => lookUpByJob(world, id) }
    : request;
  const judge = whatBecameOf(world);
  return {
    ...world.inMood(asked, id, mood),
    judge: (after, answer) => {
      refused(answer, []);
      judge(after, answer);
    },
  };
}

/** As if it were due before all others: a job asks about so many, and leaves the rest. */
async function lookUpByJob({ service, client, provider }: World, id: string): Promise<Answer> {
  await provider.alone(async () => {
    await service.database.query(
      `UPDATE refunds SET next_look_at = '2000-01-01' WHERE refund_id = $1 AND settled_at IS NULL`,
      [uuidOf('rfnd', id)],
    );
    await service.app.get(RefundLookUps).run();
  });
  const answer = await client.get(`/v1/finance/refunds/${id}`);
  return { ...answer, body: { refund: answer.body } };
}

function wentByHand({ byGateway, status }: Refund): boolean {
  return !byGateway && status === 'succeeded';
}

/** Somebody recorded one by mistake: as if it had never been. */
export function reverseRefund(world: World, books: Books, wish: WishOf<'reverseRefund'>): Call {
  const known = chosen(fitting(books.refunds, wentByHand), wish.pick);
  const id = known?.id ?? NO_REFUND;
  const request = world.request(`refunds/${id}/reverse`, { reason: 'wrong' });
  if (!known) return foreignCall(request, 'refund_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const wrong = after.refunds.find((one) => one.id === id)!;
      const broken = [
        (wrong.status === 'reversed' || wrong.status === 'returned') && 'refund_undone',
        wrong.byGateway && 'refund_not_reversible',
      ];
      if (refused(answer, broken)) return;
      comeBack(after, wrong, 'reversed');
      const { refund: made, payment } = answer.body as unknown as RefundAnswer;
      assertFields(made, { status: 'reversed' });
      if (payment) assertFields(payment, shownPayment(paymentOf(after, wrong.of)));
    },
  };
}

/** The provider tells by itself what became of a refund; of what is not ours, or not so, nothing. */
export function tell(world: World, books: Books, wish: WishOf<'tell'>): Call {
  const { pick, mood, isOurs, bounces } = wish;
  const { service, client, provider } = world;
  const gone = books.refunds.filter(({ byGateway, status }) => byGateway && status === 'succeeded');
  const picked = bounces && gone.length > 0 ? chosen(gone, pick) : pickedRefund(books, pick);
  const id = picked?.id ?? NO_REFUND;
  const kept = provider.tell(id, mood, bounces && isOurs);
  const isTrue = kept !== null && isOurs;
  const hasFailed = kept?.status === 'failed' || kept?.status === 'bounced';
  const status = hasFailed ? 'failed' : 'succeeded';
  const { body, headers } = sandboxDelivery(service, `refund.${status}`, {
    sandbox_refund_id: `given_${id}`,
    refund_id: id,
    payment_id: kept?.of ?? 'sbx_of_nobody',
    amount: (kept?.amount ?? 100) + (isTrue ? 0 : 1),
    currency: kept?.currency ?? 'EUR',
  });
  return {
    text: `webhook: ${isTrue ? '' : 'not true, '}${id} ${status}`,
    send: async () => {
      const path = `/v1/webhooks/${GATEWAY}`;
      const answer = await service.call(path, { method: 'POST', body, headers });
      if (!isTrue) return answer;
      const refund = await client.get(`/v1/finance/refunds/${id}`);
      return { ...answer, body: { ...answer.body, refund: refund.body } };
    },
    judge: (after, answer) => {
      refused(answer, []);
      assertFields(answer.body, { status: isTrue ? 'ok' : 'ignored' });
      if (!isTrue) return;
      const { refund } = answer.body as unknown as RefundAnswer;
      judgeAnswer(after, refund, provider);
    },
  };
}
