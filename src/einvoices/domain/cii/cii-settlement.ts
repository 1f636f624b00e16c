import { amountText } from '../amounts.js';
import { paymentTermsText } from '../payment-terms.js';
import type { Profile } from '../profile.js';
import type {
  CreditTransfer,
  PaymentInstructions,
  SemanticInvoice,
  VatBreakdown,
} from '../semantic/semantic-invoice.js';
import { element, textElement } from '../xml.js';
import { ciiPayee } from './cii-parties.js';
import {
  billingPeriod,
  ciiDay,
  plainAmount,
  taxRate,
  tradeAllowanceCharge,
  VAT_TYPE,
} from './cii-terms.js';

export function ciiSettlement(invoice: SemanticInvoice, profile: Profile): string {
  const { paymentInstructions } = invoice;
  return element(
    'ram:ApplicableHeaderTradeSettlement',
    textElement('ram:CreditorReferenceID', paymentInstructions?.directDebit?.creditorId),
    textElement('ram:PaymentReference', paymentInstructions?.remittance),
    textElement('ram:TaxCurrencyCode', invoice.vatAccountingCurrency),
    textElement('ram:InvoiceCurrencyCode', invoice.currency),
    ciiPayee(invoice.payee),
    paymentInstructions === null ? '' : paymentMeans(paymentInstructions),
    // The day stands once (CII-SR-461).
    invoice.vatBreakdown
      .map((one, index) =>
        breakdown(one, index === 0 ? invoice : { ...invoice, taxPointDate: null }, profile),
      )
      .join(''),
    billingPeriod(invoice.delivery.period),
    invoice.allowances.map((one) => tradeAllowanceCharge(false, one)).join(''),
    invoice.charges.map((one) => tradeAllowanceCharge(true, one)).join(''),
    element(
      'ram:SpecifiedTradePaymentTerms',
      textElement('ram:Description', paymentTermsText(invoice, profile)),
      ciiDay('ram:DueDateDateTime', invoice.dueDate),
      textElement('ram:DirectDebitMandateID', paymentInstructions?.directDebit?.mandate),
    ),
    summation(invoice),
    precedingInvoices(invoice),
    element(
      'ram:ReceivableSpecifiedTradeAccountingAccount',
      textElement('ram:ID', invoice.buyerAccountingReference),
    ),
  );
}

/** An element for each account. */
function paymentMeans(of: PaymentInstructions): string {
  const accounts = of.creditTransfers.length === 0 ? [null] : of.creditTransfers;
  return accounts
    .map((account) =>
      element(
        'ram:SpecifiedTradeSettlementPaymentMeans',
        textElement('ram:TypeCode', of.meansCode),
        textElement('ram:Information', of.meansText),
        element(
          'ram:ApplicableTradeSettlementFinancialCard',
          textElement('ram:ID', of.card?.number),
          textElement('ram:CardholderName', of.card?.holder),
        ),
        element(
          'ram:PayerPartyDebtorFinancialAccount',
          textElement('ram:IBANID', of.directDebit?.debitedAccount),
        ),
        account === null ? '' : payeeAccount(account),
      ),
    )
    .join('');
}

function payeeAccount({ account, name, bic }: CreditTransfer): string {
  return (
    element(
      'ram:PayeePartyCreditorFinancialAccount',
      account.kind === 'iban' ? textElement('ram:IBANID', account.id) : '',
      textElement('ram:AccountName', name),
      account.kind === 'other' ? textElement('ram:ProprietaryID', account.id) : '',
    ) + element('ram:PayeeSpecifiedCreditorFinancialInstitution', textElement('ram:BICID', bic))
  );
}

/** UNTDID 2475, of the day on which tax becomes due (BT-8). */
const TAX_POINTS = { issue: '5', delivery: '29', payment: '72' } as const;

function breakdown(
  { base, vat, tax, ...of }: VatBreakdown,
  { taxPointDate, taxPointEvent }: SemanticInvoice,
  { writesRateOfO }: Profile,
): string {
  return element(
    'ram:ApplicableTradeTax',
    plainAmount('ram:CalculatedAmount', vat),
    VAT_TYPE,
    textElement('ram:ExemptionReason', of.exemptionReason),
    plainAmount('ram:BasisAmount', base),
    textElement('ram:CategoryCode', tax.category),
    textElement('ram:ExemptionReasonCode', of.exemptionCode),
    ciiDay('ram:TaxPointDate', taxPointDate, 'udt:DateString'),
    textElement('ram:DueDateTypeCode', taxPointEvent && TAX_POINTS[taxPointEvent]),
    taxRate(tax, writesRateOfO),
  );
}

function summation(invoice: SemanticInvoice): string {
  const { totals, currency, vatAccountingCurrency } = invoice;
  const taxTotal = (amount: typeof totals.vat, of: string) =>
    `<ram:TaxTotalAmount currencyID="${of}">${amountText(amount)}</ram:TaxTotalAmount>`;
  return element(
    'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
    plainAmount('ram:LineTotalAmount', totals.lines),
    invoice.charges.length === 0 ? '' : plainAmount('ram:ChargeTotalAmount', totals.charges),
    invoice.allowances.length === 0
      ? ''
      : plainAmount('ram:AllowanceTotalAmount', totals.allowances),
    plainAmount('ram:TaxBasisTotalAmount', totals.withoutVat),
    taxTotal(totals.vat, currency),
    totals.vatInAccountingCurrency && vatAccountingCurrency
      ? taxTotal(totals.vatInAccountingCurrency, vatAccountingCurrency)
      : '',
    totals.rounding.isZero() ? '' : plainAmount('ram:RoundingAmount', totals.rounding),
    plainAmount('ram:GrandTotalAmount', totals.withVat),
    totals.paid.isZero() ? '' : plainAmount('ram:TotalPrepaidAmount', totals.paid),
    plainAmount('ram:DuePayableAmount', totals.due),
  );
}

function precedingInvoices({ precedingInvoices: all }: SemanticInvoice): string {
  return all
    .map(({ number, issueDate }) =>
      element(
        'ram:InvoiceReferencedDocument',
        textElement('ram:IssuerAssignedID', number),
        ciiDay('ram:FormattedIssueDateTime', issueDate, 'qdt:DateTimeString'),
      ),
    )
    .join('');
}
