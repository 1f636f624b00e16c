import { paymentTermsText } from '../payment-terms.js';
import type { Profile } from '../profile.js';
import type {
  CreditTransfer,
  PaymentInstructions,
  SemanticInvoice,
  VatBreakdown,
} from '../semantic/semantic-invoice.js';
import { element, textElement } from '../xml.js';
import { belgianExemption, belgianTaxName } from './ubl-belgium.js';
import { ublAddress } from './ubl-parties.js';
import { allowanceCharge, amount, identifier, VAT } from './ubl-terms.js';

export function ublDelivery({
  name,
  location,
  date,
  address,
}: SemanticInvoice['delivery']): string {
  return element(
    'cac:Delivery',
    textElement('cbc:ActualDeliveryDate', date),
    element(
      'cac:DeliveryLocation',
      identifier('cbc:ID', location),
      address === null ? '' : ublAddress('cac:Address', address),
    ),
    element('cac:DeliveryParty', element('cac:PartyName', textElement('cbc:Name', name))),
  );
}

export function ublPayment(invoice: SemanticInvoice, profile: Profile, isNote: boolean): string {
  const { paymentInstructions } = invoice;
  // A credit note has its due date nowhere else.
  const dueDate = isNote ? invoice.dueDate : null;
  return (
    (paymentInstructions === null ? '' : paymentMeans(paymentInstructions, dueDate)) +
    element('cac:PaymentTerms', textElement('cbc:Note', paymentTermsText(invoice, profile))) +
    invoice.allowances.map((one) => allowanceCharge(false, one)).join('') +
    invoice.charges.map((one) => allowanceCharge(true, one)).join('')
  );
}

/** An element for each account; the words and the day stand once (UBL-SR-45, UBL-SR-46). */
function paymentMeans(of: PaymentInstructions, dueDate: string | null): string {
  const accounts = of.creditTransfers.length === 0 ? [null] : of.creditTransfers;
  return accounts
    .map((account, index) =>
      element(
        'cac:PaymentMeans',
        // Words and day stand once (UBL-SR-45, UBL-SR-46).
        textElement('cbc:PaymentMeansCode', of.meansCode, {
          name: index === 0 ? of.meansText : null,
        }),
        textElement('cbc:PaymentDueDate', index === 0 ? dueDate : null),
        textElement('cbc:PaymentID', of.remittance),
        card(of),
        account === null ? '' : payeeAccount(account),
        mandate(of),
      ),
    )
    .join('');
}

/** The schema wants a network, which nobody here knows. */
function card({ card: of }: PaymentInstructions): string {
  if (of === null) return '';
  return element(
    'cac:CardAccount',
    textElement('cbc:PrimaryAccountNumberID', of.number),
    textElement('cbc:NetworkID', 'NA'),
    textElement('cbc:HolderName', of.holder),
  );
}

function payeeAccount({ account, name, bic }: CreditTransfer): string {
  return element(
    'cac:PayeeFinancialAccount',
    textElement('cbc:ID', account.id),
    textElement('cbc:Name', name),
    element('cac:FinancialInstitutionBranch', textElement('cbc:ID', bic)),
  );
}

function mandate({ directDebit }: PaymentInstructions): string {
  if (directDebit === null) return '';
  return element(
    'cac:PaymentMandate',
    textElement('cbc:ID', directDebit.mandate),
    element('cac:PayerFinancialAccount', textElement('cbc:ID', directDebit.debitedAccount)),
  );
}

export function ublTotals(invoice: SemanticInvoice, profile: Profile): string {
  const { totals, vatBreakdown } = invoice;
  return (
    element(
      'cac:TaxTotal',
      amount('cbc:TaxAmount', totals.vat),
      vatBreakdown.map((one) => subtotal(one, profile)).join(''),
    ) +
    element('cac:TaxTotal', amount('cbc:TaxAmount', totals.vatInAccountingCurrency)) +
    element(
      'cac:LegalMonetaryTotal',
      amount('cbc:LineExtensionAmount', totals.lines),
      amount('cbc:TaxExclusiveAmount', totals.withoutVat),
      amount('cbc:TaxInclusiveAmount', totals.withVat),
      invoice.allowances.length === 0 ? '' : amount('cbc:AllowanceTotalAmount', totals.allowances),
      invoice.charges.length === 0 ? '' : amount('cbc:ChargeTotalAmount', totals.charges),
      totals.paid.isZero() ? '' : amount('cbc:PrepaidAmount', totals.paid),
      totals.rounding.isZero() ? '' : amount('cbc:PayableRoundingAmount', totals.rounding),
      amount('cbc:PayableAmount', totals.due),
    )
  );
}

function subtotal({ base, vat, tax, ...of }: VatBreakdown, profile: Profile): string {
  const hasRate = tax.category !== 'O' || profile.writesRateOfO;
  return element(
    'cac:TaxSubtotal',
    amount('cbc:TaxableAmount', base),
    amount('cbc:TaxAmount', vat),
    element(
      'cac:TaxCategory',
      textElement('cbc:ID', tax.category),
      profile.isBelgian ? belgianTaxName(tax) : '',
      hasRate ? textElement('cbc:Percent', tax.rate) : '',
      profile.isBelgian
        ? belgianExemption(tax)
        : textElement('cbc:TaxExemptionReasonCode', of.exemptionCode) +
            textElement('cbc:TaxExemptionReason', of.exemptionReason),
      VAT,
    ),
  );
}
