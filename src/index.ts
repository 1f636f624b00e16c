import 'reflect-metadata';

/*
 * The face of the package, for those who build on it: docs/api/ has it with all types, and a test holds
 * that. It only grows within a version. Everything else is closed.
 */

import { claimOnlyCopy } from './kernel/only-copy.js';

export { z } from 'zod';
export { type Actor, type By } from './kernel/actor.js';
export { Clock, type IsoDate, SystemClock } from './kernel/clock.js';
export {
  DomainError,
  type DomainErrorKind,
  type ErrorContext,
  type FieldError,
} from './kernel/domain-error.js';
export { DomainRefusal, domainRefusals } from './kernel/domain-refusal.js';
export { IdGenerator, publicId, type Uuid, uuidOf, UuidV7Generator } from './kernel/ids.js';
export { Money } from './kernel/money.js';
export type { PaymentMethod } from './kernel/payment-method.js';
export type { MadeUp, ProviderDefaults, ProviderDemo } from './platform/config/gateway-config.js';
export { Config } from './platform/config/config.js';
export type { ExtensionMigration } from './platform/database/extension-migrations.js';
export { Database } from './platform/database/database.js';
export type { Tx } from './platform/database/tx.js';
export { UnitOfWork } from './platform/database/unit-of-work.js';
export { RateLimits } from './platform/http/limits/rate-limits.js';
export { type ApiRequest, byClient, type Caller, CallerOf } from './platform/http/request.js';
export { Delete, Get, Patch, Post, Put } from './platform/http/route.js';
export { amountMinor, flag, oneOf, wholeNumber } from './platform/http/validation/fields.js';
export { answerShape, queryShape, requestShape } from './platform/http/validation/shapes.js';
export { shortText } from './platform/http/validation/text-fields.js';
export type { Once } from './platform/idempotency/idempotency.js';
export { OnceOnly } from './platform/idempotency/once.decorator.js';
export { type Job, Jobs } from './platform/jobs.js';
export { Log } from './platform/observability/log.js';
export type { Port } from './platform/ports.js';
export { type IssuedFor, TokenIssuer } from './auth/index.js';
export type { OwnTables } from './events/index.js';
export { type EventDataByType, type EventOf, type EventName, Facts } from './extensions/facts.js';
export {
  type CountedNumber,
  CreditNotes,
  customerId,
  Customers,
  documentId,
  Documents,
  type DocumentView,
  LogoEncoder,
  NumberTexts,
  PdfRenderer,
  type PrintOptions,
  VatNumberRegister,
} from './documents/index.js';
export { JsonAdapter as QuittanceAdapter } from './platform/http/answers/json-adapter.js';
export { QuittanceModule, type QuittanceOptions, useQuittance } from './quittance.module.js';
export {
  type ExtensionKind,
  ExtensionLetters,
  type LetterAccount,
  type LetterWriter,
  MailSender,
  type WrittenLetter,
} from './mail/index.js';
export { AccountSettings } from './extensions/account-settings.js';
export { ExtensionSettings } from './extensions/extension-settings.js';
export {
  type AccountSettingsShape,
  type CommandMeans,
  defineExtension,
  type DocumentFormat,
  type Extension,
  type ExtensionJob,
  type ExtensionLetter,
  type JobMeans,
} from './extensions/extension.js';
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
  PaymentLinks,
  Payments,
  type ProcessingReport,
  type ProviderPayout,
  type ProviderReport,
  type RefundFound,
  type RefundOutcome,
  type RefundReport,
  type RefundRequest,
  Refunds,
  type SampleDelivery,
  type SampleEvent,
  type SampleOf,
  type SettingKind,
  type StatedPayoutLine,
} from './payments/index.js';

claimOnlyCopy();
