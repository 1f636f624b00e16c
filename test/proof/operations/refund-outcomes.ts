import fc from 'fast-check';
import { RefundLookUps } from '../../../src/payments/returning/application/refunds/refund-look-ups.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { Answer } from '../../support/http.js';
import { type Books, isUnderWay, type Refund } from '../books.js';
import { assertFields, assertOutcome, type Call, refused } from '../judge.js';
import { timeAt } from './gateway.js';
import { shownPayment } from './moves.js';
import { type FieldsOf, operation, pick } from './operation.js';
import { chosen, fitting, foreignCall, paymentOf } from '../picks.js';
import { type Mood } from '../provider.js';
import { ANY_REFUND, anyUnderWay, type RefundAnswer, whatBecameOf } from './refunds.js';
import { comeBack, judgeAnswer } from '../refund-steps.js';
import type { World } from '../world.js';

const LOOK_UP = {
  pick,
  mood: fc.constantFrom<Mood>('done', 'done', 'no', 'no', 'deaf'),
  byJob: fc.boolean(),
};
const REPORT = {
  pick,
  mood: fc.constantFrom<Mood>('done', 'done', 'no'),
  isOurs: fc.constantFrom(true, true, true, false),
  bounces: fc.boolean(),
};
const PICKED = { pick };

/** Well formed, and nobody's. */
const NO_REFUND = 'rfnd_01h455vb4pex5vsknk084sn02q';

/** One that is under way, or for some picks any. */
function pickedRefund({ refunds }: Books, pick: number): Refund | undefined {
  return chosen(pick % 4 > 0 ? fitting(refunds, isUnderWay) : refunds, pick);
}

/** The outcome, asked by a person or by the job. */
function lookUp(world: World, books: Books, wish: FieldsOf<typeof LOOK_UP>): Call {
  const { mood, byJob } = wish;
  const known = pickedRefund(books, wish.pick);
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
function reverseRefund(world: World, books: Books, wish: FieldsOf<typeof PICKED>): Call {
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
      if (payment) assertFields(payment, shownPayment(after, paymentOf(after, wrong.of)));
    },
  };
}

/** The provider tells by itself what became of a refund; of what is not ours, or not so, nothing. */
function tell(world: World, books: Books, wish: FieldsOf<typeof REPORT>): Call {
  const { mood, isOurs, bounces } = wish;
  const { client, provider } = world;
  const gone = books.refunds.filter(({ byGateway, status }) => byGateway && status === 'succeeded');
  const picked =
    bounces && gone.length > 0 ? chosen(gone, wish.pick) : pickedRefund(books, wish.pick);
  const id = picked?.id ?? NO_REFUND;
  const kept = provider.tell(id, mood, bounces && isOurs);
  const isTrue = kept !== null && isOurs;
  const hasFailed = kept?.status === 'failed' || kept?.status === 'bounced';
  const status = hasFailed ? 'failed' : 'succeeded';
  const gateway = world.gatewayOf(kept?.of ?? null);
  const voice = world.voiceOf(gateway);
  const spoken = voice.refund({
    id: voice.refundId(isTrue ? id : world.nextLabel()),
    ours: id,
    payment: kept?.of ?? voice.paymentId(),
    amount: (kept?.amount ?? 100) + (isTrue ? 0 : 1),
    currency: kept?.currency ?? 'EUR',
    status,
    at: timeAt(world, gateway),
  });
  return {
    text: `${gateway}: ${isTrue ? '' : 'not true, '}${id} ${status}`,
    send: async () => {
      const answer = await world.hears(gateway, spoken);
      world.heard.push({ gateway, spoken });
      if (!isTrue) return answer;
      const refund = await client.get(`/v1/finance/refunds/${id}`);
      return { ...answer, body: { ...answer.body, refund: refund.body } };
    },
    judge: (after, answer) => {
      refused(answer, []);
      const { refund } = answer.body as unknown as RefundAnswer;
      // It may come after its own failure, and then only a person knows which of the two is so.
      const isOvertaken = isTrue && status === 'succeeded' && refund.status === 'failed';
      // Asked, a provider may by then say more than its event.
      const isCertain = !isTrue || !voice.isAsked;
      const expected = isTrue && !isOvertaken ? 'ok' : 'ignored';
      if (isCertain) assertOutcome(answer.body, expected);
      if (!isTrue) return;
      judgeAnswer(after, refund, provider);
    },
  };
}

export const REFUND_OUTCOME_OPERATIONS = [
  operation('lookUp', {
    weight: 4,
    fields: LOOK_UP,
    needs: anyUnderWay,
    hasKey: ({ byJob }) => !byJob,
    call: lookUp,
  }),
  operation('tell', { weight: 2, fields: REPORT, needs: anyUnderWay, call: tell }),
  operation('reverseRefund', {
    weight: 2,
    fields: PICKED,
    needs: ANY_REFUND,
    call: reverseRefund,
  }),
];
