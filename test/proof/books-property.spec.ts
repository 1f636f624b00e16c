import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.js';
import { tries } from '../support/share.js';
import { type Proof, prove, STEPS_PER_RUN } from './run.js';

const RUNS = tries({ pushed: 500, full: 2000 });
/** Another one each time: a failure names it, and the command that repeats it. */
const seed = randomInt(2 ** 31);

/** So many 500 runs showed on average, and the standard deviation: measured over 16 seeds. */
const SHOWN: Record<string, [average: number, deviation: number]> = {
  'pay 201': [1011, 34],
  'pay 422 amount_exceeds_due': [693, 38],
  'pay 422 insufficient_credit': [193, 20],
  'receipt 201': [547, 42],
  'receipt 422 allocations_exceed_amount': [90, 18],
  'receipt 422 customer_mismatch': [29, 6],
  'move 200': [153, 13],
  'move 422 amount_exceeds_allocated': [135, 16],
  'reverse 200': [283, 18],
  'reverse 409 payment_refunded': [86, 15],
  'refund 201 succeeded': [400, 21],
  'refund 201 failed': [25, 6],
  'refund 201 pending': [62, 8],
  'refund 201 unknown': [121, 11],
  'lookUp 200 succeeded': [98, 11],
  'lookUp 200 failed': [28, 6],
  'tell 200 succeeded': [17, 5],
  'tell 200 failed': [15, 4],
  'refund 422 amount_exceeds_refundable': [249, 24],
  'creditNote 201': [499, 23],
  'voidCreditNote 409 customer_credit_spent': [23, 7],
  'voidInvoice 409 document_not_voidable': [286, 17],
  'writeOff 200': [396, 20],
  'claimTaxRelief 200': [57, 8],
  'rate 200': [627, 26],
  'pay 422 exchange_rate_required': [52, 12],
  'deliver 200': [1286, 61],
  'redeliver 200': [128, 15],
  'fail 200': [379, 37],
  'processing 200': [141, 12],
  'assign 200': [53, 8],
  'assign 409 receipt_settled': [49, 8],
  'assign 409 refund_under_way': [15, 6],
  'refundReceipt 201 succeeded': [98, 11],
  'refundReceipt 201 unknown': [96, 13],
  'reverseRefund 200 reversed': [77, 9],
  'reverseRefund 409 refund_not_reversible': [62, 19],
  'claim 200': [36, 6],
  'claim 409 receipt_settled': [12, 5],
  'statement 201 booked': [43, 7],
  'statement 201 proposed': [233, 16],
  'statement 201 unmatched': [496, 25],
  'confirm 200': [201, 15],
  'confirm 409 bank_entry_booked': [166, 18],
  'ignore 200': [111, 11],
  'post 200': [139, 12],
  'post 409 bank_entry_not_booked': [115, 12],
  'namePayment 200': [28, 6],
  'namePayment 409 bank_entry_payment_differs': [167, 13],
  'tamper 403': [235, 16],
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
let proof: Proof;
beforeAll(async () => {
  service = await startTestService();
  proof = await prove(service, { runs: RUNS, seed });
  const { runs, steps, calls } = proof;
  console.log(`proved: ${runs} runs, ${steps} steps, ${calls} calls, seed ${seed}`);
}, 600_000);
afterAll(() => service.close());

describe(`${RUNS} random runs of seed ${seed}`, () => {
  it('leave the books as an independent model says', () => {
    const { failure, steps } = proof;
    if (failure !== null) throw new Error(failure);
    expect(steps).toBe(RUNS * STEPS_PER_RUN);
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
