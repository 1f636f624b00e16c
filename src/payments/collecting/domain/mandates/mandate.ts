import type { Document } from '../../../../documents/index.js';
import { DomainError } from '../../../../kernel/domain-error.js';
import type { Uuid } from '../../../../kernel/ids.js';
import type { Gateway } from '../../../port/domain/gateway.js';
import type { MandateReport } from '../../../port/domain/provider-report.js';
import type { DirectDebits } from '../../../port/domain/mandates/direct-debits.js';
import type { MandateStatus } from '../../../port/domain/mandates/mandate-status.js';
import { PaymentRefusal } from '../../../port/domain/payment-refusals.js';
import { GatewayRefusal } from '../../../port/domain/gateway-refusals.js';

/** A customer's consent to be debited, which a provider keeps with the bank account. */
export interface Mandate {
  id: Uuid;
  accountId: Uuid;
  customerId: Uuid;
  gateway: string;
  currency: string;
  status: MandateStatus;
  url: string | null;
  providerRequestId: string | null;
  providerMandateId: string | null;
  scheme: string | null;
  /** By which the customer knows it. */
  reference: string | null;
  accountEnding: string | null;
  automaticSince: Date | null;
  failure: string | null;
  version: number;
  createdAt: Date;
  askedAt: Date | null;
  activatedAt: Date | null;
  endedAt: Date | null;
  nextLookAt: Date | null;
}

/**
 * Whether an invoice is collected by a mandate without a call. The invoice's own word counts; without
 * one the mandate's, and not for what had lapsed when that was given.
 */
export function collectsByItself(
  { automaticSince }: Pick<Mandate, 'automaticSince'>,
  { collectionMethod, lapsesAt }: Pick<Document['state'], 'collectionMethod' | 'lapsesAt'>,
): boolean {
  if (collectionMethod !== null) return collectionMethod === 'charge_automatically';
  return automaticSince !== null && lapsesAt !== null && automaticSince < lapsesAt;
}

export function isOver({ status }: Pick<Mandate, 'status'>): boolean {
  return status === 'failed' || status === 'canceled' || status === 'expired';
}

/**
 * The mandate as its provider tells; null if the answer is older than the known one, or about
 * another mandate.
 */
export function toldMandate(mandate: Mandate, report: MandateReport): Mandate | null {
  const { status, providerMandateId, at } = report;
  if (mandate.askedAt !== null && at < mandate.askedAt) return null;
  const isOther =
    mandate.providerMandateId !== null && mandate.providerMandateId !== providerMandateId;
  if (isOther) return null;
  const ends = isOver({ status });
  const told = {
    ...mandate,
    status,
    providerMandateId,
    scheme: report.scheme ?? mandate.scheme,
    reference: report.reference ?? mandate.reference,
    accountEnding: report.accountEnding ?? mandate.accountEnding,
    failure: ends ? (report.reason ?? mandate.failure) : null,
    activatedAt: mandate.activatedAt ?? (status === 'active' ? at : null),
    endedAt: ends ? (mandate.endedAt ?? at) : null,
  };
  const isSame = JSON.stringify(told) === JSON.stringify(mandate);
  return { ...told, askedAt: at, version: mandate.version + (isSame ? 0 : 1) };
}

/** The mandate after it was ended here. */
export function endedMandate(
  mandate: Mandate,
  status: MandateStatus,
  failure: string | null,
  at: Date,
): Mandate {
  const { version } = mandate;
  return { ...mandate, status, failure, askedAt: at, endedAt: at, version: version + 1 };
}

/** @param status null: the customer has none at all */
export function mandateNotActive(status: MandateStatus | null, currency: string): DomainError {
  const found = status === null ? 'The customer has none' : `This one is ${status}`;
  return PaymentRefusal.mandate_not_active.of(
    `An active mandate for ${currency} is needed. ${found}; ask for one, with ` +
      'POST /v1/finance/customers/{id}/mandates.',
    { mandate_status: status },
  );
}

export function mandateCurrencyMismatch(mandate: Mandate, currency: string): DomainError {
  return PaymentRefusal.mandate_currency_mismatch.of(
    `The customer's mandate is for ${mandate.currency}, and this document is in ${currency}; ask ` +
      'for another mandate, or have it paid by a payment link.',
    { mandate_currency: mandate.currency, currency },
  );
}

export function mandateOver(status: MandateStatus): DomainError {
  return PaymentRefusal.mandate_over.of(`This mandate is ${status} already.`, {
    mandate_status: status,
  });
}

export function debitsOf({ name, directDebits }: Gateway): DirectDebits {
  if (directDebits) return directDebits;
  throw GatewayRefusal.gateway_keeps_no_mandates.of(
    `Gateway ${name} keeps no mandates, or has no key for its provider; name another one.`,
  );
}
