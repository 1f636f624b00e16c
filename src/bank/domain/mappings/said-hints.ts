import { tidyBankAccount } from '../../../kernel/tidy-text.js';
import type { BankStatementFile, CsvHints } from '../bank-statement.js';
import { CSV_COLUMNS, type CsvColumn, headerName } from '../csv-columns.js';
import { isSameWord } from '../csv-direction.js';

/**
 * How a CSV file is to be read, as somebody said: nothing that was not said, and lists in one order.
 * So it is stored, and so two of them are compared.
 */
export interface SaidHints {
  delimiter?: string;
  decimal?: NonNullable<CsvHints['decimal']>;
  dateFormat?: NonNullable<CsvHints['dateFormat']>;
  currency?: string;
  account?: string;
  balanceRows?: NonNullable<CsvHints['balanceRows']>;
  unsigned?: NonNullable<CsvHints['unsigned']>;
  ignored?: readonly string[];
  bookedStates?: readonly string[];
  creditWords?: readonly string[];
  debitWords?: readonly string[];
  /** `direction=Sens`: the column and its header. */
  columns?: readonly string[];
}

/** All that the caller says of a file; nothing where the file says it itself. */
export function hintsSaidOf(file: BankStatementFile): SaidHints {
  const { bookedStates } = file;
  if (file.format !== 'csv') return said({ bookedStates });
  const { columns, words, ...hints } = file.hints;
  return said({
    ...hints,
    account: tidyBankAccount(hints.account),
    bookedStates,
    creditWords: words.credit,
    debitWords: words.debit,
    columns: [...columns].map((pair) => pair.join('=')),
  });
}

function said(hints: Record<string, string | readonly string[] | null>): SaidHints {
  return Object.fromEntries(
    Object.entries(hints)
      .map(([name, hint]) => [name, typeof hint === 'object' ? sorted(hint) : hint] as const)
      .filter(([, hint]) => hint !== null && hint.length > 0),
  ) as SaidHints;
}

const sorted = (list: readonly string[] | null) => list && list.toSorted();

/** The column and the header of `direction=Sens`. */
export function columnIn(pair: string): [column: CsvColumn, header: string] {
  const at = pair.indexOf('=');
  return [pair.slice(0, at) as CsvColumn, pair.slice(at + 1)];
}

/** The hints for a reader. Columns stand in our order: it decides where two have one header. */
export function csvHintsOf(hints: SaidHints): CsvHints {
  const columns = new Map((hints.columns ?? []).map(columnIn));
  const names = (Object.keys(CSV_COLUMNS) as CsvColumn[]).filter((name) => columns.has(name));
  return {
    delimiter: hints.delimiter ?? null,
    decimal: hints.decimal ?? null,
    dateFormat: hints.dateFormat ?? null,
    currency: hints.currency ?? null,
    account: hints.account ?? null,
    columns: new Map(names.map((name) => [name, columns.get(name) ?? ''])),
    ignored: hints.ignored ?? [],
    words: { credit: hints.creditWords ?? [], debit: hints.debitWords ?? [] },
    balanceRows: hints.balanceRows ?? null,
    unsigned: hints.unsigned ?? null,
  };
}

/** Whether something is said that a mapping keeps. */
export function saysMore(hints: SaidHints): boolean {
  return Object.keys(withoutAccount(hints)).length > 0;
}

/** Leaves all that a mapping keeps: a mapping never says of which bank account a file is. */
export function withoutAccount(hints: SaidHints): SaidHints {
  const { account: _, ...others } = hints;
  return others;
}

/**
 * Hints that are said now, and those kept ones that do not speak against them. A header or a word
 * has one meaning: the newer one.
 */
export function saidOver(now: SaidHints, kept: SaidHints): SaidHints {
  const columns = (now.columns ?? []).map(columnIn);
  const named = new Set(columns.map(([, header]) => headerName(header).name));
  const ignored = new Set((now.ignored ?? []).map((header) => headerName(header).name));
  const isSaid = (header: string) => named.has(headerName(header).name);
  const left = (kept.columns ?? []).map(columnIn).filter(
    ([column, header]) =>
      !columns.some(([one]) => one === column) &&
      // It was said to be another column, or none.
      !isSaid(header) &&
      !ignored.has(headerName(header).name),
  );
  return said({
    ...withoutAccount(kept),
    ignored: (kept.ignored ?? []).filter((header) => !isSaid(header)),
    creditWords: withoutWords(kept.creditWords, now.debitWords),
    debitWords: withoutWords(kept.debitWords, now.creditWords),
    ...now,
    columns: [...left, ...columns].map((pair) => pair.join('=')),
  });
}

function withoutWords(words: readonly string[] = [], others: readonly string[] = []): string[] {
  return words.filter((word) => !others.some((other) => isSameWord(word, other)));
}

/** Whether a file that was read so was read as is said now: of what is said, nothing differs. */
export function isReadAs(now: SaidHints, read: SaidHints): boolean {
  const { columns = [], ...others } = now;
  return (
    columns.every((pair) => read.columns?.includes(pair)) &&
    Object.entries(others).every(
      ([name, hint]) => JSON.stringify(read[name as keyof SaidHints]) === JSON.stringify(hint),
    )
  );
}
