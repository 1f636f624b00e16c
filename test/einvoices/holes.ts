import type { DocumentView } from '../../src/documents/index.js';
import type { Market } from './markets.js';
import type { Dice } from '../documents/calculation/calculation-documents.js';

type Hole = (view: DocumentView) => DocumentView;

const inSeller =
  (change: Partial<DocumentView['seller']>): Hole =>
  (view) => ({ ...view, seller: { ...view.seller, ...change } });
const inBuyer =
  (change: Partial<DocumentView['customer']>): Hole =>
  (view) => ({ ...view, customer: { ...view.customer, ...change } });
const inDetails =
  (change: Partial<DocumentView['details']>): Hole =>
  (view) => ({ ...view, details: { ...view.details, ...change } });

const NOWHERE = { address: [], postal_code: null, city: null, region: null, country: null };

/** Things that the API lets a document be without, or say otherwise. */
const HOLES: readonly Hole[] = [
  inSeller(NOWHERE),
  inSeller({ country: null }),
  inSeller({ city: null }),
  inSeller({ postal_code: null }),
  inSeller({ contact_name: null }),
  inSeller({ phone: null }),
  inSeller({ email: null }),
  inSeller({ contact_name: null, phone: null, email: null }),
  inSeller({ tax_id: null, tax_ids: [] }),
  inSeller({ tax_id: null }),
  inSeller({ tax_id: '30/123/45678' }),
  inSeller({ registration_id: null }),
  inSeller({ tax_id: null, tax_ids: [], registration_id: null }),
  inSeller({ electronic_address: null }),
  inSeller({ electronic_address: { scheme: 'EM', value: 'a@acme.example' } }),
  inSeller({ bank_accounts: [] }),
  inSeller({ legal_name: null }),
  inBuyer(NOWHERE),
  inBuyer({ country: null }),
  inBuyer({ country: 'DE' }),
  inBuyer({ city: null }),
  inBuyer({ postal_code: null }),
  inBuyer({ tax_id: null }),
  inBuyer({ tax_id: null, registration_id: null }),
  inBuyer({ electronic_address: null }),
  inBuyer({ electronic_address: { scheme: '0147', value: 'x' } }),
  inDetails({ buyer_reference: null }),
  (view) => ({
    ...inDetails({ buyer_reference: null })(inBuyer({ reference: null })(view)),
    purchaseOrder: null,
  }),
  (view) => ({ ...view, number: 'R 2026.1' }),
  (view) => ({ ...view, number: 'R'.repeat(36) }),
  inDetails({
    attachments: ['a.pdf', 'b.pdf'].map((name, at) => ({
      id: `att_${at}`,
      name,
      description: 'LISIBLE',
      media_type: 'application/pdf',
      size: 1,
      sha256: `0${at}`.repeat(32),
    })),
  }),
  inDetails({ supply_date: null }),
  inDetails({ supply_date: null, service_period: null }),
  inDetails({ service_period: { start: '2026-11-06', end: '2026-11-10' } }),
  inDetails({ delivery: { ...NOWHERE, name: 'Lager' } }),
  inDetails({ delivery: { ...NOWHERE, name: null, country: 'AT' } }),
  inDetails({ payment_means_code: '59' }),
  inDetails({ payment_means_code: '48' }),
  inDetails({ payment_means_code: '58' }),
  inDetails({ payee: { name: 'Acme Studio', id: null, registration_id: null } }),
  inDetails({
    tax_representative: { ...NOWHERE, name: 'Fiskal GmbH', tax_id: 'ATU13585627' },
  }),
  inDetails({
    tax_representative: { ...NOWHERE, city: 'Wien', name: 'Fiskal GmbH', tax_id: 'ATU13585627' },
  }),
];

const NATIONAL: readonly Hole[] = [
  ...['NL', 'DK', 'SE', 'NO', 'IT', 'IS'].flatMap((country) => [
    inSeller({ country }),
    (view: DocumentView) => inBuyer({ country })(inSeller({ country, tax_id: null })(view)),
  ]),
  inSeller({ country: 'SE', tax_id: 'SE556000016701', registration_id: '5560000167' }),
  inSeller({ country: 'SE', tax_id: 'SE55600001670', tax_ids: [], registration_id: '5560000168' }),
  inSeller({ country: 'NO', tax_id: 'NO974760673MVA' }),
  inSeller({ country: 'NO', tax_id: 'NO974760674MVA' }),
  inSeller({ country: 'IT', tax_id: 'IT00743110157', tax_ids: [{ type: 'cf', value: '123' }] }),
  inSeller({ registration_id: '12345678', registration_scheme: '0002' }),
  inBuyer({ identifiers: [{ scheme: '0002', value: '12345' }] }),
  inSeller({ country: 'DE', address: ['Weg 1'] }),
  inSeller({ address: [] }),
  inBuyer({ address: [] }),
];

/** Ids with and without a right check digit. */
const SCHEMED: readonly Hole[] = (
  [
    ['0088', '4012345000009'],
    ['0088', '4012345000008'],
    ['0088', 'GLN'],
    ['0192', '974760673'],
    ['0192', '974760674'],
    ['0184', '13585628'],
    ['0184', 'DK13585628'],
    ['0184', '1358'],
    ['0208', '0202239951'],
    ['0208', '0202239950'],
    ['0007', '5560000167'],
    ['0007', '5560000168'],
    ['0151', '51824753556'],
    ['0151', '51824753557'],
    ['0096', '1234567890'],
    ['0096', '12345'],
    ['0198', 'DK13585628'],
    ['0198', '13585628'],
  ] as const
).map(([scheme, value]) => inBuyer({ electronic_address: { scheme, value } }));

/** Of several accounts of a seller in Iceland, the official rules end (IS-R-006, IS-R-007). */
function judgeable(view: DocumentView): DocumentView {
  if (view.seller.country !== 'IS') return view;
  return inSeller({ bank_accounts: view.seller.bank_accounts.slice(0, 1) })(view);
}

/** A complete document with one to three things amiss. */
export function holed(view: DocumentView, dice: Dice, market: Market): DocumentView {
  const count = dice.between(1, 3);
  const picked = Array.from({ length: count }, () => dice.pick(HOLES));
  // UBL.BE is for sellers in Belgium.
  if (market !== 'BE' && dice.chance(40)) picked.unshift(dice.pick(NATIONAL));
  if (market !== 'BE' && dice.chance(30)) picked.push(dice.pick(SCHEMED));
  return judgeable(picked.reduce((holey, hole) => hole(holey), view));
}
