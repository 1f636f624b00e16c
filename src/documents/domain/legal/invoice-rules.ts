import { CREDIT_TRANSFERS } from '../../../kernel/payment-means.js';
import { accountsFor } from '../parties/bank-account.js';
import type { Party, PostalAddress, Seller } from '../parties/party.js';
import { DECIMAL_RULES } from './decimal-rules.js';
import type { InvoiceRule, JudgedAdjustment, JudgedDocument } from './invoice-rule.js';
import { outOfScopeBesideOthers } from './said-taxes.js';
import { isValidVatNumber } from './vat-number.js';
import { DocumentRefusal } from '../refusals.js';

const has = (text: string | null | undefined) => text != null && text.trim() !== '';
const when = (isBroken: boolean, pointer: string) => (isBroken ? [pointer] : []);

const isOf = ({ taxGroups }: JudgedDocument, ...categories: string[]) =>
  taxGroups.some(({ category }) => categories.includes(category));

/** A number of the country's own form is no VAT number: those begin with letters (BR-CO-09). */
const vatNumberOf = ({ tax_id: id }: Pick<Party, 'tax_id'>) =>
  id !== null && isValidVatNumber(id) !== null ? id : null;
const isRegistered = ({ tax_id: id, tax_ids: ids, tax_number: number }: Seller) =>
  has(id) || ids.length > 0 || has(number);
const isRepresented = ({ details }: JudgedDocument) => details.tax_representative !== null;

/** A city may also stand in the free lines, below the street. */
const placeOf = ({ address, city }: PostalAddress, pointer: string) => {
  const lines = address.filter(has).length;
  return [
    ...when(lines === 0, `${pointer}/address`),
    ...when(!has(city) && lines < 2, `${pointer}/city`),
  ];
};

/** The country that goods go to, in the order in which documents say it. */
const deliveredTo = ({ details, customer }: JudgedDocument) =>
  details.delivery?.country ?? customer.shipping_address?.country ?? customer.country;

const withoutReason = (adjustments: readonly JudgedAdjustment[], pointer: string) =>
  adjustments.flatMap(({ reason, reasonCode }, index) =>
    when(!has(reason) && !has(reasonCode), `${pointer}/${index}/reason`),
  );

/**
 * Rules of EN 16931 that a document of ours can break, and what the laws ask for beyond them.
 * The table is also in docs/documents.md. All other rules are always kept: docs/en16931.md.
 */
export const INVOICE_RULES: readonly InvoiceRule[] = [
  {
    id: 'BR-07',
    law: 'Art. 226 (5)',
    refusal: DocumentRefusal.particulars_missing,
    message: 'an invoice names its buyer; send customer or customer_id.',
    broken: ({ customer }) => when(!has(customer.name), '/customer'),
  },
  {
    id: 'BR-08',
    law: 'Art. 226 (5), § 14 (4) 1 UStG',
    refusal: DocumentRefusal.particulars_missing,
    message: 'the seller needs street and city; set them with PATCH /v1/finance/seller.',
    broken: ({ seller }) => placeOf(seller, '/seller'),
  },
  {
    id: 'BR-09',
    law: 'Art. 226 (5)',
    refusal: DocumentRefusal.particulars_missing,
    message: 'the seller needs a country; set it with PATCH /v1/finance/seller.',
    broken: ({ seller }) => when(!has(seller.country), '/seller/country'),
  },
  {
    id: 'BR-10',
    law: 'Art. 226 (5), § 14 (4) 1 UStG',
    refusal: DocumentRefusal.particulars_missing,
    message: 'the buyer needs street and city; add them to the customer.',
    notIfSimplified: true,
    broken: ({ customer }) => placeOf(customer, '/customer'),
  },
  {
    id: 'BR-11',
    law: 'Art. 226 (5)',
    refusal: DocumentRefusal.particulars_missing,
    message: 'the buyer needs a country; add it to the customer.',
    notIfSimplified: true,
    broken: ({ customer }) => when(!has(customer.country), '/customer/country'),
  },
  {
    id: 'BR-17',
    law: null,
    refusal: DocumentRefusal.particulars_missing,
    message: 'a payee is somebody else than the seller; leave it out, or send its own name.',
    broken: ({ seller, details: { payee } }) =>
      when(payee !== null && isNamed(seller, payee.name), '/payee/name'),
  },
  {
    id: 'BR-19',
    law: 'Art. 226 (15)',
    refusal: DocumentRefusal.particulars_missing,
    message: 'the tax representative needs street and city.',
    broken: ({ details: { tax_representative: agent } }) =>
      agent === null ? [] : placeOf(agent, '/tax_representative'),
  },
  {
    id: 'BR-20',
    law: 'Art. 226 (15)',
    refusal: DocumentRefusal.particulars_missing,
    message: 'the tax representative needs a country.',
    broken: ({ details: { tax_representative: agent } }) =>
      when(agent !== null && !has(agent.country), '/tax_representative/country'),
  },
  {
    id: 'BR-33',
    also: ['BR-CO-21'],
    law: null,
    refusal: DocumentRefusal.particulars_missing,
    message: 'a discount on the document needs a reason.',
    notIfSimplified: true,
    broken: ({ discounts }) => withoutReason(discounts, '/discounts'),
  },
  {
    id: 'BR-38',
    also: ['BR-CO-22'],
    law: null,
    refusal: DocumentRefusal.particulars_missing,
    message: 'a charge on the document needs a reason.',
    notIfSimplified: true,
    broken: ({ charges }) => withoutReason(charges, '/charges'),
  },
  {
    id: 'BR-42',
    also: ['BR-CO-23'],
    law: null,
    refusal: DocumentRefusal.particulars_missing,
    message: 'a discount on a line needs a reason.',
    notIfSimplified: true,
    broken: ({ lines }) =>
      lines.flatMap(({ discounts }, line) => withoutReason(discounts, `/lines/${line}/discounts`)),
  },
  {
    id: 'BR-44',
    also: ['BR-CO-24'],
    law: null,
    refusal: DocumentRefusal.particulars_missing,
    message: 'a charge on a line needs a reason.',
    notIfSimplified: true,
    broken: ({ lines }) =>
      lines.flatMap(({ charges }, line) => withoutReason(charges, `/lines/${line}/charges`)),
  },
  {
    id: 'BR-56',
    law: 'Art. 226 (15)',
    refusal: DocumentRefusal.tax_id_required,
    message: 'the tax representative needs a VAT number.',
    broken: ({ details: { tax_representative: agent } }) =>
      when(agent !== null && !vatNumberOf(agent), '/tax_representative/tax_id'),
  },
  {
    id: 'BR-57',
    law: null,
    refusal: DocumentRefusal.particulars_missing,
    message: 'an address of delivery needs a country.',
    broken: ({ details: { delivery } }) =>
      when(delivery !== null && !has(delivery.country), '/delivery/country'),
  },
  {
    id: 'BR-61',
    law: null,
    refusal: DocumentRefusal.particulars_missing,
    message:
      'who asks for a credit transfer needs a bank account for the currency; add one to the seller.',
    broken: ({ seller, details, total: { currency } }) =>
      when(
        CREDIT_TRANSFERS.has(details.payment_means_code ?? '') &&
          accountsFor({ seller, details, currency }).length === 0,
        '/seller/bank_accounts',
      ),
  },
  {
    id: 'BR-CO-09',
    law: 'Art. 215',
    refusal: DocumentRefusal.invalid_tax_id,
    message: 'a VAT number has the letters of its country, its pattern and right check digits.',
    where: 'everywhere',
    broken: ({ seller, customer, details: { tax_representative: agent } }) => [
      ...when(isWrong(seller.tax_id), '/seller/tax_id'),
      ...when(isWrong(customer.tax_id), '/customer/tax_id'),
      ...when(isWrong(agent?.tax_id), '/tax_representative/tax_id'),
    ],
  },
  {
    id: 'BR-CO-26',
    law: null,
    refusal: DocumentRefusal.particulars_missing,
    message: 'the seller needs a VAT number, a number in the register, or another id.',
    notIfSimplified: true,
    broken: ({ seller }) => {
      const isKnown = has(seller.registration_id) || (seller.identifiers ?? []).length > 0;
      return when(!vatNumberOf(seller) && !isKnown, '/seller/registration_id');
    },
  },
  ...['S', 'Z', 'E', 'L', 'M'].map((category): InvoiceRule => {
    const named = { S: 'S', Z: 'Z', E: 'E', L: 'AF', M: 'AG' }[category];
    return {
      id: `BR-${named}-02`,
      also: [`BR-${named}-03`, `BR-${named}-04`],
      law: 'Art. 226 (3), § 14 (4) 2 UStG',
      refusal: DocumentRefusal.tax_id_required,
      message: `category ${category} needs a tax number of the seller, or a representative.`,
      notIfSimplified: true,
      broken: (document) =>
        when(
          isOf(document, category) && !isRegistered(document.seller) && !isRepresented(document),
          '/seller/tax_id',
        ),
    };
  }),
  {
    id: 'BR-AE-02',
    also: ['BR-AE-03', 'BR-AE-04'],
    law: 'Art. 226 (4), § 14a (1) UStG',
    refusal: DocumentRefusal.tax_id_required,
    message: 'reverse charge (AE) needs the VAT numbers of seller and buyer.',
    broken: (document) => vatNumbersMissing(document, 'AE'),
  },
  {
    id: 'BR-IC-02',
    also: ['BR-IC-03', 'BR-IC-04'],
    law: 'Art. 226 (4), § 14a (3) UStG',
    refusal: DocumentRefusal.tax_id_required,
    message: 'an intra-Community supply (K) needs the VAT numbers of seller and buyer.',
    broken: (document) => vatNumbersMissing(document, 'K'),
  },
  {
    id: 'BR-IC-11',
    law: 'Art. 226 (7)',
    refusal: DocumentRefusal.particulars_missing,
    message: 'an intra-Community supply (K) needs a supply_date or service_period.',
    broken: (document) => when(isOf(document, 'K') && isUndated(document), '/supply_date'),
  },
  {
    id: 'BR-IC-12',
    law: null,
    refusal: DocumentRefusal.particulars_missing,
    message: 'an intra-Community supply (K) needs the country that it went to, in delivery.',
    broken: (document) =>
      when(isOf(document, 'K') && !has(deliveredTo(document)), '/delivery/country'),
  },
  {
    id: 'BR-G-02',
    also: ['BR-G-03', 'BR-G-04'],
    law: 'Art. 226 (3)',
    refusal: DocumentRefusal.tax_id_required,
    message: 'an export (G) needs the VAT number of the seller, or a representative.',
    broken: (document) =>
      when(
        isOf(document, 'G') && !vatNumberOf(document.seller) && !isRepresented(document),
        '/seller/tax_id',
      ),
  },
  {
    id: 'BR-O-02',
    also: ['BR-O-03', 'BR-O-04'],
    law: null,
    refusal: DocumentRefusal.tax_id_not_allowed,
    message: 'what is outside of the scope of tax (O) is billed without VAT numbers.',
    broken: (document) =>
      isOf(document, 'O')
        ? [
            ...when(vatNumberOf(document.seller) !== null, '/seller/tax_id'),
            ...when(vatNumberOf(document.customer) !== null, '/customer/tax_id'),
            ...when(isRepresented(document), '/tax_representative'),
          ]
        : [],
  },
  {
    id: 'BR-O-11',
    also: ['BR-O-12', 'BR-O-13', 'BR-O-14'],
    law: null,
    refusal: DocumentRefusal.tax_category_alone,
    message: 'category O stands beside no other one; use a document of its own.',
    where: 'everywhere',
    broken: ({ lines, charges }) =>
      outOfScopeBesideOthers(
        lines.map(({ taxCategory }) => taxCategory),
        charges.map(({ ownTax }) => ownTax?.category ?? null),
      ),
  },
  ...DECIMAL_RULES,
  {
    id: 'Art. 219',
    law: '§ 31 (5) UStDV',
    refusal: DocumentRefusal.particulars_missing,
    message: 'a credit note names the invoice; make it with POST .../{id}/credit-notes.',
    broken: ({ kind, details }) =>
      when(kind === 'credit_note' && details.preceding_invoice === null, '/preceding_invoice'),
  },
  {
    id: '§ 14 (4) 6 UStG',
    law: 'Art. 226 (7)',
    refusal: DocumentRefusal.particulars_missing,
    message: 'a German invoice has the day of supply, supply_date or service_period.',
    where: 'DE',
    notIfSimplified: true,
    broken: (document) => when(isUndated(document), '/supply_date'),
  },
];

function isNamed({ name, legal_name: legalName }: Seller, other: string): boolean {
  return [name, legalName].includes(other.trim());
}

function isWrong(taxId: string | null | undefined): boolean {
  return taxId != null && isValidVatNumber(taxId) === false;
}

function isUndated({ details }: JudgedDocument): boolean {
  return details.supply_date === null && details.service_period === null;
}

function vatNumbersMissing(document: JudgedDocument, category: string): string[] {
  if (!isOf(document, category)) return [];
  return [
    ...when(!vatNumberOf(document.seller) && !isRepresented(document), '/seller/tax_id'),
    ...when(!vatNumberOf(document.customer), '/customer/tax_id'),
  ];
}
