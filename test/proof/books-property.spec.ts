import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestService } from '../support/service.js';
import { tries } from '../support/share.js';
import { type Proof, prove, STEPS_PER_RUN } from './run.js';
import { startWithAllProviders, type Voices } from './voices/all-voices.js';

const RUNS = tries({ pushed: 500, full: 2000 });
/** Another one each time: a failure names it, and the command that repeats it. */
const seed = randomInt(2 ** 31);

/**
 * So many 500 runs showed on average, and the standard deviation: measured over 6 seeds, and at least
 * the root of the average.
 */
const SHOWN: Record<string, [average: number, deviation: number]> = {
  'pay 201': [1912, 44],
  'pay 422 amount_exceeds_due': [1820, 49],
  'pay 422 insufficient_credit': [248, 20],
  'prepaid 201': [141, 17],
  'receipt 201': [491, 37],
  'receipt 422 allocations_exceed_amount': [88, 10],
  'receipt 422 customer_mismatch': [19, 6],
  'move 200': [139, 12],
  'move 422 amount_exceeds_allocated': [143, 12],
  'reverse 200': [294, 18],
  'reverse 409 payment_refunded': [69, 9],
  'refund 201 succeeded': [391, 20],
  'refund 201 failed': [29, 6],
  'refund 201 pending': [74, 9],
  'refund 201 unknown': [135, 14],
  'lookUp 200 succeeded': [86, 18],
  'lookUp 200 failed': [34, 9],
  'tell 200 succeeded': [16, 7],
  'tell 200 failed': [10, 4],
  'refund 422 amount_exceeds_refundable': [239, 16],
  'creditNote 201': [452, 22],
  'voidCreditNote 409 customer_credit_spent': [15, 6],
  'voidInvoice 409 document_not_voidable': [283, 22],
  'writeOff 200': [356, 19],
  'claimTaxRelief 200': [44, 7],
  'rate 200': [727, 27],
  'pay 422 exchange_rate_required': [160, 13],
  'deliver 200': [1948, 45],
  'redeliver 200': [383, 24],
  'fail 200': [335, 19],
  'processing 200': [126, 13],
  'assign 200': [60, 8],
  'assign 409 receipt_settled': [43, 10],
  'assign 409 refund_under_way': [13, 5],
  'refundReceipt 201 succeeded': [92, 17],
  'refundReceipt 201 unknown': [96, 10],
  'refundElsewhere 200 succeeded': [94, 10],
  'repeat 200': [88, 15],
  'reverseRefund 200 reversed': [70, 9],
  'reverseRefund 409 refund_not_reversible': [70, 9],
  'claim 200': [34, 6],
  'claim 409 receipt_settled': [13, 5],
  'statement 201 booked': [36, 7],
  'statement 201 proposed': [207, 21],
  'statement 201 unmatched': [492, 23],
  'confirm 200': [170, 14],
  'confirm 409 bank_entry_booked': [134, 19],
  'ignore 200': [105, 17],
  'post 200': [122, 22],
  'post 409 bank_entry_not_booked': [100, 10],
  'namePayment 200': [28, 6],
  'namePayment 409 bank_entry_payment_differs': [149, 13],
  'collect 201': [157, 18],
  'collect 409 collection_under_way': [58, 11],
  'tamper 403': [200, 27],
};

/** Money of every provider, a failure, a dispute, and money that went back. */
const HEARD: Record<string, string[]> = {
  stripe: ['payment_intent.succeeded', 'charge.failed', 'charge.dispute.closed', 'refund.updated'],
  paypal: ['COMPLETED', 'DENIED', 'REVERSED', 'REFUNDED'].map((end) => `PAYMENT.CAPTURE.${end}`),
  mollie: ['payment.paid', 'payment.failed', 'chargeback.received', 'refund.refunded'],
  gocardless: ['payments.confirmed', 'payments.failed', 'payments.charged_back', 'refunds.paid'],
  adyen: ['AUTHORISATION', 'CAPTURE_FAILED', 'CHARGEBACK', 'REFUND'],
  razorpay: ['payment.captured', 'payment.failed', 'payment.dispute.lost', 'refund.processed'],
  'standard-webhooks': [
    'payment.paid',
    'payment.failed',
    'payment.reversed',
    'dispute.lost',
    'refund.succeeded',
  ],
  sandbox: ['payment.succeeded', 'payment.failed', 'dispute.lost', 'refund.succeeded'],
};

/**
 * Fewer than five standard deviations below the average show a generator that has stopped
 * looking there. Of what is rare, one is enough.
 */
function leastOf([average, deviation]: [number, number]): number {
  const share = RUNS / 500;
  const least = Math.floor(average * share - 5 * deviation * Math.sqrt(share));
  return average * share < 10 ? least : Math.max(1, least);
}

let service: TestService;
let voices: Voices;
let close: () => Promise<void>;
let proof: Proof;
beforeAll(async () => {
  ({ service, voices, close } = await startWithAllProviders());
  proof = await prove(service, { runs: RUNS, seed, voices });
  const { runs, steps, calls } = proof;
  console.log(`proved: ${runs} runs, ${steps} steps, ${calls} calls, seed ${seed}`);
});
afterAll(() => close());

describe(`${RUNS} random runs of seed ${seed}`, () => {
  it('leave the books as an independent model says', () => {
    const { failure, steps } = proof;
    if (failure !== null) throw new Error(failure);
    expect(steps).toBe(RUNS * STEPS_PER_RUN);
  });

  it('share transactions where money comes at once', async () => {
    // Of payments that a bank's file or its entry did not bring. 500 runs showed 242.
    const shared = await service.database.query(
      `SELECT FROM payments p WHERE NOT EXISTS
         (SELECT FROM bank_entries e WHERE e.payment_id = p.payment_id)
       GROUP BY p.xmin::text HAVING count(*) > 1`,
    );
    expect(shared.length).toBeGreaterThan(RUNS / 10);
  });

  it('hear every provider', async () => {
    const rows = await service.database.query<{ gateway: string; event_type: string }>(
      'SELECT DISTINCT gateway, event_type FROM provider_events',
    );
    const heard = new Set(rows.map(({ gateway, event_type: type }) => `${gateway} ${type}`));
    const wanted = Object.entries(HEARD).flatMap(([gateway, types]) =>
      types.map((type) => `${gateway} ${type}`),
    );
    expect(wanted.filter((one) => !heard.has(one))).toEqual([]);
  });

  it('cover every kind of movement, and of refusal', () => {
    // The runs end with their first failure.
    if (proof.failure !== null) throw new Error(`only ${proof.runs} runs were judged`);
    const seldom = Object.entries(SHOWN).flatMap(([outcome, shown]) => {
      const count = proof.outcomes.get(outcome) ?? 0;
      return count < leastOf(shown) ? [`${outcome}: ${count} of ${leastOf(shown)}`] : [];
    });
    expect(seldom).toEqual([]);
  });
});
