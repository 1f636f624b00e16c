import type { LineRequest } from '../../src/documents/domain/calculation/calculation-request.js';
import { MOST_OF_REFERENCE } from '../../src/documents/domain/payment-reference.js';
import type { DocumentView } from '../../src/documents/index.js';
import type { Dice } from '../documents/calculation/calculation-documents.js';

// The particulars that few documents have, all of which an e-invoice has a place for.

type Details = DocumentView['details'];

interface Around {
  isNote: boolean;
  currency: string;
  /** Types that those who receive it take. */
  types: readonly string[];
}

export function furtherDetails(dice: Dice, { isNote, currency, types }: Around): Partial<Details> {
  const other = currency === 'EUR' ? 'PLN' : 'EUR';
  const maybe = (some: Partial<Details>): Partial<Details> => (dice.chance(30) ? some : {});
  return {
    ...maybe({ type_code: isNote ? '381' : dice.pick(types) }),
    ...maybe({ supply_nature: dice.pick(['goods', 'services', 'goods_and_services'] as const) }),
    ...(dice.chance(50)
      ? maybe({ tax_point_date: '2026-11-20' })
      : maybe({ tax_point: dice.pick(['issue', 'delivery', 'payment'] as const) })),
    ...maybe({ tax_currency: { currency: other, exchange_rate: '0.92' } }),
    ...maybe({ receiving_reference: 'WE-88' }),
    ...maybe({ tender_reference: 'TED-17' }),
    ...maybe({ invoiced_object: { scheme: dice.pick(['AAB', 'MG']), value: 'Z-4711' } }),
    ...maybe({ buyer_accounting_reference: '4711-100' }),
    ...maybe({ payment_terms: 'Half now,\nhalf in January.' }),
    ...maybe({ payment_means_text: 'By bank' }),
    ...maybe({ payment_reference: dice.pick(REFERENCES) }),
    ...maybe({ subject_notes: [{ subject: 'PMT', text: '40 EUR' }, { text: 'Danke & bis bald' }] }),
    ...maybe({
      payment_means_code: '59',
      direct_debit: {
        mandate_reference: 'M-1',
        creditor_id: 'DE98ZZZ09999999999',
        account: 'DE02120300000000202051',
      },
    }),
    ...maybe({
      payment_means_code: '48',
      payment_card: { last_digits: '4242', holder: 'Erika' },
    }),
    ...maybe({ attachments: randomAttachments(dice) }),
    ...maybe({
      preceding_invoices: [{ number: 'OLD-1', issue_date: '2026-10-01' }, { number: 'OLD-2' }],
    }),
  };
}

/** Words, and the structured ones of ISO 11649, Belgium and Switzerland. */
const REFERENCES = [
  'Vertrag 4711 & <Kunde 12>',
  '顧客 12 “Š”',
  'x'.repeat(MOST_OF_REFERENCE),
  'RF18539007547034',
  '+++090/9337/55493+++',
  '210000000003139471430009017',
];

/** The contents of files, by their SHA-256; a document has none of them but the digest. */
export const CONTENTS = new Map(
  ['00', '01', '02'].map((name) => [
    name.repeat(32),
    Buffer.from(`%PDF ${name}`).toString('base64'),
  ]),
);

const TYPES = [
  ['a & b.pdf', 'application/pdf'],
  ['Größe.png', 'image/png'],
  ['"c".csv', 'text/csv'],
] as const;

function randomAttachments(dice: Dice): NonNullable<Details['attachments']> {
  const words = () => ({
    ...(dice.chance(50) && { description: dice.pick(['Time <sheet>', 'BON_LIVRAISON', 'RIB']) }),
    ...(dice.chance(50) && { reference: 'TS & 1' }),
  });
  const files = TYPES.map(([name, media_type], at) => ({
    id: `att_${at}`,
    name,
    ...words(),
    media_type,
    size: 4,
    sha256: `0${at}`.repeat(32),
  }));
  const link = { id: 'att_9', name: 'Terms', ...words(), url: 'https://acme.example/?a=1&b=2' };
  return [...files.filter(() => dice.chance(60)), ...(dice.chance(50) ? [link] : [])];
}

export function furtherLineDetails(dice: Dice): NonNullable<LineRequest['details']> {
  const maybe = (some: NonNullable<LineRequest['details']>) => (dice.chance(20) ? some : {});
  return {
    ...maybe({ item_description: 'Grey & <3 mm>' }),
    ...maybe({ note: 'On site' }),
    ...maybe({ invoiced_object: { scheme: 'MG', value: 'M-1' } }),
    ...maybe({ buyer_accounting_reference: '4711-200' }),
    ...maybe({ country_of_origin: 'AT' }),
    ...maybe({
      attributes: [
        { name: 'Colour', value: 'grey' },
        { name: 'Size', value: 'M' },
      ],
    }),
  };
}
