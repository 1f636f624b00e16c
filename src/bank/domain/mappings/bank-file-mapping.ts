import { DomainError } from '../../../kernel/domain-error.js';
import { publicId, type Uuid } from '../../../kernel/ids.js';
import { tidyText } from '../../../kernel/tidy-text.js';
import type { SaidHints } from './said-hints.js';
import { BankRefusal } from '../refusals.js';

/** How files of a bank account are read, as it was told with one of them. */
export interface BankFileMapping {
  id: Uuid;
  bankAccount: string;
  /** Of the file that it was told for. */
  header: readonly string[];
  hints: SaidHints;
  toldAt: Date;
  /** Null: the operator. */
  clientId: Uuid | null;
}

/** Of a mapping, all that a reader needs. */
export type KeptHints = Pick<BankFileMapping, 'id' | 'bankAccount' | 'header' | 'hints'>;

/** Each file without a known bank account is compared with all of them. */
export const MOST_MAPPINGS = 100;

/** The cells of a header, as they are kept and compared. */
export const keptHeader = (cells: readonly string[]): string[] =>
  cells.map((cell) => tidyText(cell) ?? '');

export function tooManyMappings(): DomainError {
  return BankRefusal.too_many_bank_file_mappings.of(
    `An account keeps at most ${MOST_MAPPINGS} mappings; DELETE those of bank accounts that are closed, ` +
      'then send the file again.',
  );
}

/** @param why a whole sentence */
export function mappingMismatch({ id, bankAccount }: KeptHints, why: string): DomainError {
  const name = publicId('bmap', id);
  return BankRefusal.bank_file_mapping_mismatch.of(
    `Mapping ${name} of bank account ${bankAccount} does not fit this file: ${why} ` +
      `Send the hints anew, or DELETE the mapping.`,
    { mapping_id: name },
  );
}

/** The refusal of a file that was read by a mapping, which may be the reason. */
export function readByMapping({ id }: KeptHints, { kind, code, detail, errors }: DomainError) {
  const name = publicId('bmap', id);
  const hint = `It was read by mapping ${name}: if that is wrong, send other hints, or DELETE the mapping.`;
  return new DomainError(kind, code, `${detail} ${hint}`, { mapping_id: name }, errors);
}
