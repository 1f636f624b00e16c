export { BANK_EVENTS } from './wire/bank-events.js';
export { BankStatements } from './application/bank-statements.service.js';
export { BankModule } from './bank.module.js';
export { STRIPE_LINE_KINDS } from './domain/payouts/stripe-payouts.js';
export { CSV_COLUMNS } from './domain/csv-columns.js';
export {
  CSV_BALANCE_ROWS,
  CSV_DATE_FORMATS,
  CSV_DECIMALS,
  DIRECTIONS,
  MOST_BANK_ENTRIES,
  type BankStatementFile,
  wordsListed,
} from './domain/bank-statement.js';
export type { StatedPayout } from './domain/payouts/payout.js';
export { PayoutsQuery } from './infrastructure/payouts.query.js';
export { BankRefusal } from './domain/refusals.js';
