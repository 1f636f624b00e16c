export {
  AccountExtensionSettings,
  type ReadExtensionSettings,
} from './port/application/account-extension-settings.service.js';
export {
  ExtensionSettingsBody,
  PatchExtensionSettingsRequest,
  presentExtensionSettings,
} from './port/wire/account-gateway.js';
export { surveyAccountGateways } from './port/application/gateway-survey.js';
export { Allocations } from './recording/application/allocations.service.js';
export { Payments } from './recording/application/payments.service.js';
export { HeldCollections } from './collecting/application/mandates/held-collections.js';
export { HeldRefunds } from './returning/application/refunds/held-refunds.js';
export { Refunds } from './returning/application/refunds/refunds.service.js';
export { PaymentLinks } from './collecting/application/payment-links.service.js';
export { type PayPage, PayPages } from './application/pay-pages.service.js';
export {
  type PlannedCollection,
  PlannedCollections,
} from './collecting/application/mandates/planned-collections.js';
export { DeliveryReplays } from './inbox/application/delivery-replays.js';
export { GatewayDeliveries } from './inbox/application/gateway-deliveries.service.js';
export { ProviderPayouts } from './inbox/application/provider-payouts.js';
export { ProviderReceiptClaims } from './inbox/application/provider-receipt-claims.service.js';
export {
  AllocatedPayments,
  type RecordAllocatedPayment,
} from './recording/application/allocated-payments.service.js';
export { MOST_DOCUMENTS } from './recording/domain/payment.js';
export { type CountedAs, foreignFrom } from './recording/domain/conversion.js';
export {
  type CollectionRequest,
  DirectDebits,
  type MandatePage,
  type MandateRequest,
  type PlacedMandate,
} from './port/domain/mandates/direct-debits.js';
export type { Checkout, CheckoutRequest, Payer, PlacedCheckout } from './port/domain/checkout.js';
export {
  type Delivery,
  type DeliveryAnswers,
  Gateway,
  type GatewayAccounts,
  InvalidSignature,
  isPayoutSample,
  type PayoutSample,
  SAMPLE_EVENTS,
  type SampleDelivery,
  type SampleEvent,
  type SampleOf,
} from './port/domain/gateway.js';
export {
  PAYOUT_LINE_KINDS,
  type PayoutLineKind,
  type StatedPayoutLine,
} from './port/domain/payout-line.js';
export { capturedPaymentId } from './port/domain/provider-report.js';
export type { RefundFound, RefundOutcome, RefundRequest } from './port/domain/refund-request.js';
export type {
  DisputeReport,
  FailedReport,
  MandateReport,
  MovedMoney,
  NamedObject,
  PaidReport,
  ProcessingReport,
  ProviderPayout,
  ProviderReport,
  RefundReport,
} from './port/domain/provider-report.js';
export {
  ProviderCatalogue,
  type SettingComplaint,
  type SettingKind,
} from './port/domain/account-gateway.js';
export { wrongInTold } from './port/wire/provider-report.js';
export type { GatewayCheck } from './port/domain/gateway-check.js';
export { countedGateway, Gateways, gatewayVariable, OwnGateways } from './port/domain/gateways.js';
export {
  paymentLinkStatus,
  type PaymentLink,
  type PaymentLinkStatus,
} from './collecting/domain/payment-link.js';
export { GatewayRefusal } from './port/domain/gateway-refusals.js';
export { PaymentRefusal } from './port/domain/payment-refusals.js';
export {
  DELIVERY_ANSWERS,
  isSignedThroughout,
  problemOf,
} from './inbox/domain/gateway-delivery.js';
export type { NamedPayout } from './inbox/domain/gateway-delivery.js';
export { PaymentLinkBody } from './collecting/wire/payment-link.js';
export { presentGatewayEvent, presentWholeGatewayEvent } from './inbox/wire/gateway-event.js';
export { allocationsOf, REFUSED_ALLOCATIONS } from './recording/wire/payment-steps.js';
export { countedIn, CountsAsRequest } from './recording/wire/conversion.js';
export { customerIn, documentIn } from './recording/wire/payment-steps.js';
export { AllocationRequest } from './recording/wire/payment-steps.js';
export {
  payableAccount,
  gatewayAccountWarnings,
} from './port/infrastructure/gateway-accounts.query.js';
export { ErasedPayersRepository } from './inbox/infrastructure/erased-payers.repository.js';
export { GatewayDeliveriesQuery } from './inbox/infrastructure/gateway-deliveries.query.js';
export { MandatesQuery } from './collecting/infrastructure/mandates/mandates.query.js';
export { HoldingsQuery } from './recording/infrastructure/holdings.query.js';
export { RefundsQuery } from './returning/infrastructure/refunds/refunds.query.js';
export { DisputesQuery } from './returning/infrastructure/disputes.query.js';
export type { Dispute } from './returning/domain/dispute.js';
export type { Refund } from './returning/domain/refund.js';
export { MANDATE_STATUSES, type MandateStatus } from './port/domain/mandates/mandate-status.js';
export { PaymentsQuery } from './recording/infrastructure/payments.query.js';
export {
  type SettledBack,
  type Settlement,
  SettlementsQuery,
} from './recording/infrastructure/settlements.query.js';
export { GATEWAY_EVENTS } from './port/wire/gateway-events.js';
export { PAYMENT_EVENTS } from './wire/payment-events.js';
export { PaymentsModule } from './payments.module.js';
