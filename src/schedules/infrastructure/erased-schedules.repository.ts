import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';

/** Schedules of a customer who is erased; they have ended. Documents say what they billed. */
@Injectable()
export class ErasedSchedulesRepository {
  erase(tx: Tx, accountId: Uuid, customerId: Uuid): void {
    tx.write(
      `UPDATE schedules SET name = 'erased', external_id = NULL, metadata = '{}',
         terms = terms || jsonb_build_object('minimum', NULL, 'one_off_lines', '[]'::jsonb,
           'price_changes', '[]'::jsonb, 'document', jsonb_build_object(
             'customer_id', terms->'document'->'customer_id', 'lines', '[]'::jsonb))
       WHERE account_id = $1 AND customer_id = $2`,
      [accountId, customerId],
    );
    tx.write(
      `UPDATE schedule_periods p SET problem = p.problem || '{"detail": "erased", "errors": []}'
       FROM schedules s WHERE s.account_id = $1 AND s.customer_id = $2 AND p.problem IS NOT NULL
         AND (p.account_id, p.schedule_id) = (s.account_id, s.schedule_id)`,
      [accountId, customerId],
    );
  }
}
