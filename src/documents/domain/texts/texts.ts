import type { DocumentRefundStatus } from '../refunded-money.js';
import type { DocumentKind, DocumentStatus } from '../lifecycle.js';

/** Units whose symbol is a word; all others are written alike everywhere (UNECE Rec. 20). */
type SpokenUnit =
  | 'H87'
  | 'EA'
  | 'PR'
  | 'SET'
  | 'DAY'
  | 'E49'
  | 'WEE'
  | 'MON'
  | 'ANN'
  | 'LS'
  | 'XUN';

/** Ways to pay that have a name on paper. */
type PaymentMeans = 'cash' | 'check' | 'transfer' | 'card' | 'direct_debit' | 'online';

// UNTDID 4461. Others are printed as their codes.
const PAYMENT_MEANS = new Map<string, PaymentMeans>([
  ['10', 'cash'],
  ['20', 'check'],
  ['30', 'transfer'],
  ['42', 'transfer'],
  ['58', 'transfer'],
  ['48', 'card'],
  ['54', 'card'],
  ['55', 'card'],
  ['49', 'direct_debit'],
  ['59', 'direct_debit'],
  ['68', 'online'],
]);

export function paymentMeansName(code: string, { means }: Texts['details']): string {
  const known = PAYMENT_MEANS.get(code);
  return known ? means[known] : code;
}

/** How money came in. */
type PaidBy =
  | 'bank_transfer'
  | 'card'
  | 'cash'
  | 'check'
  | 'direct_debit'
  | 'wallet'
  | 'crypto'
  | 'credit_balance'
  | 'other';

/** A tax in general, or value added tax, as it is called where there is such a tax. */
interface TaxTexts {
  name: string;
  total: string;
  /** Of a line whose price includes it. */
  amountIncluded: string;
  /** Number under which somebody is registered for it. */
  id: string;
}

/** Everything that is said on paper and on the portal page, in one language. Nothing is counted. */
export interface Texts {
  /** Of numbers and dates where a document's language names no country: `en-GB`. */
  locale: string;

  titles: Record<DocumentKind | 'proforma', string>;
  draft: string;
  notIssued: string;
  /** Title of a page, such as `Invoice INV-00001 from Acme`. */
  documentFrom(document: string, seller: string): string;
  page: string;
  /** Between the number of a page and their count. */
  pageOf: string;

  forInvoice(number: string): string;
  /** A part of a quantity: `1 h of 3 h`. */
  partOf(part: string, whole: string): string;
  revision(revision: number): string;
  replaces(number: string): string;
  replacedBy(number: string): string;
  invoicedAs(number: string): string;

  seller: string;
  recipient: Record<DocumentKind, string>;
  shipTo: string;
  northernIreland: string;
  registrationId: string;

  issueDate: string;
  dueDate: string;
  validUntil: string;
  quote: string;
  reference: string;
  purchaseOrder: string;
  currency: string;

  /** Details of EN 16931. */
  details: {
    supplyDate: string;
    servicePeriod: string;
    project: string;
    contract: string;
    salesOrder: string;
    despatch: string;
    paymentMeans: string;
    means: Record<PaymentMeans, string>;
    payee: string;
    taxRepresentative: string;
    orderLine: string;
    buyerItem: string;
  };

  description: string;
  quantity: string;
  unitPrice: string;
  netAmount: string;
  units: Record<SpokenUnit, string>;
  discount: string;
  charge: string;

  subtotal: string;
  netTotal: string;
  tax: TaxTexts;
  vat: TaxTexts;
  /** UNCL5305: those without tax, as the directive on value added tax words them. */
  untaxed: Record<'AE' | 'E' | 'G' | 'K' | 'O' | 'Z', string>;
  /** The base of a tax, after its name. */
  on(amount: string): string;
  rounding: string;
  total: string;
  includedInTotal: string;

  notes: string;
  /** For those who pay early. */
  cashDiscount: {
    name: string;
    /** The amount to pay by a day. */
    by(percent: string, date: string, amount: string): string;
    /** Before the issue. */
    within(percent: string, days: string): string;
  };
  paymentDetails: string;
  accountHolder: string;
  bank: string;
  /** Beside a code for banking apps. */
  scanToPay: string;
  /** A bank detail, to be pasted elsewhere. */
  copy: string;
  copied: string;
  /** The sum of the lines so far, at the end of a sheet and at the head of the next one. */
  carriedOver: string;
  broughtForward: string;
  paymentReference: string;
  /** Of ISO 11649. */
  creditorReference: string;

  status: Record<DocumentStatus, string>;
  overdue: string;
  overduePartiallyPaid: string;
  /** Of a credit note that did not wholly go to its invoice. */
  creditIssued: string;
  amountDue: string;
  ofTotal(total: string): string;
  paid: string;
  refunded: string;
  /** Beside the status, where something went back. */
  refundStatus: Record<Exclude<DocumentRefundStatus, 'none'>, string>;
  /** An amount that went back, and that nobody is asked for. */
  notAskedAgain: string;
  waived: string;
  credited: string;
  deductedFrom(invoice: string): string;
  /** Of a credit note: what became the customer's credit. */
  addedToCredit: string;
  rejectedOn(date: string): string;
  voidedOn(date: string): string;
  paidOn(date: string): string;
  refundedOn(date: string): string;

  /** Heads the choice of another. */
  language: string;
  items: string;
  /** Opens a long list of them. */
  allItems(count: string): string;
  viewPdf: string;
  payNow: string;
  /** Names an amount. */
  onItsWay: string;
  payOnItsWay(amount: string, date: string): string;
  payAnyway: string;
  payWith(gateway: string): string;
  /** Of what will be debited by the client's mandate. */
  collection: {
    planned(amount: string, date: string, provider: string): string;
    mandate(reference: string): string;
    account(ending: string): string;
    payInstead: string;
  };
  acceptHint: string;
  accept(document: string): string;
  rejectOffer: string;
  rejectQuestion(document: string): string;
  rejectHint: string;
  reject: string;
  /** Why a form was not taken. */
  refusals: {
    notAcceptable: string;
    notRejectable: string;
    reason: string;
    onItsWay: string;
    again: string;
  };

  /** The way to a provider's pay page, and back from it. */
  pay: {
    amount(amount: string): string;
    nothingDue: string;
    unavailable: string;
    tooOften: string;
    back: string;
    title: string;
    received(amount: string): string;
    onItsWay(amount: string): string;
    awaited: string;
    closed: string;
    failed: string;
    canceled: string;
    expired: string;
    unmatched(amount: string): string;
    sandbox: string;
  };
  payments: {
    heading: string;
    methods: Record<PaidBy, string>;
    receipt: string;
    receiptFor(document: string): string;
    receivedOn(date: string): string;
    download: string;
  };
  /** A sentence for each thing that has happened. */
  timeline: {
    heading: string;
    issued(date: string): string;
    viewed(date: string): string;
    accepted(date: string): string;
    acceptedBy(name: string, date: string): string;
    paid(amount: string, date: string): string;
    refunded(amount: string, date: string): string;
  };
  /** To accept or reject. */
  answer: {
    name: string;
    confirm(document: string): string;
    accepted: string;
    rejected: string;
    nameMissing: string;
    confirmMissing: string;
  };
  contact: { heading: string; write(seller: string): string; call(seller: string): string };

  /** Answers to a browser that is not shown a document. */
  /** Messages by e-mail. */
  mail: {
    /** The subject of a reminder, with the heading of the document. */
    reminder(document: string): string;
    greeting: string;
    sent(seller: string): string;
    attached: string;
    open: string;
    overdue(date: string): string;
    dueOn(date: string): string;
    ignore: string;
    received(amount: string): string;
    openReceipt: string;
    /** To the seller. */
    accepted(client: string, document: string): string;
    rejected(client: string, document: string): string;
    reason: string;
    reply: string;
    /** To the seller, whose own details somebody has changed. */
    detailsChanged: {
      /** The two subjects. */
      bankDetails: string;
      email: string;
      /** The name of the field. */
      emailAddress: string;
      by: string;
      at: string;
      notYou: string;
    };
    /** The link to refuse reminders, and the pages that ask and confirm. */
    stop: string;
    stopping: { title: string; sentence: string };
    stopped: { title: string; sentence: string };
  };

  pages: Record<
    'linkGone' | 'notFound' | 'notPossible' | 'tooLarge' | 'tooOften' | 'unavailable' | 'welcome',
    { title: string; sentence: string }
  > & {
    /** With the number that the log has. */
    broken: { title: string; sentence(id: string): string };
    documentation: string;
  };

  changes: {
    heading: string;
    nothing: string;
    none: string;
    changed(what: string, from: string, to: string): string;
    line(position: string): string;
    added(line: string, description: string): string;
    removed(line: string, description: string): string;
    unit: string;
    recipient: string;
    shipping: string;
    notes: string;
    pricesWithTax: string;
    pricesWithoutTax: string;
  };
}
