import { trimEndWhile } from '../../kernel/trim-end.js';

/** The columns that we take from a CSV file, each with the header names that banks use. */
export const CSV_COLUMNS = {
  booked_on: [
    'booked_on',
    'booking date',
    'booked',
    'date',
    'transaction date',
    'posting date',
    'date started',
    'completed date',
    'buchungstag',
    'buchungsdatum',
    'buchung',
    'datum',
  ],
  value_on: ['value_on', 'value date', 'valuta', 'valutadatum', 'wertstellung', 'wertstellungstag'],
  amount: ['amount', 'amount account currency', 'betrag', 'umsatz', 'umsatz in'],
  credit: ['credit', 'credit amount', 'paid in', 'money in', 'haben', 'gutschrift'],
  debit: ['debit', 'debit amount', 'paid out', 'money out', 'soll', 'lastschrift', 'belastung'],
  direction: [
    'direction',
    'credit debit',
    'credit debit indicator',
    'debit credit',
    'soll haben',
    'soll haben kennzeichen',
  ],
  currency: ['currency', 'account currency', 'wahrung', 'waehrung', 'kontowahrung'],
  counterparty_name: [
    'counterparty_name',
    'counterparty',
    'counterparty name',
    'name',
    'payer',
    'payer name',
    'payee',
    'partner name',
    'beneficiary originator',
    'beguenstigter zahlungspflichtiger',
    'begunstigter zahlungspflichtiger',
    'auftraggeber begunstigter',
    'auftraggeber beguenstigter',
    'name zahlungsbeteiligter',
    'zahlungsbeteiligter',
    'zahlungspflichtiger',
    'zahlungspflichtige r',
    'auftraggeber',
  ],
  counterparty_iban: [
    'counterparty_iban',
    'counterparty iban',
    'payer iban',
    'partner iban',
    'iban',
    'kontonummer iban',
    'iban zahlungsbeteiligter',
    'iban auftraggeberkonto gegenseite',
    'account number',
  ],
  remittance: [
    'remittance',
    'remittance information',
    'description',
    'details',
    'text',
    'payment reference',
    'reference',
    'message',
    'memo',
    'purpose',
    'verwendungszweck',
    'buchungsdetails',
    'vwz',
  ],
  structured_reference: [
    'structured_reference',
    'structured reference',
    'creditor reference',
    'referenz',
    'glaubiger referenz',
  ],
  end_to_end_id: [
    'end_to_end_id',
    'end to end id',
    'end to end reference',
    'kundenreferenz end to end',
    'kundenreferenz',
    'ende zu ende referenz',
  ],
  bank_reference: [
    'bank_reference',
    'transaction id',
    'transaction reference',
    'bank reference',
    'umsatz id',
    'buchungsreferenz',
  ],
  account: [
    'account',
    'own iban',
    'auftragskonto',
    'iban auftragskonto',
    'bezeichnung auftragskonto',
  ],
  status: ['status', 'state', 'info', 'buchungsstatus'],
} as const satisfies Record<string, readonly string[]>;

export type CsvColumn = keyof typeof CSV_COLUMNS;

const isClosing = (character: string) => character === ')' || character === ']';
const isOpening = (character: string) => /[\s([]/.test(character);

/** Header names apart from case, accents and punctuation. `(EUR)` behind a name is its currency. */
export function headerName(text: string): { name: string; currency: string | null } {
  const all = text.trimEnd();
  const inside = isClosing(all.slice(-1)) ? all.slice(0, -1) : all;
  const currency = inside.slice(-3);
  const opened = inside.slice(0, -3);
  const before = trimEndWhile(opened, isOpening);
  const isCode =
    /^[A-Z]{3}$/.test(currency) && before.length < opened.length && before.trim() !== '';
  const name = (isCode ? before : text)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}_]+/gu, ' ')
    .trim()
    .toLowerCase();
  return { name, currency: isCode ? currency : null };
}

const NAMES = new Map<string, CsvColumn>(
  (Object.keys(CSV_COLUMNS) as CsvColumn[]).flatMap((column) =>
    CSV_COLUMNS[column].map((name): [string, CsvColumn] => [name, column]),
  ),
);

/** The column that a header stands for; undefined if we do not take it. */
export function columnOf(name: string): CsvColumn | undefined {
  return NAMES.get(name);
}
