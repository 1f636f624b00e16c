import type { DocumentView } from '../../documents/index.js';
import type { Reminder } from '../domain/reminder.js';

/** A letter in the language of its document. */
export interface ReminderWords {
  subject: string;
  title: string;
  sentences: string[];
  /** Of each document and charge, and of all; in minor units. */
  rows: { name: string; amount: bigint; isTotal: boolean }[];
}

/** The words of a letter, and its paper. */
export abstract class ReminderPaper {
  /** @param view the oldest document, which has seller, customer and language */
  abstract words(reminder: Reminder, view: DocumentView): ReminderWords;
  abstract pdf(reminder: Reminder, view: DocumentView): Promise<Buffer>;
  abstract fileName(reminder: Reminder): string;
}
