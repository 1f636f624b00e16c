import { isValidBIC, isValidIBAN } from 'ibantools';
import type { Lack } from './lacks.js';
import { membersOf, type Said } from './said.js';

/** The numbers of the terms of a party; those of address and contact in their order there. */
interface PartyTerms {
  name: string;
  trading: string;
  ids: string;
  registration: string;
  vatId: string;
  electronic: string;
  address: readonly string[];
  contact: readonly string[];
}

const SELLER: PartyTerms = {
  name: 'BT-27',
  trading: 'BT-28',
  ids: 'BT-29',
  registration: 'BT-30',
  vatId: 'BT-31',
  electronic: 'BT-34',
  address: ['BT-35', 'BT-36', 'BT-162', 'BT-37', 'BT-38', 'BT-39', 'BT-40'],
  contact: ['BT-41', 'BT-42', 'BT-43'],
};

const BUYER: PartyTerms = {
  name: 'BT-44',
  trading: 'BT-45',
  ids: 'BT-46',
  registration: 'BT-47',
  vatId: 'BT-48',
  electronic: 'BT-49',
  address: ['BT-50', 'BT-51', 'BT-163', 'BT-52', 'BT-53', 'BT-54', 'BT-55'],
  contact: ['BT-56', 'BT-57', 'BT-58'],
};

/** `PATCH /v1/finance/seller`. */
export function sellerRequest(said: Said, lacks: Set<Lack>): object {
  const [seller] = membersOf(said, 'BG-4');
  if (seller === undefined) return {};
  const { terms } = seller;
  return {
    ...party(seller, SELLER, lacks),
    tax_number: terms.get('BT-32'),
    legal_information: terms.get('BT-33'),
    bank_accounts: membersOf(said, 'BG-17').map((account) => ({
      ...numberOf(account.terms.get('BT-84') ?? ''),
      holder: account.terms.get('BT-85'),
      ...bankOf(account.terms.get('BT-86')),
    })),
  };
}

/** Many samples have a number that looks like an IBAN and is none. */
function numberOf(account: string): object {
  return isValidIBAN(account.replaceAll(/\s/g, ''))
    ? { iban: account }
    : { account_number: account };
}

/** Any id of a bank may stand there; a BIC has a form of its own. */
function bankOf(id: string | undefined): object {
  if (id === undefined) return {};
  return isValidBIC(id) ? { bic: id } : { bank_code: { name: 'Bank', value: id } };
}

/** `customer` of a document. */
export function customerRequest(said: Said, lacks: Set<Lack>): object {
  const [buyer] = membersOf(said, 'BG-7');
  if (buyer === undefined) return {};
  if (membersOf(buyer, 'BT-46').length > 1) lacks.add('buyerIds');
  return party(buyer, BUYER, lacks);
}

function party(said: Said, of: PartyTerms, lacks: Set<Lack>): object {
  const { terms } = said;
  const [name, trading] = [terms.get(of.name), terms.get(of.trading)];
  const [contact = '', phone = '', email = ''] = of.contact;
  return {
    name: trading ?? name,
    legal_name: trading === undefined ? undefined : name,
    identifiers: membersOf(said, of.ids).map((id) => ({
      scheme: id.terms.get(`${of.ids}-1`),
      value: id.terms.get(of.ids),
    })),
    registration_id: terms.get(of.registration),
    registration_scheme: terms.get(`${of.registration}-1`),
    tax_id: terms.get(of.vatId),
    electronic_address: electronicAddress(said, of.electronic, lacks),
    ...addressRequest(said, of.address),
    contact_name: terms.get(contact),
    phone: terms.get(phone),
    email: terms.get(email),
  };
}

function electronicAddress({ terms }: Said, term: string, lacks: Set<Lack>): object | undefined {
  const [scheme, value] = [terms.get(`${term}-1`), terms.get(term)];
  if (value !== undefined && scheme === undefined) lacks.add('electronicAddress');
  return value === undefined || scheme === undefined ? undefined : { scheme, value };
}

export function addressRequest({ terms }: Said, numbers: readonly string[]): object {
  const [city = '', code = '', region = '', country = ''] = numbers.slice(3);
  const lines = numbers.slice(0, 3).flatMap((term) => terms.get(term) ?? []);
  return {
    address: lines,
    city: terms.get(city),
    postal_code: terms.get(code),
    region: terms.get(region),
    country: terms.get(country),
  };
}

/** `payee` and `tax_representative` of a document. */
export function otherParties(said: Said): object {
  const [[payee], [agent]] = [membersOf(said, 'BG-10'), membersOf(said, 'BG-11')];
  return {
    payee: payee && {
      name: payee.terms.get('BT-59'),
      id: payee.terms.get('BT-60'),
      id_scheme: payee.terms.get('BT-60-1'),
      registration_id: payee.terms.get('BT-61'),
      registration_scheme: payee.terms.get('BT-61-1'),
    },
    tax_representative: agent && {
      name: agent.terms.get('BT-62'),
      tax_id: agent.terms.get('BT-63'),
      ...addressRequest(agent, ['BT-64', 'BT-65', 'BT-164', 'BT-66', 'BT-67', 'BT-68', 'BT-69']),
    },
  };
}
