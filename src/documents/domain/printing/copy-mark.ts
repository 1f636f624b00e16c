import type { DocumentView } from '../document-view.js';
import { Locale } from './formatting.js';

/** A copy of a document that asks for nothing any more says so on each page. */
export interface CopyMark {
  /** A word across each page. */
  word: string;
  /** In the head, and at the foot of each page. */
  sentence: string | null;
  /** Behind the number in the name of the file. */
  suffix: string;
}

/**
 * The mark of what became of a document since its issue: replaced, void, rejected, invoiced or
 * paid. Null for what still stands as it was issued.
 *
 * @param timeZone the seller's, for the date
 */
export function copyMarkOf(view: DocumentView, timeZone: string): CopyMark | null {
  const locale = Locale.of(view.language);
  const { texts } = locale;
  const { status } = texts;
  const { voided, rejected, converted, paid } = view.transitions;
  const on = (at: Date) => locale.instant(at, timeZone);
  const followUp = (wanted: string) =>
    view.followUps.find(({ relation, number }) => relation === wanted && number !== null)?.number;
  const revision = followUp('revision');
  const invoice = followUp('conversion');
  if (view.status === 'draft') return { word: texts.draft, sentence: null, suffix: '' };
  if (voided && revision) {
    return { word: status.void, sentence: texts.replacedBy(revision), suffix: '-replaced' };
  }
  if (voided) return { word: status.void, sentence: texts.voidedOn(on(voided)), suffix: '-void' };
  if (rejected) {
    return { word: status.rejected, sentence: texts.rejectedOn(on(rejected)), suffix: '-rejected' };
  }
  if (converted) {
    const sentence = invoice ? texts.invoicedAs(invoice) : `${status.converted} · ${on(converted)}`;
    return { word: status.converted, sentence, suffix: '-invoiced' };
  }
  if (paid && view.status === 'paid' && view.total.isPositive()) {
    return { word: status.paid, sentence: `${status.paid} · ${on(paid)}`, suffix: '-paid' };
  }
  return null;
}
