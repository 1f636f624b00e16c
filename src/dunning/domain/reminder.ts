import type { IsoDate } from '../../kernel/clock.js';
import type { Message } from '../../mail/index.js';
import type { Currency } from '../../kernel/currency.js';
import type { Uuid } from '../../kernel/ids.js';
import type { DunningWords } from './dunning-plan.js';
import type { InterestPart } from './late-interest.js';

/** As that of its message. */
export type ReminderStatus = Message['status'];

export const CHARGE_KINDS = ['fee', 'interest', 'lump_sum'] as const;
export type ChargeKind = (typeof CHARGE_KINDS)[number];

/** `proposed`: its letter has not left; `claimed`: it has, and no document bills it yet. */
export const CHARGE_STATUSES = ['proposed', 'claimed', 'billed', 'waived', 'withdrawn'] as const;
export type ChargeStatus = (typeof CHARGE_STATUSES)[number];

/** A claim of a letter beside the debt. */
export interface Charge {
  id: Uuid;
  kind: ChargeKind;
  /** The document that is paid late; of a fee of a letter about several, the oldest. */
  documentId: Uuid;
  amount: bigint;
  parts: InterestPart[];
  status: ChargeStatus;
  /** The invoice that it is on. */
  billedBy: Uuid | null;
}

/** A document that a letter lists. */
export interface RemindedDocument {
  documentId: Uuid;
  number: string;
  dueDate: IsoDate;
  /** Asked for by the letter, in minor units. */
  asked: bigint;
  /** The step that this is for the document; null: it is listed, and its step comes later. */
  level: number | null;
  /** Of that step, after the due date. */
  days: number | null;
}

/** One letter that asks for what is due: a fact of when, to whom, and what it asked. */
export interface Reminder {
  id: Uuid;
  accountId: Uuid;
  customerId: Uuid;
  currency: Currency;
  status: ReminderStatus;
  reason: string | null;
  /** Of the plan: that of the furthest document. */
  level: number;
  stepDays: number;
  /** Which step after the due date that is, from 1; 0: it is before. */
  lateStep: number;
  /** Whether a further step comes behind it. */
  isLast: boolean;
  words: DunningWords[];
  madeOn: IsoDate;
  payBy: IsoDate;
  /** The oldest first. */
  documents: RemindedDocument[];
  charges: Charge[];
  /** Addresses that it went to; empty: by other means. */
  sentTo: string[];
  /** Why its charges could not be billed. */
  problem: string | null;
  createdAt: Date;
  settledAt: Date | null;
}

export const askedBy = ({ documents }: Reminder): bigint =>
  documents.reduce((sum, { asked }) => sum + asked, 0n);

/** Those that nobody gave up, or took back. */
export const standingCharges = ({ charges }: Reminder): Charge[] =>
  charges.filter(({ status }) => status !== 'waived' && status !== 'withdrawn');

export const chargedBy = (reminder: Reminder): bigint =>
  standingCharges(reminder).reduce((sum, { amount }) => sum + amount, 0n);
