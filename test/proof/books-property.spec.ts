import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.js';
import { tries } from '../support/share.js';
import { type Proof, prove, STEPS_PER_RUN } from './run.js';

const RUNS = tries({ pushed: 500, full: 2000 });
/** Another one each time: a failure names it, and the command that repeats it. */
const seed = randomInt(2 ** 31);

const COVERING = 500;
/** At least so often in as many runs, or the generator has stopped looking there. */
const COVERED = {
  'pay 201': 500,
  'pay 422 amount_exceeds_due': 100,
  'pay 422 insufficient_credit': 50,
  'receipt 201': 200,
  'receipt 422 allocations_exceed_amount': 20,
  'receipt 422 customer_mismatch': 20,
  'move 200': 80,
  'move 422 amount_exceeds_allocated': 30,
  'reverse 200': 80,
  'reverse 409 payment_refunded': 20,
  'refund 201 succeeded': 150,
  'refund 201 failed': 15,
  'refund 201 pending': 10,
  'refund 201 unknown': 60,
  'lookUp 200 succeeded': 50,
  'lookUp 200 failed': 15,
  'tell 200 succeeded': 8,
  'tell 200 failed': 2,
  'refund 422 amount_exceeds_refundable': 80,
  'creditNote 201': 200,
  'voidCreditNote 409 customer_credit_spent': 3,
  'voidInvoice 409 document_not_voidable': 80,
  'writeOff 200': 40,
  'claimTaxRelief 200': 8,
  'rate 200': 100,
  'pay 422 exchange_rate_required': 10,
  'deliver 200': 300,
  'redeliver 200': 40,
  'fail 200': 200,
  'processing 200': 70,
  'assign 200': 10,
  'assign 409 receipt_settled': 3,
  'assign 409 refund_under_way': 3,
  'refundReceipt 201 succeeded': 20,
  'refundReceipt 201 unknown': 15,
  'reverseRefund 200 reversed': 20,
  'reverseRefund 409 refund_not_reversible': 3,
  'claim 200': 15,
  'claim 409 receipt_settled': 4,
  'statement 201 booked': 18,
  'statement 201 proposed': 40,
  'statement 201 unmatched': 100,
  'confirm 200': 60,
  'confirm 409 bank_entry_booked': 30,
  'ignore 200': 50,
  'post 200': 60,
  'post 409 bank_entry_not_booked': 60,
  'namePayment 200': 13,
  'namePayment 409 bank_entry_payment_differs': 60,
  'tamper 403': 80,
};

/** Of few runs: three standard deviations below what so many would show on average. */
const atLeast = (average: number) => Math.floor(average - 3 * Math.sqrt(average));

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
    const seldom = Object.entries(COVERED).flatMap(([outcome, figure]) => {
      const least = RUNS < COVERING ? atLeast((figure * RUNS) / COVERING) : figure;
      const count = proof.outcomes.get(outcome) ?? 0;
      return count < least ? [`${outcome}: ${count} of ${least}`] : [];
    });
    expect(seldom).toEqual([]);
  });
});
