import {
  accentShades,
  askedOf,
  type DocumentView,
  type Locale,
  printed,
} from '../../documents/index.js';
import type { Letter, LetterToSend } from '../domain/letter.js';

const BUTTON_COLOR = '#1b4fd8';

/** Of a button, by the template of the seller. */
export function accentOf(template: { accent_color: string | null } | null): Letter['accent'] {
  const { light, onLight } = accentShades(template?.accent_color ?? BUTTON_COLOR);
  return { ground: light, letters: onLight };
}

/** The parts that differ between the kinds of letters. */
export type SaidInLetter = Pick<
  LetterToSend,
  'subject' | 'paragraphs' | 'markup' | 'facts' | 'button' | 'refusal' | 'attachments'
>;

export function factsOf(view: DocumentView, locale: Locale): LetterToSend['facts'] {
  const { texts } = locale;
  const { title } = printed(view);
  // Money that is on its way is not asked for once more.
  const asked = view.amountDue.isPositive() ? askedOf(view) : view.amountDue;
  const isAsked = view.kind === 'invoice' && asked.isPositive();
  return [
    { name: title, value: view.number ?? '' },
    { name: texts.total, value: locale.money(view.total) },
    ...refundedIn(view, locale),
    ...(view.amountProcessing.isPositive()
      ? [{ name: texts.onItsWay, value: locale.money(view.amountProcessing) }]
      : []),
    ...(isAsked && asked.compare(view.total) !== 0
      ? [{ name: texts.amountDue, value: locale.money(asked) }]
      : []),
    ...(isAsked && view.dueDate !== null
      ? [{ name: texts.dueDate, value: locale.date(view.dueDate) }]
      : []),
  ];
}

/** The money that went back, and how much of the payments it is. */
export function refundedIn(view: DocumentView, locale: Locale): LetterToSend['facts'] {
  if (view.refundStatus === 'none') return [];
  const name = locale.texts.refundStatus[view.refundStatus];
  return [{ name, value: locale.money(view.amountRefunded) }];
}
