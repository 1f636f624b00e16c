import type { Texts } from '../../documents/index.js';
import type { Charge, Reminder } from '../domain/reminder.js';

/** A charge in words, on letters and invoices alike: `Reminder fee (INV-00001)`. */
export function chargeName(
  { kind, documentId }: Charge,
  { documents }: Reminder,
  { dunning }: Texts,
): string {
  const number = documents.find((one) => one.documentId === documentId)?.number ?? '';
  const names = { fee: dunning.fee, interest: dunning.interest, lump_sum: dunning.lumpSum };
  return names[kind](number);
}
