import { type CsvHints, malformedStatement } from './bank-statement.js';
import type { ReadRow } from './csv-balance-rows.js';
import { balanceEvidence, contradicts } from './csv-balances.js';
import { headerName, isOtherState } from './csv-columns.js';
import { directionWithin, isPlainDirection, statedDirection } from './csv-direction.js';
import { type CsvHeader, type CsvRow, isFilled, unnamed } from './csv-header.js';
import type { CsvTable } from './csv-table.js';
import { statedState } from './stated-state.js';

/** A column of words for a direction or a state has a few of them. */
const MOST_WORDS = 40;

/**
 * Looks for a direction, a state or balances in columns that no rule took, by their values. One
 * that is overlooked would make money of what left the account, or never moved.
 * @returns the header with what its values settle: the kind of a row that is its direction, and
 *   running balances under any name; the same object where there is nothing
 * @throws DomainError `malformed_statement` with the column and the hint that settles it
 */
export function settledByValues(
  header: CsvHeader,
  table: CsvTable,
  below: readonly CsvRow[],
  accounts: readonly (readonly ReadRow[])[],
  hints: CsvHints,
  bookedStates: readonly string[],
): CsvHeader {
  const rows = accounts.flat();
  const balances = header.at.has('balance') ? null : balanceColumn(header, table, accounts);
  if (balances !== null) return settledAs(header, 'balance', balances);
  const proven = new Set(accounts.flatMap((one) => balanceEvidence(one).confirmed));
  const kinds = header.at.get('transaction_type') ?? [];
  for (const [place, isUnused] of candidates(header)) {
    if (isUnused) assertNoState(header, below, place, bookedStates);
    if (header.at.has('direction')) continue;
    const found = directionIn(rows, place, isUnused, hints, proven);
    if (found === null) continue;
    const isFree = !isSigned(header) && found.isWhole && !table.isSigned;
    if (isFree && (kinds.includes(place) || isBehindAmount(header, place)))
      return settledAs(header, 'direction', place);
    throw unread(header, place, 'direction', found.row, 'says credit or debit');
  }
  if (!isSigned(header) && !table.isSigned) assertNoCode(header, rows, proven);
  return header;
}

/** Columns for credits and debits say it by themselves. */
const isSigned = ({ at }: CsvHeader) => at.has('direction') || at.has('credit') || at.has('debit');

/** German cooperative banks write `S` and `H` there, without a header. */
function isBehindAmount({ at, cells }: CsvHeader, place: number): boolean {
  return !isFilled(cells[place]) && at.get('amount')?.[0] === place - 1;
}

function settledAs(header: CsvHeader, column: 'direction' | 'balance', place: number): CsvHeader {
  return { ...header, at: new Map([...header.at, [column, [place]]]) };
}

/** Columns of words: those that nobody took, and those of texts that only their header names. */
function candidates(header: CsvHeader): [place: number, isUnused: boolean][] {
  const texts = new Set(TEXTS.flatMap((column) => header.at.get(column) ?? []));
  const taken = new Set([...header.at.values()].flat());
  return header.cells.flatMap((_, place): [number, boolean][] => {
    if (header.named.has(place) || header.ignored.has(place)) return [];
    if (!taken.has(place)) return [[place, true]];
    return texts.has(place) ? [[place, false]] : [];
  });
}

const TEXTS = ['transaction_type', 'remittance', 'structured_reference', 'end_to_end_id'] as const;

const cellOf = ({ cells }: CsvRow, place: number) => (cells[place] ?? '').trim();

/** The words of a column; null where there are too many to be a direction or a state. */
function wordsIn(rows: readonly CsvRow[], place: number): Set<string> | null {
  const words = new Set<string>();
  for (const row of rows) {
    const cell = cellOf(row, place);
    if (cell !== '') words.add(cell);
    if (words.size > MOST_WORDS) return null;
  }
  return words.size > 0 ? words : null;
}

/** A column of directions that says otherwise than the amounts; null for none. */
function directionIn(
  rows: readonly ReadRow[],
  place: number,
  isUnused: boolean,
  { words: own }: CsvHints,
  proven: ReadonlySet<ReadRow>,
): { row: CsvRow; isWhole: boolean } | null {
  const words = wordsIn(
    rows.map(({ row }) => row),
    place,
  );
  if (words === null) return null;
  // In each row, a dash stands for nothing.
  const isMark = words.size === 1 && rows.some(({ row }) => cellOf(row, place) === '');
  if (!words.has('+') && !isMark) words.delete('-');
  const meanings = new Map([...words].map((word) => [word, statedDirection(word, own)]));
  const known = [...words].filter((word) => meanings.get(word) !== undefined);
  const isPlain = known.some(isPlainDirection) && known.length * 2 >= words.size;
  if (known.length === 0 || (known.length < words.size && !isPlain)) return null;
  const moving = rows.filter(({ entry }) => !entry.amount.isZero());
  const said = ({ row }: ReadRow) => meanings.get(cellOf(row, place));
  const isOther = (one: ReadRow) => said(one) !== undefined && said(one) !== one.entry.direction;
  const isOpen = ({ row }: ReadRow) =>
    words.has(cellOf(row, place)) && !meanings.get(cellOf(row, place));
  const unproven = moving.filter((one) => !proven.has(one));
  const found = unproven.find(isOther) ?? (isUnused ? unproven.find(isOpen) : undefined);
  const isWhole = moving.every((one) => said(one) !== undefined);
  return found ? { row: found.row, isWhole } : null;
}

function assertNoState(
  header: CsvHeader,
  rows: readonly CsvRow[],
  place: number,
  bookedStates: readonly string[],
): void {
  const words = wordsIn(rows, place);
  if (words === null || isOtherState(headerName(header.cells[place] ?? '').name)) return;
  const states = new Map([...words].map((word) => [word, statedState(word, bookedStates)]));
  const known = [...states.values()].filter((state) => state !== undefined);
  if (known.length === 0 || known.length * 2 < words.size) return;
  const row = rows.find((one) => {
    const cell = cellOf(one, place);
    return cell !== '' && states.get(cell) !== 'booked';
  });
  if (row) throw unread(header, place, 'status', row, 'seems to say the state of each entry');
}

/** All amounts are written without a sign, and words or letters part the rows in two kinds. */
function assertNoCode(
  header: CsvHeader,
  rows: readonly ReadRow[],
  proven: ReadonlySet<ReadRow>,
): void {
  const own = rows.map(({ row }) => row);
  // Balances may prove that both words are credits.
  const credits = rows.filter((one) => proven.has(one)).map(({ row }) => row);
  const [row] = own;
  for (const [place, isUnused] of candidates(header)) {
    const words = wordsIn(own, place);
    if (words === null || !row) continue;
    const isKind = isUnused || header.at.get('transaction_type')?.includes(place);
    const isCode = isUnused && isCodeOf(words) && own.every((one) => isFilled(one.cells[place]));
    const { name } = headerName(header.cells[place] ?? '');
    if (isUnused && !header.layout && directionWithin(name)) {
      throw unread(header, place, 'direction', row, 'may say credit or debit');
    }
    if (!isCode && !(isKind && sidesIn(words) === 2)) continue;
    const among = wordsIn(credits, place) ?? new Set();
    if (isCode ? among.size === 2 : sidesIn(among) === 2) continue;
    throw unread(header, place, 'direction', row, 'may say credit or debit');
  }
}

const isCodeOf = (words: ReadonlySet<string>): boolean =>
  words.size === 2 && [...words].every((word) => /^\p{L}$/u.test(word));

const sidesIn = (words: ReadonlySet<string>): number =>
  new Set([...words].map(directionWithin).filter((one) => one !== undefined)).size;

/** A column of numbers each of which is the one before it and the amount, of whatever sign. */
function balanceColumn(
  header: CsvHeader,
  table: CsvTable,
  accounts: readonly (readonly ReadRow[])[],
): number | null {
  for (const [place, isUnused] of candidates(header)) {
    if (!isUnused) continue;
    const balanced = accounts.map((rows) => withBalances(rows, place, table));
    const proofs = balanced.map(balanceEvidence);
    const explained = proofs.some(
      (one) => one.confirmed.length + one.against.length > 0 && one.unexplained === 0,
    );
    if (explained && proofs.every((one) => one.unexplained === 0)) return place;
  }
  return null;
}

function withBalances(rows: readonly ReadRow[], place: number, table: CsvTable): ReadRow[] {
  const balanced: ReadRow[] = [];
  for (const one of rows) {
    const after = table.moneyIn(cellOf(one.row, place), one.entry.amount.currency);
    if (after === null) return [];
    balanced.push({ ...one, after });
  }
  return balanced;
}

/** @throws DomainError `malformed_statement` where balances say that an entry went the other way */
export function assertBalancesAgree(
  header: CsvHeader,
  accounts: readonly (readonly ReadRow[])[],
): void {
  for (const rows of accounts) {
    const evidence = balanceEvidence(rows);
    if (!contradicts(evidence)) continue;
    const [first] = evidence.against;
    if (!first) continue;
    const places = header.at.get('balance') ?? [];
    const names = places.map((place) => `"${nameOf(header, place)}"`).join(', ');
    const other = first.entry.direction === 'credit' ? 'a debit' : 'a credit';
    throw malformedStatement(
      `Line ${first.row.line}: the balances in ${names} say that it is ${other}, and its amount does not ` +
        '(as in ' +
        `${evidence.against.length} of ${rows.length} lines); send column_direction, or column_debit and ` +
        'column_credit, with the header that says so, or ignore_columns if these are no balances.',
    );
  }
}

const nameOf = ({ cells }: CsvHeader, place: number) =>
  (cells[place] ?? '').trim().slice(0, 100) || unnamed(place);

function unread(
  header: CsvHeader,
  place: number,
  column: 'direction' | 'status',
  row: CsvRow,
  what: string,
) {
  const name = nameOf(header, place);
  const words = column === 'direction' ? ' (credit or debit)' : '';
  const said = cellOf(row, place).slice(0, 40);
  return malformedStatement(
    `Column "${name}" ${what}, as "${said}" in line ${row.line}, and nothing takes it; ` +
      `send column_${column}=${name} if it is the ${column}${words}, or ignore_columns=${name} if not.`,
  );
}
