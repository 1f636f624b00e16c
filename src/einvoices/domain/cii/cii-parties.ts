import type {
  SemanticAddress,
  SemanticBuyer,
  SemanticParty,
  SemanticPayee,
  SemanticSeller,
  SemanticTaxRepresentative,
} from '../semantic/semantic-parties.js';
import { element, textElement } from '../xml.js';
import { partyId } from './cii-terms.js';

export function ciiSeller(seller: SemanticSeller): string {
  return party('ram:SellerTradeParty', seller);
}

export function ciiBuyer(buyer: SemanticBuyer): string {
  return party('ram:BuyerTradeParty', buyer);
}

/** Ids without a scheme stand before those with one. */
function party(name: string, of: SemanticParty & Partial<SemanticSeller>): string {
  const plain = of.ids.filter(({ scheme }) => scheme === null);
  const global = of.ids.filter(({ scheme }) => scheme !== null);
  return element(
    name,
    [...plain, ...global].map(partyId).join(''),
    textElement('ram:Name', of.name),
    textElement('ram:Description', of.legalInformation),
    element(
      'ram:SpecifiedLegalOrganization',
      textElement('ram:ID', of.registration?.value, { schemeID: of.registration?.scheme }),
      textElement('ram:TradingBusinessName', of.tradingName),
    ),
    element(
      'ram:DefinedTradeContact',
      textElement('ram:PersonName', of.contact.name),
      element(
        'ram:TelephoneUniversalCommunication',
        textElement('ram:CompleteNumber', of.contact.phone),
      ),
      element('ram:EmailURIUniversalCommunication', textElement('ram:URIID', of.contact.email)),
    ),
    ciiAddress(of.address),
    element(
      'ram:URIUniversalCommunication',
      textElement('ram:URIID', of.electronicAddress?.value, {
        schemeID: of.electronicAddress?.scheme,
      }),
    ),
    registration('FC', of.taxNumber),
    registration('VA', of.vatId),
  );
}

function registration(scheme: 'VA' | 'FC', id: string | null | undefined): string {
  return element('ram:SpecifiedTaxRegistration', textElement('ram:ID', id, { schemeID: scheme }));
}

export function ciiAddress({ lines, ...of }: SemanticAddress): string {
  return element(
    'ram:PostalTradeAddress',
    textElement('ram:PostcodeCode', of.postCode),
    textElement('ram:LineOne', lines[0]),
    textElement('ram:LineTwo', lines[1]),
    textElement('ram:LineThree', lines[2]),
    textElement('ram:CityName', of.city),
    textElement('ram:CountryID', of.country),
    textElement('ram:CountrySubDivisionName', of.subdivision),
  );
}

export function ciiTaxRepresentative(of: SemanticTaxRepresentative | null): string {
  if (of === null) return '';
  return element(
    'ram:SellerTaxRepresentativeTradeParty',
    textElement('ram:Name', of.name),
    ciiAddress(of.address),
    registration('VA', of.vatId),
  );
}

export function ciiPayee(payee: SemanticPayee | null): string {
  if (payee === null) return '';
  return element(
    'ram:PayeeTradeParty',
    partyId(payee.id),
    textElement('ram:Name', payee.name),
    element(
      'ram:SpecifiedLegalOrganization',
      textElement('ram:ID', payee.registration?.value, { schemeID: payee.registration?.scheme }),
    ),
  );
}
