import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { waitingRows } from '../../../platform/observability/waiting-rows.js';
import { Figures } from '../../../platform/observability/figures.js';

const OPEN_RECEIPTS = 'FROM unmatched_receipts WHERE settled < amount';

const OPEN_ITEMS = `FROM unmatched_items i LEFT JOIN LATERAL (
    SELECT status FROM unmatched_item_steps s
    WHERE (s.account_id, s.item_id) = (i.account_id, i.item_id) ORDER BY step DESC LIMIT 1
  ) s ON true
  WHERE coalesce(s.status, 'open') = 'open'`;

/** Tells those who watch the service of money that somebody has to look at. */
@Injectable()
export class RecordingFigures {
  constructor(database: Database, figures: Figures) {
    figures.measureForPerson(
      'unmatched_receipts',
      {
        says: 'Payments at providers that no document could take',
        next: 'GET /v1/finance/unmatched-receipts in each account, or cli receipts; docs/gateways.md#what-happens-to-a-delivery',
      },
      () => waitingRows(database, 'received_at', OPEN_RECEIPTS),
    );
    figures.measureForPerson(
      'unmatched_items',
      {
        says: 'Money at providers that is in no books',
        next: 'GET /v1/finance/unmatched-items in each account; docs/gateways.md#what-happens-to-a-delivery',
      },
      () => waitingRows(database, 'received_at', OPEN_ITEMS),
    );
  }
}
