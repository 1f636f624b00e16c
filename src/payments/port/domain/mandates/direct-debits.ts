import type { IsoDate } from '../../../../kernel/clock.js';
import type { Money } from '../../../../kernel/money.js';
import type { Payer } from '../checkout.js';
import type { MandateReport } from '../provider-report.js';

/** A request to a provider to ask a customer for a mandate. */
export interface MandateRequest {
  /** Our public id, `mand_...`: the key of the call, and what the provider's mandate carries. */
  mandateId: string;
  /** ISO 4217: it decides the scheme. */
  currency: string;
  /** The page to which the customer's browser is sent afterwards; null: the provider's own. */
  returnUrl: string | null;
  payer: Payer;
  /** Of the page, BCP 47; null leaves it to the provider. */
  language: string | null;
}

/** The page where a customer gives a mandate. Null where there is nothing to do for the customer. */
export interface MandatePage {
  url: string | null;
  providerRequestId: string | null;
}

/** A mandate that was asked for at a provider. */
export interface PlacedMandate {
  mandateId: string;
  providerRequestId: string | null;
  providerMandateId: string | null;
}

/** Money to be debited by a mandate. */
export interface CollectionRequest {
  /** Our public link id: the key of the call, and what the provider's payment carries. */
  linkId: string;
  providerMandateId: string;
  amount: Money;
  /** The line that the customer reads, such as `Invoice INV-2026-00001`. */
  description: string;
  /** The day of the debit; a provider that cannot any more takes its next possible day. */
  chargeOn: IsoDate;
  /** When it was asked for first. */
  requestedAt: Date;
  /** It may be there already: the answer to an earlier call was lost. */
  isRepeated: boolean;
}

/**
 * A provider that keeps mandates of customers, and debits them when we say so. A debit is the payment
 * of a link. `Gateway` looks it up, cancels and refunds it as that of a pay page, by the provider's id.
 */
export abstract class DirectDebits {
  /**
   * Asks for a mandate, once for its id.
   * @throws DomainError `gateway_unavailable`, `gateway_refused`
   */
  abstract setUp(request: MandateRequest): Promise<MandatePage>;

  /**
   * How a mandate stands now; undefined while the customer has not agreed.
   * @throws DomainError `gateway_unavailable` when the provider does not say
   */
  abstract lookUp(mandate: PlacedMandate): Promise<MandateReport | undefined>;

  /**
   * Ends a mandate, or the page where it would be given. One that is over already stays as it is.
   * @throws DomainError `gateway_unavailable` when the provider does not say
   */
  abstract cancel(mandate: PlacedMandate): Promise<void>;

  /**
   * Has the customer debited, once for a link id, however often it is asked.
   * @returns the provider's id of the payment
   * @throws DomainError `gateway_refused` only where the provider clearly says no
   * @throws DomainError `gateway_unavailable` when it cannot be known what happened
   */
  abstract collect(request: CollectionRequest): Promise<string>;

  /**
   * The payment of a link that a lost call may have made. Undefined only where a complete list does
   * not have it.
   * @throws DomainError `gateway_unavailable` when the provider does not say
   */
  abstract find(request: CollectionRequest): Promise<string | undefined>;
}
