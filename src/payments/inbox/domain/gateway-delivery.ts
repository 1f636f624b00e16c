import type { IsoDate } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { type Uuid, uuidOf } from '../../../kernel/ids.js';
import {
  type Delivery,
  type GatewayAccounts,
  InvalidSignature,
} from '../../port/domain/gateway.js';
import {
  furtherCaptureId,
  type NamedObject,
  type ProviderReport,
} from '../../port/domain/provider-report.js';
import { WEBHOOK_OUTCOMES, type WebhookOutcome } from '../../port/domain/webhook-outcome.js';
import { GatewayRefusal } from '../../port/domain/gateway-refusals.js';

/** The answer to a delivery; `accepted`: stored, and worked off later. */
export const DELIVERY_ANSWERS = [...WEBHOOK_OUTCOMES, 'accepted'] as const;
export type DeliveryAnswer = (typeof DELIVERY_ANSWERS)[number];

export const DELIVERY_OUTCOMES = [...DELIVERY_ANSWERS, 'failed'] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

/** A provider does not wait for more reports than these: they are stored first. */
export const MOST_REPORTS_AT_ONCE = 20;

/** The first waits half a minute, the last ones an hour: a day in all. */
export const MOST_TRIES = 30;
export const FIRST_WAIT_SECONDS = 30;

/** The ids by which a report names things, so that its effects are found. */
export interface ReportNames {
  event: string | null;
  type: string;
  /** The provider's. */
  payment: string | null;
  link: Uuid | null;
  /** The provider's object of a link. */
  object: string | null;
  /** Our refund. */
  refund: Uuid | null;
  /** The provider's refund. */
  back: string | null;
  /** The provider's dispute. */
  dispute: string | null;
  /** The provider's payout; absent in what was kept before payouts were told. */
  payout?: string | null;
}

/** A verified call of a provider, and what became of it. */
export interface GatewayDelivery {
  id: Uuid;
  /** The account of zeros: the operator's. */
  accountId: Uuid;
  gateway: string;
  receivedAt: Date;
  eventTypes: string[];
  /** How many things it reports. */
  reports: number;
  outcome: DeliveryOutcome;
  /** The code of what it failed with last. */
  problem: string | null;
  replays: number;
  replayedAt: Date | null;
  /** Of one that was stored first. */
  attempts: number;
  nextTryAt: Date | null;
}

/** A delivery with its bytes, unless their key is gone. */
export interface KeptDelivery extends GatewayDelivery {
  delivery: Delivery | null;
  names: readonly ReportNames[];
}

/** All that there is of the things that a delivery names; ids as PostgreSQL prints them. */
export interface DeliveryEffects {
  events: { event: string; type: string; outcome: WebhookOutcome | null }[];
  payments: string[];
  links: string[];
  receipts: string[];
  refunds: string[];
  disputes: string[];
  items: string[];
}

/** A payout that a delivery names, as it stands now. */
export interface NamedPayout {
  id: Uuid;
  /** The day on which the provider had the money back; null: it never came back. */
  failedOn: IsoDate | null;
  /** The provider's word for why, or that of whoever recorded it. */
  reason: string | null;
}

/** A delivery to be kept. */
export interface NewDelivery {
  id: Uuid;
  gateway: { name: string; accounts: GatewayAccounts };
  receivedAt: Date;
  delivery: Delivery;
  names: readonly ReportNames[];
  reports: number;
  outcome: DeliveryOutcome;
  problem: string | null;
}

/** One that was stored first, taken to be worked off. */
export interface TakenDelivery {
  id: Uuid;
  accountId: Uuid;
  gateway: string;
  delivery: Delivery | null;
  names: readonly ReportNames[];
  attempts: number;
  /** Places of the reports that are still to be applied; null: all of them. */
  left: readonly number[] | null;
}

/** All names that reports of one delivery use, those that a look-up told among them. */
export class HeardNames {
  private readonly byText = new Map<string, ReportNames>();

  constructor(before: readonly ReportNames[] = []) {
    for (const names of before) this.byText.set(JSON.stringify(names), names);
  }

  static of(told: readonly (ProviderReport | NamedObject)[]): HeardNames {
    return new HeardNames(told.flatMap(namesOf));
  }

  readonly hear = (report: ProviderReport | NamedObject): void => {
    for (const names of namesOf(report)) this.byText.set(JSON.stringify(names), names);
  };

  all(): ReportNames[] {
    return [...this.byText.values()];
  }
}

/** A capture also by the name of the payment that it is if another one came first. */
function namesOf(told: ProviderReport | NamedObject): ReportNames[] {
  const names = namesIn(told);
  if (told.kind !== 'paid' || told.captureReference === undefined) return [names];
  const payment = storable(furtherCaptureId(told.providerPaymentId, told.captureReference));
  return [names, { ...names, payment }];
}

function namesIn(told: ProviderReport | NamedObject): ReportNames {
  const moved = told.kind === 'irrelevant' ? told.moved : undefined;
  const payment = 'providerPaymentId' in told ? told.providerPaymentId : moved?.providerPaymentId;
  return {
    event: storable(told.eventId),
    type: storable(told.eventType) ?? '',
    payment: storable(payment),
    link: idIn('plink', 'linkId' in told ? told.linkId : null),
    object: storable('providerObjectId' in told ? told.providerObjectId : null),
    refund: idIn('rfnd', 'refundId' in told ? told.refundId : null),
    back: storable('providerRefundId' in told ? told.providerRefundId : null),
    dispute: storable('disputeId' in told ? told.disputeId : null),
    payout: storable('payoutId' in told ? told.payoutId : null),
  };
}

/**
 * PostgreSQL takes neither NUL nor half a character. A provider from outside may give no text at
 * all, and money must not fail for it.
 */
function storable(text: unknown): string | null {
  return typeof text === 'string' ? text.replaceAll('\0', '').toWellFormed() : null;
}

function idIn(prefix: 'plink' | 'rfnd', text: unknown): Uuid | null {
  return typeof text === 'string' ? (uuidOf(prefix, text) ?? null) : null;
}

/** Anybody may send an unsigned name: it is counted, and never kept. */
export function isSignedThroughout(told: readonly (ProviderReport | NamedObject)[]): boolean {
  return told.every((one) => one.kind !== 'named' || one.isSigned);
}

/** The code that tells a person why it failed. */
export function problemOf(error: unknown): string {
  if (error instanceof DomainError) return error.code;
  return error instanceof InvalidSignature
    ? GatewayRefusal.invalid_signature.code
    : 'internal_error';
}

/** The result of a replay. */
export interface ReplayedDelivery {
  event: KeptDelivery;
  outcome: DeliveryOutcome;
  problem: string | null;
  /** False where all of it was known already. */
  isChanged: boolean;
}

/** A replay that fails takes nothing from what was applied before. */
export function standingAfter(
  before: Pick<GatewayDelivery, 'outcome' | 'problem'>,
  replay: Pick<GatewayDelivery, 'outcome' | 'problem'>,
): Pick<GatewayDelivery, 'outcome' | 'problem'> {
  const { outcome, problem } =
    replay.outcome === 'failed' && before.outcome !== 'failed' ? before : replay;
  return { outcome, problem };
}

export function gatewayEventUnreadable(): DomainError {
  return GatewayRefusal.gateway_event_unreadable.of(
    'The secret that encrypted its bytes is gone; have the provider send it again.',
  );
}
