export { surveyAccountGateways } from './application/gateways/gateway-survey.js';
export { Allocations } from './application/allocations.service.js';
export { PaymentLinks } from './application/payment-links.service.js';
export { type PayPage, PayPages } from './application/pay-pages.service.js';
export {
  type PlannedCollection,
  PlannedCollections,
} from './application/mandates/planned-collections.js';
export { DeliveryReplays } from './application/deliveries/delivery-replays.js';
export { GatewayDeliveries } from './application/deliveries/gateway-deliveries.service.js';
export { ProviderPayouts } from './application/providers/provider-payouts.js';
export { ProviderReceiptClaims } from './application/providers/provider-receipt-claims.service.js';
export {
  MOST_DOCUMENTS,
  AllocatedPayments,
  type RecordAllocatedPayment,
} from './application/allocated-payments.service.js';
export { type CountedAs, foreignFrom } from './domain/conversion.js';
export {
  type CollectionRequest,
  DirectDebits,
  type MandatePage,
  type MandateRequest,
  type PlacedMandate,
} from './domain/mandates/direct-debits.js';
export type { Checkout, CheckoutRequest, PlacedCheckout } from './domain/checkout.js';
export {
  type Delivery,
  Gateway,
  type GatewayAccounts,
  InvalidSignature,
  isPayoutSample,
  type PayoutSample,
  SAMPLE_EVENTS,
  type SampleDelivery,
  type SampleEvent,
  type SampleOf,
} from './domain/gateway.js';
export {
  type NamedInPayout,
  PAYOUT_LINE_KINDS,
  type PayoutLineKind,
  type StatedPayoutLine,
} from './domain/payout-line.js';
export { capturedPaymentId } from './domain/provider-report.js';
export type { RefundFound, RefundOutcome, RefundRequest } from './domain/refund-request.js';
export type {
  DisputeReport,
  FailedReport,
  MandateReport,
  MovedMoney,
  NamedObject,
  PaidReport,
  ProviderPayout,
  ProviderReport,
  RefundReport,
} from './domain/provider-report.js';
export {
  ProviderCatalogue,
  type SettingComplaint,
  type SettingKind,
} from './domain/account-gateway.js';
export type { GatewayCheck } from './domain/gateway-check.js';
export { countedGateway, Gateways, gatewayVariable, OwnGateways } from './domain/gateways.js';
export {
  paymentLinkStatus,
  type PaymentLink,
  type PaymentLinkStatus,
} from './domain/payment-link.js';
export { GatewayRefusal } from './domain/gateway-refusals.js';
export { PaymentRefusal } from './domain/payment-refusals.js';
export { DELIVERY_ANSWERS, isSignedThroughout, problemOf } from './domain/gateway-delivery.js';
export type { NamedPayout } from './domain/gateway-delivery.js';
export { presentGatewayEvent, presentWholeGatewayEvent } from './domain/present-gateway-event.js';
export { allocationsOf, REFUSED_ALLOCATIONS } from './http/allocated-payments.controller.js';
export { countedIn, CountsAsRequest } from './http/conversion.dto.js';
export { customerIn, documentIn } from './http/payment-steps.controller.js';
export { AllocationRequest } from './http/payment-steps.dto.js';
export { payableAccount, gatewayAccountWarnings } from './infrastructure/gateway-accounts.query.js';
export {
  keepPayoutWaits,
  keepToldPayout,
  toldPayouts,
} from './infrastructure/payouts/awaited-payout.repository.js';
export { closePayoutItem } from './infrastructure/unmatched-item.repository.js';
export { GatewayDeliveriesQuery } from './infrastructure/gateway-deliveries.query.js';
export { PaymentsQuery } from './infrastructure/payments.query.js';
export {
  type SettledBack,
  type Settlement,
  SettlementsQuery,
} from './infrastructure/settlements.query.js';
export { PaymentsModule } from './payments.module.js';
