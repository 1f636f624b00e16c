import type { DocumentView } from '../../src/documents/index.js';
import type { Profile } from '../../src/einvoices/domain/profile.js';
import { Decimal } from '../../src/kernel/decimal.js';
import { minorDigits } from '../../src/kernel/currency.js';
import { furtherFacts, furtherLineFacts, furtherOfCii, furtherOfUbl } from './further-contents.js';
import { adjustmentDifferences, type ReadAdjustment } from './read-adjustments.js';
import { readCii } from './read-cii.js';
import { readUbl } from './read-ubl.js';
import { type ReadElement } from './xml-reader.js';

/** An invoice as another program reads it. Amounts are decimals, and null is what is not there. */
export interface ReadInvoice {
  facts: Record<string, string | null>;
  adjustments: ReadAdjustment[];
  lines: ReadLine[];
}

export interface ReadLine {
  facts: Record<string, string | null>;
  price: string;
  baseQuantity: string;
  allowances: string[];
  charges: string[];
}

/** Differences between a document and its XML, one sentence each. Nothing of ours that writes is asked. */
export function differences(view: DocumentView, root: ReadElement, profile: Profile): string[] {
  const read = profile.syntax === 'ubl' ? readUbl(root) : readCii(root);
  const further = profile.syntax === 'ubl' ? furtherOfUbl : furtherOfCii;
  Object.assign(read.facts, further(root));
  const wanted = wantedFacts(view, profile);
  const found = Object.entries(wanted).flatMap(([name, value]) =>
    isSame(read.facts[name] ?? null, value) ? [] : [`${name} is ${read.facts[name]}, not ${value}`],
  );
  if (read.lines.length !== view.lines.length) return [...found, 'lines are missing'];
  return [
    ...found,
    ...adjustmentDifferences(view, read.adjustments),
    ...view.lines.flatMap((line, index) =>
      lineDifferences(line, read.lines[index] as ReadLine, view).map(
        (one) => `line ${index + 1}: ${one}`,
      ),
    ),
  ];
}

const isSame = (read: string | null, wanted: string | null) =>
  wanted !== null && read !== null && Decimal.isDecimal(read) && Decimal.isDecimal(wanted)
    ? Decimal.parse(read).compare(Decimal.parse(wanted)) === 0
    : read === wanted;

const major = (money: { minor: bigint; currency: string }) =>
  Decimal.of(money.minor, minorDigits(money.currency)).toString();

const nonZero = (money: { minor: bigint; currency: string }) =>
  money.minor === 0n ? null : major(money);

function wantedFacts(view: DocumentView, profile: Profile): Record<string, string | null> {
  const { seller, customer, details } = view;
  const isNote = view.kind === 'credit_note';
  const named = seller.bank_accounts.filter(
    ({ currency: of = view.currency }) => of === view.currency,
  );
  const usual = named.length === 0 ? '1' : view.currency === 'EUR' ? '58' : '30';
  const own = view.origin?.relation === 'credit' ? null : details.payment_means_code;
  const means = isNote ? (own ?? '97') : (details.payment_means_code ?? usual);
  const accounts = named
    .filter(({ iban }) => means !== '58' || iban !== null)
    .map(({ iban, account_number: other }) => iban ?? other)
    .join(' | ');
  const isTransfer = !['1', '10', '48', '59', '97'].includes(means);
  return {
    ...furtherFacts(view, profile),
    number: view.number,
    issueDate: view.issueDate,
    dueDate: view.dueDate,
    typeCode: details.type_code ?? (isNote ? '381' : '380'),
    currency: view.currency,
    specification: profile.specification,
    buyerReference: details.buyer_reference,
    purchaseOrder:
      view.purchaseOrder ?? (details.sales_order && profile.syntax === 'ubl' ? 'NA' : null),
    salesOrder: details.sales_order,
    contract: details.contract_reference,
    despatch: details.despatch_reference,
    project: details.project_reference,
    sellerName: seller.legal_name ?? seller.name,
    sellerTradingName: seller.legal_name && seller.name,
    sellerVatId: seller.tax_id,
    sellerRegistration: seller.registration_id,
    sellerAddress: seller.electronic_address?.value ?? null,
    sellerCity: seller.city,
    sellerStreet: seller.address[0] ?? null,
    sellerPhone: seller.phone,
    buyerName: customer.legal_name ?? customer.name,
    buyerVatId: customer.tax_id,
    buyerPostCode: customer.postal_code,
    buyerCountry: customer.country,
    payee: details.payee?.name ?? null,
    supplyDate: details.supply_date,
    period:
      details.service_period && `${details.service_period.start} ${details.service_period.end}`,
    deliveryCity: deliveredTo(view),
    means,
    accounts: isTransfer && accounts !== '' ? accounts : null,
    remittance: view.paymentReference,
    lineTotal: major(view.subtotal),
    allowanceTotal: nonZero(view.discountTotal),
    chargeTotal: nonZero(view.chargeTotal),
    netTotal: major(view.netTotal),
    taxTotal: major(view.taxTotal),
    grossTotal: major(view.netTotal.plus(view.taxTotal)),
    rounding: nonZero(view.rounding),
    prepaid: nonZero(view.amountPrepaid),
    due: major(view.total.minus(view.amountPrepaid)),
    taxes: view.taxGroups
      .map(({ category, rate, base, tax }) =>
        [category, category === 'O' ? '0' : rate, major(base), major(tax)].join(' '),
      )
      .join(' | '),
  };
}

function deliveredTo({ details, customer, taxGroups }: DocumentView): string | null {
  const isAbroad = taxGroups.some(({ category }) => category === 'K');
  return details.delivery?.city ?? (isAbroad ? customer.city : null);
}

type LineOf = DocumentView['lines'][number];

function lineDifferences(line: LineOf, read: ReadLine, view: DocumentView): string[] {
  const { details } = line;
  const standard = details.standard_item_id;
  const period = details.service_period;
  const wanted: Record<string, string | null> = {
    id: String(line.position),
    name: line.description,
    quantity: line.quantity,
    unit: line.unit,
    net: major(line.net),
    category: line.taxCategory,
    rate: line.taxCategory === 'O' ? null : line.taxRate,
    sku: line.sku,
    buyerItem: details.buyer_item_id,
    standardItem: standard && `${standard.scheme} ${standard.value}`,
    classification: (details.classifications ?? [])
      .map(({ list, code, version }) => `${list} ${version ?? '-'} ${code}`)
      .join(' | '),
    orderLine: details.order_line,
    period: period && `${period.start} ${period.end}`,
    ...furtherLineFacts(line),
  };
  const found = Object.entries(wanted).flatMap(([name, value]) =>
    isSame(read.facts[name] ?? null, value) ? [] : [`${name} is ${read.facts[name]}, not ${value}`],
  );
  return [...found, ...priceDifferences(line, read, view)];
}

const amounts = (parts: LineOf['discounts']) => parts.map(({ net }) => major(net)).join();
const sum = (texts: string[]) =>
  texts.reduce((total, text) => total.plus(Decimal.parse(text)), Decimal.of(0n));
const plain = (texts: string[]) => texts.map((text) => Decimal.parse(text).toString()).join();

/** Half a unit of the last digit; a price with tax in it is told apart within that. */
function priceDifferences(line: LineOf, read: ReadLine, view: DocumentView): string[] {
  const digits = minorDigits(view.currency);
  const price = Decimal.parse(read.price);
  const base = Decimal.parse(read.baseQuantity);
  const goods = price.times(Decimal.parse(line.quantity)).dividedHalfUp(base, digits);
  const net = goods.plus(sum(read.charges)).plus(Decimal.of(-1n).times(sum(read.allowances)));
  const found: string[] = [];
  if (net.compare(Decimal.of(line.net.minor, digits)) !== 0) {
    found.push(`price times quantity with its parts is ${net.toString()}`);
  }
  if (plain(read.allowances) !== amounts(line.discounts)) found.push('discounts differ');
  if (plain(read.charges) !== amounts(line.charges)) found.push('charges differ');
  if (view.pricesIncludeTax) return found;
  const said = Decimal.parse(line.unitAmountDecimal);
  const each = Decimal.of(said.units, said.scale + digits).times(base);
  const exact = each.dividedHalfUp(Decimal.parse(line.details.price_base_quantity ?? '1'), 24);
  if (price.compare(Decimal.parse(exact.toString())) !== 0)
    found.push(`price is ${read.price}, not ${exact.toString()}`);
  return found;
}
