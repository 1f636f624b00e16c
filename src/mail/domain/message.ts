import type { Uuid } from '../../kernel/ids.js';
import { isEmailAddress } from '../../kernel/mailbox.js';
import type { DetailsChange } from './details-change.js';
import type { DisabledEndpoint } from './disabled-endpoint.js';
import type { AskedEnd } from './asked-end.js';
import type { StatedMonth } from './stated-month.js';
import type { ExtensionKind } from './written-letter.js';

export const MESSAGE_KINDS = [
  'document',
  'receipt',
  'reminder',
  'answer',
  'dunning',
  'quote_expiring',
  'quote_expiring_seller',
  'quote_waiting',
  'statement',
  'details_changed',
  'endpoint_disabled',
  'schedule_end_asked',
] as const;
/** Of the house to the seller, about no document. */
export const KINDS_TO_SELLER = [
  'details_changed',
  'endpoint_disabled',
  'schedule_end_asked',
] as const;
/** About documents, and to their sellers. */
const ABOUT_DOCUMENTS_TO_SELLER = ['answer', 'quote_expiring_seller', 'quote_waiting'] as const;
/** All that goes to the seller; the rest, and letters of extensions, go to customers. */
export const WRITTEN_TO_SELLER: readonly string[] = [
  ...ABOUT_DOCUMENTS_TO_SELLER,
  ...KINDS_TO_SELLER,
];
export type DocumentKindToSeller = (typeof ABOUT_DOCUMENTS_TO_SELLER)[number];
/** One of ours, or of an extension. */
export type MessageKind = (typeof MESSAGE_KINDS)[number] | ExtensionKind;

export function isToSeller(kind: MessageKind): kind is DocumentKindToSeller {
  return ABOUT_DOCUMENTS_TO_SELLER.some((one) => one === kind);
}

/** A reminder of something, which its reader may refuse. */
export const isRefusable = (kind: MessageKind) =>
  kind === 'reminder' || kind === 'dunning' || kind === 'quote_expiring';

/** Reasons of messages that wait since a restore, and of those that an operator then dropped. */
export const HELD_SINCE_RESTORE = 'held_since_restore';
export const DISCARDED = 'discarded';
/** Somebody sends it, or died while it did: the mail server may have it. */
export const BEING_SENT = 'being_sent';
/** It is canceled after an attempt of which nobody knows the end. */
export const MAY_HAVE_LEFT = 'may_have_left';

export const MESSAGE_STATUSES = ['queued', 'sent', 'failed', 'canceled'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** One message by e-mail for one fact: about a document, a month of a customer, or something of the seller's. */
export interface Message {
  id: Uuid;
  accountId: Uuid;
  /** Null: `change` says what it is about. */
  documentId: Uuid | null;
  kind: MessageKind;
  /** An event, a request, a day of the settings, a version of the seller, or a customer and month: there is one for each. */
  fact: string;
  recipients: string[];
  /** Words of the seller, or of the client who answered. */
  note: string | null;
  /** Money that a receipt confirms, in minor units of the document's currency. */
  amount: bigint | null;
  change: DetailsChange | DisabledEndpoint | AskedEnd | StatedMonth | null;
  status: MessageStatus;
  /** Why it waits, failed or was canceled. */
  reason: string | null;
  attempts: number;
  /** When it took its place among those of 24 hours; null: it has none yet. */
  countedAt: Date | null;
  /** Null once it is settled. */
  nextAttemptAt: Date | null;
  createdAt: Date;
  /** When it was sent, given up or canceled. */
  settledAt: Date | null;
}

/** An attempt, as it ended. */
export interface MessageOutcome {
  status: MessageStatus;
  reason: string | null;
  at: Date;
  /** The message waits for room, and was not tried. */
  isHeld?: boolean;
}

type SaidMessage = Pick<
  Message,
  'id' | 'accountId' | 'documentId' | 'kind' | 'fact' | 'recipients' | 'createdAt' | 'nextAttemptAt'
> &
  Partial<Pick<Message, 'note' | 'amount' | 'change'>>;

/** A message that begins, before it has its id and its times. */
export type BegunMessage = Omit<SaidMessage, 'id' | 'recipients' | 'createdAt' | 'nextAttemptAt'>;

/** A message that is to go at once. It is sent by the server's clock, whatever its account's says. */
export function queuedMessage(said: SaidMessage): Message {
  return {
    note: null,
    amount: null,
    change: null,
    ...said,
    status: 'queued',
    reason: null,
    attempts: 0,
    countedAt: null,
    settledAt: null,
  };
}

/**
 * The same to an address as it is stored. Without one it has failed: its seller sees why nothing was
 * sent.
 */
export function messageTo(stored: string | null, said: Omit<SaidMessage, 'recipients'>): Message {
  const isAddress = stored !== null && isEmailAddress(stored);
  const message = queuedMessage({ ...said, recipients: isAddress ? [stored] : [] });
  if (isAddress) return message;
  const reason = stored ? 'invalid_address' : 'no_address';
  const { createdAt } = message;
  return { ...message, status: 'failed', reason, nextAttemptAt: null, settledAt: createdAt };
}

const MINUTE_MS = 60_000;
/** Minutes between two attempts; after the last one a message has failed, three days later. */
const WAITS = [1, 5, 15, 60, 240, 720, 1440, 1800];

/** When a message is tried again that could not be sent now; null: no more. */
export function nextAttempt(attempts: number, now: Date): Date | null {
  const minutes = WAITS[attempts - 1];
  return minutes === undefined ? null : new Date(now.getTime() + minutes * MINUTE_MS);
}

/** The kinds that somebody may ask for. */
export const SENDABLE_KINDS = ['document', 'receipt', 'reminder'] as const;

export type SendableKind = (typeof SENDABLE_KINDS)[number] | ExtensionKind;
