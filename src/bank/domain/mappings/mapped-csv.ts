import { DomainError } from '../../../kernel/domain-error.js';
import { tidyBankAccount } from '../../../kernel/tidy-text.js';
import type { ParsedBankStatement } from '../bank-statement.js';
import { AMOUNTS, type CsvHeader, type CsvRow, headerRowIn, isFilled } from '../csv-header.js';
import { readCsvStatement } from '../csv-statement.js';
import { type KeptHints, keptHeader, mappingMismatch, readByMapping } from './bank-file-mapping.js';
import { csvHintsOf, type SaidHints, saidOver, saysMore } from './said-hints.js';

/** The rows of a file, parted by the delimiter, or by the one that the file has. */
export interface CsvFile {
  rows(delimiter: string | null): readonly CsvRow[];
  /** Those in which the header is looked for. */
  head(delimiter: string | null): readonly CsvRow[];
}

/**
 * Reads a file as it is said, and where its bank account has a mapping, by that. One that does not fit
 * is not used beside hints that are sent, and refuses the file without any.
 */
export function readMappedCsv(
  file: CsvFile,
  said: SaidHints,
  kept: readonly KeptHints[],
): ParsedBankStatement {
  const mapping = kept.length > 0 ? new MappingChoice(file, said).of(kept) : undefined;
  if (!mapping) return readAs(file, said);
  const hints = saidOver(said, mapping.hints);
  const why = misfit(file, hints);
  const read = why === null ? readBy(mapping, file, hints) : null;
  if (read?.sections.every(({ account }) => tidyBankAccount(account) === mapping.bankAccount)) {
    return { ...read, mappingId: mapping.id };
  }
  if (saysMore(said)) return readAs(file, said);
  throw mappingMismatch(mapping, why ?? 'Some of its entries are of no account, or of another.');
}

function readAs(file: CsvFile, said: SaidHints): ParsedBankStatement {
  const hints = csvHintsOf(said);
  return readCsvStatement(file.rows(hints.delimiter), hints, said.bookedStates ?? []);
}

function readBy(mapping: KeptHints, file: CsvFile, hints: SaidHints): ParsedBankStatement {
  try {
    return readAs(file, hints);
  } catch (error) {
    throw error instanceof DomainError ? readByMapping(mapping, error) : error;
  }
}

/** Why a file cannot have been meant; null if its header has all that is named. */
function misfit(file: CsvFile, hints: SaidHints): string | null {
  try {
    headerOf(file, hints);
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error.detail;
    throw error;
  }
}

function headerOf(file: CsvFile, said: SaidHints) {
  const hints = csvHintsOf(said);
  return headerRowIn(file.head(hints.delimiter), hints);
}

/** The choice of a mapping: none where the bank account would be guessed. */
class MappingChoice {
  /** By what they are looked for with: mappings of one bank are alike. */
  private readonly found = new Map<string, string | null>();

  constructor(
    private readonly file: CsvFile,
    private readonly said: SaidHints,
  ) {}

  of(kept: readonly KeptHints[]): KeptHints | undefined {
    const own = kept.find(({ bankAccount }) => bankAccount === this.said.account);
    if (own && this.isOfOrUnclear(own)) return own;
    const alike = kept.filter((one) => this.isLike(one) && this.isOf(one));
    if (alike.length === 1) return alike[0];
    // A file that names its account itself has that one's mapping, whatever became of its header.
    const named = this.accountBy(this.said);
    return kept.find(({ bankAccount }) => bankAccount === named);
  }

  private isLike({ header, hints }: KeptHints): boolean {
    const own = this.headerBy(saidOver(this.said, hints))?.header;
    const cells = own && keptHeader(own.cells);
    return cells?.length === header.length && cells.every((cell, at) => cell === header[at]);
  }

  private isOf({ bankAccount, hints }: KeptHints): boolean {
    return this.accountBy(saidOver(this.said, hints)) === bankAccount;
  }

  /** Of a header that changed, nobody knows yet which account it tells. */
  private isOfOrUnclear(mapping: KeptHints): boolean {
    return this.isOf(mapping) || !this.headerBy(saidOver(this.said, mapping.hints));
  }

  /** The one bank account of all entries; null for none, for several, and without a header. */
  private accountBy(said: SaidHints): string | null {
    const found = this.headerBy(said);
    if (!found) return null;
    const { header, index } = found;
    const [place] = header.at.get('account') ?? [];
    const rest = said.account ?? header.account;
    if (place === undefined) return rest;
    const looked = JSON.stringify([said.delimiter, index, place, rest]);
    const before = this.found.get(looked);
    if (before !== undefined) return before;
    const rows = this.file.rows(said.delimiter ?? null).slice(index + 1);
    const account = onlyAccount(rows, header, place, rest);
    this.found.set(looked, account);
    return account;
  }

  private headerBy(said: SaidHints): ReturnType<typeof headerOf> | null {
    try {
      return headerOf(this.file, said);
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }
}

function onlyAccount(
  rows: readonly CsvRow[],
  { at }: CsvHeader,
  place: number,
  rest: string | null,
): string | null {
  const has = ({ cells }: CsvRow, column: 'booked_on' | (typeof AMOUNTS)[number]) =>
    at.get(column)?.some((one) => isFilled(cells[one])) ?? false;
  let only: string | null = null;
  for (const row of rows) {
    // Rows without a day or an amount are sums, or titles.
    if (!has(row, 'booked_on') || !AMOUNTS.some((column) => has(row, column))) continue;
    const account = tidyBankAccount(row.cells[place]) ?? rest;
    if (account === null || account === only) continue;
    if (only !== null) return null;
    only = account;
  }
  return only;
}
