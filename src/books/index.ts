export { BooksModule } from './books.module.js';
export type { FoundRate } from './domain/exchange-rate.js';
export { rateText } from './wire/exchange-rate.js';
export { ExchangeRatesRepository } from './infrastructure/exchange-rates.repository.js';
export {
  dueAccount,
  leg,
  mirrored,
  type LedgerAccount,
  type Leg,
  paidOutLegs,
  paymentLegs,
  receivedLegs,
  takeOffLegs,
} from './domain/ledger.js';
export { BooksRefusal } from './domain/refusals.js';
export { type BookedDay, LedgerRepository } from './infrastructure/ledger.repository.js';
