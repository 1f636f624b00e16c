import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import { Database } from '../../platform/database/database.js';
import type { Tx } from '../../platform/database/tx.js';
import { isStorableText } from '../../platform/http/validation/storable-text.js';
import {
  type DocumentContent,
  type DocumentView,
  documentView,
  type DocumentRelations,
} from '../domain/document-view.js';
import {
  CONTENT_COLUMNS,
  type ContentColumns,
  DOCUMENTS_WITH_CONTENT,
  toContent,
} from './content-columns.js';
import { STATE_COLUMNS, type StateColumns, toDocument } from './document-columns.js';

interface RelationColumns {
  /** @derived */
  origin_number: string | null;
  /** @derived */
  follow_ups: DocumentRelations['followUps'] | null;
  /** @derived */
  credited_taxes: [category: string, rate: string, base: string, tax: string][] | null;
  /** @derived */
  given_back: bigint | null;
}

export type ViewColumns = StateColumns & ContentColumns & RelationColumns;

// Duplicates are documents of their own: nobody looks for them on the original.
const RELATION_COLUMNS = `
  (SELECT o.number FROM documents o
    WHERE (o.account_id, o.document_id) = (d.account_id, d.origin_document_id)) AS origin_number,
  (SELECT json_agg(json_build_array(f.origin, f.document_id, f.number) ORDER BY f.document_id)
    FROM documents f WHERE f.account_id = d.account_id AND f.origin_document_id = d.document_id
      AND f.origin <> 'duplicate') AS follow_ups,
  CASE WHEN d.credit_notes_total > 0 THEN credited_taxes(d.account_id, d.document_id)
    END AS credited_taxes,
  -- As givenBackPart has it.
  CASE WHEN d.origin = 'credit' AND d.amount_applied + d.amount_moved > 0 THEN
    given_back_part(d.account_id, d.origin_document_id, d.document_id,
      d.amount_applied + d.amount_moved) END AS given_back`;

/** Of `DOCUMENTS_WITH_CONTENT`. */
export const VIEW_COLUMNS = `${STATE_COLUMNS}, ${CONTENT_COLUMNS}, ${RELATION_COLUMNS}`;

/** Documents for reading: one statement each, no locks. */
@Injectable()
export class DocumentsQuery {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async find(accountId: Uuid, id: Uuid): Promise<DocumentView | undefined> {
    const [row] = await this.database.query<ViewColumns>(
      `SELECT ${VIEW_COLUMNS} FROM ${DOCUMENTS_WITH_CONTENT}
       WHERE d.account_id = $1 AND d.document_id = $2`,
      [accountId, id],
    );
    return row && toView(row, this.clock.now());
  }

  async findByExternalId(accountId: Uuid, externalId: string): Promise<DocumentView | undefined> {
    if (!isStorableText(externalId)) return undefined;
    const [row] = await this.database.query<ViewColumns>(
      `SELECT ${VIEW_COLUMNS} FROM ${DOCUMENTS_WITH_CONTENT}
       WHERE d.account_id = $1 AND d.external_id = $2`,
      [accountId, externalId],
    );
    return row && toView(row, this.clock.now());
  }

  /** The parts of a document beside its state, inside a transaction. */
  async content(
    tx: Tx,
    accountId: Uuid,
    id: Uuid,
  ): Promise<{ content: DocumentContent; relations: DocumentRelations } | undefined> {
    const [row] = await tx.read<ContentColumns & RelationColumns>(
      `SELECT ${CONTENT_COLUMNS}, ${RELATION_COLUMNS} FROM ${DOCUMENTS_WITH_CONTENT}
       WHERE d.account_id = $1 AND d.document_id = $2`,
      [accountId, id],
    );
    return row && { content: toContent(row), relations: toRelations(row) };
  }

  /** Only the currency: for the example in an error about amounts. */
  async currencyOf(accountId: Uuid, id: Uuid): Promise<string | undefined> {
    const [row] = await this.database.query<{ currency: string }>(
      'SELECT currency FROM documents WHERE account_id = $1 AND document_id = $2',
      [accountId, id],
    );
    return row?.currency;
  }
}

export function toView(row: ViewColumns, now: Date): DocumentView {
  return documentView(toDocument(row, now), toContent(row), toRelations(row));
}

function toRelations(row: RelationColumns & Pick<ContentColumns, 'currency'>): DocumentRelations {
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
