import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Tx } from '../../platform/database/tx.js';
import { isStorableText } from '../../platform/http/validation/storable-text.js';
import type { DocumentContent, DocumentRelations, DocumentView } from '../domain/document-view.js';
import {
  CONTENT_COLUMNS,
  type ContentColumns,
  DOCUMENTS_WITH_CONTENT,
  toContent,
} from './content-columns.js';
import { STATE_COLUMNS, type StateColumns } from './document-columns.js';
import { RELATION_COLUMNS, type RelationColumns, toRelations, toView } from './view-columns.js';

type WholeColumns = StateColumns & ContentColumns & RelationColumns;

/** Of `DOCUMENTS_WITH_CONTENT`. */
const VIEW_COLUMNS = `${STATE_COLUMNS}, ${CONTENT_COLUMNS}, ${RELATION_COLUMNS}`;

/** Documents for reading: one statement each, no locks. */
@Injectable()
export class DocumentsQuery {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async find(accountId: Uuid, id: Uuid): Promise<DocumentView | undefined> {
    const [row] = await this.database.query<WholeColumns>(
      `SELECT ${VIEW_COLUMNS} FROM ${DOCUMENTS_WITH_CONTENT}
       WHERE d.account_id = $1 AND d.document_id = $2`,
      [accountId, id],
    );
    return row && toView(row, this.clock.now());
  }

  async findByExternalId(accountId: Uuid, externalId: string): Promise<DocumentView | undefined> {
    if (!isStorableText(externalId)) return undefined;
    const [row] = await this.database.query<WholeColumns>(
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
