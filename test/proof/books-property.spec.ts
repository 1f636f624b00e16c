import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestService } from '../support/service.js';
import { tries } from '../support/share.js';
import { type Proof, prove, STEPS_PER_RUN } from './run.js';
import { WITHIN_A_DAY } from './operations.js';
import { startWithAllProviders, type Voices } from './voices/all-voices.js';

const RUNS = tries({ pushed: 150, full: 2000 });
const MOST_FURTHER = 20;
/** Another one each time: a failure names it, and the command that repeats it. */
const seed = randomInt(2 ** 31);

/**
 * So many 500 runs showed on average, and the standard deviation: measured over 6 seeds, and at least
 * the root of the average.
 */
const SHOWN: Record<string, [average: number, deviation: number]> = {
  'pay 201': [1836, 43],
  'pay 422 amount_exceeds_due': [1692, 43],
  'pay 422 insufficient_credit': [252, 25],
  'prepaid 201': [141, 21],
  'receipt 201': [441, 35],
  'receipt 422 allocations_exceed_amount': [81, 10],
  'receipt 422 customer_mismatch': [21, 6],
  'move 200': [136, 17],
  'move 422 amount_exceeds_allocated': [126, 12],
  'reverse 200': [278, 17],
  'reverse 409 payment_refunded': [48, 7],
  'refund 201 succeeded': [377, 20],
  'refund 201 failed': [23, 9],
  'refund 201 pending': [70, 11],
  'refund 201 unknown': [134, 12],
  'lookUp 200 succeeded': [77, 11],
  'lookUp 200 failed': [24, 6],
  'tell 200 succeeded': [16, 5],
  'tell 200 failed': [7, 3],
  'refund 422 amount_exceeds_refundable': [203, 16],
  'creditNote 201': [434, 21],
  'voidCreditNote 409 customer_credit_spent': [10, 7],
  'voidInvoice 409 document_not_voidable': [249, 16],
  'writeOff 200': [324, 18],
  'claimTaxRelief 200': [38, 7],
  'rate 200': [689, 27],
  'pay 422 exchange_rate_required': [134, 12],
  'deliver 200': [1909, 45],
  'redeliver 200': [334, 20],
  'fail 200': [332, 30],
  'processing 200': [122, 12],
  'assign 200': [58, 8],
  'assign 409 receipt_settled': [40, 12],
  'assign 409 refund_under_way': [11, 4],
  'refundReceipt 201 succeeded': [91, 11],
  'refundReceipt 201 unknown': [84, 10],
  'refundElsewhere 200 succeeded': [94, 10],
  'repeat 200': [68, 12],
  'reverseRefund 200 reversed': [61, 8],
  'reverseRefund 409 refund_not_reversible': [68, 16],
  'claim 200': [31, 11],
  'claim 409 receipt_settled': [13, 6],
  'statement 201 booked': [31, 6],
  'statement 201 proposed': [221, 24],
  'statement 201 unmatched': [486, 23],
  'confirm 200': [170, 14],
  'confirm 409 bank_entry_booked': [114, 11],
  'ignore 200': [94, 10],
  'post 200': [105, 11],
  'post 409 bank_entry_not_booked': [90, 21],
  'namePayment 200': [25, 5],
  'namePayment 409 bank_entry_payment_differs': [140, 14],
  'collect 201': [137, 16],
  'collect 409 collection_under_way': [46, 8],
  'tamper 403': [191, 14],
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
  // `npm run test:books` has days that pass, too.
  proof = await prove(service, { runs: RUNS, seed, voices, ops: WITHIN_A_DAY });
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
    const wanted = Object.entries(HEARD).flatMap(([gateway, types]) =>
      types.map((type) => ({ gateway, type })),
    );
    const unheard = async () => {
      const rows = await service.database.query<{ gateway: string; event_type: string }>(
        'SELECT DISTINCT gateway, event_type FROM provider_events',
      );
      const heard = new Set(rows.map(({ gateway, event_type: type }) => `${gateway} ${type}`));
      return wanted.filter(({ gateway, type }) => !heard.has(`${gateway} ${type}`));
    };
    let left = await unheard();
    // Refunds of one provider come three times in 500 runs, or not at all: it has further runs alone.
    for (let more = 1; left.length > 0 && more <= MOST_FURTHER; more += 1) {
      const gateway = left[0]!.gateway;
      // Some steps are of the sandbox, whoever else there is.
      const alone = new Map([...voices].filter(([name]) => name === gateway || name === 'sandbox'));
      const wish = { runs: 20, seed: seed + more, voices: alone, ops: WITHIN_A_DAY };
      const { failure } = await prove(service, wish);
      if (failure !== null) throw new Error(failure);
      left = await unheard();
    }
    expect(left).toEqual([]);
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
