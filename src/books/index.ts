export { BooksModule } from './books.module.js';
export {
  dueAccount,
  leg,
  type LedgerAccount,
  type Leg,
  paymentLegs,
  takeOffLegs,
} from './domain/ledger.js';
export { LedgerRepository } from './infrastructure/ledger.repository.js';
