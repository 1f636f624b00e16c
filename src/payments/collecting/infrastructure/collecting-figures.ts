import { Injectable } from '@nestjs/common';
import { IS_OWED } from '../../../documents/sql.js';
import { Database } from '../../../platform/database/database.js';
import { waitingRows } from '../../../platform/observability/waiting-rows.js';
import { Figures, LOOK_UPS_DUE } from '../../../platform/observability/figures.js';

/** A failed debit is told to its account at once; nobody who has not acted by then will. */
const GIVEN_UP_DAYS = 7;

/** Debits that failed, of documents that are still owed, and that nobody tries again. */
const GIVEN_UP = `FROM payment_links l JOIN collections c USING (account_id, payment_link_id)
    JOIN documents d ON (d.account_id, d.document_id) = (l.account_id, l.document_id) AND ${IS_OWED}
  WHERE l.status = 'failed' AND l.failed_at > $1::timestamptz - interval '${GIVEN_UP_DAYS} days'
    AND NOT EXISTS (SELECT FROM debit_retries r
      WHERE (r.account_id, r.document_id) = (l.account_id, l.document_id) AND r.status = 'planned')
    AND NOT EXISTS (SELECT FROM payment_links o
      WHERE (o.account_id, o.document_id) = (l.account_id, l.document_id)
        AND o.payment_link_id > l.payment_link_id AND o.status <> 'canceled')`;

/** Tells those who watch the service of debits that came to nothing, and of look-ups that are late. */
@Injectable()
export class CollectingFigures {
  constructor(database: Database, figures: Figures) {
    figures.measureForPerson(
      'debits_given_up',
      {
        says: `Debits of the last ${GIVEN_UP_DAYS} days that failed and are tried no more`,
        next: 'GET /v1/finance/payment-links?status=failed in each account; docs/gateways.md#debits-that-fail',
      },
      (now) => waitingRows(database, 'l.failed_at', GIVEN_UP, [now]),
    );
    for (const [of, table] of [
      ['checkouts', 'checkout_look_ups'],
      ['mandates', 'mandates'],
    ] as const) {
      figures.measureDue(LOOK_UPS_DUE, of, (now) =>
        waitingRows(database, 'next_look_at', `FROM ${table} WHERE next_look_at <= $1`, [now]),
      );
    }
  }
}
