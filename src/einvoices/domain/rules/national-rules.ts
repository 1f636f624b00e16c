import type { SemanticInvoice } from '../semantic/semantic-invoice.js';
import type { SemanticAddress } from '../semantic/semantic-parties.js';
import { isNorwegianOrganisation, isSwedishOrganisation } from './check-digits.js';
import { type EInvoiceRule, each, fatal, has, when } from './rule.js';

// Rules of Peppol for sellers of single countries, beside those for Germany; Greece's are not here.

const sellerIn = (country: string, { seller }: SemanticInvoice) =>
  seller.address.country === country;
const bothIn = (country: string, invoice: SemanticInvoice) =>
  sellerIn(country, invoice) && invoice.buyer.address.country === country;

/** Some rules go by the VAT number first, then by that of the representative. */
function taxedIn({ seller, taxRepresentative }: SemanticInvoice): string | null {
  const id = seller.vatId ?? taxRepresentative?.vatId;
  return id == null ? seller.address.country : id.slice(0, 2).toUpperCase();
}

const lacksPlace = ({ lines, city, postCode }: SemanticAddress) =>
  !has(lines[0]) || !has(city) || !has(postCode);

const registeredWith = (
  schemes: readonly string[],
  of: SemanticInvoice['seller']['registration'],
) => schemes.includes(of?.scheme ?? '');

const SELLER = '/seller/registration_id';
const BUYER = '/customer/registration_id';

/** The registration of a seller of the country, or of its buyer there, is of one of the schemes. */
const registrationIs = (
  id: string,
  country: string,
  side: 'seller' | 'buyer',
  [name, ...schemes]: readonly [name: string, ...schemes: string[]],
) =>
  fatal(id, `the registration of the ${side} is a ${name}.`, (invoice) => {
    const { registration } = invoice[side];
    const isOther = registration !== null && !registeredWith(schemes, registration);
    return side === 'seller'
      ? when(sellerIn(country, invoice) && isOther, SELLER)
      : when(bothIn(country, invoice) && isOther, BUYER);
  });

const DUTCH_NUMBER = ['KVK or OIN number', '0106', '0190'] as const;
const DANISH_NUMBER = ['CVR number (0184)', '0184'] as const;

const NETHERLANDS: readonly EInvoiceRule[] = [
  fatal('NL-R-001', 'a credit note names its invoice.', (invoice) =>
    when(
      sellerIn('NL', invoice) && invoice.isCreditNote && invoice.precedingInvoices.length === 0,
      '/preceding_invoice',
    ),
  ),
  fatal('NL-R-002', 'the seller needs street, city and postal code.', (invoice) =>
    when(sellerIn('NL', invoice) && lacksPlace(invoice.seller.address), '/seller/address'),
  ),
  registrationIs('NL-R-003', 'NL', 'seller', DUTCH_NUMBER),
  fatal('NL-R-004', 'the buyer needs street, city and postal code.', (invoice) =>
    when(bothIn('NL', invoice) && lacksPlace(invoice.buyer.address), '/customer/address'),
  ),
  registrationIs('NL-R-005', 'NL', 'buyer', DUTCH_NUMBER),
  fatal('NL-R-006', 'the tax representative needs street, city and postal code.', (invoice) => {
    const address = invoice.taxRepresentative?.address;
    const isThere = sellerIn('NL', invoice) && address?.country === 'NL';
    return when(isThere && lacksPlace(address), '/tax_representative/address');
  }),
  fatal('NL-R-007', 'say how to pay.', (invoice) =>
    when(
      sellerIn('NL', invoice) &&
        !invoice.isCreditNote &&
        invoice.totals.due.isPositive() &&
        invoice.paymentInstructions === null,
      '/payment_means_code',
    ),
  ),
  fatal('NL-R-008', 'the Netherlands pay by 30, 48, 49, 57, 58 or 59.', (invoice) =>
    when(
      bothIn('NL', invoice) &&
        invoice.paymentInstructions !== null &&
        !['30', '48', '49', '57', '58', '59'].includes(invoice.paymentInstructions.meansCode),
      '/payment_means_code',
    ),
  ),
  fatal('NL-R-009', 'an order_line needs purchase_order.', (invoice) =>
    sellerIn('NL', invoice) && invoice.purchaseOrder === null && invoice.salesOrder === null
      ? each(
          invoice.lines,
          (at) => `/lines/${at}/order_line`,
          ({ orderLine }) => has(orderLine),
        )
      : [],
  ),
];

const DENMARK: readonly EInvoiceRule[] = [
  fatal('DK-R-002', 'the seller needs a CVR number.', (invoice) =>
    when(sellerIn('DK', invoice) && invoice.seller.registration === null, SELLER),
  ),
  registrationIs('DK-R-014', 'DK', 'seller', DANISH_NUMBER),
  registrationIs('DK-R-017', 'DK', 'buyer', DANISH_NUMBER),
  fatal('DK-R-005', 'Denmark pays by 1, 10, 31, 42, 48, 49, 50, 58, 59, 93 or 97.', (invoice) =>
    when(
      bothIn('DK', invoice) &&
        !invoice.isCreditNote &&
        invoice.paymentInstructions !== null &&
        !'1 10 31 42 48 49 50 58 59 93 97'
          .split(' ')
          .includes(invoice.paymentInstructions.meansCode),
      '/payment_means_code',
    ),
  ),
  fatal('DK-R-006', 'with 31 or 42 each account needs the code of its bank.', (invoice) => {
    const { meansCode = '', creditTransfers = [] } = invoice.paymentInstructions ?? {};
    const isTransfer =
      bothIn('DK', invoice) && !invoice.isCreditNote && ['31', '42'].includes(meansCode);
    const lacksBank = creditTransfers.length === 0 || creditTransfers.some(({ bic }) => !bic);
    return when(isTransfer && lacksBank, '/seller/bank_accounts');
  }),
];

const SWEDISH_RATES = new Set(['25', '12', '6']);

/** These hold for sellers who say a Swedish VAT number. */
const isTaxedInSweden = (invoice: SemanticInvoice) =>
  sellerIn('SE', invoice) && (invoice.seller.vatId ?? '').startsWith('SE');

const SWEDEN: readonly EInvoiceRule[] = [
  fatal('SE-R-001', 'a Swedish VAT number has 14 characters.', (invoice) =>
    when(isTaxedInSweden(invoice) && invoice.seller.vatId?.length !== 14, '/seller/tax_id'),
  ),
  fatal('SE-R-002', 'a Swedish VAT number ends with twelve digits.', (invoice) =>
    when(
      isTaxedInSweden(invoice) && !/^\d+$/.test(invoice.seller.vatId?.slice(2, 14) ?? ''),
      '/seller/tax_id',
    ),
  ),
  ...(
    [
      ['SE-R-003', 'has digits only', (id: string) => /^\d+$/.test(id)],
      ['SE-R-004', 'has ten digits', (id: string) => id.length === 10],
      ['SE-R-013', 'has a right check digit', isSwedishOrganisation],
    ] as const
  ).map(([id, asked, isRight]) =>
    fatal(id, `a Swedish organisation number ${asked}.`, (invoice) => {
      const { registration } = invoice.seller;
      return when(
        sellerIn('SE', invoice) && registration !== null && !isRight(registration.value),
        SELLER,
      );
    }),
  ),
  fatal('SE-R-005', 'beside a VAT number, only "Godkänd för F-skatt" is said.', (invoice) => {
    const { registration, taxNumber } = invoice.seller;
    const isOther = has(taxNumber) && taxNumber?.toUpperCase() !== 'GODKÄND FÖR F-SKATT';
    return when(sellerIn('SE', invoice) && registration !== null && isOther, '/seller/tax_ids');
  }),
  fatal('SE-R-006', 'Sweden has the rates 25, 12 and 6.', (invoice) =>
    isTaxedInSweden(invoice)
      ? each(
          invoice.vatBreakdown,
          (at) => `/tax_groups/${at}`,
          ({ tax }) => tax.category === 'S' && !SWEDISH_RATES.has(tax.rate),
        )
      : [],
  ),
];

const OTHERS: readonly EInvoiceRule[] = [
  fatal('NO-R-001', 'a Norwegian VAT number is NO, nine digits and MVA.', (invoice) => {
    const [, digits] = /^NO(\d{9})MVA$/.exec(invoice.seller.vatId ?? '') ?? [];
    const isRight = digits !== undefined && isNorwegianOrganisation(digits);
    const isSaid = (invoice.seller.vatId ?? '').startsWith('NO');
    return when(isSaid && !isRight, '/seller/tax_id');
  }),
  fatal('IT-R-001', 'an Italian tax number has 11 to 16 letters and digits.', (invoice) => {
    const { taxNumber } = invoice.seller;
    const isWrong = has(taxNumber) && !/^[A-Z0-9]{11,16}$/.test(taxNumber ?? '');
    return when(taxedIn(invoice) === 'IT' && isWrong, '/seller/tax_ids');
  }),
  fatal('IT-R-002', 'the seller needs a street.', (invoice) =>
    when(taxedIn(invoice) === 'IT' && !has(invoice.seller.address.lines[0]), '/seller/address'),
  ),
  fatal('IT-R-003', 'the seller needs a city.', (invoice) =>
    when(taxedIn(invoice) === 'IT' && !has(invoice.seller.address.city), '/seller/city'),
  ),
  fatal('IT-R-004', 'the seller needs a postal code.', (invoice) =>
    when(taxedIn(invoice) === 'IT' && !has(invoice.seller.address.postCode), '/seller/postal_code'),
  ),
  fatal('IS-R-002', 'the registration of the seller is a kennitala (0196).', (invoice) =>
    when(sellerIn('IS', invoice) && !registeredWith(['0196'], invoice.seller.registration), SELLER),
  ),
  fatal('IS-R-003', 'the seller needs street and postal code.', (invoice) => {
    const { lines, postCode } = invoice.seller.address;
    return when(sellerIn('IS', invoice) && (!has(lines[0]) || !has(postCode)), '/seller/address');
  }),
  fatal('IS-R-004', 'the registration of the buyer is a kennitala (0196).', (invoice) =>
    when(bothIn('IS', invoice) && !registeredWith(['0196'], invoice.buyer.registration), BUYER),
  ),
  fatal('IS-R-005', 'the buyer needs street and postal code.', (invoice) => {
    const { lines, postCode } = invoice.buyer.address;
    return when(bothIn('IS', invoice) && (!has(lines[0]) || !has(postCode)), '/customer/address');
  }),
];

/** The published check takes one account only: of several it says nothing, and ends. */
const icelandicAccount = (id: string, means: string) =>
  fatal(id, `means ${means} in Iceland needs one account of 12 characters.`, (invoice) => {
    const { paymentInstructions: of } = invoice;
    const [first, ...others] = of?.creditTransfers ?? [];
    const isRight = first?.account.id.trim().length === ACCOUNT_IN_ICELAND && others.length === 0;
    return when(sellerIn('IS', invoice) && of?.meansCode === means && !isRight, '/payment_account');
  });

const ACCOUNT_IN_ICELAND = 12;

export const NATIONAL_RULES: readonly EInvoiceRule[] = [
  ...NETHERLANDS,
  ...DENMARK,
  ...SWEDEN,
  ...OTHERS,
  icelandicAccount('IS-R-006', '9'),
  icelandicAccount('IS-R-007', '42'),
];
