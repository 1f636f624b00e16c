export { BankStatements } from './application/bank-statements.service.js';
export { PaymentLinks } from './application/payment-links.service.js';
export { UnmatchedReceipts } from './application/unmatched-receipts.service.js';
export { ProviderPayments } from './application/provider-payments.service.js';
export {
  CSV_DATE_FORMATS,
  CSV_DECIMALS,
  MOST_ENTRIES,
  type StatementFile,
} from './domain/bank-statement.js';
export { type Delivery, InvalidSignature } from './domain/gateway.js';
export { Gateways } from './domain/gateways.js';
export { linkStatus } from './domain/payment-link.js';
export type { WebhookOutcome } from './domain/webhook-outcome.js';
export { isOnlyAccount, ownershipWarnings } from './infrastructure/gateway-owners.query.js';
export { configuredGateways, gatewayRefusals } from './infrastructure/gateways/index.js';
export { IntegrityQuery, type KeptSeal } from './infrastructure/integrity.query.js';
export { PaymentsQuery } from './infrastructure/payments.query.js';
export { SealsRepository } from './infrastructure/seals.repository.js';
export { PaymentsModule } from './payments.module.js';
