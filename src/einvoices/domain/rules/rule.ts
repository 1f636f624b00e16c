import type { Profile } from '../profile.js';
import type { SemanticInvoice } from '../semantic/semantic-invoice.js';

/** One rule of those who receive e-invoices that a document of ours can break. */
export interface EInvoiceRule {
  /** As it is published. */
  id: string;
  /** The official severity: what is fatal is sent back. */
  severity: 'fatal' | 'warning';
  /** It tells what to do. */
  message: string;
  /** JSON pointers into the document of our API to all that breaks it. */
  broken(invoice: SemanticInvoice, profile: Profile): string[];
}

export const has = (text: string | null | undefined): boolean => text != null && text.trim() !== '';

export const when = (isBroken: boolean, ...pointers: string[]): string[] =>
  isBroken ? pointers : [];

export const fatal = (
  id: string,
  message: string,
  broken: EInvoiceRule['broken'],
): EInvoiceRule => ({ id, severity: 'fatal', message, broken });

export const warning = (
  id: string,
  message: string,
  broken: EInvoiceRule['broken'],
): EInvoiceRule => ({ id, severity: 'warning', message, broken });

/**
 * A type of document that those who receive it do not take (BT-3).
 *
 * @param isJudged whether the rule is of such a document
 */
export const typed = (
  id: string,
  taken: string,
  isJudged: (invoice: SemanticInvoice) => boolean = () => true,
): EInvoiceRule => {
  const codes = new Set(taken.split(' '));
  return fatal(id, `those who receive it take the types ${taken} only.`, (invoice) =>
    when(isJudged(invoice) && !codes.has(invoice.typeCode), '/type_code'),
  );
};

/** Places in lists, such as `/lines/3/net_amount`. */
export const each = <One>(
  list: readonly One[],
  at: (index: number) => string,
  isBroken: (one: One) => boolean,
): string[] => list.flatMap((one, index) => when(isBroken(one), at(index)));
