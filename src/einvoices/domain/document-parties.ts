import type { DocumentView } from '../../documents/index.js';
import type {
  Identifier,
  SemanticAddress,
  SemanticBuyer,
  SemanticParty,
  SemanticSeller,
} from './semantic/semantic-parties.js';

type PartyOf = DocumentView['seller'] | DocumentView['customer'];
type PostalAddressOf = Pick<PartyOf, 'address' | 'postal_code' | 'city' | 'region' | 'country'>;

/** BT-31: the country first (BR-CO-09). */
const VAT_ID = /^[A-Z]{2}[A-Z\d+*]{2,13}$/;

export function sellerTerms({ seller }: DocumentView): SemanticSeller {
  return {
    ...partyOf(seller),
    taxNumber: taxNumberOf(seller),
    legalInformation: seller.legal_information ?? null,
  };
}

export function buyerTerms({ customer }: DocumentView): SemanticBuyer {
  const party = partyOf(customer);
  // A buyer has one id of this kind (BT-46).
  return { ...party, ids: party.ids.slice(0, 1) };
}

/** A number with the scheme of its register, where it has one. */
export function registered(value: string | null, scheme: string | undefined): Identifier | null {
  return value === null ? null : { scheme: scheme ?? null, value };
}

export function identifierOf(
  id: { scheme?: string; value: string } | undefined,
): Identifier | null {
  return registered(id?.value ?? null, id?.scheme);
}

function partyOf(party: PartyOf): SemanticParty {
  const { legal_name: legal, name } = party;
  return {
    name: legal ?? name,
    tradingName: legal === null || legal === name ? null : name,
    ids: (party.identifiers ?? []).map(({ scheme, value }) => ({ scheme: scheme ?? null, value })),
    registration: registered(party.registration_id, party.registration_scheme),
    vatId: vatIdOf(party),
    electronicAddress: party.electronic_address,
    address: semanticAddress(party),
    contact: { name: party.contact_name, phone: party.phone, email: party.email },
  };
}

function vatIdOf({ tax_id: id }: PartyOf): string | null {
  const compact = id?.replaceAll(/[\s.-]/g, '').toUpperCase() ?? '';
  return VAT_ID.test(compact) ? compact : null;
}

/** The one that is said to be it (BT-32), else of those in free words the one that is printed first. */
function taxNumberOf(seller: DocumentView['seller']): string | null {
  if (seller.tax_number !== undefined) return seller.tax_number;
  if (seller.tax_id !== null && vatIdOf(seller) === null) return seller.tax_id;
  return seller.tax_ids[0]?.value ?? null;
}

const LINES = 3;

/** Further lines stand with the third, so that nothing is lost. */
export function semanticAddress(address: PostalAddressOf): SemanticAddress {
  const lines = address.address.filter((line) => line.trim() !== '');
  const last = lines.slice(LINES - 1).join(', ');
  return {
    lines: [...lines.slice(0, LINES - 1), ...(last === '' ? [] : [last])],
    city: address.city,
    postCode: address.postal_code,
    subdivision: address.region,
    country: address.country,
  };
}
