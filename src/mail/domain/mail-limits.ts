import { mailboxOf } from '../../kernel/mailbox.js';
import { KINDS_TO_SELLER, type Message } from './message.js';
import { MailRefusal } from './refusals.js';

const WINDOW_MS = 24 * 3600 * 1000;
/** As long as a message is tried that a mail server does not take. */
const LONGEST_HOLD_MS = 3 * WINDOW_MS;
/** Messages that wait for one place look for it no more often. */
const SHORTEST_HOLD_MS = 600_000;

/** A limit without room. */
export interface FullLimit {
  limit: 'document' | 'recipient' | 'account';
  /** The number that it allows. */
  most: number;
  /** When the place was taken that becomes free next. */
  countedAt: Date;
}

/** Places that were taken later than that still count. */
export function windowStart(now: Date): Date {
  return new Date(now.getTime() - WINDOW_MS);
}

/** A message leaves within 24 hours of being counted, or is counted again. */
export function hasPlace({ countedAt }: Message, now: Date): boolean {
  return countedAt !== null && countedAt > windowStart(now);
}

/** A message of the house to the seller is counted by its kind; null: it is not. */
export function countedKind({ kind }: Message): string | null {
  return KINDS_TO_SELLER.some((one) => one === kind) ? kind : null;
}

/** The mailbox of each letter. A message of the house to the seller takes no place of others. */
export function countedMailboxes(message: Message): string[] {
  if (countedKind(message) !== null) return [];
  return message.recipients.map((one) => mailboxOf(one)?.untagged ?? one.toLowerCase());
}

/** When a message that nobody waits for is looked at again; null: it has waited long enough. */
export function heldUntil(
  { createdAt }: Message,
  { countedAt }: FullLimit,
  now: Date,
): Date | null {
  const waitedMs = now.getTime() - createdAt.getTime();
  if (waitedMs >= LONGEST_HOLD_MS) return null;
  return new Date(Math.max(freeAt(countedAt).getTime(), now.getTime() + SHORTEST_HOLD_MS));
}

/** The answer to a caller who asks for one too many. */
export function tooManyMessages({ limit, most, countedAt }: FullLimit, now: Date) {
  const at = freeAt(countedAt);
  const which = {
    document: 'messages of a document',
    recipient: 'letters of an account to one address',
    account: 'letters of an account',
  }[limit];
  return MailRefusal.too_many_messages.of(
    `No more than ${most} ${which} leave within 24 hours; try again after ${at.toISOString()}.`,
    { limit, retry_after: Math.max(1, Math.ceil((at.getTime() - now.getTime()) / 1000)) },
  );
}

function freeAt(countedAt: Date): Date {
  return new Date(countedAt.getTime() + WINDOW_MS);
}
