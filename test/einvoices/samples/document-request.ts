import { decimalOf } from './xml-decimal.js';
import type { Lack } from './lacks.js';
import { id, lineRequests, MinorUnits, periodOf } from './line-requests.js';
import { addressRequest, customerRequest, otherParties, sellerRequest } from './party-requests.js';
import type { Sample } from './read-sample.js';
import { membersOf, type Said } from './said.js';

export interface SampleRequests {
  /** `PATCH /v1/finance/seller`. */
  seller: object;
  /** `POST /v1/finance/documents`. */
  document: object;
  lacks: Set<Lack>;
}

/** A sample as requests of ours, and what of it no request says. */
export function sampleRequests({ said, isCreditNote }: Sample): SampleRequests {
  const lacks = new Set<Lack>();
  const seller = { ...sellerRequest(said, lacks), books_from: FIRST_DAY };
  const document = {
    kind: isCreditNote ? 'credit_note' : 'invoice',
    issue: true,
    customer: customerRequest(said, lacks),
    ...heads(said),
    ...notes(said),
    ...supply(said, lacks),
    ...payment(said, lacks),
    ...figures({ said, isCreditNote }, lacks),
    ...otherParties(said),
  };
  if (said.groups.has('BG-24')) lacks.add('documents');
  if (said.terms.has('third party')) lacks.add('thirdParty');
  if (said.terms.has('headings')) lacks.add('subLines');
  if (exemptWithoutLines(said)) lacks.add('chargeExemption');
  return { seller, document, lacks };
}

function exemptWithoutLines(said: Said): boolean {
  const categories = new Set(membersOf(said, 'BG-25').map(({ terms }) => terms.get('BT-151')));
  return membersOf(said, 'BG-23').some(
    ({ terms }) =>
      (terms.has('BT-120') || terms.has('BT-121')) && !categories.has(terms.get('BT-118')),
  );
}

/** No sample is older. */
const FIRST_DAY = '2000-01-01';

/** Types that a kind has by itself. */
const USUAL_TYPES = new Set(['380', '381']);

function heads({ terms, groups }: Said): object {
  const at = (term: string) => terms.get(term);
  const type = at('BT-3') ?? '';
  return {
    number: at('BT-1'),
    issue_date: at('BT-2'),
    due_date: at('BT-9'),
    type_code: USUAL_TYPES.has(type) ? undefined : type,
    currency: at('BT-5'),
    tax_currency: taxCurrency(terms),
    tax_point_date: at('BT-7'),
    tax_point: TAX_POINTS[at('BT-8') ?? ''],
    buyer_reference: at('BT-10'),
    project_reference: at('BT-11'),
    contract_reference: at('BT-12'),
    purchase_order: at('BT-13'),
    sales_order: at('BT-14'),
    receiving_reference: at('BT-15'),
    despatch_reference: at('BT-16'),
    tender_reference: at('BT-17'),
    invoiced_object: id(at('BT-18-1'), at('BT-18')),
    buyer_accounting_reference: at('BT-19'),
    payment_terms: at('BT-20'),
    preceding_invoices: (groups.get('BG-3') ?? []).map((one) => ({
      number: one.terms.get('BT-25'),
      issue_date: one.terms.get('BT-26'),
    })),
  };
}

/** UNTDID 2005 in UBL, 2475 in CII. */
const TAX_POINTS: Record<string, string> = {
  '3': 'issue',
  '5': 'issue',
  '35': 'delivery',
  '29': 'delivery',
  '432': 'payment',
  '72': 'payment',
};

const RATE_PLACES = 20;

/** The rate is what the two sums of tax say; any is right where there is no tax. */
function taxCurrency(terms: Said['terms']): object | undefined {
  const [currency, tax, told] = [terms.get('BT-6'), terms.get('BT-110'), terms.get('BT-111')];
  if (currency === undefined) return undefined;
  const isTaxed = tax !== undefined && told !== undefined && !decimalOf(tax).isZero();
  const rate = isTaxed ? decimalOf(told).dividedHalfUp(decimalOf(tax), RATE_PLACES) : null;
  return { currency, exchange_rate: rate?.toString() ?? '1' };
}

/** One note is that of the document; several, and those with a subject, are a list. */
function notes(said: Said): object {
  const all = membersOf(said, 'BG-1').map(({ terms }) => ({
    subject: terms.get('BT-21'),
    text: terms.get('BT-22'),
  }));
  const [only] = all;
  if (all.length === 1 && only?.subject === undefined) return { notes: only?.text };
  return { subject_notes: all };
}

const PLACE = ['BT-75', 'BT-76', 'BT-165', 'BT-77', 'BT-78', 'BT-79', 'BT-80'];

function supply(said: Said, lacks: Set<Lack>): object {
  const { terms } = said;
  const [delivery] = membersOf(said, 'BG-13');
  const place = addressRequest(delivery ?? said, PLACE);
  const isSaid = [...(delivery?.terms.keys() ?? [])].some((term) => term !== 'BT-72');
  return {
    supply_date: delivery?.terms.get('BT-72'),
    service_period: periodOf(terms.get('BT-73'), terms.get('BT-74'), lacks),
    delivery: isSaid
      ? {
          name: delivery?.terms.get('BT-70'),
          location_id: id(delivery?.terms.get('BT-71-1'), delivery?.terms.get('BT-71')),
          ...place,
        }
      : undefined,
  };
}

/** The last digits of a card are all that may be told. */
const LAST_DIGITS = /\d{4,6}$/;

function payment({ terms }: Said, lacks: Set<Lack>): object {
  const at = (term: string) => terms.get(term);
  const [digits] = LAST_DIGITS.exec(at('BT-87') ?? '') ?? [];
  if (digits !== at('BT-87')) lacks.add('card');
  const isDebited = ['BT-89', 'BT-90', 'BT-91'].some((term) => terms.has(term));
  return {
    payment_means_code: at('BT-81'),
    payment_means_text: at('BT-82'),
    payment_reference: at('BT-83'),
    payment_card: digits === undefined ? undefined : { last_digits: digits, holder: at('BT-88') },
    direct_debit: isDebited
      ? { mandate_reference: at('BT-89'), creditor_id: at('BT-90'), account: at('BT-91') }
      : undefined,
  };
}

/** The parts of a discount or charge: amount, base, percentage, reason, its code, category, rate. */
const DISCOUNT = ['BT-92', 'BT-93', 'BT-94', 'BT-97', 'BT-98', 'BT-95', 'BT-96'] as const;
const CHARGE = ['BT-99', 'BT-100', 'BT-101', 'BT-104', 'BT-105', 'BT-102', 'BT-103'] as const;

function figures(sample: Pick<Sample, 'said' | 'isCreditNote'>, lacks: Set<Lack>): object {
  const { said } = sample;
  const { terms } = said;
  const minor = new MinorUnits(terms.get('BT-5') ?? '', lacks);
  const adjustments = (group: string, names: typeof DISCOUNT | typeof CHARGE) =>
    membersOf(said, group).map((one) => adjustment(one, names, { said, minor, lacks }));
  return {
    lines: lineRequests(said, minor, lacks),
    discounts: adjustments('BG-20', DISCOUNT),
    charges: adjustments('BG-21', CHARGE),
    rounding_amount: minor.whole(terms.get('BT-114')),
    issued_taxes: issuedTaxes(said, minor),
    prepayments: prepayments(sample, minor, lacks),
  };
}

/** Taxes that are not base times rate, by the hundredth of which all agree. */
function issuedTaxes(said: Said, minor: MinorUnits): object[] | undefined {
  const others = membersOf(said, 'BG-23').flatMap(({ terms }) => {
    const [base, tax, rate] = ['BT-116', 'BT-117', 'BT-119'].map((term) =>
      decimalOf(terms.get(term) ?? '0'),
    );
    const own = base!.times(rate!).dividedHalfUp(decimalOf('100'), 2);
    return own.compare(tax!) === 0
      ? []
      : [
          {
            tax_category: terms.get('BT-118'),
            tax_rate: rate!.toString(),
            tax_amount: minor.whole(terms.get('BT-117')),
          },
        ];
  });
  return others.length > 0 ? others : undefined;
}

/** Money that came before the issue of an invoice; what is above it is the customer's. */
function prepayments(
  { said: { terms }, isCreditNote }: Pick<Sample, 'said' | 'isCreditNote'>,
  minor: MinorUnits,
  lacks: Set<Lack>,
): object[] | undefined {
  const paid = decimalOf(terms.get('BT-113') ?? '0');
  if (paid.isZero()) return undefined;
  if (!isCreditNote && !paid.isNegative()) {
    const amount = minor.whole(terms.get('BT-113'));
    return [{ amount, method: 'other', on_overpayment: 'credit' }];
  }
  lacks.add('paid');
  return undefined;
}

function adjustment(
  { terms }: Said,
  names: typeof DISCOUNT | typeof CHARGE,
  { said, minor, lacks }: { said: Said; minor: MinorUnits; lacks: Set<Lack> },
): object {
  const [amount, base, percent, reason, code, category, rate] = names;
  const [share, whole] = [terms.get(percent), minor.whole(terms.get(base))];
  const minorAmount = minor.whole(terms.get(amount));
  // A discount is of the lines of its tax, a charge of all lines.
  const isOf = (line: Said) =>
    names === CHARGE ||
    (line.terms.get('BT-151') === terms.get(category) &&
      decimalOf(line.terms.get('BT-152') ?? '0').compare(decimalOf(terms.get(rate) ?? '0')) === 0);
  const lines = membersOf(said, 'BG-25')
    .filter(isOf)
    .reduce((sum, line) => sum + (minor.whole(line.terms.get('BT-131')) ?? 0), 0);
  const isShare =
    share !== undefined &&
    (whole ?? lines) === lines &&
    minor.percentage(lines, share) === minorAmount;
  if (!isShare && (share !== undefined || whole !== undefined)) lacks.add('percentages');
  return {
    ...(isShare ? { percent: decimalOf(share).toString() } : { amount: minorAmount }),
    reason: terms.get(reason),
    reason_code: terms.get(code),
    tax_category: terms.get(category),
    tax_rate: decimalOf(terms.get(rate) ?? '0').toString(),
  };
}
