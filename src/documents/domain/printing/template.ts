import type { PaperLayout } from './paper-layouts.js';

/** Columns that an account may leave out; description and amount are what a line is. */
export const HIDEABLE_COLUMNS = ['position', 'quantity', 'unit_price', 'tax'] as const;
export type HideableColumn = (typeof HIDEABLE_COLUMNS)[number];

/** Places for words of the seller. */
export const BLOCK_PLACES = ['before_lines', 'after_totals', 'end'] as const;

/** Words that an account may say in its own way. */
export const TEXT_NAMES = [
  'invoice',
  'proforma',
  'quote',
  'credit_note',
  'issue_date',
  'due_date',
  'valid_until',
  'reference',
  'purchase_order',
  'description',
  'quantity',
  'unit_price',
  'payment_details',
  'notes',
] as const;

/** Facts of the document that stand for their names in braces. None of them changes after the issue. */
export const PLACEHOLDERS = [
  'number',
  'issue_date',
  'due_date',
  'total',
  'currency',
  'customer_name',
  'customer_reference',
  'seller_name',
  'purchase_order',
  'payment_reference',
] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** BCP 47; null: of documents in any language. */
type OfLanguage = { language: string | null };

export type TemplateText = OfLanguage & { name: (typeof TEXT_NAMES)[number]; text: string };

export type TemplateBlock = OfLanguage & {
  place: (typeof BLOCK_PLACES)[number];
  heading: string | null;
  text: string;
};

/** The looks that an account gives its documents. It is a part of the seller, and frozen with it. */
export interface Template {
  /** That of the seller by which it was set: a later one is greater. */
  version: number;
  /** `#rrggbb` in small letters, as it was given; what is shown has enough contrast. */
  accent_color: string | null;
  hidden_columns: HideableColumn[];
  /** Whether each sheet of paper ends with the sum of the lines so far, and the next begins with it. */
  carried_sums: boolean;
  /** Absent: that of the seller's country. */
  layout?: PaperLayout;
  texts: TemplateText[];
  footer: string | null;
  blocks: TemplateBlock[];
}

const PLACEHOLDER = /\{([a-z_]+)\}/g;

/** Names in braces that stand for nothing. */
export function unknownPlaceholders(text: string): string[] {
  const known = new Set<string>(PLACEHOLDERS);
  return [...text.matchAll(PLACEHOLDER)].flatMap(([, name = '']) => (known.has(name) ? [] : name));
}

/** @param facts null where the document has no such fact: nothing stands in its place */
export function filled(text: string, facts: Record<Placeholder, string | null>): string {
  return text.replaceAll(PLACEHOLDER, (braced, name: string) =>
    Object.hasOwn(facts, name) ? (facts[name as Placeholder] ?? '') : braced,
  );
}

/** Those of one language; what is said for it goes before what is said for all. */
export function inLanguage<One extends OfLanguage>(all: readonly One[], language: string): One[] {
  const [spoken = ''] = language.toLowerCase().split('-');
  const isOf = ({ language: tag }: One) =>
    tag === null || [spoken, language.toLowerCase()].includes(tag.toLowerCase());
  return all
    .filter(isOf)
    .toSorted((one, other) => (one.language?.length ?? 0) - (other.language?.length ?? 0));
}
