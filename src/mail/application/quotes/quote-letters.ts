import { type DocumentView, Locale, printed } from '../../../documents/index.js';
import type { LetterFile } from '../../domain/letter.js';
import type { DocumentKindToSeller } from '../../domain/message.js';
import { factsOf, type SaidInLetter } from '../letter-facts.js';

/** To the client of a quote that is about to expire, with the page on which it may be answered. */
export function expiringQuoteLetter(
  view: DocumentView,
  locale: Locale,
  { url, pdf }: { url: string; pdf: LetterFile },
): SaidInLetter {
  const { texts } = locale;
  const { mail } = texts;
  const named = texts.documentFrom(printed(view).heading, view.seller.name);
  const title = mail.quotes.expiring(named, lastDayOf(view, locale));
  return {
    subject: title,
    paragraphs: [title, mail.quotes.answer, mail.attached],
    facts: factsOf(view, locale),
    button: { text: mail.open, url },
    refusal: { text: mail.stop, url: `${url}/stop-reminders` },
    attachments: [pdf],
  };
}

/** To the seller, in its own language. */
export function quoteLetterToSeller(
  kind: Exclude<DocumentKindToSeller, 'answer'>,
  view: DocumentView,
  { locale, timeZone }: { locale: Locale; timeZone: string },
): SaidInLetter {
  const { timeline, mail } = locale.texts;
  const { heading } = printed({ ...view, language: locale.language });
  const client = view.acceptedBy ?? view.customer.name;
  const at = view.transitions.accepted;
  const [title, sentence] =
    kind === 'quote_waiting'
      ? [
          mail.quotes.waiting(heading),
          at && timeline.acceptedBy(client, locale.instant(at, timeZone)),
        ]
      : [
          mail.quotes.expiring(heading, lastDayOf(view, locale)),
          mail.quotes.unanswered(view.customer.name),
        ];
  return {
    subject: title,
    paragraphs: [title, ...(sentence ? [sentence] : [])],
    facts: factsOf(view, locale),
    button: null,
    refusal: null,
    attachments: [],
  };
}

const lastDayOf = ({ dueDate }: DocumentView, locale: Locale) =>
  dueDate === null ? '' : locale.date(dueDate);
