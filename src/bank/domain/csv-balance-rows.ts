import { isCurrency } from '../../kernel/currency.js';
import { Money } from '../../kernel/money.js';
import {
  type BankBalance,
  type CsvHints,
  malformedStatement,
  movedBy,
  type StatedBankEntry,
} from './bank-statement.js';
import type { BalancedEntry } from './csv-balances.js';
import { headerName } from './csv-columns.js';
import type { CsvRow } from './csv-header.js';

/** A row that was read as an entry. */
export interface ReadRow extends BalancedEntry {
  row: CsvRow;
}

const BALANCES = new Set(
  (
    'balance bal saldo solde sold kontostand anfangssaldo endsaldo schlusssaldo schlussaldo saldovortrag ' +
    'eroffnungssaldo abschlusssaldo abschlussaldo zwischensaldo tagessaldo ubertrag vortrag beginsaldo ' +
    'eindsaldo slotsaldo openingssaldo startsaldo slutsaldo alkusaldo loppusaldo algsaldo loppsaldo ' +
    'zustatek zostatok egyenleg stanje bakiye bf cf forward υπολοιπο салдо'
  ).split(' '),
);
const SUMS = new Set(
  'summe gesamtsumme gesamt total totals subtotal totaal totale totaux somme suma sum summa turnover kaive apgrozijums apyvarta'.split(
    ' ',
  ),
);
const BESIDE = new Set(
  (
    'account opening closing starting ending start end begin beginning initial final previous prior last new ' +
    'old current available ledger statement brought carried fwd forwarded b c f o d per as at of on the to from day ' +
    'alter neuer altes neues am vom zum per der des den in konto kontos tag ' +
    'ancien nouveau precedent anterieur crediteur debiteur reporte report au du le la de compte ' +
    'iniziale finale precedente contabile disponibile al del dal conto inicial anterior actual disponible ' +
    'vorig nieuw oud begin eind op van rekening ingaende utgaende inngaende aktuellt ' +
    'credit credits debit debits kreedit deebet kredit debet haben soll umsatz umsatze ' +
    'poczatkowe koncowe pocatecni konecny nyito zaro precedenta devreden donem'
  ).split(' '),
);
const LONGEST_TEXT = 60;

/** Nearly no text has any of these, and needs no closer look. */
const LIKE_A_BALANCE =
  /bal|sal|sold|stand|vortrag|bertrag|statek|statok|egyenl|stanje|bakiye|f(?:or)?w|[bc]\/?f|υπ|сал/i;
const LIKE_A_SUM = /sum|som|tot|ges|turn|k.ive|apgr|apyv/i;

function isOf(text: string, nouns: ReadonlySet<string>): boolean {
  if (text.length > LONGEST_TEXT) return false;
  const { name } = headerName(text);
  if (name === 'b f' || name === 'c f') return true;
  const words = name.split(' ');
  const isBeside = (word: string) =>
    nouns.has(word) || BESIDE.has(word) || /\d/.test(word) || isCurrency(word.toUpperCase());
  return words.some((word) => nouns.has(word)) && words.every(isBeside);
}

/** A text that names a balance, and nothing else: `Solde au 30/11/2026`, `BALANCE BROUGHT FORWARD`. */
const isBalanceText = (text: string): boolean => LIKE_A_BALANCE.test(text) && isOf(text, BALANCES);

const isSumText = (text: string): boolean => LIKE_A_SUM.test(text) && isOf(text, SUMS);

export const isSummaryText = (text: string): boolean => isBalanceText(text) || isSumText(text);

/** A line below the table, without a day, that names a balance or a sum. */
export function isSummary({ cells }: CsvRow): boolean {
  return cells.some(isSummaryText);
}

/** The texts of an entry in which banks name a balance. */
const textsOf = ({ remittance, counterpartyName, endToEndId }: StatedBankEntry): string[] =>
  [remittance, counterpartyName, endToEndId].filter((text) => text !== null);

/** Nobody but the bank is behind a balance or a sum. */
const hasAccount = (entry: StatedBankEntry): boolean =>
  [entry.counterpartyIban, entry.structuredReference].some((one) => one !== null);

function isNamed({ entry }: ReadRow, isNoun: (text: string) => boolean): boolean {
  const said = textsOf(entry);
  const texts = said.length > 0 ? said : [entry.transactionType ?? ''];
  return !hasAccount(entry) && texts.every(isNoun);
}

const isNamedBalance = (row: ReadRow): boolean => isNamed(row, isBalanceText);
const isNamedSum = (row: ReadRow): boolean => isNamed(row, isSumText);

/** Somebody or a reference is behind it, or its text has the number of a document. */
const isMovement = (entry: StatedBankEntry): boolean =>
  hasAccount(entry) ||
  [entry.counterpartyName, entry.endToEndId, entry.bankReference, entry.transactionType].some(
    (text) => text !== null && !isBalanceText(text),
  ) ||
  /\d{5}|\p{L}-?\d/u.test(entry.remittance ?? '');

export interface WithoutBalances {
  entries: readonly ReadRow[];
  balances: readonly ReadRow[];
  opening: BankBalance | null;
  closing: BankBalance | null;
  /** Rows of which nobody can tell; they are among the entries. */
  unclear: readonly ReadRow[];
}

/**
 * The rows of one account without those that are its balance before or after. Words alone do not
 * make a balance: the amount has to be that of the balance beside it, or the sum of the others.
 * @param isKnown the bank's layout is known, and has no rows of balances without words
 */
export function withoutBalanceRows(
  rows: readonly ReadRow[],
  hint: CsvHints['balanceRows'],
  isKnown: boolean,
): WithoutBalances {
  const none = { entries: rows, balances: [], opening: null, closing: null, unclear: [] };
  if (hint === 'book') return none;
  const named = rows.filter(isNamedBalance);
  const [first, last] = [atEnd(rows[0], rows[1]), atEnd(rows.at(-1), rows.at(-2))];
  const found = isKnown ? [] : [first, last].filter((one) => one !== null);
  const proven = [
    ...named.filter(isOwnBalance),
    ...found.flatMap(({ row, isClear }) => (isClear ? [row] : [])),
  ];
  const isProven = new Set(proven);
  const open = [...named, ...found.map(({ row }) => row)].filter((row) => !isProven.has(row));
  const summed = rows.filter(isNamedSum);
  const isTold = open.length + proven.length + summed.length > 0;
  const pair = isTold || isKnown ? open : ends(rows);
  const left = new Set([...proven, ...pair, ...summed]);
  if (left.size === 0) return none;
  const kept = rows.filter((row) => !left.has(row));
  const around = aroundOf(pair, kept);
  // Without a word for it, the sum may be chance.
  if (open.length === 0 && pair.length > 0 && !around && summed.length === 0) return none;
  const isClear = pair.length === 0 || (around !== null && open.length > 0);
  const isSum = (row: ReadRow) => isSumOf(row, kept);
  if (!(isClear && summed.every(isSum)) && hint !== 'leave_out') {
    return { ...none, unclear: [...pair, ...summed] };
  }
  const balances = rows.filter((row) => left.has(row));
  return { entries: kept, balances, ...(around ?? { opening: null, closing: null }), unclear: [] };
}

const isSame = (one: Money | null, other: Money): boolean =>
  one !== null && one.currency === other.currency && one.compare(other) === 0;

const isOwnBalance = ({ entry, after }: ReadRow): boolean =>
  entry.amount.isZero() || isSame(after, movedBy(entry));

/**
 * A row at an end whose amount is its own balance, which nothing before it explains. It is clear
 * where the row beside it has the same balance: then it moved nothing.
 */
function atEnd(
  row: ReadRow | undefined,
  beside: ReadRow | undefined,
): { row: ReadRow; isClear: boolean } | null {
  if (!row?.after || !beside?.after || row.entry.amount.isZero()) return null;
  const moved = movedBy(row.entry);
  if (isMovement(row.entry) || isNamedBalance(row) || !isSame(row.after, moved)) return null;
  if (beside.after.currency !== moved.currency || beside.after.isZero()) return null;
  return { row, isClear: isSame(beside.after, row.after) && !beside.entry.amount.isZero() };
}

/** First and last row, where no column has balances: in any language they may be such. */
function ends(rows: readonly ReadRow[]): ReadRow[] {
  const [first, last] = [rows[0], rows.at(-1)];
  if (rows.length < 3 || !first || !last || rows.some(({ after }) => after !== null)) return [];
  return isMovement(first.entry) || isMovement(last.entry) ? [] : [first, last];
}

/** One balance and the movements of all others make the other balance. */
function aroundOf(
  [one, other]: readonly ReadRow[],
  kept: readonly ReadRow[],
): Pick<WithoutBalances, 'opening' | 'closing'> | null {
  if (!one || !other) return null;
  const { currency } = one.entry.amount;
  if ([other, ...kept].some(({ entry }) => entry.amount.currency !== currency)) return null;
  const sum = Money.sum(
    kept.map(({ entry }) => movedBy(entry)),
    currency,
  );
  const isBefore = (before: ReadRow, after: ReadRow) =>
    isSame(movedBy(before.entry).plus(sum), movedBy(after.entry));
  const order = isBefore(one, other) ? [one, other] : isBefore(other, one) ? [other, one] : [];
  const [opening, closing] = order.map(({ entry }) => ({
    amount: movedBy(entry),
    date: entry.bookedOn,
  }));
  return opening && closing ? { opening, closing } : null;
}

/** All credits, or all debits, of the entries. */
function isSumOf({ entry }: ReadRow, kept: readonly ReadRow[]): boolean {
  const same = kept.filter(
    (one) =>
      one.entry.direction === entry.direction &&
      one.entry.amount.currency === entry.amount.currency,
  );
  const sum = Money.sum(
    same.map((one) => one.entry.amount),
    entry.amount.currency,
  );
  return same.length > 0 && isSame(sum, entry.amount);
}

/** @throws DomainError `malformed_statement` for rows of which nobody can tell */
export function assertClear(rows: readonly ReadRow[]): void {
  if (rows.length === 0) return;
  const lines = rows.map(({ row }) => row.line).slice(0, 10);
  throw malformedStatement(
    `Line ${lines.join(' and line ')} may be a balance and no entry; send balance_rows=leave_out if ` +
      'so, or balance_rows=book if it is money that moved.',
  );
}
