import type { Locale } from './formatting.js';
import type { DeliveryAddress, DocumentDetails } from '../document-details.js';
import type { Buyer, Party, Seller } from '../parties/party.js';
import { addressLines } from '../parties/postal-address.js';
import { taxIdLabel } from '../calculation/tax-names.js';

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
    lines: [
      ...legalName(seller),
      ...addressLines(seller, locale),
      ...given(seller.contact_name, seller.email, seller.phone, seller.website),
      ...registrations(seller, locale),
      ...(seller.tax_number ? [`${locale.texts.details.tax_number} ${seller.tax_number}`] : []),
      ...(seller.legal_information?.split('\n') ?? []),
    ],
  };
}

export function printedBuyer(buyer: Buyer, heading: string, locale: Locale): PrintedParty {
  return {
    heading,
    name: buyer.name,
    lines: [
      ...legalName(buyer),
      ...given(buyer.contact_name),
      ...addressLines(buyer, locale),
      ...given(buyer.email),
      ...registrations(buyer, locale),
    ],
  };
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

function registrations(party: Party, { texts }: Locale): string[] {
  return [
    ...(party.tax_id === null ? [] : [`${taxIdLabel(party, texts)} ${party.tax_id}`]),
    ...party.tax_ids.map(({ type, value }) => `${type} ${value}`),
    ...(party.registration_id === null ? [] : [`${texts.registrationId} ${party.registration_id}`]),
    ...identifiers(party.identifiers ?? []),
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
