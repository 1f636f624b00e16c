import type { Buyer, PostalAddress, Seller } from '../../src/documents/domain/parties/party.js';

export type Market = 'DE' | 'FR' | 'BE';

interface MarketFacts {
  seller: Partial<Seller>;
  customer: { party: Partial<Buyer>; shipTo: PostalAddress };
  /** Types beside 380 that all of its profiles take (BT-3). */
  types: readonly string[];
  /** Notes that the law asks for. */
  notes: readonly { subject: string; text: string }[];
  /** Null: any. */
  rates: readonly string[] | null;
  quantityPlaces: number;
}

const addressIn = (country: string, city: string, postalCode: string): PostalAddress => ({
  address: ['Straße 1', '2. Stock'],
  postal_code: postalCode,
  city,
  region: null,
  country,
});

const CONTACT = {
  contact_name: 'Erika Muster',
  phone: '+49 30 1234567',
  email: 'erika@acme.example',
};

export const MARKETS: Record<Market, MarketFacts> = {
  DE: {
    seller: {
      name: 'Acme Studio',
      legal_name: 'Acme Studio GmbH',
      ...addressIn('DE', 'Berlin', '10115'),
      ...CONTACT,
      tax_id: 'DE123456788',
      tax_ids: [{ type: 'de_stnr', value: '30/123/45678' }],
      registration_id: 'HRB 12345',
      electronic_address: { scheme: '9930', value: 'DE123456788' },
      bank_accounts: [
        {
          holder: 'Acme Studio GmbH',
          bank_name: null,
          iban: 'DE89370400440532013000',
          bic: 'COBADEFFXXX',
        },
        { holder: null, bank_name: null, iban: 'FR7630006000011234567890189', bic: null },
        {
          holder: null,
          bank_name: 'First Bank',
          iban: null,
          bic: null,
          account_number: '000123456789',
          bank_code: { name: 'Routing number', value: '021000021' },
          currency: 'USD',
        },
      ],
    },
    customer: {
      party: {
        name: 'Globex & Söhne',
        ...addressIn('AT', 'Wien', '1010'),
        contact_name: 'Max Käufer',
        email: 'max@globex.example',
        phone: '+43 1 234567',
        tax_id: 'ATU13585627',
        registration_id: 'FN 123456a',
        electronic_address: { scheme: '9914', value: 'ATU13585627' },
        reference: 'KST 7',
      },
      shipTo: addressIn('AT', 'Graz', '8010'),
    },
    types: ['380', '386', '875'],
    notes: [],
    rates: null,
    quantityPlaces: 6,
  },
  FR: {
    seller: {
      name: 'Atelier Acme',
      legal_name: 'Acme SAS',
      ...addressIn('FR', 'Paris', '75001'),
      ...CONTACT,
      tax_id: 'FR83404833048',
      registration_id: '404833048',
      registration_scheme: '0002',
      electronic_address: { scheme: '0225', value: '404833048' },
      bank_accounts: [
        { holder: null, bank_name: null, iban: 'FR7630006000011234567890189', bic: 'AGRIFRPPXXX' },
      ],
    },
    customer: {
      party: {
        name: 'Société Générale du Rivage',
        ...addressIn('FR', 'Lyon', '69001'),
        tax_id: 'FR40303265045',
        registration_id: '303265045',
        registration_scheme: '0002',
        electronic_address: { scheme: '0225', value: '303265045' },
      },
      shipTo: addressIn('FR', 'Nice', '06000'),
    },
    types: ['386', '389', '393'],
    notes: [
      { subject: 'PMT', text: 'Indemnité forfaitaire de 40 EUR.' },
      { subject: 'PMD', text: 'Pénalités de retard : 10 %.' },
      { subject: 'AAB', text: 'Pas d’escompte.' },
    ],
    rates: ['20', '10', '5.5', '2.1', '0'],
    quantityPlaces: 4,
  },
  BE: {
    seller: {
      name: 'Acme BV',
      ...addressIn('BE', 'Gent', '9000'),
      ...CONTACT,
      tax_id: 'BE0428759497',
      registration_id: '0428759497',
      electronic_address: { scheme: '0208', value: '0428759497' },
      bank_accounts: [{ holder: null, bank_name: null, iban: 'BE68539007547034', bic: 'GKCCBEBB' }],
    },
    customer: {
      party: {
        name: 'Globex NV',
        ...addressIn('BE', 'Brussel', '1000'),
        tax_id: 'BE0202239951',
        registration_id: '0202239951',
        electronic_address: { scheme: '0208', value: '0202239951' },
      },
      shipTo: addressIn('BE', 'Luik', '4000'),
    },
    types: ['383', '386', '393'],
    notes: [],
    rates: ['21', '12', '6', '0'],
    quantityPlaces: 6,
  },
};

/** A market in which documents of a profile are complete. */
export function marketOf(profile: string): Market {
  if (profile.startsWith('france')) return 'FR';
  return profile === 'ubl-be' ? 'BE' : 'DE';
}
