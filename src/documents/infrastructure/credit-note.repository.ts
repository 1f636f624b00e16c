import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import type { Document } from '../domain/document.js';
import { STATE_COLUMNS, type StateColumns, toDocument } from './document-columns.js';

/** Credit notes by their invoices, for those who are about to move their credit. */
@Injectable()
export class CreditNoteRepository {
  /** Locks the notes of these invoices that stand, the oldest first. The invoices are locked. */
  async findForUpdate(tx: Tx, accountId: Uuid, invoiceIds: readonly Uuid[]): Promise<Document[]> {
    const rows = await tx.read<StateColumns>(
      `SELECT ${STATE_COLUMNS} FROM documents d
       WHERE d.account_id = $1 AND d.origin_document_id = ANY ($2::uuid[])
         AND d.origin = 'credit' AND d.lifecycle = 'open'
       ORDER BY d.document_id FOR NO KEY UPDATE`,
      [accountId, [...invoiceIds]],
    );
    return rows.map((row) => toDocument(row, tx.now()));
  }
}
