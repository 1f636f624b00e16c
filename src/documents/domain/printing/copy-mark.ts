import { type DocumentView, payableOf } from '../document-view.js';
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
 * The mark of what became of a document since its issue: replaced, void, rejected, invoiced, paid or
 * refunded. Null for what still stands as it was issued.
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
    const sentence = `${status.paid} · ${on(paid)}`;
    return refundedMark(view, sentence) ?? { word: status.paid, sentence, suffix: '-paid' };
  }
  const isLeft = view.amountUndecided.isPositive() && payableOf(view).isZero();
  return isLeft ? refundedMark(view, null) : null;
}

/** Of what was paid, and went back. A part of it stands in the sentence only. */
function refundedMark(view: DocumentView, paid: string | null): CopyMark | null {
  if (view.refundStatus === 'none') return null;
  const { texts } = Locale.of(view.language);
  const back = texts.refundStatus[view.refundStatus];
  const sentence = paid === null ? back : `${paid} · ${back}`;
  return view.refundStatus === 'full'
    ? { word: texts.refunded, sentence, suffix: '-refunded' }
    : { word: texts.status.paid, sentence, suffix: '-paid' };
}
