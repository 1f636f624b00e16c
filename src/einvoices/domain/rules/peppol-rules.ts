import { minorDigits } from '../../../kernel/currency.js';
import { Decimal } from '../../../kernel/decimal.js';
import type { SemanticInvoice } from '../semantic/semantic-invoice.js';
import type { SemanticLine } from '../semantic/semantic-line.js';
import { isKnown, UNKNOWN_SELLER } from './en16931-rules.js';
import { areGerman } from './german-rules.js';
import { type EInvoiceRule, each, fatal, has, typed, warning, when } from './rule.js';

/** Schemes of EN 16931 that Peppol does not deliver to (code list of 2026-05). */
const NOT_DELIVERED = new Set(
  '0037 0147 0154 0158 0170 0177 0193 0194 0202 0203 0205 0212 0213 0215 0217 AN AQ AS AU EM'.split(
    ' ',
  ),
);

const NOT_IN_BELGIUM = new Set(
  (
    '0147 0154 0158 0170 0177 0188 0205 0215 0216 0217 0218 0221 0225 0230 0235 0240 0242 0244 ' +
    '0245 0246 0248 9959'
  ).split(' '),
);

const isOutside = ({ lines, delivery }: SemanticInvoice, end: 'start' | 'end') => {
  const { period } = delivery;
  return each(
    lines,
    (at) => `/lines/${at}/service_period/${end}`,
    (line) => {
      const day = line.period?.[end];
      if (day == null || period === null) return false;
      return (
        (period.start !== null && day < period.start) || (period.end !== null && day > period.end)
      );
    },
  );
};

/** Two hundredths, as the published check has it; it asks nothing of lines without a price. */
const SLACK = Decimal.parse('0.02');

function isOff({ price, quantity, net, allowances, charges }: SemanticLine): boolean {
  const digits = minorDigits(net.currency);
  const goods = Decimal.parse(quantity)
    .times(Decimal.parse(price.net))
    .dividedHalfUp(Decimal.parse(price.baseQuantity), 12);
  const parts = [
    ...charges,
    ...allowances.map((one) => ({ ...one, amount: one.amount.negated() })),
  ];
  const sum = parts.reduce(
    (total, { amount }) => total.plus(Decimal.of(amount.minor, digits)),
    goods,
  );
  const difference = sum.plus(Decimal.of(-net.minor, digits));
  const size = difference.isNegative() ? difference.times(Decimal.of(-1n)) : difference;
  return size.compare(SLACK) > 0;
}

/** Of BIS Billing 3, 2026-05, that XRechnung has, too. */
export const SHARED_PEPPOL_RULES: readonly EInvoiceRule[] = [
  fatal('PEPPOL-EN16931-R010', 'the buyer needs an electronic_address.', ({ buyer }) =>
    when(buyer.electronicAddress === null, '/customer/electronic_address'),
  ),
  fatal('PEPPOL-EN16931-R020', 'the seller needs an electronic_address.', ({ seller }) =>
    when(seller.electronicAddress === null, '/seller/electronic_address'),
  ),
  fatal('PEPPOL-EN16931-R061', 'a direct debit names its mandate.', ({ paymentInstructions: of }) =>
    when(
      of !== null && ['49', '59'].includes(of.meansCode) && !has(of.directDebit?.mandate),
      '/payment_means_code',
    ),
  ),
  fatal('PEPPOL-EN16931-R110', 'a line begins within the period of the document.', (invoice) =>
    isOutside(invoice, 'start'),
  ),
  fatal('PEPPOL-EN16931-R111', 'a line ends within the period of the document.', (invoice) =>
    isOutside(invoice, 'end'),
  ),
];

const OFF = 'quantity times price is not the amount of the line; bill it in a price that is whole.';
const offLines = ({ lines }: SemanticInvoice) => each(lines, (at) => `/lines/${at}`, isOff);

/** Beside those that XRechnung shares. */
const WITH_REFERENCE: readonly EInvoiceRule[] = [
  ...SHARED_PEPPOL_RULES,
  fatal('PEPPOL-EN16931-R003', 'send buyer_reference or purchase_order.', (invoice) =>
    // Beside the seller's number of an order, that of the buyer is written as `NA`.
    when(
      ![invoice.buyerReference, invoice.purchaseOrder, invoice.salesOrder].some(has),
      '/buyer_reference',
    ),
  ),
];

const addressed = (id: string, refused: ReadonlySet<string>) =>
  fatal(id, 'nothing is delivered to an address of this scheme.', ({ seller, buyer }) => [
    ...when(
      refused.has(seller.electronicAddress?.scheme ?? ''),
      '/seller/electronic_address/scheme',
    ),
    ...when(
      refused.has(buyer.electronicAddress?.scheme ?? ''),
      '/customer/electronic_address/scheme',
    ),
  ]);

/** Types of invoices and of credit notes have a rule each. */
const typesOf = (invoices: string) => [
  typed('PEPPOL-EN16931-P0100', invoices, ({ isCreditNote }) => !isCreditNote),
  typed('PEPPOL-EN16931-P0101', '381 396 81 83 532', ({ isCreditNote }) => isCreditNote),
];

export const PEPPOL_RULES: readonly EInvoiceRule[] = [
  ...WITH_REFERENCE,
  ...typesOf(
    '71 80 82 84 102 218 219 326 331 380 382 383 384 386 388 393 395 553 575 623 780 817 870 875 876 877',
  ),
  fatal('PEPPOL-EN16931-P0112', 'the types 326 and 384 are for two sides in Germany.', (invoice) =>
    when(['326', '384'].includes(invoice.typeCode) && !areGerman(invoice), '/type_code'),
  ),
  fatal('PEPPOL-EN16931-R120', OFF, offLines),
  addressed('PEPPOL-EN16931-CL008', NOT_DELIVERED),
];

/** UBL.BE 1.31 knows an older list of schemes, and takes the id of a creditor for one of the seller. */
export const BELGIAN_RULES: readonly EInvoiceRule[] = [
  fatal('BR-CO-26', UNKNOWN_SELLER, (invoice) => {
    // The id is that of the payee, if there is one.
    const creditor = invoice.payee === null && invoice.paymentInstructions?.directDebit?.creditorId;
    return when(!isKnown(invoice) && !has(creditor || null), '/seller/registration_id');
  }),
  ...WITH_REFERENCE,
  ...typesOf('380 383 386 393 82 80 84 395 575 623 780'),
  addressed('BR-CL-25', NOT_IN_BELGIUM),
];

/** XRechnung only warns of it. */
export const OFF_LINES_WARNING = warning('PEPPOL-EN16931-R120', OFF, offLines);
