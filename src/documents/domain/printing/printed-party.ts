import type { Locale } from './formatting.js';
import type { DeliveryAddress, DocumentDetails } from '../document-details.js';
import type { Buyer, Party, Seller } from '../parties/party.js';
import { addressLines } from '../parties/postal-address.js';
import { taxIdLabel } from '../calculation/tax-names.js';
import type { PrintedField } from './printed-details.js';

export interface PrintedParty {
  heading: string;
  name: string;
  /** Everything below the name. */
  lines: string[];
}

export function printedSeller(seller: Seller, locale: Locale): PrintedParty {
  return {
    heading: locale.texts.seller,
    name: seller.name,
    lines: [...reachedAt(seller, locale), ...particularsOf(seller, locale)],
  };
}

/** The lines by which the seller is found and spoken to. */
export function reachedAt(seller: Seller, locale: Locale): string[] {
  return [
    ...legalName(seller),
    ...addressLines(seller, locale),
    ...given(seller.contact_name, seller.email, seller.phone, seller.website),
  ];
}

/** The facts that laws want on the seller's papers. */
export function particularsOf(seller: Seller, locale: Locale): string[] {
  return [
    ...registrations(seller, locale),
    ...(seller.tax_number ? [`${locale.texts.details.tax_number} ${seller.tax_number}`] : []),
    ...(seller.legal_information?.split('\n') ?? []),
  ];
}

export function printedBuyer(buyer: Buyer, heading: string, locale: Locale): PrintedParty {
  return {
    heading,
    name: buyer.name,
    lines: [
      ...namesOf(buyer),
      ...addressLines(buyer, locale),
      ...given(buyer.email),
      ...inLines(buyerIds(buyer, locale)),
    ],
  };
}

/** Below the buyer's name, and above the street. */
export function namesOf(buyer: Buyer): string[] {
  return [...legalName(buyer), ...given(buyer.contact_name)];
}

/** Its registrations; an id without a scheme is the number that the seller knows it by (BT-46). */
export function buyerIds(buyer: Buyer, locale: Locale): PrintedField[] {
  const { customerNumber } = locale.texts.letter;
  return registrationFields(buyer, locale, customerNumber);
}

export function printedShipTo(to: DeliveryAddress | null, locale: Locale): PrintedParty | null {
  const { shipTo: heading } = locale.texts;
  const lines = to && [...addressLines(to, locale), ...identifiers([to.location_id])];
  return to && lines && { heading, name: to.name ?? '', lines };
}

export function printedOthers(details: DocumentDetails, locale: Locale): PrintedParty[] {
  const { payee, tax_representative: agent } = details;
  const { texts } = locale;
  return [
    ...(payee === null
      ? []
      : [
          {
            heading: texts.details.payee,
            name: payee.name,
            lines: [
              ...identifiers([payee.id && { scheme: payee.id_scheme, value: payee.id }]),
              ...(payee.registration_id === null
                ? []
                : [`${texts.registrationId} ${payee.registration_id}`]),
            ],
          },
        ]),
    ...(agent === null
      ? []
      : [
          {
            heading: texts.details.tax_representative,
            name: agent.name,
            lines: [...addressLines(agent, locale), `${texts.vat.id} ${agent.tax_id}`],
          },
        ]),
  ];
}

function legalName({ name, legal_name: legal }: Party): string[] {
  return legal === null || legal === name ? [] : [legal];
}

function registrations(party: Party, locale: Locale): string[] {
  return inLines(registrationFields(party, locale));
}

function inLines(fields: readonly PrintedField[]): string[] {
  return fields.map(({ name, value }) => [name, value].filter(Boolean).join(' '));
}

/** @param plain the name of ids without a scheme */
function registrationFields(party: Party, { texts }: Locale, plain = ''): PrintedField[] {
  const { tax_id: taxId, registration_id: registration } = party;
  return [
    ...(taxId === null ? [] : [{ name: taxIdLabel(party, texts), value: taxId }]),
    ...party.tax_ids.map(({ type, value }) => ({ name: type, value })),
    ...(registration === null ? [] : [{ name: texts.registrationId, value: registration }]),
    ...(party.identifiers ?? []).map((id) => ({
      name: id.scheme === undefined ? plain : (SCHEME_NAMES.get(id.scheme) ?? ''),
      value: id.value,
    })),
  ];
}

// ISO 6523: those that readers know by a name.
const SCHEME_NAMES = new Map([
  ['0002', 'SIREN'],
  ['0007', 'Org.nr'],
  ['0009', 'SIRET'],
  ['0060', 'DUNS'],
  ['0088', 'GLN'],
  ['0106', 'KVK'],
  ['0184', 'CVR'],
  ['0192', 'Org.nr'],
  ['0208', 'KBO/BCE'],
]);

function identifiers(ids: readonly (PartialId | '' | null | undefined)[]): string[] {
  return ids.flatMap((id) => {
    if (!id) return [];
    const name = SCHEME_NAMES.get(id.scheme ?? '');
    return [name ? `${name} ${id.value}` : id.value];
  });
}

interface PartialId {
  scheme?: string | undefined;
  value: string;
}

function given(...values: (string | null)[]): string[] {
  return values.filter((value) => value !== null);
}
