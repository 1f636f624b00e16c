import type { Money } from '../../../kernel/money.js';
import { isOfThisMachine } from '../../../kernel/plain-http.js';
import { FieldRefusal } from '../../../kernel/field-refusals.js';

/** A payer of a live account goes to no page of somebody's own machine. */
export function assertReturnUrl(url: string | null, { isTest }: { isTest: boolean }): void {
  if (url === null || isTest || !isOfThisMachine(url)) return;
  throw FieldRefusal.invalid_url.at(
    '/return_url',
    'return_url is a page of this machine, which only accounts made for trying may send payers to.',
  );
}

/** The person who is asked to pay, as far as the document says. */
export interface Payer {
  name: string;
  email: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
}

/** A request to a provider to collect money. */
export interface CheckoutRequest {
  /** Our public link id, `plink_...`; travels to the provider and comes back in its webhook. */
  linkId: string;
  amount: Money;
  /** One line a payer recognises, such as `Invoice INV-2026-00001`. */
  description: string;
  /** The page to which the provider sends the payer's browser afterwards. */
  returnUrl: string;
  expiresAt: Date;
  payer: Payer;
  /** Of the page, BCP 47; null leaves it to the provider. */
  language: string | null;
  /** The address of the gateway's webhook; null where no provider can reach it. */
  webhookUrl: string | null;
}

/**
 * The page to which the payer goes. `providerObjectId` is the provider's name of it (session,
 * order).
 */
export interface Checkout {
  url: string | null;
  providerObjectId: string | null;
  /** When the page ends, which may be before its link does. Absent, or null: the provider does not say. */
  pageExpiresAt?: Date | null;
}

/** A pay page that the provider has made. */
export interface PlacedCheckout {
  /** Our public link id, `plink_...`. */
  linkId: string;
  providerObjectId: string;
  amount: Money;
  expiresAt: Date;
}
