import type { AccountRow } from '../../auth/index.js';
import { Locale, sellerOf } from '../../documents/index.js';
import type { AskedEnd } from '../domain/asked-end.js';
import type { DisabledEndpoint } from '../domain/disabled-endpoint.js';
import type { LetterToSend } from '../domain/letter.js';

/** A letter of the house to the seller: nobody answers it. */
export type SellerLetter = Omit<LetterToSend, 'accent'>;

export function sellerLetter(
  { language, direction }: Locale,
  sellerName: string,
  said: Pick<SellerLetter, 'subject' | 'paragraphs' | 'facts'>,
): SellerLetter {
  return {
    language,
    direction,
    sellerName,
    ...said,
    logo: null,
    quoted: null,
    button: null,
    refusal: null,
    closing: '',
    replyTo: null,
    attachments: [],
  };
}

/** Its program hears of nothing any more: why, since when, and the way back. */
export function endpointLetter(
  { language, timeZone, seller }: AccountRow,
  { endpoint, address, reason, failingSince, undelivered }: DisabledEndpoint,
): SellerLetter {
  const locale = Locale.of(language);
  const { endpointDisabled: texts } = locale.texts.mail;
  return sellerLetter(locale, sellerOf(seller).name, {
    subject: texts.title,
    paragraphs: [texts.title, texts[reason], texts.mend],
    facts: [
      { name: texts.address, value: `${address} (${endpoint})` },
      ...(failingSince === null
        ? []
        : [{ name: texts.since, value: locale.moment(new Date(failingSince), timeZone) }]),
      { name: texts.undelivered, value: locale.number(String(undelivered)) },
    ],
  });
}

/** To be ended by the seller, or talked about: an answer goes to the client. */
export function askedEndLetter(
  { language, seller }: AccountRow,
  { schedule, name, client, email, nextOn }: AskedEnd,
): SellerLetter {
  const locale = Locale.of(language);
  const { mail, recurring } = locale.texts;
  const title = mail.endAsked.title(client, name);
  const letter = sellerLetter(locale, sellerOf(seller).name, {
    subject: title,
    paragraphs: [
      title,
      mail.endAsked.goesOn,
      ...(nextOn === null ? [] : [recurring.next(locale.date(nextOn))]),
    ],
    facts: [
      { name: recurring.heading, value: `${name} (${schedule})` },
      ...(email === null ? [] : [{ name: mail.detailsChanged.emailAddress, value: email }]),
    ],
  });
  return { ...letter, replyTo: email };
}
