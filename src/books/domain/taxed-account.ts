import type { LossKind } from './ledger.js';

/** `gross`: the accountant's program takes the tax out of it by itself; `net`: it is a row of its own. */
export const POSTINGS = ['gross', 'net'] as const;
type Posting = (typeof POSTINGS)[number];

/** The account of what is taxed in one way. */
export interface TaxedAccount {
  /** UNCL 5305, as on documents. */
  category: string;
  /** Percent as on documents; null: each rate that no other line names. */
  rate: string | null;
  number: string;
  /** The tax key of the accountant's program, such as the BU-Schlüssel of DATEV. */
  taxKey: string | null;
  posting: Posting;
}

/** The account of losses of one kind whose tax of one kind is claimed back. */
export interface LossAccount extends TaxedAccount {
  loss: LossKind;
}
