import type { BankAccount, DocumentView } from '../../documents/index.js';
import { Decimal } from '../../kernel/decimal.js';
import { documentAdjustments, lineAdjustments } from './document-adjustments.js';
import {
  buyerTerms,
  identifierOf,
  registered,
  semanticAddress,
  sellerTerms,
} from './document-parties.js';
import { inMajorUnits, netPrice } from './line-price.js';
import type {
  PaymentInstructions,
  SemanticInvoice,
  VatBreakdown,
} from './semantic/semantic-invoice.js';
import type { SemanticLine, SemanticPrice } from './semantic/semantic-line.js';

type LineOf = DocumentView['lines'][number];

/** Terms that documents decide as for paper. */
export interface PaperTerms {
  /** A sentence for each cash discount (BT-20). */
  cashDiscounts: readonly string[];
  /** Those that it names. */
  accounts: readonly BankAccount[];
}

/** Attached files in Base64 (BT-125), by their SHA-256. To judge an invoice, nobody needs them. */
export type FilesInBase64 = ReadonlyMap<string, string>;

/** UNTDID 1001: a credit note, and a commercial invoice. */
const TYPE_CODES = { credit_note: '381', invoice: '380' } as const;

/** A document that was issued, by the terms of EN 16931: the one place that reads its fields. */
export function semanticInvoice(
  view: DocumentView,
  paper: PaperTerms,
  files: FilesInBase64 = new Map(),
): SemanticInvoice {
  const { details, currency } = view;
  return {
    number: view.number ?? '',
    issueDate: view.issueDate ?? '',
    typeCode:
      details.type_code ?? TYPE_CODES[view.kind === 'credit_note' ? 'credit_note' : 'invoice'],
    // A document takes type codes of its own kind only.
    isCreditNote: view.kind === 'credit_note',
    currency,
    vatAccountingCurrency: view.taxInTaxCurrency?.currency ?? null,
    taxPointDate: details.tax_point_date ?? null,
    taxPointEvent: details.tax_point ?? null,
    dueDate: view.dueDate,
    buyerReference: details.buyer_reference ?? view.customer.reference,
    projectReference: details.project_reference,
    contractReference: details.contract_reference,
    purchaseOrder: view.purchaseOrder,
    salesOrder: details.sales_order,
    receivingAdvice: details.receiving_reference ?? null,
    despatchAdvice: details.despatch_reference,
    tenderOrLot: details.tender_reference ?? null,
    invoicedObject: identifierOf(details.invoiced_object),
    buyerAccountingReference: details.buyer_accounting_reference ?? null,
    paymentTerms: details.payment_terms ?? null,
    cashDiscounts: view.cashDiscounts.map(({ percent, days }, index) => ({
      percent,
      days,
      base: view.amountPrepaid.isZero() ? null : view.total,
      words: paper.cashDiscounts[index] ?? '',
    })),
    notes: [
      ...(view.notes === null ? [] : [{ subjectCode: null, text: view.notes }]),
      ...(details.subject_notes ?? []).map(({ subject, text }) => ({
        subjectCode: subject ?? null,
        text,
      })),
    ],
    businessProcess: details.supply_nature ? PROCESSES[details.supply_nature] : null,
    precedingInvoices: [
      ...(details.preceding_invoice ? [details.preceding_invoice] : []),
      ...(details.preceding_invoices ?? []),
    ].map(({ number, issue_date: issueDate }) => ({ number, issueDate: issueDate ?? null })),
    seller: sellerTerms(view),
    buyer: buyerTerms(view),
    payee: details.payee && {
      name: details.payee.name,
      id: registered(details.payee.id, details.payee.id_scheme),
      registration: registered(details.payee.registration_id, details.payee.registration_scheme),
    },
    taxRepresentative: details.tax_representative && {
      name: details.tax_representative.name,
      vatId: details.tax_representative.tax_id,
      address: semanticAddress(details.tax_representative),
    },
    delivery: deliveryOf(view),
    paymentInstructions: paymentOf(view, paper.accounts),
    ...documentAdjustments(view),
    totals: {
      lines: view.subtotal,
      allowances: view.discountTotal,
      charges: view.chargeTotal,
      withoutVat: view.netTotal,
      vat: view.taxTotal,
      vatInAccountingCurrency: view.taxInTaxCurrency,
      withVat: view.netTotal.plus(view.taxTotal),
      paid: view.amountPrepaid,
      rounding: view.rounding,
      due: view.total.minus(view.amountPrepaid),
    },
    vatBreakdown: view.taxGroups.map(breakdownOf),
    supportingDocuments: supportingDocuments(details, files),
    lines: view.lines.map((line) => lineOf(line, view.pricesIncludeTax)),
  };
}

function supportingDocuments(
  { attachments = [] }: DocumentView['details'],
  files: FilesInBase64,
): SemanticInvoice['supportingDocuments'] {
  return attachments.map((one) => ({
    reference: one.reference ?? one.name,
    description: one.description ?? null,
    location: 'url' in one ? one.url : null,
    attachment:
      'sha256' in one
        ? { mimeType: one.media_type, fileName: one.name, base64: files.get(one.sha256) ?? '' }
        : null,
  }));
}

/** In France: an invoice of goods, of services, or of both (BT-23). */
const PROCESSES = { goods: 'B1', services: 'S1', goods_and_services: 'M1' } as const;

const periodOf = (period: LineOf['details']['service_period']) =>
  period && { start: period.start, end: period.end };

/** Goods that go to another country of the EU name it (BR-IC-12), be it that of the buyer. */
function deliveryOf({ details, customer, taxGroups }: DocumentView): SemanticInvoice['delivery'] {
  const said = details.delivery ?? customer.shipping_address;
  const isToAnotherCountry = taxGroups.some(({ category }) => category === 'K');
  const place = said ?? (isToAnotherCountry ? { ...customer, name: null } : null);
  return {
    name: said?.name ?? null,
    location: identifierOf(details.delivery?.location_id),
    date: details.supply_date,
    period: periodOf(details.service_period),
    address: place && semanticAddress({ ...place, country: place.country ?? customer.country }),
  };
}

/** UNTDID 4461: credit transfers, and that of SEPA. */
const SEPA_TRANSFER = '58';

/** UNTDID 4461: debts of two that are cleared, and a way to pay that is not agreed. */
const CLEARING = '97';
const NOT_DEFINED = '1';

/** UNTDID 4461: a card, and a debit, in euros that of SEPA. */
const CARD = '48';
const DEBIT = '49';
const SEPA_DEBIT = '59';
const CARDS = new Set([CARD, '54', '55']);
const DEBITS = new Set([DEBIT, SEPA_DEBIT]);

/** Ways to pay that name no account of the seller (BR-DE-24-b, 25-b): 10 is cash. */
const NOT_TO_ACCOUNTS = new Set([...CARDS, ...DEBITS, CLEARING, NOT_DEFINED, '10']);

/** As the document says; else as its card, mandate or the seller's accounts let expect. */
function meansOf(view: DocumentView, accounts: readonly BankAccount[]): string | null {
  const { details, seller, customer, currency, kind, origin } = view;
  // The Netherlands know no clearing, and want no way to pay on a credit note (NL-R-007, NL-R-008).
  const isDutch = seller.country === 'NL' && customer.country === 'NL';
  if (kind === 'credit_note' && isDutch) return null;
  // It has the means of its invoice, by which nobody pays it back.
  if (kind === 'credit_note' && origin?.relation === 'credit') return CLEARING;
  if (kind === 'credit_note') return details.payment_means_code ?? CLEARING;
  if (details.payment_means_code !== null) return details.payment_means_code;
  if (details.payment_card) return CARD;
  if (details.direct_debit) return currency === 'EUR' ? SEPA_DEBIT : DEBIT;
  if (accounts.length === 0) return NOT_DEFINED;
  return currency === 'EUR' && accounts.some(({ iban }) => iban !== null) ? SEPA_TRANSFER : '30';
}

function paymentOf(
  view: DocumentView,
  accounts: readonly BankAccount[],
): PaymentInstructions | null {
  const { paymentReference, details } = view;
  const { payment_card: card, direct_debit: debit } = details;
  const meansCode = meansOf(view, accounts);
  if (meansCode === null) return null;
  // A transfer of SEPA goes to an IBAN.
  const paidTo = accounts.filter(({ iban }) => iban !== null || meansCode !== SEPA_TRANSFER);
  return {
    meansCode,
    meansText: details.payment_means_text ?? null,
    remittance: paymentReference,
    creditTransfers: (NOT_TO_ACCOUNTS.has(meansCode) ? [] : paidTo).map((account) => ({
      account: {
        kind: account.iban === null ? 'other' : 'iban',
        id: account.iban ?? account.account_number ?? '',
      },
      name: account.holder,
      bic: account.bic ?? account.bank_code?.value ?? null,
    })),
    // Readers take those that go with the means alone (BR-DE-23-b, 24-b, 25-b).
    card:
      card && CARDS.has(meansCode)
        ? { number: card.last_digits, holder: card.holder ?? null }
        : null,
    directDebit:
      debit && DEBITS.has(meansCode)
        ? {
            mandate: debit.mandate_reference ?? null,
            creditorId: debit.creditor_id ?? null,
            debitedAccount: debit.account ?? null,
          }
        : null,
  };
}

function breakdownOf(group: DocumentView['taxGroups'][number]): VatBreakdown {
  return {
    base: group.base,
    vat: group.tax,
    tax: { category: group.category, rate: group.rate },
    exemptionReason: group.exemptionReason,
    exemptionCode: group.exemptionCode,
  };
}

function lineOf(line: LineOf, pricesIncludeTax: boolean): SemanticLine {
  const { details } = line;
  return {
    id: String(line.position),
    note: details.note ?? null,
    object: identifierOf(details.invoiced_object),
    quantity: Decimal.parse(line.quantity).toString(),
    unit: line.unit,
    net: line.net,
    orderLine: details.order_line,
    buyerAccountingReference: details.buyer_accounting_reference ?? null,
    period: periodOf(details.service_period),
    ...lineAdjustments(line, pricesIncludeTax),
    price: semanticPrice(line, netPrice(line, pricesIncludeTax), pricesIncludeTax),
    tax: { category: line.taxCategory, rate: line.taxRate },
    item: {
      name: line.description,
      description: details.item_description ?? null,
      sellerId: line.sku,
      buyerId: details.buyer_item_id,
      standardId: details.standard_item_id,
      classifications: details.classifications ?? [],
      originCountry: details.country_of_origin ?? null,
      attributes: details.attributes ?? [],
    },
  };
}

/** A list price has tax in it where prices have, and is left out there: the price is a derived one. */
function semanticPrice({ details, net }: LineOf, price: string, withTax: boolean): SemanticPrice {
  if (withTax) return { net: price, gross: null, baseQuantity: '1' };
  const { gross_unit_amount_decimal: list, price_base_quantity: base = '1' } = details;
  if (list === undefined) return { net: price, gross: null, baseQuantity: base };
  const gross = inMajorUnits(Decimal.parse(list), net);
  const less = Decimal.parse(price);
  const discount = gross.plus(Decimal.of(-less.units, less.scale)).toString();
  return { net: price, gross: { price: gross.toString(), discount }, baseQuantity: base };
}
