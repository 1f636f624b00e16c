import type { IdPrefix } from '../../../kernel/ids.js';

export interface IntegrityCheck {
  name: string;
  /** The prefix of each row's id; null where the id is text, or the row brings a prefix. */
  prefix: IdPrefix | null;
  /** Rows `id, stored, derived`, and perhaps `prefix`, where the two differ; $1 is the account, null for all. */
  sql: string;
  /** Which rows make a part of it, where its prefix does not say so; `all`: it has no parts. */
  of?: 'all' | 'windows' | 'documents' | 'payments' | 'facts' | 'transfers';
}

/** A condition on the rows of an alias: of one account, or of all. */
export const ours = (alias: string): string =>
  `($1::uuid IS NULL OR ${alias}.account_id = $1::uuid)`;
