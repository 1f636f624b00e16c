import { addDays, type IsoDate } from '../../kernel/clock.js';

/** Years after the end of the calendar year in which books of the EU are kept longest. */
const KEPT_YEARS = 10;

/** Something that erasure leaves, with its reason and its end. */
export interface Kept {
  what: 'documents' | 'bookings' | 'history' | 'stored_answers';
  why: string;
  /** Null: nobody can say, as it is part of a chain that proves the rest. */
  until: IsoDate | null;
}

/** @param lastDay of a document or a movement of money; null: there is none */
export function keptOnErasure(
  lastDay: IsoDate | null,
  today: IsoDate,
  answerHours: number,
): Kept[] {
  const always: Kept[] = [
    {
      what: 'history',
      why:
        'Events and the audit log are append-only and sealed: without them nobody could prove the rest. ' +
        'They have the words, notes and metadata of documents and payments, and what was changed of a customer.',
      until: null,
    },
    {
      what: 'stored_answers',
      why: 'Encrypted answers to idempotency keys, without which a repeated request would be done twice.',
      until: addDays(today, Math.ceil(answerHours / 24)),
    },
  ];
  if (lastDay === null) return always;
  const until = `${Number.parseInt(lastDay.slice(0, 4), 10) + KEPT_YEARS}-12-31`;
  return [
    {
      what: 'documents',
      why:
        'Issued documents with the buyer as printed, their lines, attachments, PDFs and e-invoices: ' +
        'tax and commercial law asks for them (Art. 17 (3) b GDPR; AO 147, HGB 257). ' +
        'They are restricted: no list or search finds them by the buyer, and no mail goes out.',
      until,
    },
    {
      what: 'bookings',
      why:
        'Payments, refunds, disputes, entries of the bank and what providers reported: ' +
        'the books are made of them, and they are sealed.',
      until,
    },
    ...always,
  ];
}
