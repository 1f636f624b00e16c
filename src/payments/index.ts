export { PaymentLinks } from './application/payment-links.service.js';
export { ProviderPayments } from './application/provider-payments.service.js';
export { type Delivery, InvalidSignature } from './domain/gateway.js';
export { Gateways } from './domain/gateways.js';
export { linkStatus } from './domain/payment-link.js';
export type { WebhookOutcome } from './domain/webhook-outcome.js';
export { openGateways } from './infrastructure/gateways/index.js';
export { PaymentsModule } from './payments.module.js';
