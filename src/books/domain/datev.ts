import { addDays, type IsoDate } from '../../kernel/clock.js';
import { minorDigits } from '../../kernel/currency.js';
import { Decimal } from '../../kernel/decimal.js';
import {
  type DatevHeader,
  datevHeader,
  datevRow,
  debtorNumber,
  numbered,
  datevText,
} from './datev-format.js';
import type { JournalLine } from './journal.js';
import { FACT_IN_GERMAN } from './datev-texts.js';

/* A posting batch: category 21, format version 13. */

const COLUMNS = [
  'Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;WKZ Umsatz;Kurs;Basis-Umsatz'.split(';'),
  'WKZ Basis-Umsatz;Konto;Gegenkonto (ohne BU-Schlüssel);BU-Schlüssel;Belegdatum'.split(';'),
  'Belegfeld 1;Belegfeld 2;Skonto;Buchungstext;Postensperre;Diverse Adressnummer'.split(';'),
  'Geschäftspartnerbank;Sachverhalt;Zinssperre;Beleglink'.split(';'),
  numbered(8, 'Beleginfo - Art', 'Beleginfo - Inhalt'),
  'KOST1 - Kostenstelle;KOST2 - Kostenstelle;Kost-Menge'.split(';'),
  'EU-Land u. UStID (Bestimmung);EU-Steuersatz (Bestimmung);Abw. Versteuerungsart'.split(';'),
  'Sachverhalt L+L;Funktionsergänzung L+L;BU 49 Hauptfunktionstyp'.split(';'),
  'BU 49 Hauptfunktionsnummer;BU 49 Funktionsergänzung'.split(';'),
  numbered(20, 'Zusatzinformation - Art', 'Zusatzinformation- Inhalt'),
  'Stück;Gewicht;Zahlweise;Forderungsart;Veranlagungsjahr;Zugeordnete Fälligkeit'.split(';'),
  'Skontotyp;Auftragsnummer;Buchungstyp;USt-Schlüssel (Anzahlungen)'.split(';'),
  'EU-Land (Anzahlungen);Sachverhalt L+L (Anzahlungen);EU-Steuersatz (Anzahlungen)'.split(';'),
  'Erlöskonto (Anzahlungen);Herkunft-Kz;Buchungs GUID;KOST-Datum'.split(';'),
  'SEPA-Mandatsreferenz;Skontosperre;Gesellschaftername;Beteiligtennummer'.split(';'),
  'Identifikationsnummer;Zeichnernummer;Postensperre bis'.split(';'),
  'Bezeichnung SoBil-Sachverhalt;Kennzeichen SoBil-Buchung;Festschreibung'.split(';'),
  'Leistungsdatum;Datum Zuord. Steuerperiode;Fälligkeit;Generalumkehr (GU)'.split(';'),
  'Steuersatz;Land;Abrechnungsreferenz;BVV-Position'.split(';'),
  'EU-Land u. UStID (Ursprung);EU-Steuersatz (Ursprung);Abw. Skontokonto'.split(';'),
].flat();

/** An amount has two places behind the comma. */
const MOST_DIGITS = 2;
/** Ten digits before the comma, in cents. */
const LARGEST_CENTS = 999_999_999_999n;
const ONE = Decimal.of(1n);
const LONGEST_TEXT = 60;
const LONGEST_DOCUMENT_FIELD = 36;

const KIND = { category: 21, name: 'Buchungsstapel', version: 13 };

/** As a file of postings names the accounts and the money of its lines. */
export interface DatevWords {
  digits: number;
  /** The number that customers share in the chart; in the file each has one of its own. */
  customersOn: (day: IsoDate) => string;
  /** The worth of one unit of the currency in the base currency of the books; null: not known. */
  rateOn: (day: IsoDate) => Decimal | null;
  base: string;
}

/** The first day of the fiscal year that a day is in. */
export function fiscalYearOf(day: IsoDate, start: string): IsoDate {
  const year = Number.parseInt(day.slice(0, 4), 10);
  return day.slice(5) >= start ? `${day.slice(0, 4)}-${start}` : `${year - 1}-${start}`;
}

/** Whether a file may hold both days. */
export function isOneFiscalYear(from: IsoDate, to: IsoDate, start: string): boolean {
  const first = fiscalYearOf(from, start);
  return fiscalYearOf(to, start) === first && to < addDays(first, 367);
}

/** The first two lines. */
export function datevHead(header: DatevHeader): string {
  return `${datevHeader(KIND, header)}${COLUMNS.join(';')}\r\n`;
}

/** Whether amounts of the currency can be written. */
export function isForDatev(currency: string): boolean {
  return minorDigits(currency) <= MOST_DIGITS;
}

/** One line, or several if the amount has more digits than one may have. */
export function datevLines(line: JournalLine, words: DatevWords): string {
  const lines = [];
  let left = inCents(line.amount, line.currency);
  for (; left > LARGEST_CENTS; left -= LARGEST_CENTS)
    lines.push(datevLine(line, LARGEST_CENTS, words));
  return [...lines, datevLine(line, left, words)].join('');
}

function datevLine(line: JournalLine, cents: bigint, words: DatevWords): string {
  const { debit, credit, currency, tax, effectiveOn, taxed } = line;
  // Keys and automatic accounts belong to the contra account.
  const numbers = taxed === 'debit' ? [credit, debit] : [debit, credit];
  const [account = '', contra = ''] = numbers.map((number) =>
    number === words.customersOn(effectiveOn) && line.debtor !== null
      ? debtorNumber(line.debtor, words.digits)
      : number,
  );
  const cells = new Map<string, string>([
    ['Umsatz (ohne Soll/Haben-Kz)', decimal(cents)],
    ['Soll/Haben-Kennzeichen', datevText(taxed === 'debit' ? 'H' : 'S')],
    ['WKZ Umsatz', datevText(currency)],
    ['Kurs', currency === words.base ? '' : kursOf(words.rateOn(effectiveOn))],
    ['Konto', account],
    ['Gegenkonto (ohne BU-Schlüssel)', contra],
    ['BU-Schlüssel', datevText(tax?.key ?? '')],
    ['Belegdatum', `${effectiveOn.slice(8)}${effectiveOn.slice(5, 7)}`],
    ['Belegfeld 1', datevText(documentField(line.documentNumber ?? ''))],
    ['Buchungstext', datevText(textOf(line), LONGEST_TEXT)],
    ['Leistungsdatum', tax && line.suppliedOn ? dayFirst(line.suppliedOn) : ''],
    ...soldAbroad(line),
  ]);
  return datevRow(COLUMNS, cells);
}

/** The buyer's VAT number, or country and rate of a sale that is taxed there. */
function soldAbroad({ tax, abroad, taxId }: JournalLine): [string, string][] {
  if (tax === null) return [];
  if (['K', 'AE'].includes(tax.category) && taxId && /^[A-Z]{2}[0-9A-Z]{1,13}$/.test(taxId)) {
    return [['EU-Land u. UStID (Bestimmung)', datevText(taxId)]];
  }
  if (tax.category !== 'S' || abroad === null || taxId !== null) return [];
  return [
    ['EU-Land u. UStID (Bestimmung)', datevText(abroad)],
    ['EU-Steuersatz (Bestimmung)', rateOf(tax.rate)],
  ];
}

/** Percent with a comma and two places. */
function rateOf(rate: string): string {
  const [whole = '0', fraction = ''] = rate.split('.');
  return `${whole},${fraction.padEnd(2, '0').slice(0, 2)}`;
}

/** The document itself says what was sold; other facts have words of their own. */
function textOf({ customerName, documentNumber, fact, tax, sold }: JournalLine): string {
  const own = tax && sold ? sold : FACT_IN_GERMAN[fact];
  return [customerName, documentNumber, own].filter(Boolean).join(' ');
}

/** Units of the foreign currency for one of the base; empty where it has too many digits. */
function kursOf(rate: Decimal | null): string {
  if (!rate) return '';
  const [whole = '0', fraction = ''] = ONE.dividedHalfUp(rate, 6).toString().split('.');
  return whole.length > 4 ? '' : `${whole},${fraction.padEnd(6, '0')}`;
}

/** Letters, digits and few signs: DATEV matches open items by it. */
function documentField(number: string): string {
  return number.replace(/[^A-Za-z0-9$&%*+\-/]/g, '-').slice(0, LONGEST_DOCUMENT_FIELD);
}

function inCents(amount: bigint, currency: string): bigint {
  return amount * 10n ** BigInt(MOST_DIGITS - minorDigits(currency));
}

function decimal(cents: bigint): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)},${digits.slice(-2)}`;
}

/** `30112026`. */
function dayFirst(day: IsoDate): string {
  const [year, month, date] = day.split('-');
  return `${date}${month}${year}`;
}
