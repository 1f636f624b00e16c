import { Money } from '../../kernel/money.js';
import {
  type DocumentRelations,
  type DocumentView,
  documentView,
} from '../domain/document-view.js';
import { ALL_PARTS, CONTENT_PARTS, type ViewParts } from '../domain/view-parts.js';
import {
  type ContentColumns,
  FIGURE_COLUMNS,
  type FigureColumns,
  toContent,
  type WordColumns,
} from './content-columns.js';
import { STATE_COLUMNS, type StateColumns, toDocument } from './document-columns.js';

export interface RelationColumns {
  /** @derived */
  origin_number: string | null;
  /** @derived */
  follow_ups: DocumentRelations['followUps'] | null;
  /** @derived */
  credited_taxes: [category: string, rate: string, base: string, tax: string][] | null;
  /** @derived */
  given_back: bigint | null;
}

/** The columns of a view. Those of parts that nobody wants are not in a row. */
export type ViewColumns = StateColumns & FigureColumns & WordColumns & RelationColumns;

const ORIGIN_NUMBER = `
  (SELECT o.number FROM documents o
    WHERE (o.account_id, o.document_id) = (d.account_id, d.origin_document_id)) AS origin_number`;

// Duplicates are documents of their own: nobody looks for them on the original.
const FOLLOW_UPS = `
  (SELECT json_agg(json_build_array(f.origin, f.document_id, f.number) ORDER BY f.document_id)
    FROM documents f WHERE f.account_id = d.account_id AND f.origin_document_id = d.document_id
      AND f.origin <> 'duplicate') AS follow_ups`;

const CREDITED_TAXES = `
  CASE WHEN d.credit_notes_total > 0 THEN credited_taxes(d.account_id, d.document_id)
    END AS credited_taxes`;

const GIVEN_BACK = `
  -- As givenBackPart has it.
  CASE WHEN d.origin = 'credit' AND d.amount_applied + d.amount_moved > 0 THEN
    given_back_part(d.account_id, d.origin_document_id, d.document_id,
      d.amount_applied + d.amount_moved) END AS given_back`;

export const RELATION_COLUMNS = `${ORIGIN_NUMBER}, ${FOLLOW_UPS}, ${CREDITED_TAXES}, ${GIVEN_BACK}`;

/** Of `documents d`, and of its content `c` for parts that are in it: no others are unpacked. */
export const viewColumns = (parts: ViewParts): string => `${STATE_COLUMNS}, ${FIGURE_COLUMNS}
  ${parts.has('seller') ? ', c.seller' : ''}
  ${parts.has('customer') ? ', c.customer' : ''}
  ${parts.has('details') ? ', c.details' : ''}
  ${parts.has('notes') ? ', c.notes' : ''}
  ${parts.has('metadata') ? ', c.metadata' : ''}
  ${parts.has('discounts') ? ', c.discounts' : ''}
  ${parts.has('charges') ? ', c.charges' : ''}
  ${parts.has('lines') ? ', c.lines' : ''}
  ${parts.has('taxGroups') ? ', c.tax_groups' : ''}
  ${parts.has('origin') ? `, ${ORIGIN_NUMBER}` : ''}
  ${parts.has('followUps') ? `, ${FOLLOW_UPS}` : ''}
  ${parts.has('creditedTaxes') ? `, ${CREDITED_TAXES}` : ''}
  ${parts.has('givenBack') ? `, ${GIVEN_BACK}` : ''}`;

export const needsContent = (parts: ViewParts): boolean =>
  CONTENT_PARTS.some((part) => parts.has(part));

/** In place of the columns that were not asked for. */
const NOT_READ: WordColumns & RelationColumns = {
  seller: {},
  customer: {},
  details: null,
  notes: null,
  metadata: {},
  discounts: [],
  charges: [],
  lines: [],
  tax_groups: [],
  origin_number: null,
  follow_ups: null,
  credited_taxes: null,
  given_back: null,
};

export function toView(row: ViewColumns, now: Date, parts = ALL_PARTS): DocumentView {
  const whole = parts === ALL_PARTS ? row : { ...NOT_READ, ...row };
  return documentView(toDocument(row, now), toContent(whole), toRelations(whole), parts);
}

export function toRelations(
  row: RelationColumns & Pick<ContentColumns, 'currency'>,
): DocumentRelations {
  return {
    origin: row.origin_number,
    followUps: row.follow_ups ?? [],
    creditedTaxes: (row.credited_taxes ?? []).map(([category, rate, base, tax]) => ({
      category,
      rate,
      base: Money.of(BigInt(base), row.currency),
      tax: Money.of(BigInt(tax), row.currency),
    })),
    givenBack: row.given_back ?? 0n,
  };
}
