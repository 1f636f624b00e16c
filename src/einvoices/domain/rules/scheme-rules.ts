import type { SemanticInvoice } from '../semantic/semantic-invoice.js';
import type { Identifier } from '../semantic/semantic-parties.js';
import {
  isAustralianBusiness,
  isBelgianEnterprise,
  isGln,
  isNorwegianOrganisation,
  isSwedishOrganisation,
} from './check-digits.js';
import { type EInvoiceRule, fatal, when } from './rule.js';

type Told = [pointer: string, id: Identifier | null];

/** The places of ids whose scheme says how they are made. */
function idsOf({ seller, buyer, payee }: SemanticInvoice): Told[] {
  return [
    ['/seller/electronic_address/value', seller.electronicAddress],
    ['/seller/registration_id', seller.registration],
    ['/customer/electronic_address/value', buyer.electronicAddress],
    ['/customer/registration_id', buyer.registration],
    ['/payee/id', payee?.id ?? null],
    ['/payee/registration_id', payee?.registration ?? null],
    ...seller.ids.map((id, at): Told => [`/seller/identifiers/${at}`, id]),
    ...buyer.ids.map((id, at): Told => [`/customer/identifiers/${at}`, id]),
  ];
}

const SCHEMES: [id: string, scheme: string, name: string, isRight: (text: string) => boolean][] = [
  ['PEPPOL-COMMON-R040', '0088', 'a GLN', isGln],
  ['PEPPOL-COMMON-R041', '0192', 'a Norwegian organisation number', isNorwegianOrganisation],
  ['PEPPOL-COMMON-R042', '0184', 'a CVR number', (text) => /^(?:DK\d{8}|\d{8})$/.test(text)],
  ['PEPPOL-COMMON-R043', '0208', 'a Belgian enterprise number', isBelgianEnterprise],
  [
    'PEPPOL-COMMON-R049',
    '0007',
    'a Swedish organisation number',
    (text) => text.length === 10 && isSwedishOrganisation(text),
  ],
  ['PEPPOL-COMMON-R050', '0151', 'an Australian business number', isAustralianBusiness],
  ['PEPPOL-COMMON-R052', '0096', 'a Danish P number', (text) => /^\d{10}$/.test(text)],
  ['PEPPOL-COMMON-R053', '0198', 'a Danish SE number', (text) => /^DK\d{8}$/.test(text)],
];

/** Of Peppol: check digits of ids, by their schemes. */
export const SCHEME_RULES: readonly EInvoiceRule[] = SCHEMES.map(([id, scheme, name, isRight]) =>
  fatal(id, `${name} (${scheme}) has another form, or a wrong check digit.`, (invoice) =>
    idsOf(invoice).flatMap(([pointer, of]) =>
      when(of?.scheme === scheme && !isRight(of.value.trim()), pointer),
    ),
  ),
);
