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
  version: number;
}

export const NO_MAIL: MailSettings = {
  documentsSince: null,
  receiptsSince: null,
  answersSince: null,
  remindersSince: null,
  reminderDays: [],
  version: 1,
};

/** The account's wishes from now on; absent: as it was. */
export interface MailWish {
  documents?: boolean | undefined;
  receipts?: boolean | undefined;
  answers?: boolean | undefined;
  reminderDays?: readonly number[] | undefined;
}

/** A wish that was there keeps its instant; a new one begins now. */
export function settingsAfter(before: MailSettings, wish: MailWish, now: Date): MailSettings {
  const since = (was: Date | null, isWanted: boolean | undefined) =>
    (isWanted ?? was !== null) ? (was ?? now) : null;
  const days = wish.reminderDays ?? before.reminderDays;
  return {
    documentsSince: since(before.documentsSince, wish.documents),
    receiptsSince: since(before.receiptsSince, wish.receipts),
    answersSince: since(before.answersSince, wish.answers),
    remindersSince: since(before.remindersSince, days.length > 0),
    reminderDays: [...new Set(days)].sort((a, b) => a - b),
    version: before.version + 1,
  };
}
