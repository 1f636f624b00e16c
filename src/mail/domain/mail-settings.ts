/** Since when an account sends each kind of message by itself; nothing before that is sent. */
export interface MailSettings {
  /** Issued documents, to their customers. */
  documentsSince: Date | null;
  /** Confirmations of payments. */
  receiptsSince: Date | null;
  /** Answers of clients, to the seller. */
  answersSince: Date | null;
  remindersSince: Date | null;
  /** Days after the due date; below zero: before it. Ascending. */
  reminderDays: number[];
  /** Statements of account, for the month that it is in and those after it. */
  statementsSince: Date | null;
  /** Quotes that are about to expire, to both sides. */
  quotesSince: Date | null;
  /** Days after the last day of a quote; below zero: before it. Ascending. */
  quoteDays: number[];
  /** Accepted quotes that nobody converted, to the seller. */
  quoteWaitingSince: Date | null;
  /** Days after the acceptance. */
  quoteWaitingDays: number | null;
  version: number;
}

export const NO_MAIL: MailSettings = {
  documentsSince: null,
  receiptsSince: null,
  answersSince: null,
  remindersSince: null,
  reminderDays: [],
  statementsSince: null,
  quotesSince: null,
  quoteDays: [],
  quoteWaitingSince: null,
  quoteWaitingDays: null,
  version: 1,
};

/** The account's wishes from now on; absent: as it was. */
export interface MailWish {
  documents?: boolean | undefined;
  receipts?: boolean | undefined;
  answers?: boolean | undefined;
  reminderDays?: readonly number[] | undefined;
  statements?: boolean | undefined;
  quoteDays?: readonly number[] | undefined;
  quoteWaitingDays?: number | null | undefined;
}

/** A wish that was there keeps its instant; a new one begins now. */
export function settingsAfter(before: MailSettings, wish: MailWish, now: Date): MailSettings {
  const since = (was: Date | null, isWanted: boolean | undefined) =>
    (isWanted ?? was !== null) ? (was ?? now) : null;
  const days = wish.reminderDays ?? before.reminderDays;
  const quoteDays = wish.quoteDays ?? before.quoteDays;
  const waitingDays =
    wish.quoteWaitingDays === undefined ? before.quoteWaitingDays : wish.quoteWaitingDays;
  return {
    documentsSince: since(before.documentsSince, wish.documents),
    receiptsSince: since(before.receiptsSince, wish.receipts),
    answersSince: since(before.answersSince, wish.answers),
    remindersSince: since(before.remindersSince, days.length > 0),
    reminderDays: ascending(days),
    statementsSince: since(before.statementsSince, wish.statements),
    quotesSince: since(before.quotesSince, quoteDays.length > 0),
    quoteDays: ascending(quoteDays),
    quoteWaitingSince: since(before.quoteWaitingSince, waitingDays !== null),
    quoteWaitingDays: waitingDays,
    version: before.version + 1,
  };
}

const ascending = (days: readonly number[]) => [...new Set(days)].sort((a, b) => a - b);
