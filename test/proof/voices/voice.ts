import { createHmac } from 'node:crypto';

/*
 * Providers as the runs hear them. Each writes its events by itself, from its provider's
 * documentation, and signs them: no code of the service is asked how money is written.
 */

/** A payment at a provider. */
export interface Charge {
  id: string;
  /** Our link, as the provider hands it back. */
  link: string;
  amount: number;
  currency: string;
}

/** Body and headers of a delivery. */
export interface Spoken {
  body: string;
  headers: Record<string, string>;
}

/** A word on a dispute, as its event can say it. */
export interface DisputeWord {
  status: 'inquiry' | 'open' | 'won' | 'lost' | 'closed';
  amount: number;
  /** Null: it is not said. */
  fee: number | null;
  /** The part that the provider has; undefined: it is not said. */
  withdrawn?: number;
  at: number;
}

/** A refund of ours, or of the provider's dashboard. */
export interface RefundWord {
  /** The provider's own id of it. */
  id: string;
  ours: string | null;
  payment: string;
  amount: number;
  currency: string;
  status: 'succeeded' | 'failed';
  at: number;
}

/** A failure: of a payment that may come or has come, or of a try that never will. */
export interface Failing {
  /** `ofPaid`: of a payment that is told as paid, too; `ofTry`: only of one that never is. */
  of: 'ofPaid' | 'ofTry';
  /** False: the event names the link alone. */
  namesPayment: boolean;
  /** False: the payer may try again on the same page. */
  isFinal: boolean;
  told(charge: Charge, at: number): Spoken;
}

/** A payment that is taken back after it came. */
interface Reversing {
  namesLink: boolean;
  /** It has an id of its own, so a dispute that comes later takes it over. */
  names?: Naming;
  /** @param name null for one that has none */
  told(charge: Charge, at: number, name: string | null): Spoken;
}

export interface Naming {
  fresh(): string;
  /** Several events may tell of the same one. */
  isRetold: boolean;
  /** False: it is all that is left. */
  saysAmount: boolean;
  /** Those of some payments have none. */
  isOptional?: boolean;
}

/** One provider: each fact that it can tell, really signed. */
export interface Voice {
  /** The currencies of its payments here. */
  currencies: readonly string[];
  /** Amounts of its pay pages end with a zero, in currencies of three decimals. */
  hasShortThousandths?: boolean;
  /** Its answers say only that it was heard. */
  isSilent?: boolean;
  /** False: no API gives money back. */
  refunds?: boolean;
  /** It is asked about what it tells, so that its last word is heard, whatever comes late. */
  isAsked?: boolean;
  /** So long ago its payments were: where a time to come counts as now. */
  ageMs?: number;
  paymentId(): string;
  /** The fee that it can tell of this one; 0 is none. */
  feeOf(fee: number): number;
  paid(charge: Charge, fee: number, at: number): Spoken;
  processing(charge: Charge, at: number): Spoken;
  failed?: Failing;
  reversed?: Reversing;
  dispute: DisputeVoice;
  /** Its own id of a refund, made of ours. */
  refundId(ours: string): string;
  refund(word: RefundWord): Spoken;
  /** The sum of what went back of a payment, under no name. */
  refundedInAll?(charge: Charge, amount: number, at: number): Spoken;
  /** All refunds of a payment are shown to who asks. */
  showRefunds?(charge: Charge, refunds: readonly Omit<RefundWord, 'payment' | 'currency'>[]): void;
  /** With all its lines in one event. */
  payout?(word: PayoutWord, status: 'paid' | 'failed', at: number): Spoken;
}

/** Money that is sent to the bank, as our own calls name it, too. */
export interface PayoutWord {
  payout_id: string;
  amount: number;
  currency: string;
  fee: number;
  sent_on: string;
  /** Null: nobody tells what is in it. */
  lines: { kind: string; amount: number; fee: number; provider_id: string | null }[] | null;
}

interface DisputeVoice {
  statuses: readonly DisputeWord['status'][];
  /** Only all of a payment is disputed, and once. */
  isWhole?: boolean;
  /** An event has no time in its id: said again, it is the same event. */
  saysOnce?: boolean;
  id(payment: string, which: number): string;
  /** The word as it is heard, and its event. */
  told(charge: Charge, id: string, word: DisputeWord): { word: DisputeWord; spoken: Spoken };
}

export const ALL_STATUSES = ['inquiry', 'open', 'won', 'lost', 'closed'] as const;

const DIGITS: Record<string, number> = { EUR: 2, GBP: 2, JPY: 0, KWD: 3 };

/** 1250 of EUR as `12.50`. */
export function decimal(minor: number, currency: string): string {
  const digits = DIGITS[currency] ?? 2;
  const text = String(minor).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

export const seconds = (at: number) => Math.floor(at / 1000);
export const iso = (at: number) => new Date(at).toISOString();
export const hex = (secret: string, text: string) =>
  createHmac('sha256', secret).update(text).digest('hex');

let made = 0;
/** An id that nothing else has, of so many letters and digits. */
export function fresh(prefix: string, length = 16): string {
  made += 1;
  const random = Math.random().toString(36).slice(2, 8).padEnd(6, '0');
  return `${prefix}${(made.toString(36) + random).padStart(length, '0')}`;
}

export const written = (value: object) => JSON.stringify(value);

/** Only letters and digits of an id of ours. */
export const plain = (id: string) => id.replaceAll(/[^A-Za-z0-9]/g, '');
