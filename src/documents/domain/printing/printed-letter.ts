import { type DocumentView, dueAtIssue } from '../document-view.js';
import { addressLines } from '../parties/postal-address.js';
import { paymentMeansOf } from '../texts/texts.js';
import type { Locale } from './formatting.js';
import type { PrintedField } from './printed-details.js';
import { isAsked, localeOf, type PrintedDocument } from './printed-document.js';
import { buyerIds, namesOf, particularsOf, reachedAt } from './printed-party.js';

/** The same document as a letter, with all that stands in the window, beside it, and above the lines. */
export interface PrintedLetter {
  /** Name and address of the seller in one line. */
  sender: string;
  /** The lines that the post has to read. */
  recipient: string[];
  /** The seller below its name. */
  head: string[];
  /** The block of information. */
  fields: PrintedField[];
  /** Salutation and what follows it; empty where the seller has words of its own there. */
  opening: string[];
  /** The sentence that says how much to pay until when; null where nobody is asked to. */
  request: string | null;
  /** The facts that laws want on the seller's papers. */
  particulars: string[];
}

export function printedLetter(view: DocumentView, paper: PrintedDocument): PrintedLetter {
  const { seller } = view;
  const locale = localeOf(view);
  return {
    sender: [seller.name, ...addressLines({ ...seller, country: null }, locale)].join(' · '),
    recipient: recipientOf(view, locale),
    head: reachedAt(seller, locale),
    fields: fieldsOf(view, paper, locale),
    opening: openingOf(view, paper, locale),
    request: requestOf(view, locale),
    particulars: particularsOf(seller, locale),
  };
}

/** The country is named where the letter leaves its own, in capitals as the Universal Postal Union asks. */
function recipientOf({ customer, seller }: DocumentView, locale: Locale): string[] {
  const { country } = customer;
  const address = addressLines(customer, locale);
  const domestic = country === null ? address : address.slice(0, -1);
  const abroad =
    country === null || country === seller.country
      ? []
      : [locale.country(country).toLocaleUpperCase(locale.language)];
  return [customer.name, ...namesOf(customer), ...domestic, ...abroad];
}

function fieldsOf(view: DocumentView, paper: PrintedDocument, locale: Locale): PrintedField[] {
  const { customerNumber, ofCustomer } = locale.texts.letter;
  const ids = buyerIds(view.customer, locale);
  return [
    ...ids.filter(({ name }) => name === customerNumber),
    ...paper.fields,
    ...ids
      .filter(({ name }) => name !== customerNumber)
      .map(({ name, value }) => ({ name: ofCustomer(name || 'ID'), value })),
  ];
}

/** Issued by the buyer: who writes it invoices nobody, and asks for nothing. */
const SELF_BILLED = '389';

function openingOf(view: DocumentView, paper: PrintedDocument, locale: Locale): string[] {
  const { letter } = locale.texts;
  const { contact_name: contact } = view.customer;
  if (paper.blocks.some(({ place }) => place === 'before_lines')) return [];
  const salutation = contact === null ? letter.salutation : letter.salutationTo(contact);
  const isPlain = view.proforma || view.details.type_code === SELF_BILLED;
  return isPlain ? [salutation] : [salutation, letter[view.kind]];
}

function requestOf(view: DocumentView, locale: Locale): string | null {
  const { payment_means_code: code, direct_debit: debit } = view.details;
  const { letter } = locale.texts;
  if (!isAsked(view) || view.details.type_code === SELF_BILLED) return null;
  const amount = locale.money(dueAtIssue(view));
  const means = debit ? 'direct_debit' : paymentMeansOf(code ?? '');
  if (means === 'card') return null;
  if (means === 'direct_debit' || view.collectionMethod === 'charge_automatically') {
    return letter.debited(amount);
  }
  return view.dueDate === null
    ? letter.pay(amount)
    : letter.payBy(amount, locale.date(view.dueDate));
}
