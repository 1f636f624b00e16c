import { CREDIT_TRANSFERS } from '../../../kernel/payment-means.js';
import type { SemanticInvoice } from '../semantic/semantic-invoice.js';
import { isLeitwegId, LEITWEG_FORM } from './check-digits.js';
import { type EInvoiceRule, fatal, has, warning, when } from './rule.js';

/** UNTDID 4461, by what has to stand beside them. */
const CARDS = new Set(['48', '54', '55']);
const DIRECT_DEBIT = '59';

const contactOf = ({ seller }: SemanticInvoice) => seller.contact;
const hasContact = (invoice: SemanticInvoice) => Object.values(contactOf(invoice)).some(has);
const hasAddress = ({ lines, ...of }: SemanticInvoice['seller']['address']) =>
  [...lines, ...Object.values(of)].some(has);

const EMAIL = /^[^@\s]{2,}@[^@\s]{2,}$/;

const meansOf = ({ paymentInstructions }: SemanticInvoice) => paymentInstructions?.meansCode ?? '';

/** With the number that Peppol gives the same rule between two sides in Germany. */
type GermanRule = EInvoiceRule & { inPeppol: string };

const named = (inPeppol: string, rule: EInvoiceRule): GermanRule => ({ ...rule, inPeppol });

/** Of XRechnung 3.0.2. */
const GERMAN: readonly GermanRule[] = [
  named(
    'DE-R-001',
    fatal('BR-DE-1', 'say how to pay: payment_means_code.', (invoice) =>
      when(invoice.paymentInstructions === null, '/payment_means_code'),
    ),
  ),
  named(
    'DE-R-002',
    fatal('BR-DE-2', 'the seller needs a contact: contact_name, phone and email.', (invoice) =>
      when(!hasContact(invoice), '/seller/contact_name'),
    ),
  ),
  named(
    'DE-R-003',
    fatal('BR-DE-3', 'the seller needs a city.', ({ seller }) =>
      when(hasAddress(seller.address) && !has(seller.address.city), '/seller/city'),
    ),
  ),
  named(
    'DE-R-004',
    fatal('BR-DE-4', 'the seller needs a postal code.', ({ seller }) =>
      when(hasAddress(seller.address) && !has(seller.address.postCode), '/seller/postal_code'),
    ),
  ),
  named(
    'DE-R-005',
    fatal('BR-DE-5', 'the seller needs a contact_name.', (invoice) =>
      when(hasContact(invoice) && !has(contactOf(invoice).name), '/seller/contact_name'),
    ),
  ),
  named(
    'DE-R-006',
    fatal('BR-DE-6', 'the seller needs a phone.', (invoice) =>
      when(hasContact(invoice) && !has(contactOf(invoice).phone), '/seller/phone'),
    ),
  ),
  named(
    'DE-R-007',
    fatal('BR-DE-7', 'the seller needs an email.', (invoice) =>
      when(hasContact(invoice) && !has(contactOf(invoice).email), '/seller/email'),
    ),
  ),
  named(
    'DE-R-008',
    fatal('BR-DE-8', 'the buyer needs a city.', ({ buyer }) =>
      when(hasAddress(buyer.address) && !has(buyer.address.city), '/customer/city'),
    ),
  ),
  named(
    'DE-R-009',
    fatal('BR-DE-9', 'the buyer needs a postal code.', ({ buyer }) =>
      when(hasAddress(buyer.address) && !has(buyer.address.postCode), '/customer/postal_code'),
    ),
  ),
  named(
    'DE-R-010',
    fatal('BR-DE-10', 'an address of delivery needs a city.', ({ delivery: { address } }) =>
      when(address !== null && hasAddress(address) && !has(address.city), '/delivery/city'),
    ),
  ),
  named(
    'DE-R-011',
    fatal('BR-DE-11', 'an address of delivery needs a postal code.', ({ delivery: { address } }) =>
      when(
        address !== null && hasAddress(address) && !has(address.postCode),
        '/delivery/postal_code',
      ),
    ),
  ),
  named(
    'DE-R-015',
    fatal('BR-DE-15', 'send buyer_reference, such as a Leitweg-ID.', ({ buyerReference }) =>
      when(!has(buyerReference), '/buyer_reference'),
    ),
  ),
  named(
    'DE-R-016',
    fatal('BR-DE-16', 'the seller needs a tax number.', (invoice) =>
      when(
        invoice.vatBreakdown.some(({ tax }) => tax.category !== 'O') &&
          !has(invoice.seller.vatId) &&
          !has(invoice.seller.taxNumber) &&
          invoice.taxRepresentative === null,
        '/seller/tax_id',
      ),
    ),
  ),
  named(
    'DE-R-023-1',
    fatal('BR-DE-23-a', 'who asks for a credit transfer needs a bank account.', (invoice) =>
      when(
        CREDIT_TRANSFERS.has(meansOf(invoice)) &&
          invoice.paymentInstructions?.creditTransfers.length === 0,
        '/seller/bank_accounts',
      ),
    ),
  ),
  named(
    'DE-R-024-1',
    fatal('BR-DE-24-a', 'a card payment names its card; send another payment_means_code.', (of) =>
      when(CARDS.has(meansOf(of)) && !of.paymentInstructions?.card, '/payment_means_code'),
    ),
  ),
  named(
    'DE-R-025-1',
    fatal(
      'BR-DE-25-a',
      'a direct debit names its mandate; send another payment_means_code.',
      (of) =>
        when(
          meansOf(of) === DIRECT_DEBIT && !of.paymentInstructions?.directDebit,
          '/payment_means_code',
        ),
    ),
  ),
  named(
    'DE-R-030',
    fatal('BR-DE-30', 'a direct debit names your creditor_id.', ({ paymentInstructions: of }) =>
      when(of?.directDebit != null && !has(of.directDebit.creditorId), '/direct_debit/creditor_id'),
    ),
  ),
  named(
    'DE-R-031',
    fatal('BR-DE-31', 'a direct debit names the debited account.', ({ paymentInstructions: of }) =>
      when(of?.directDebit != null && !has(of.directDebit.debitedAccount), '/direct_debit/account'),
    ),
  ),
  named(
    'DE-R-027',
    warning('BR-DE-27', 'a phone has three digits or more.', (invoice) => {
      const { phone } = contactOf(invoice);
      return when(has(phone) && (phone ?? '').replaceAll(/\D/g, '').length < 3, '/seller/phone');
    }),
  ),
  named(
    'DE-R-028',
    warning('BR-DE-28', 'an email has one @, with two characters or more on each side.', (of) => {
      const { email } = contactOf(of);
      return when(has(email) && !EMAIL.test(email ?? ''), '/seller/email');
    }),
  ),
];

/** No official check looks at it, but the authority sends back what it cannot route. */
const LEITWEG_RULE = warning(
  'LEITWEG-ID',
  'the Leitweg-ID has a wrong check digit, or another form; compare it with the order.',
  ({ buyerReference, buyer: { electronicAddress } }) => [
    ...when(
      LEITWEG_FORM.test(buyerReference ?? '') && !isLeitwegId(buyerReference ?? ''),
      '/buyer_reference',
    ),
    ...when(
      electronicAddress?.scheme === '0204' && !isLeitwegId(electronicAddress.value),
      '/customer/electronic_address/value',
    ),
  ],
);

export const XRECHNUNG_RULES: readonly EInvoiceRule[] = [...GERMAN, LEITWEG_RULE];

export const areGerman = ({ seller, buyer }: SemanticInvoice) =>
  seller.address.country === 'DE' && buyer.address.country === 'DE';

/** The same in Peppol, where both sides are in Germany. */
export const GERMAN_PEPPOL_RULES: readonly EInvoiceRule[] = GERMAN.map(
  ({ inPeppol, ...rule }): EInvoiceRule => ({
    ...rule,
    id: inPeppol,
    broken: (invoice, profile) => (areGerman(invoice) ? rule.broken(invoice, profile) : []),
  }),
);
