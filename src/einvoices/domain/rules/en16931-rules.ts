import { CREDIT_TRANSFERS } from '../../../kernel/payment-means.js';
import { Decimal } from '../../../kernel/decimal.js';
import type { Profile } from '../profile.js';
import type { SemanticInvoice } from '../semantic/semantic-invoice.js';
import type { SemanticTax } from '../semantic/semantic-terms.js';
import type { SemanticAddress } from '../semantic/semantic-parties.js';
import { AMOUNT_RULES } from './amount-rules.js';
import { type EInvoiceRule, each, fatal, has, when } from './rule.js';

const isEmpty = ({ lines, city, postCode, subdivision, country }: SemanticAddress) =>
  ![...lines, city, postCode, subdivision, country].some(has);

const isOfNoCountry = (address: SemanticAddress) => !isEmpty(address) && !has(address.country);

/** Without an address, the rules for UBL ask for no country. */
const lacksCountry = (address: SemanticAddress, { syntax }: Profile) =>
  !has(address.country) && (syntax === 'cii' || !isEmpty(address));

const PAYEE = 'a payee is somebody else than the seller; leave it out.';
const ACCOUNT = 'who asks for a credit transfer needs a bank account.';
const lacksAccount = ({ paymentInstructions: of }: SemanticInvoice) =>
  of !== null && CREDIT_TRANSFERS.has(of.meansCode) && of.creditTransfers.length === 0;

const isRepresented = ({ taxRepresentative }: SemanticInvoice) => taxRepresentative !== null;
const hasTaxNumber = ({ seller }: SemanticInvoice) => has(seller.vatId) || has(seller.taxNumber);

/** Three rules ask the same of lines, allowances and charges: 02, 03 and 04. */
function taxedBy(
  named: string,
  category: string,
  message: string,
  broken: (invoice: SemanticInvoice) => string[],
): EInvoiceRule[] {
  const isOf = (tax: { category: string } | null) => tax?.category === category;
  const parts: [number: string, isThere: (invoice: SemanticInvoice) => boolean][] = [
    ['02', ({ lines }) => lines.some(({ tax }) => isOf(tax))],
    ['03', ({ allowances }) => allowances.some(({ tax }) => isOf(tax))],
    ['04', ({ charges }) => charges.some(({ tax }) => isOf(tax))],
  ];
  return parts.map(([number, isThere]) =>
    fatal(`BR-${named}-${number}`, message, (invoice) => (isThere(invoice) ? broken(invoice) : [])),
  );
}

const withNumber = (named: string, category: string) =>
  taxedBy(named, category, `category ${category} needs a tax number of the seller.`, (invoice) =>
    when(!hasTaxNumber(invoice) && !isRepresented(invoice), '/seller/tax_id'),
  );

/** ISO 3166-1, Greece as its numbers say it, and the two of EN 16931. */
const isOfCountry = (id: string | null | undefined) => id == null || /^[A-Z]{2}/.test(id);

/** Goods that the buyer gets in another country of the EU. */
const isIntraCommunity = ({ vatBreakdown }: SemanticInvoice) =>
  vatBreakdown.some(({ tax }) => tax.category === 'K');

export const UNKNOWN_SELLER =
  'the seller needs a VAT number, a number in the register, or another id.';

export const isKnown = ({ seller }: SemanticInvoice) =>
  has(seller.vatId) || seller.registration !== null || seller.ids.length > 0;

/** Of the validation artefacts 1.3.16. The other rules are kept by how a document is made. */
export const EN16931_RULES: readonly EInvoiceRule[] = [
  fatal('BR-08', 'the seller needs an address.', ({ seller }) =>
    when(isEmpty(seller.address), '/seller/address'),
  ),
  fatal('BR-09', 'the seller needs a country.', ({ seller }, profile) =>
    when(lacksCountry(seller.address, profile), '/seller/country'),
  ),
  fatal('BR-10', 'the buyer needs an address.', ({ buyer }) =>
    when(isEmpty(buyer.address), '/customer/address'),
  ),
  fatal('BR-11', 'the buyer needs a country.', ({ buyer }, profile) =>
    when(lacksCountry(buyer.address, profile), '/customer/country'),
  ),
  // The published check of Factur-X looks for the seller in a place where none is.
  fatal('BR-17', PAYEE, ({ payee, seller }, { syntax, id }) => {
    const name = syntax === 'ubl' ? seller.tradingName : seller.name;
    return when(payee !== null && payee.name === name && id !== 'factur-x', '/payee/name');
  }),
  ...['UBL-SR-19', 'UBL-SR-20', 'UBL-SR-21'].map((id) =>
    fatal(id, PAYEE, ({ payee, seller }, { syntax }) =>
      when(syntax === 'ubl' && payee?.name === seller.name, '/payee/name'),
    ),
  ),
  fatal('BR-19', 'the tax representative needs an address.', ({ taxRepresentative: agent }) =>
    when(agent !== null && isEmpty(agent.address), '/tax_representative/address'),
  ),
  fatal(
    'BR-20',
    'the tax representative needs a country.',
    ({ taxRepresentative: agent }, profile) =>
      when(agent !== null && lacksCountry(agent.address, profile), '/tax_representative/country'),
  ),
  fatal('BR-57', 'an address of delivery needs a country.', ({ delivery }) =>
    when(delivery.address !== null && isOfNoCountry(delivery.address), '/delivery/country'),
  ),
  fatal('BR-61', ACCOUNT, (invoice, { syntax }) =>
    when(syntax === 'ubl' && lacksAccount(invoice), '/seller/bank_accounts'),
  ),
  fatal('CII-SR-470', ACCOUNT, (invoice, { syntax }) =>
    when(syntax === 'cii' && lacksAccount(invoice), '/seller/bank_accounts'),
  ),
  fatal('BR-CO-09', 'a VAT number begins with its country.', (invoice) => [
    ...when(!isOfCountry(invoice.seller.vatId), '/seller/tax_id'),
    ...when(!isOfCountry(invoice.buyer.vatId), '/customer/tax_id'),
    ...when(!isOfCountry(invoice.taxRepresentative?.vatId), '/tax_representative/tax_id'),
  ]),
  fatal('BR-CO-26', UNKNOWN_SELLER, (invoice) =>
    when(!isKnown(invoice), '/seller/registration_id'),
  ),
  ...withNumber('S', 'S'),
  ...withNumber('Z', 'Z'),
  ...withNumber('E', 'E'),
  ...withNumber('AF', 'L'),
  ...withNumber('AG', 'M'),
  ...taxedBy('AE', 'AE', 'reverse charge needs the VAT numbers of both sides.', (invoice) => [
    ...when(!hasTaxNumber(invoice) && !isRepresented(invoice), '/seller/tax_id'),
    ...when(!has(invoice.buyer.vatId) && invoice.buyer.registration === null, '/customer/tax_id'),
  ]),
  ...taxedBy(
    'IC',
    'K',
    'a supply within the EU needs the VAT numbers of both sides.',
    (invoice) => [
      ...when(!has(invoice.seller.vatId) && !isRepresented(invoice), '/seller/tax_id'),
      ...when(!has(invoice.buyer.vatId), '/customer/tax_id'),
    ],
  ),
  fatal(
    'BR-IC-11',
    'a supply within the EU needs supply_date or service_period.',
    (invoice, { syntax }) => {
      const { date, period } = invoice.delivery;
      // In UBL the code of a tax point stands in the period, which the check takes for one.
      const hasPeriod = period !== null || (syntax === 'ubl' && invoice.taxPointEvent !== null);
      return when(isIntraCommunity(invoice) && date === null && !hasPeriod, '/supply_date');
    },
  ),
  fatal('BR-IC-12', 'a supply within the EU needs the country that it went to.', (invoice) =>
    when(isIntraCommunity(invoice) && !has(invoice.delivery.address?.country), '/delivery/country'),
  ),
  ...taxedBy('G', 'G', 'an export needs the VAT number of the seller.', (invoice) =>
    when(!has(invoice.seller.vatId) && !isRepresented(invoice), '/seller/tax_id'),
  ),
  ...taxedBy(
    'O',
    'O',
    'what is outside of the scope of tax is billed without VAT numbers.',
    (of) => [
      ...when(has(of.seller.vatId), '/seller/tax_id'),
      ...when(has(of.buyer.vatId), '/customer/tax_id'),
      ...when(isRepresented(of), '/tax_representative'),
    ],
  ),
  ...outsideAlone(),
  ...zeroRates(),
  ...AMOUNT_RULES,
];

const isOutside = ({ vatBreakdown }: SemanticInvoice) =>
  vatBreakdown.some(({ tax }) => tax.category === 'O');
const isOther = ({ tax }: { tax: SemanticTax | null }) => tax?.category !== 'O';
const isZeroIgic = ({ tax }: { tax: SemanticTax | null }) =>
  tax?.category === 'L' && Decimal.parse(tax.rate).isZero();

/** Category O stands beside no other one. */
function outsideAlone(): EInvoiceRule[] {
  const message = 'category O stands beside no other one; use a document of its own.';
  return [
    fatal('BR-O-11', message, (invoice) =>
      isOutside(invoice) && invoice.vatBreakdown.length > 1 ? ['/tax_groups'] : [],
    ),
    fatal('BR-O-12', message, (invoice) =>
      isOutside(invoice) ? each(invoice.lines, (at) => `/lines/${at}/tax_category`, isOther) : [],
    ),
    fatal('BR-O-13', message, (invoice) =>
      isOutside(invoice) && invoice.allowances.some(isOther) ? ['/discounts'] : [],
    ),
    fatal('BR-O-14', message, (invoice) =>
      isOutside(invoice) && invoice.charges.some(isOther) ? ['/charges'] : [],
    ),
  ];
}

/** The rules for CII want a rate above zero on the Canary Islands; those for UBL do not. */
function zeroRates(): EInvoiceRule[] {
  const message = 'IGIC has a rate above 0 in CII; use Z, or a profile in UBL.';
  return [
    fatal('BR-AF-05', message, ({ lines }, { syntax }) =>
      syntax === 'cii' ? each(lines, (at) => `/lines/${at}/tax_rate`, isZeroIgic) : [],
    ),
    fatal('BR-AF-06', message, ({ allowances }, { syntax }) =>
      when(syntax === 'cii' && allowances.some(isZeroIgic), '/discounts'),
    ),
    fatal('BR-AF-07', message, ({ charges }, { syntax }) =>
      when(syntax === 'cii' && charges.some(isZeroIgic), '/charges'),
    ),
  ];
}

/** Elements that the profile wants, by their places in its schema. */
export const FACTUR_X_RULES: readonly EInvoiceRule[] = [
  fatal('FX-SCH-A-000032', 'the seller needs an address.', ({ seller }) =>
    when(isEmpty(seller.address), '/seller/address'),
  ),
  fatal('FX-SCH-A-000035', 'the seller needs a country.', ({ seller }) =>
    when(isOfNoCountry(seller.address), '/seller/country'),
  ),
  fatal('FX-SCH-A-000419', 'the buyer needs an address.', ({ buyer }) =>
    when(isEmpty(buyer.address), '/customer/address'),
  ),
  fatal('FX-SCH-A-000422', 'the buyer needs a country.', ({ buyer }) =>
    when(isOfNoCountry(buyer.address), '/customer/country'),
  ),
  fatal('FX-SCH-A-000432', 'the tax representative needs an address.', (invoice) =>
    when(
      invoice.taxRepresentative !== null && isEmpty(invoice.taxRepresentative.address),
      '/tax_representative/address',
    ),
  ),
  fatal('FX-SCH-A-000433', 'the tax representative needs a country.', (invoice) =>
    when(
      invoice.taxRepresentative !== null && isOfNoCountry(invoice.taxRepresentative.address),
      '/tax_representative/country',
    ),
  ),
  fatal('FX-SCH-A-000455', 'an address of delivery needs a country.', ({ delivery }) =>
    when(delivery.address !== null && isOfNoCountry(delivery.address), '/delivery/country'),
  ),
];
