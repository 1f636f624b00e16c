import { groupedByFour } from '../../../kernel/creditor-reference.js';
import { Money } from '../../../kernel/money.js';
import type { CashDiscountView } from '../cash-discount.js';
import {
  type AdjustmentView,
  type DocumentView,
  dueAtIssue,
  type LineView,
} from '../document-view.js';
import { isStructuredReference, writtenReference } from '../payment-reference.js';
import { accountsFor, numberOf } from '../parties/bank-account.js';
import { Locale } from './formatting.js';
import {
  type PrintedParty,
  printedBuyer,
  printedOthers,
  printedSeller,
  printedShipTo,
} from './printed-party.js';
import {
  adjustmentName,
  prepaidRows,
  type PrintedTotals,
  printedTotals,
  type SettledRow,
} from './printed-totals.js';
import {
  filled,
  inLanguage,
  type HideableColumn,
  type Placeholder,
  type TemplateBlock,
} from './template.js';
import { ownTexts } from './own-texts.js';
import {
  datesOf,
  lineDetails,
  type PrintedField,
  referencesOf,
  unitPriceOf,
} from './printed-details.js';
import { taxTexts } from '../calculation/tax-names.js';
import type { Texts } from '../texts/texts.js';

interface PrintedLine {
  position: number;
  description: string;
  quantity: string;
  unitPrice: string;
  tax: string;
  amount: string;
  /** Description of the item, and a note, below its name. */
  texts: string[];
  /** Details below these. */
  details: PrintedField[];
  /** Each as `Discount 10%`, with the reason in somebody's own words. */
  adjustments: { name: string; reason: string | null; amount: string }[];
  /** Of the lines up to this one. */
  sumSoFar: string;
}

interface PrintedColumns {
  position: string | null;
  description: string;
  quantity: string | null;
  unitPrice: string | null;
  tax: string | null;
  amount: string;
}

/** Words of the seller, with the document's facts in them. */
type PrintedBlock = Pick<TemplateBlock, 'place' | 'heading' | 'text'>;

/**
 * A document in words. PDF and portal page put these into boxes and decide nothing, so that the
 * two cannot say different things.
 */
export interface PrintedDocument {
  language: string;
  texts: Texts;
  /** `Credit note`. */
  title: string;
  /** `Credit note CRN-00001`. */
  heading: string;
  /** The document that it belongs to: `for invoice INV-00001`. */
  relation: string | null;
  seller: PrintedParty;
  buyer: PrintedParty;
  shipTo: PrintedParty | null;
  /** Payee and tax representative. */
  others: PrintedParty[];
  fields: PrintedField[];
  /** Their headings; null where the seller leaves one out. */
  columns: PrintedColumns;
  lines: PrintedLine[];
  totals: PrintedTotals;
  /** The money that came in before the issue, and the rest; empty where none came. */
  prepaid: SettledRow[];
  /** The terms of payment, and a sentence for each agreed reduction. */
  terms: string[];
  notes: string[];
  /** Names of what supports it. */
  attachments: string[];
  blocks: PrintedBlock[];
  footer: string | null;
  /** `#rrggbb`, as it was given. */
  accentColor: string | null;
  /** How to pay to a bank account; null where nobody is asked to. */
  payment: { accounts: PrintedField[][]; references: PrintedField[] } | null;
}

/** The words of a document: those of its language, and the seller's own. */
export function localeOf({ language, seller }: DocumentView): Locale {
  const spoken = Locale.of(language);
  return spoken.saying(ownTexts(spoken.texts, seller.template, spoken.language));
}

/** @param isDueNow money is asked for now, whatever was at the issue: of a page, and not of paper */
export function printed(view: DocumentView, isDueNow = false): PrintedDocument {
  const asks = isDueNow || isAsked(view);
  const { template } = view.seller;
  const locale = localeOf(view);
  const { texts } = locale;
  const facts = placeholdersOf(view, locale);
  const title = titleOf(view, texts);
  const tax = taxTexts(view.seller, texts);
  return {
    language: locale.language,
    texts,
    title,
    heading: view.number === null ? title : `${title} ${view.number}`,
    relation: relationOf(view, locale),
    seller: printedSeller(view.seller, locale),
    buyer: printedBuyer(
      view.customer,
      texts.recipient[view.proforma ? 'invoice' : view.kind],
      locale,
    ),
    // Goods of a credit note are not sent anywhere.
    shipTo:
      view.kind === 'credit_note'
        ? null
        : printedShipTo(view.details.delivery ?? view.customer.shipping_address, locale),
    others: printedOthers(view.details, locale),
    fields: fieldsOf(view, locale, asks),
    columns: {
      position: unlessHidden(view, 'position', '#'),
      description: texts.description,
      quantity: unlessHidden(view, 'quantity', texts.quantity),
      unitPrice: unlessHidden(view, 'unit_price', texts.unitPrice),
      tax: unlessHidden(view, 'tax', tax.name),
      amount: view.pricesIncludeTax ? tax.amountIncluded : texts.netAmount,
    },
    lines: printedLines(view, locale),
    totals: printedTotals(view, locale),
    prepaid: prepaidRows(view, locale),
    terms: [
      ...(view.details.payment_terms === undefined ? [] : [view.details.payment_terms]),
      ...view.cashDiscounts.map((one) => cashDiscountOf(one, view, locale)),
    ],
    notes: [view.notes, ...(view.details.subject_notes ?? []).map(({ text }) => text)].filter(
      (note) => note !== null,
    ),
    attachments: (view.details.attachments ?? []).map(({ name }) => name),
    blocks: inLanguage(template?.blocks ?? [], locale.language).map(({ place, heading, text }) => ({
      place,
      heading,
      text: filled(text, facts),
    })),
    footer: template?.footer ? filled(template.footer, facts) : null,
    accentColor: template?.accent_color ?? null,
    payment: asks ? paymentOf(view, texts) : null,
  };
}

/** A type of its own has a title of its own, where it is a usual one. */
function titleOf({ kind, proforma, details }: DocumentView, texts: Texts): string {
  const types: Record<string, string> = texts.typeTitles;
  return types[details.type_code ?? ''] ?? texts.titles[proforma ? 'proforma' : kind];
}

function unlessHidden({ seller }: DocumentView, column: HideableColumn, heading: string) {
  return seller.template?.hidden_columns.includes(column) ? null : heading;
}

function placeholdersOf(view: DocumentView, locale: Locale): Record<Placeholder, string | null> {
  const { customer, seller } = view;
  return {
    number: view.number,
    issue_date: view.issueDate && locale.date(view.issueDate),
    due_date: view.dueDate && locale.date(view.dueDate),
    total: locale.money(view.total),
    currency: view.currency,
    customer_name: customer.name,
    customer_reference: view.details.buyer_reference ?? customer.reference,
    seller_name: seller.name,
    purchase_order: view.purchaseOrder,
    payment_reference: view.paymentReference && writtenReference(view.paymentReference),
  };
}

/** The date that the reader has to keep; a credit note has none. */
export function lastDate({ kind, dueDate }: DocumentView, locale: Locale): PrintedField | null {
  const { texts } = locale;
  if (dueDate === null || kind === 'credit_note') return null;
  const name = kind === 'quote' ? texts.validUntil : texts.dueDate;
  return { name, value: locale.date(dueDate) };
}

/** Nothing is left to pay where more came in before. */
function cashDiscountOf(
  { percent, days, until, total }: CashDiscountView,
  { amountPrepaid }: DocumentView,
  locale: Locale,
): string {
  const { by, within } = locale.texts.cashDiscount;
  const share = locale.percent(percent);
  if (until === null) return within(share, locale.number(`${days}`));
  return by(share, locale.date(until), locale.money(total.minus(amountPrepaid).atLeastZero()));
}

function relationOf(view: DocumentView, locale: Locale): string | null {
  const { origin, revision, details } = view;
  const { texts } = locale;
  const number = origin?.number ?? null;
  if (number === null) return revision > 1 ? texts.revision(`${revision}`) : null;
  if (origin?.relation === 'credit') {
    const dated = details.preceding_invoice;
    const invoice = texts.forInvoice(number);
    return dated ? `${invoice}, ${locale.date(dated.issue_date)}` : invoice;
  }
  if (origin?.relation !== 'revision') return null;
  return `${texts.revision(`${revision}`)}, ${texts.replaces(number)}`;
}

function fieldsOf(view: DocumentView, locale: Locale, asks: boolean): PrintedField[] {
  const { texts } = locale;
  const { origin, customer, details } = view;
  const fields = [
    { name: texts.issueDate, value: view.issueDate && locale.date(view.issueDate) },
    lastDate(view, locale),
    { name: texts.quote, value: origin?.relation === 'conversion' ? origin.number : null },
    ...datesOf(view, locale),
    { name: texts.reference, value: details.buyer_reference ?? customer.reference },
    { name: texts.purchaseOrder, value: view.purchaseOrder },
    ...referencesOf(view, locale),
    { name: texts.currency, value: view.currency },
    {
      name: `${taxTexts(view.seller, texts).name} (${view.taxInTaxCurrency?.currency})`,
      value: view.taxInTaxCurrency && locale.money(view.taxInTaxCurrency),
    },
    // With bank accounts it stands beside them.
    asks && accountsFor(view).length === 0 ? referenceField(view, texts) : null,
  ];
  return fields.filter((field): field is PrintedField => field !== null && field.value !== null);
}

function printedLines(view: DocumentView, locale: Locale): PrintedLine[] {
  let sum = Money.zero(view.currency);
  return view.lines.map((line) => {
    sum = sum.plus(shownAmount(line, view));
    return { ...printedLine(line, view, locale), sumSoFar: locale.money(sum) };
  });
}

function shownAmount({ amount, net }: LineView, { pricesIncludeTax }: DocumentView): Money {
  return pricesIncludeTax ? amount : net;
}

function printedLine(line: LineView, view: DocumentView, locale: Locale) {
  const { texts } = locale;
  const adjustment = (name: string, one: AdjustmentView, amount = one.amount) => ({
    name: adjustmentName(name, one, locale),
    reason: one.reason,
    amount: locale.money(amount),
  });
  return {
    position: line.position,
    description: line.description,
    quantity: locale.quantity(line.quantity, line.unit),
    unitPrice: unitPriceOf(line, view.currency, locale),
    tax: locale.percent(line.taxRate),
    amount: locale.money(shownAmount(line, view)),
    texts: [line.details.item_description, line.details.note].filter((text) => text !== undefined),
    details: lineDetails(line, view.currency, locale),
    adjustments: [
      ...line.discounts.map((one) => adjustment(texts.discount, one, one.amount.negated())),
      ...line.charges.map((one) => adjustment(texts.charge, one)),
    ],
  };
}

/** Whether it asks for money when it is issued. */
export function isAsked(view: DocumentView): boolean {
  return view.kind === 'invoice' && dueAtIssue(view).isPositive();
}

/** Words of the caller's own take the place of the number. */
function transferFields(view: DocumentView, texts: Texts): PrintedField[] {
  const own = referenceField(view, texts);
  if (own?.name === texts.paymentReference || view.number === null) return own ? [own] : [];
  return [{ name: texts.paymentReference, value: view.number }, ...(own ? [own] : [])];
}

function referenceField(
  { paymentReference: said }: DocumentView,
  texts: Texts,
): PrintedField | null {
  if (said === null) return null;
  const name = isStructuredReference(said) ? texts.creditorReference : texts.paymentReference;
  return { name, value: writtenReference(said) };
}

function paymentOf(view: DocumentView, texts: Texts): PrintedDocument['payment'] {
  const { seller } = view;
  const accounts = accountsFor(view);
  if (accounts.length === 0) return null;
  return {
    accounts: accounts.map((account) => [
      { name: texts.accountHolder, value: account.holder ?? seller.legal_name ?? seller.name },
      ...(account.bank_name === null ? [] : [{ name: texts.bank, value: account.bank_name }]),
      account.iban === null
        ? { name: texts.accountNumber, value: numberOf(account) }
        : { name: 'IBAN', value: groupedByFour(account.iban) },
      ...(account.bank_code ? [account.bank_code] : []),
      ...(account.bic === null ? [] : [{ name: 'BIC', value: account.bic }]),
    ]),
    references: transferFields(view, texts),
  };
}
