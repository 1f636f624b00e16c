import { addDays, type IsoDate } from '../../kernel/clock.js';
import { minorDigits } from '../../kernel/currency.js';
import { firstCharacters } from '../../kernel/first-characters.js';
import type { DatevClient } from './chart-of-accounts.js';
import type { JournalLine } from './journal.js';

/*
 * A posting batch in the DATEV format: header version 700, format version 13. Source: the format
 * description of DATEV for its developers, as of 2026. Text is quoted; numbers have a comma; a line
 * ends with CR and LF; the file is in Windows-1252.
 */

const numbered = (count: number, ...names: string[]) =>
  Array.from({ length: count }, (_, at) => names.map((name) => `${name} ${at + 1}`)).flat();

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

/** The shortest and the longest number of an account that DATEV keeps. */
const ACCOUNT_DIGITS = { from: 4, to: 8 };
export const DATEV_ACCOUNT = /^\d{1,8}$/;
/** An amount has two places behind the comma. */
const MOST_DIGITS = 2;
/** Ten digits before the comma, in cents. */
const LARGEST_CENTS = 999_999_999_999n;
const LONGEST_TEXT = 60;
const LONGEST_DOCUMENT_FIELD = 36;

/** A file is about one currency, and days of one fiscal year. */
export interface DatevBatch extends DatevClient {
  from: IsoDate;
  to: IsoDate;
  currency: string;
  /** As told by the chart; the file says how long its numbers are. */
  numbers: readonly string[];
  /** 03 or 04, where it is one of these charts. */
  chart: string;
  madeAt: Date;
}

/** The first day of the fiscal year that a day is in. */
function fiscalYearOf(day: IsoDate, start: string): IsoDate {
  const year = Number.parseInt(day.slice(0, 4), 10);
  return day.slice(5) >= start ? `${day.slice(0, 4)}-${start}` : `${year - 1}-${start}`;
}

/** Whether a file may hold both days. */
export function isOneFiscalYear(from: IsoDate, to: IsoDate, start: string): boolean {
  const first = fiscalYearOf(from, start);
  return fiscalYearOf(to, start) === first && to < addDays(first, 367);
}

/** The first two lines. */
export function datevHead(batch: DatevBatch): string {
  const longest = Math.max(ACCOUNT_DIGITS.from, ...batch.numbers.map(({ length }) => length));
  const year = plainDay(fiscalYearOf(batch.from, batch.fiscalYearStart));
  const header = [
    [text('EXTF'), 700, 21, text('Buchungsstapel'), 13, stamp(batch.madeAt), ''],
    [text('RE'), text(''), text(''), batch.consultantNumber, batch.clientNumber, year],
    [Math.min(longest, ACCOUNT_DIGITS.to), plainDay(batch.from), plainDay(batch.to)],
    [text('Quittance'), text(''), 1, 0, 0, text(batch.currency), '', text(''), '', ''],
    [text(batch.chart), '', '', text(''), text('')],
  ].flat();
  return `${header.join(';')}\r\n${COLUMNS.join(';')}\r\n`;
}

/** Whether amounts of the currency can be written. */
export function isForDatev(currency: string): boolean {
  return minorDigits(currency) <= MOST_DIGITS;
}

/** One line, or several if the amount has more digits than one may have. */
export function datevLines(line: JournalLine): string {
  const lines = [];
  let left = inCents(line.amount, line.currency);
  for (; left > LARGEST_CENTS; left -= LARGEST_CENTS) lines.push(datevLine(line, LARGEST_CENTS));
  return [...lines, datevLine(line, left)].join('');
}

function datevLine(line: JournalLine, cents: bigint): string {
  const { debit, credit, currency, tax, effectiveOn, taxed } = line;
  // Keys and automatic accounts belong to the contra account.
  const [side, account, contra] = taxed === 'debit' ? ['H', credit, debit] : ['S', debit, credit];
  const cells = new Map<string, string>([
    ['Umsatz (ohne Soll/Haben-Kz)', decimal(cents)],
    ['Soll/Haben-Kennzeichen', text(side)],
    ['WKZ Umsatz', text(currency)],
    ['Konto', account],
    ['Gegenkonto (ohne BU-Schlüssel)', contra],
    ['BU-Schlüssel', text(tax?.key ?? '')],
    ['Belegdatum', `${effectiveOn.slice(8)}${effectiveOn.slice(5, 7)}`],
    ['Belegfeld 1', text(documentField(line.documentNumber ?? ''))],
    ['Buchungstext', text(shortened(textOf(line)))],
    ...soldAbroad(line),
  ]);
  return `${COLUMNS.map((name) => cells.get(name) ?? '').join(';')}\r\n`;
}

/** The buyer's VAT number, or country and rate of a sale that is taxed there. */
function soldAbroad({ tax, abroad, taxId }: JournalLine): [string, string][] {
  if (tax === null) return [];
  if (['K', 'AE'].includes(tax.category) && taxId && /^[A-Z]{2}[0-9A-Z]{1,13}$/.test(taxId)) {
    return [['EU-Land u. UStID (Bestimmung)', text(taxId)]];
  }
  if (tax.category !== 'S' || abroad === null || taxId !== null) return [];
  return [
    ['EU-Land u. UStID (Bestimmung)', text(abroad)],
    ['EU-Steuersatz (Bestimmung)', rateOf(tax.rate)],
  ];
}

/** Percent with a comma and two places. */
function rateOf(rate: string): string {
  const [whole = '0', fraction = ''] = rate.split('.');
  return `${whole},${fraction.padEnd(2, '0').slice(0, 2)}`;
}

function textOf({ customerName, documentNumber, fact }: JournalLine): string {
  return [customerName, documentNumber, fact].filter(Boolean).join(' ');
}

/** Letters, digits and few signs: DATEV matches open items by it. */
function documentField(number: string): string {
  return number.replace(/[^A-Za-z0-9$&%*+\-/]/g, '-').slice(0, LONGEST_DOCUMENT_FIELD);
}

function shortened(long: string): string {
  return firstCharacters(long, LONGEST_TEXT);
}

function text(value: string): string {
  return `"${value.replace(/\p{C}+/gu, ' ').replaceAll('"', '""')}"`;
}

function inCents(amount: bigint, currency: string): bigint {
  return amount * 10n ** BigInt(MOST_DIGITS - minorDigits(currency));
}

function decimal(cents: bigint): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)},${digits.slice(-2)}`;
}

function plainDay(day: IsoDate): string {
  return day.replaceAll('-', '');
}

/** `20261122143005123`, in UTC. */
function stamp(instant: Date): string {
  return instant.toISOString().replace(/\D/g, '');
}
