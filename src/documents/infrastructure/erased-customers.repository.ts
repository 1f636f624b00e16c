import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';

const OF_CUSTOMER = `account_id = $1 AND document_id IN (
  SELECT document_id FROM documents WHERE account_id = $1 AND customer_id = $2)`;

/** Numbers as people type them, as `searchText` has them: nobody finds a document by its buyer. */
const FORGET_WORDS = `UPDATE document_contents t SET metadata = '{}',
    search = array_to_tsvector(search_lexemes(t.account_id, concat_ws(' ', d.number,
      regexp_replace(d.number, '[^[:alnum:]]+', '', 'g'),
      regexp_replace(d.number, '(^|\\D)0+(?=\\d)', '\\1', 'g'), d.external_id)))
  FROM documents d WHERE d.account_id = $1 AND d.customer_id = $2
    AND (t.account_id, t.document_id) = (d.account_id, d.document_id)`;

/** Traces of a customer beside its own row and beside what is frozen. */
@Injectable()
export class ErasedCustomersRepository {
  erase(tx: Tx, accountId: Uuid, customerId: Uuid, now: Date): void {
    tx.write(FORGET_WORDS, [accountId, customerId]);
    tx.write(
      `UPDATE portal_tokens SET revoked_at = $3 WHERE ${OF_CUSTOMER} AND revoked_at IS NULL`,
      [accountId, customerId, now],
    );
  }
}
