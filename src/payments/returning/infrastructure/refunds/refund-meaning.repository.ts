import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../../kernel/ids.js';
import type { Tx } from '../../../../platform/database/tx.js';
import type { Refund } from '../../domain/refund.js';
import type { RefundMeaning, RefundNote } from '../../domain/refunds/refund-meaning.js';
import { storedNote } from './refund-meaning-columns.js';

/** Meanings of refunds, and their credit notes. They are written under the lock of the payment. */
@Injectable()
export class RefundMeaningRepository {
  insert(tx: Tx, { accountId, id }: Refund, meaning: RefundMeaning): void {
    tx.insert('refund_meanings', {
      account_id: accountId,
      refund_id: id,
      step: meaning.step,
      meaning: meaning.name,
      said_by: meaning.saidBy,
      credit_note: meaning.note && storedNote(meaning.note),
      problem: meaning.problem,
      client_id: meaning.clientId,
      said_at: meaning.at,
    });
  }

  insertNote(tx: Tx, { accountId, id }: Refund, note: RefundNote, at: Date): void {
    tx.insert('refund_credit_notes', {
      account_id: accountId,
      refund_id: id,
      document_id: note.documentId,
      credit_note_id: note.creditNoteId,
      made_at: at,
    });
  }

  /** A credit note of a document that stands, and is of no refund yet. */
  async freeNote(
    tx: Tx,
    accountId: Uuid,
    documentId: Uuid,
    creditNoteId: Uuid,
  ): Promise<{ number: string; total: bigint } | undefined> {
    const [row] = await tx.read<{
      /** @notNull Given at the issue. */
      number: string;
      total: bigint;
    }>(
      `SELECT d.number, d.total FROM documents d
       WHERE d.account_id = $1 AND d.document_id = $3 AND d.origin_document_id = $2
         AND d.origin = 'credit' AND d.lifecycle = 'open'
         AND NOT EXISTS (SELECT FROM refund_credit_notes n
           WHERE (n.account_id, n.credit_note_id) = (d.account_id, d.document_id))`,
      [accountId, documentId, creditNoteId],
    );
    return row;
  }
}
