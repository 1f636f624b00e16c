import { isCurrency } from '../../kernel/currency.js';
import { trimEndWhile } from '../../kernel/trim-end.js';

const list = (names: string): readonly string[] => names.split(', ');

/**
 * The columns that we take from a CSV file, each with the header names that banks use. Of several
 * that could be one text, the first of its names is taken.
 */
export const CSV_COLUMNS = {
  booked_on: list(
    'booked_on, booking date, booked, date, transaction date, posting date, completed date, date completed, date posted, posted date, post date, txn date, buchungstag, buchungsdatum, buchung, datum, boekdatum, boekingsdatum, transactiedatum, date comptable, dateop, date operation, date de l operation, date d operation, fecha, fecha operacion, fecha contable, data, data contabile, data operazione, data registrazione, data mov, data lancamento, data operacji, data ksiegowania, bokforingsdag, bokforingsdatum, bogforingsdato, dato, bokfort dato, kirjauspaiva, datum zauctovani, konyveles datuma',
  ),
  value_on: list(
    'value_on, value date, valuta, valuta date, valutadatum, wertstellung, wertstellung valuta, wertstellungsdatum, wertstellungstag, rentedatum, dateval, date valeur, date de valeur, fecha valor, data valuta, data valor, data waluty, valutadag, rentedato, arvopaiva, datum valuty',
  ),
  amount: list(
    'amount, amount account currency, transaction amount, betrag, betrag in, umsatz, umsatz in, bedrag, montant, montant en euros, montant de l operation, importe, importo, valor, montante, kwota, kwota operacji, belopp, belob, belop, maara, summa, castka, osszeg',
  ),
  credit: list(
    'credit, credits, credit euros, credit amount, credit amt, deposit, deposits, deposit amt, deposit amount, paid in, money in, haben, gutschrift, gutschrift in, eingang, bij, avere, entrate, accrediti, haber, abono, abonos, credito, creditos, uznania, wplywy, insattning, ind, inn, pano, jovairas',
  ),
  debit: list(
    'debit, debits, debit euros, debit amount, debit amt, withdrawal, withdrawals, withdrawal amt, withdrawal amount, paid out, money out, soll, lastschrift, lastschrift in, belastung, belastung in, ausgang, debet, af, dare, uscite, addebiti, debe, cargo, cargos, debito, debitos, obciazenia, wydatki, uttag, ud, ut, otto, terheles',
  ),
  direction: list(
    'direction, credit debit, credit debit indicator, credit debit code, credit or debit, debit credit, debit credit indicator, debit credit code, debit or credit, debit credit kennzeichen, debet credit, credit debet, debet kredit, kredit debet, debit kredit, debito credito, credito debito, debetas kreditas, deebet kreedit, dare avere, debe haber, cr dr, dr cr, crdr, drcr, c d, d c, d k, k d, d h, s h, h s, soll haben, haben soll, soll haben kennzeichen, sh kennzeichen, sollhaben, af bij, bij af, bij of af, wn ma, richtung, sens, sens de l operation, sentido, segno, signe, sign, vorzeichen, +/-, -/+, +-',
  ),
  fee: list('fee, fees, gebuhr, gebuhren, entgelt'),
  net: list('net, net amount, netto, nettobetrag'),
  balance: list(
    'balance, running balance, account balance, closing balance, saldo, saldo in, saldo na mutatie, saldo na trn, saldo nach buchung, kontostand, solde, saldo po operacji, zustatek, egyenleg, behallning',
  ),
  currency: list(
    'currency, account currency, wahrung, waehrung, kontowahrung, munt, muntsoort, devise, divisa, moneda, moeda, waluta, mena, devizanem',
  ),
  counterparty_name: list(
    'counterparty_name, counterparty name, naam tegenpartij, name zahlungsbeteiligter, zahlungsbeteiligter, partner name, beneficiary originator, beguenstigter zahlungspflichtiger, begunstigter zahlungspflichtiger, auftraggeber begunstigter, auftraggeber beguenstigter, auftraggeber empfanger, beneficiary payer, empfanger zahlungspflichtiger, nom contrepartie, nom de la contrepartie, counterparty, naam omschrijving, name, naam',
  ),
  payer_name: list(
    'payer_name, payer, payer name, zahlungspflichtiger, zahlungspflichtige r, auftraggeber',
  ),
  payee_name: list(
    'payee_name, payee, payee name, zahlungsempfanger, zahlungsempfanger in, empfanger',
  ),
  counterparty_iban: list(
    'counterparty_iban, counterparty iban, payer iban, partner iban, iban zahlungsbeteiligter, iban auftraggeberkonto gegenseite, tegenrekening, tegenrekening iban bban, rekeningnummer tegenpartij, iban contrepartie, compte contrepartie, kontonummer iban, iban, account number',
  ),
  remittance: list(
    'remittance, remittance information, description, transaction description, details, text, narrative, particulars, payment reference, reference, message, memo, purpose, verwendungszweck, vorgang verwendungszweck, buchungsdetails, vwz, mededelingen, mededeling, omschrijving, vrije mededeling, communication, communications, libelle, motif, concepto, descrizione, causale, descricao, tytul, opis operacji, rubrik, avisierungstext, transaction remarks, remarks, label, meddelande, viesti, kozlemeny',
  ),
  transaction_type: list(
    'transaction_type, transaction type, type, typ, vorgang, buchungstext, umsatzart, umsatztyp, mutatiesoort, transactietype',
  ),
  structured_reference: list(
    'structured_reference, structured reference, creditor reference, referenz, glaubiger referenz, gestructureerde mededeling, betalingskenmerk, communication structuree',
  ),
  end_to_end_id: list(
    'end_to_end_id, end to end id, end to end reference, kundenreferenz end to end, kundenreferenz, ende zu ende referenz, transactiereferentie',
  ),
  bank_reference: list(
    'bank_reference, transaction id, transaction reference, bank reference, umsatz id, buchungsreferenz',
  ),
  account: list(
    'account, own iban, auftragskonto, iban auftragskonto, iban auftraggeberkonto, iban bban, customer account no, accountnum, rekening, rekeningnummer, bezeichnung auftragskonto',
  ),
  status: list('status, state, info, zustand, stand der buchung'),
} as const satisfies Record<string, readonly string[]>;

export type CsvColumn = keyof typeof CSV_COLUMNS;

const isClosing = (character: string) => character === ')' || character === ']';
const isOpening = (character: string) => /[\s([]/.test(character);

/** Behind a date: `Created (UTC)`. */
const ZONES = new Set(['UTC', 'GMT', 'CET']);

/** Header names apart from case, accents and punctuation. `(EUR)` behind a name is its currency. */
export function headerName(text: string): { name: string; currency: string | null } {
  const all = text.trimEnd();
  const inside = (isClosing(all.slice(-1)) ? all.slice(0, -1).trimEnd() : all).replace(/€$/, 'EUR');
  const currency = inside.slice(-3);
  const opened = inside.slice(0, -3);
  const before = trimEndWhile(opened, isOpening);
  // `Beneficiary BIC` is no beneficiary.
  const isCode =
    (isCurrency(currency) || ZONES.has(currency)) &&
    before.length < opened.length &&
    before.trim() !== '';
  const said = isCode ? before : text;
  const name = said
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll(/[łŁ]/g, 'l')
    .replaceAll(/[øØ]/g, 'o')
    .replace(/[^\p{L}\p{N}_]+/gu, ' ')
    .trim()
    .toLowerCase();
  return { name: name || text.trim(), currency: isCode && isCurrency(currency) ? currency : null };
}

const NAMES = new Map<string, CsvColumn>(
  (Object.keys(CSV_COLUMNS) as CsvColumn[]).flatMap((column) =>
    CSV_COLUMNS[column].map((name): [string, CsvColumn] => [name, column]),
  ),
);

/** Their words have the form of a state, and are about something else. */
const OTHER_STATES = new Set(['address status', 'adress status', 'card state', 'card status']);

export const isOtherState = (name: string): boolean => OTHER_STATES.has(name);

/**
 * The column that a header stands for; undefined if we do not take it. A column that may tell the
 * state of a row is taken for it: one that is overlooked would make money of a failed payment.
 */
export function columnOf(name: string): CsvColumn | undefined {
  const known = NAMES.get(name);
  if (known || OTHER_STATES.has(name)) return known;
  // Texts in several columns: `Omschrijving-2`.
  if (NAMES.get(name.replace(/ \d{1,2}$/, '')) === 'remittance') return 'remittance';
  return name.includes('status') || name.endsWith(' state') ? 'status' : undefined;
}
