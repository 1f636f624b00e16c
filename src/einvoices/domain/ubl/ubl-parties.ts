import type { SemanticInvoice } from '../semantic/semantic-invoice.js';
import type {
  SemanticAddress,
  SemanticBuyer,
  SemanticParty,
  SemanticSeller,
  SemanticTaxRepresentative,
} from '../semantic/semantic-parties.js';
import { element, textElement } from '../xml.js';
import { identifier, VAT } from './ubl-terms.js';

/** A tax number that is no VAT number: the scheme is any other word. */
const OTHER_TAX = '<cac:TaxScheme><cbc:ID>FC</cbc:ID></cac:TaxScheme>';

/** Of creditors in direct debits (BT-90). */
const SEPA = 'SEPA';

export function ublSeller({ seller, payee, paymentInstructions }: SemanticInvoice): string {
  const creditor = paymentInstructions?.directDebit?.creditorId ?? null;
  return element('cac:AccountingSupplierParty', party(seller, payee === null ? creditor : null));
}

export function ublBuyer(buyer: SemanticBuyer): string {
  return element('cac:AccountingCustomerParty', party(buyer, null));
}

const creditorId = (id: string | null) =>
  element('cac:PartyIdentification', textElement('cbc:ID', id, { schemeID: SEPA }));

function party(of: SemanticParty & Partial<SemanticSeller>, creditor: string | null): string {
  return element(
    'cac:Party',
    identifier('cbc:EndpointID', of.electronicAddress),
    of.ids.map((id) => element('cac:PartyIdentification', identifier('cbc:ID', id))).join(''),
    creditorId(creditor),
    element('cac:PartyName', textElement('cbc:Name', of.tradingName)),
    ublAddress('cac:PostalAddress', of.address),
    vatNumber(of.vatId),
    taxNumber(of.taxNumber),
    element(
      'cac:PartyLegalEntity',
      textElement('cbc:RegistrationName', of.name),
      identifier('cbc:CompanyID', of.registration),
      textElement('cbc:CompanyLegalForm', of.legalInformation),
    ),
    element(
      'cac:Contact',
      textElement('cbc:Name', of.contact.name),
      textElement('cbc:Telephone', of.contact.phone),
      textElement('cbc:ElectronicMail', of.contact.email),
    ),
  );
}

function vatNumber(id: string | null): string {
  const company = textElement('cbc:CompanyID', id);
  return company === '' ? '' : element('cac:PartyTaxScheme', company, VAT);
}

function taxNumber(id: string | null | undefined): string {
  const company = textElement('cbc:CompanyID', id);
  return company === '' ? '' : element('cac:PartyTaxScheme', company, OTHER_TAX);
}

export function ublAddress(name: string, { lines, ...of }: SemanticAddress): string {
  return element(
    name,
    textElement('cbc:StreetName', lines[0]),
    textElement('cbc:AdditionalStreetName', lines[1]),
    textElement('cbc:CityName', of.city),
    textElement('cbc:PostalZone', of.postCode),
    textElement('cbc:CountrySubentity', of.subdivision),
    element('cac:AddressLine', textElement('cbc:Line', lines[2])),
    element('cac:Country', textElement('cbc:IdentificationCode', of.country)),
  );
}

export function ublPayee({ payee, paymentInstructions }: SemanticInvoice): string {
  if (payee === null) return '';
  return element(
    'cac:PayeeParty',
    element('cac:PartyIdentification', identifier('cbc:ID', payee.id)),
    creditorId(paymentInstructions?.directDebit?.creditorId ?? null),
    element('cac:PartyName', textElement('cbc:Name', payee.name)),
    element('cac:PartyLegalEntity', identifier('cbc:CompanyID', payee.registration)),
  );
}

export function ublTaxRepresentative(of: SemanticTaxRepresentative | null): string {
  if (of === null) return '';
  return element(
    'cac:TaxRepresentativeParty',
    element('cac:PartyName', textElement('cbc:Name', of.name)),
    ublAddress('cac:PostalAddress', of.address),
    vatNumber(of.vatId),
  );
}
