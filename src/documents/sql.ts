export { IS_OWED, TAKES_PAYMENTS } from './infrastructure/status-sql.js';

/** The amount due on an invoice of `documents d`, as `Document.amountPayable` has it. */
export const DUE = `d.total - d.amount_paid + d.amount_refunded - d.amount_credited - d.amount_waived`;
