import { type Books, type Figures, type Invoice, post, shown, taxesOf } from './books.js';
import { type Charge, isWaiting } from './dunned.js';
import { assertFields } from './judge.js';

/** A line as the model has it. */
export interface Line {
  amount: number;
  rate: number;
}

/** An invoice before its service has answered. */
export interface Issue {
  customer: string;
  currency: string;
  lines: readonly Line[];
  figures: Figures;
  /** The day of its issue. */
  day: string;
  discounts?: Invoice['discounts'];
  charged?: number;
  chargedIn?: Invoice['chargedIn'];
}

/** A document of the service, as its answer has it. */
export type Answered = Record<string, unknown>;

/** An invoice is in the books. @throws Disagreement where its figures are others */
export function issued(books: Books, body: Answered, issue: Issue): Invoice {
  const { customer, currency, lines, figures, day } = issue;
  const made: Invoice = {
    id: String(body['id']),
    number: String(body['number']),
    reference: String(body['payment_reference']),
    customer,
    currency,
    ...figures,
    lifecycle: 'open',
    paid: 0,
    refunded: 0,
    waived: 0,
    credited: 0,
    creditNotes: 0,
    issued: day,
    discounts: issue.discounts ?? [],
    taxes: taxesOf(lines),
    dueDate: String(body['due_date']),
    charged: issue.charged ?? 0,
    chargedIn: issue.chargedIn ?? null,
    owed: [],
    isRelieved: false,
    relief: {},
  };
  books.invoices.push(made);
  post(books, currency, 'receivables', 'revenue', figures.net, made.id);
  post(books, currency, 'receivables', 'tax_payable', figures.tax, made.id);
  post(books, currency, 'receivables', 'rounding', figures.rounding, made.id);
  return made;
}

/** @throws Disagreement when an invoice says other figures */
export function assertIssued(body: Answered, made: Invoice): void {
  assertFields(body, {
    customer_id: made.customer,
    currency: made.currency,
    issue_date: made.issued,
    ...figuresIn(made),
    ...shown(made),
  });
  assertCharged(body, made);
}

export const figuresIn = ({ total, net, tax, rounding }: Figures) => ({
  total,
  net_total: net,
  tax_total: tax,
  rounding_amount: rounding,
});

/** The charges of letters that a document is about stand in one category of tax. */
export function assertCharged(
  body: Answered,
  { charged, chargedIn }: Pick<Invoice, 'charged' | 'chargedIn'>,
): void {
  const nets = netsIn(body);
  assertFields(
    { O: nets['O'] ?? 0, E: nets['E'] ?? 0 },
    { O: chargedIn === 'O' ? charged : 0, E: chargedIn === 'E' ? charged : 0 },
  );
}

/** By category of tax. */
export function netsIn(body: Answered): Record<string, number> {
  const groups = body['tax_groups'] as { tax_category: string; taxable_amount: number }[];
  const nets: Record<string, number> = {};
  for (const { tax_category: category, taxable_amount: net } of groups) {
    nets[category] = (nets[category] ?? 0) + net;
  }
  return nets;
}

/** Charges that the next invoice for a customer takes. */
export function takesNext(books: Books, customer: string, currency: string) {
  const charges = waitingIn(books, customer, currency);
  const charged = charges.reduce((sum, { amount }) => sum + amount, 0);
  return {
    lines: charges.map(({ amount }): Line => ({ amount, rate: 0 })),
    charged,
    chargedIn: charged > 0 ? ('E' as const) : null,
    /** They are on that document now. */
    taken(document: string): void {
      for (const charge of charges) charge.billedBy = document;
    },
  };
}

function waitingIn({ letters }: Books, customer: string, currency: string): Charge[] {
  return letters
    .filter((one) => one.customer === customer && one.currency === currency && !one.billsAlone)
    .filter(({ status }) => status === 'sent')
    .flatMap(({ charges }) => charges.filter(isWaiting));
}
