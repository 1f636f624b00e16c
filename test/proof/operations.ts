import fc from 'fast-check';
import { AGAIN_OPERATIONS } from './operations/again.js';
import { BAD_OPERATIONS } from './operations/bad-input.js';
import { BANK_OPERATIONS } from './operations/bank-entries.js';
import { COLLECTION_OPERATIONS } from './operations/collections.js';
import { CREDIT_NOTE_OPERATIONS } from './operations/credit-notes.js';
import { DASHBOARD_OPERATIONS } from './operations/dashboard-refunds.js';
import { DAY_OPERATIONS } from './operations/days.js';
import { DISPUTE_OPERATIONS } from './operations/disputes.js';
import { DUNNING_OPERATIONS } from './operations/dunning.js';
import { FAILURE_OPERATIONS } from './operations/failures.js';
import { GATEWAY_OPERATIONS } from './operations/gateway.js';
import { HOME_OPERATIONS } from './operations/homes.js';
import { INVOICE_OPERATIONS } from './operations/invoices.js';
import { MOVE_OPERATIONS } from './operations/moves.js';
import type { Operation, Wish } from './operations/operation.js';
import { PREPAID_OPERATIONS } from './operations/prepaid-invoices.js';
import { PAYMENT_OPERATIONS } from './operations/payments.js';
import { PAYOUT_OPERATIONS } from './operations/payouts.js';
import { TOLD_PAYOUT_OPERATIONS } from './operations/told-payouts.js';
import { PERIOD_OPERATIONS } from './operations/periods.js';
import { POSTING_OPERATIONS } from './operations/postings.js';
import { RATE_OPERATIONS } from './operations/rates.js';
import { RECEIPT_OPERATIONS } from './operations/receipts.js';
import { REFUND_OPERATIONS } from './operations/refunds.js';
import { REFUND_OUTCOME_OPERATIONS } from './operations/refund-outcomes.js';
import { SCHEDULE_OPERATIONS } from './operations/schedules.js';
import { STATEMENT_OPERATIONS } from './operations/statements.js';
import { TAMPER_OPERATIONS } from './operations/tampering.js';
import { WRITE_OFF_OPERATIONS } from './operations/write-offs.js';

/** All that random steps do; a new operation is a file and a line here. */
const OPERATIONS: Operation[] = [
  ...INVOICE_OPERATIONS,
  ...PREPAID_OPERATIONS,
  ...PAYMENT_OPERATIONS,
  ...RATE_OPERATIONS,
  ...RECEIPT_OPERATIONS,
  ...MOVE_OPERATIONS,
  ...REFUND_OPERATIONS,
  ...REFUND_OUTCOME_OPERATIONS,
  ...DASHBOARD_OPERATIONS,
  ...HOME_OPERATIONS,
  ...CREDIT_NOTE_OPERATIONS,
  ...WRITE_OFF_OPERATIONS,
  ...PERIOD_OPERATIONS,
  ...GATEWAY_OPERATIONS,
  ...COLLECTION_OPERATIONS,
  ...FAILURE_OPERATIONS,
  ...DISPUTE_OPERATIONS,
  ...STATEMENT_OPERATIONS,
  ...BANK_OPERATIONS,
  ...POSTING_OPERATIONS,
  ...PAYOUT_OPERATIONS,
  ...TOLD_PAYOUT_OPERATIONS,
  ...SCHEDULE_OPERATIONS,
  ...DAY_OPERATIONS,
  ...DUNNING_OPERATIONS,
  ...AGAIN_OPERATIONS,
  ...BAD_OPERATIONS,
  ...TAMPER_OPERATIONS,
];

const PASSING = new Set<Operation>([
  ...SCHEDULE_OPERATIONS,
  ...DAY_OPERATIONS,
  ...DUNNING_OPERATIONS,
]);

/** All but schedules, late debts and the days that they need. */
export const WITHIN_A_DAY = OPERATIONS.filter((one) => !PASSING.has(one)).map(({ name }) => name);

/** All that can be wished, or only these. @throws for one that there is not */
export function wishes(names?: readonly string[]): fc.Arbitrary<Wish> {
  const wished = names?.map((name) => {
    const one = OPERATIONS.find((known) => known.name === name);
    if (!one) throw new Error(`there is no operation ${name}`);
    return one;
  });
  return fc.oneof(
    ...(wished ?? OPERATIONS).map((operation) => ({
      weight: operation.weight,
      arbitrary: operation.fields.map((fields): Wish => ({ operation, fields })),
    })),
  );
}
