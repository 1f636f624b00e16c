import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { ENDED_XACT } from '../../platform/database/ended-transactions.js';
import { Figures } from '../../platform/observability/figures.js';

const BEHIND = `SELECT consumer, greatest(0, ${ENDED_XACT} - through_xact)::float8 AS behind
  FROM event_marks`;

/** Tells those who watch the service how far readers of events are behind. */
@Injectable()
export class ReaderFigures {
  constructor(database: Database, figures: Figures) {
    figures.measure(
      {
        name: 'event_reader_behind_transactions',
        help: 'Transactions that have ended behind the mark of a reader of events; up to 1000 are none.',
        label: 'reader',
      },
      async () => {
        const rows = await database.query<{ consumer: string; behind: number }>(BEHIND);
        return Object.fromEntries(rows.map(({ consumer, behind }) => [consumer, behind]));
      },
    );
  }
}
