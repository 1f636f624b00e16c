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
    'completed date',
    'date completed',
    'buchungstag',
    'buchungsdatum',
    'buchung',
    'datum',
  ],
  value_on: [
    'value_on',
    'value date',
    'valuta',
    'valutadatum',
    'wertstellung',
    'wertstellungsdatum',
    'wertstellungstag',
  ],
  amount: ['amount', 'amount account currency', 'betrag', 'umsatz', 'umsatz in', 'bedrag'],
  credit: ['credit', 'credit amount', 'paid in', 'money in', 'haben', 'gutschrift'],
  debit: ['debit', 'debit amount', 'paid out', 'money out', 'soll', 'lastschrift', 'belastung'],
  direction: [
    'direction',
    'credit debit',
    'credit debit indicator',
    'debit credit',
    'soll haben',
    'soll haben kennzeichen',
    'af bij',
  ],
  fee: ['fee', 'fees', 'gebuhr', 'gebuhren', 'entgelt'],
  net: ['net', 'net amount', 'netto', 'nettobetrag'],
  balance: ['balance', 'running balance', 'account balance', 'saldo', 'saldo na mutatie'],
  currency: ['currency', 'account currency', 'wahrung', 'waehrung', 'kontowahrung'],
  counterparty_name: [
    'counterparty_name',
    'counterparty',
    'counterparty name',
    'name',
    'partner name',
    'beneficiary originator',
    'beguenstigter zahlungspflichtiger',
    'begunstigter zahlungspflichtiger',
    'auftraggeber begunstigter',
    'auftraggeber beguenstigter',
    'auftraggeber empfanger',
    'name zahlungsbeteiligter',
    'zahlungsbeteiligter',
    'naam omschrijving',
  ],
  payer_name: [
    'payer_name',
    'payer',
    'payer name',
    'zahlungspflichtiger',
    'zahlungspflichtige r',
    'auftraggeber',
  ],
  payee_name: [
    'payee_name',
    'payee',
    'payee name',
    'zahlungsempfanger',
    'zahlungsempfanger in',
    'empfanger',
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
    'tegenrekening',
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
    'mededelingen',
  ],
  transaction_type: [
    'transaction_type',
    'transaction type',
    'type',
    'typ',
    'buchungstext',
    'umsatzart',
    'umsatztyp',
    'mutatiesoort',
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
    'rekening',
  ],
  status: ['status', 'state', 'info', 'zustand', 'stand der buchung'],
} as const satisfies Record<string, readonly string[]>;

export type CsvColumn = keyof typeof CSV_COLUMNS;

const isClosing = (character: string) => character === ')' || character === ']';
const isOpening = (character: string) => /[\s([]/.test(character);

/** Header names apart from case, accents and punctuation. `(EUR)` behind a name is its currency. */
export function headerName(text: string): { name: string; currency: string | null } {
  const all = text.trimEnd();
  const inside = (isClosing(all.slice(-1)) ? all.slice(0, -1) : all).replace(/€$/, 'EUR');
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

/** Their words have the form of a state, and are about something else. */
const OTHER_STATES = new Set(['address status', 'adress status', 'card state', 'card status']);

/**
 * The column that a header stands for; undefined if we do not take it. A column that may tell the
 * state of a row is taken for it: one that is overlooked would make money of a failed payment.
 */
export function columnOf(name: string): CsvColumn | undefined {
  const known = NAMES.get(name);
  if (known || OTHER_STATES.has(name)) return known;
  return name.includes('status') || name.endsWith(' state') ? 'status' : undefined;
}
