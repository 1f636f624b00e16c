import 'reflect-metadata';

/*
 * The face of the package, for those who build on it: docs/api/ has it with all types, and a test holds
 * that. It only grows within a version. Everything else is closed.
 */

import { claimOnlyCopy } from './kernel/only-copy.js';

export { z } from 'zod';
export type { Clock, IsoDate } from './kernel/clock.js';
export {
  DomainError,
  type DomainErrorKind,
  type ErrorContext,
  type FieldError,
} from './kernel/domain-error.js';
export type { Uuid } from './kernel/ids.js';
export { Money } from './kernel/money.js';
export type { PaymentMethod } from './kernel/payment-method.js';
export type { MadeUp, ProviderDefaults, ProviderDemo } from './platform/config/gateway-config.js';
export {
  acceptedAnswer,
  type GatewayContext,
  GatewayWithApi,
  type Provider,
  type ProviderAnswer,
  ProviderApi,
  providerUnavailable,
  type RefundApi,
  type SettingKinds,
  SettingRefused,
} from './gateways/index.js';
export {
  type Checkout,
  type CheckoutRequest,
  type CollectionRequest,
  type Delivery,
  type DeliveryAnswers,
  type DirectDebits,
  type DisputeReport,
  type FailedReport,
  Gateway,
  type GatewayAccounts,
  type GatewayCheck,
  InvalidSignature,
  type MandatePage,
  type MandateReport,
  type MandateRequest,
  type MovedMoney,
  type NamedObject,
  type PaidReport,
  type Payer,
  type PayoutLineKind,
  type PlacedCheckout,
  type PlacedMandate,
  type ProcessingReport,
  type ProviderPayout,
  type ProviderReport,
  type RefundFound,
  type RefundOutcome,
  type RefundReport,
  type RefundRequest,
  type SampleDelivery,
  type SampleEvent,
  type SampleOf,
  type SettingKind,
  type StatedPayoutLine,
} from './payments/index.js';

claimOnlyCopy();
