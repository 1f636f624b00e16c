export { PERIOD_EVENTS } from './wire/period-events.js';
export { Periods } from './application/periods.service.js';
export { TransferSumming } from './application/transfer-summing.js';
export { BooksModule } from './books.module.js';
export type { FoundRate } from './domain/exchange-rate.js';
export { rateText } from './wire/exchange-rate.js';
export { ExchangeRatesRepository } from './infrastructure/exchange-rates.repository.js';
export {
  dueAccount,
  leg,
  mirrored,
  type LedgerAccount,
  type LedgerEntry,
  type Leg,
  paidOutLegs,
  paymentLegs,
  receivedLegs,
  takeOffLegs,
} from './domain/ledger.js';
export {
  type CustomerStatement,
  customerStatementsOf,
  statementBalance,
} from './domain/customer-statement.js';
export { type PrintedStatement, statementHtml } from './http/statement-paper.js';
export { CustomerStatementQuery } from './infrastructure/customer-statement.query.js';
export { BooksRefusal } from './domain/refusals.js';
export {
  type BookedDay,
  bookedDayOf,
  laterDay,
  LedgerRepository,
  takenOff,
  waiversTakenBack,
} from './infrastructure/ledger.repository.js';
