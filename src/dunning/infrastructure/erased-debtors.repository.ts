import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';

/** Words about a customer who is erased, and the addresses of letters. The letters stay. */
@Injectable()
export class ErasedDebtorsRepository {
  erase(tx: Tx, accountId: Uuid, customerId: Uuid): void {
    tx.write(
      `UPDATE dunning_states s SET note = NULL FROM documents d
       WHERE d.account_id = $1 AND d.customer_id = $2 AND s.note IS NOT NULL
         AND (s.account_id, s.document_id) = (d.account_id, d.document_id)`,
      [accountId, customerId],
    );
    tx.write(`UPDATE reminders SET sent_to = '[]' WHERE account_id = $1 AND customer_id = $2`, [
      accountId,
      customerId,
    ]);
  }
}
