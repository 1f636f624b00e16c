import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { waitingRows } from '../../../platform/observability/waiting-rows.js';
import {
  Figures,
  type FigureValues,
  LOOK_UPS_DUE,
} from '../../../platform/observability/figures.js';

/** Long enough for several look-ups, each twice as late as the one before. */
const LONG_UNKNOWN_SECONDS = 3600;

/** The last steps of disputes that a provider still takes evidence for. */
const TO_ANSWER = `FROM dispute_steps s
  WHERE s.status IN ('inquiry', 'open') AND s.evidence_due_by > $1
    AND NOT EXISTS (SELECT FROM dispute_steps l
      WHERE (l.account_id, l.dispute_id) = (s.account_id, s.dispute_id) AND l.step > s.step)`;

const FIRST_DEADLINE = `SELECT min(s.evidence_due_by) AS at ${TO_ANSWER}`;

const UNKNOWN = "FROM refunds WHERE next_look_at IS NOT NULL AND status = 'unknown'";

/** Tells those who watch the service of disputes to answer, and of refunds of unknown fate. */
@Injectable()
export class ReturningFigures {
  constructor(database: Database, figures: Figures) {
    figures.measureForPerson(
      'disputes',
      {
        says: 'Disputes that a provider takes evidence for',
        next: 'GET /v1/finance/disputes in each account, then answer at the provider; docs/gateways.md#disputes',
      },
      (now) => waitingRows(database, 's.recorded_at', TO_ANSWER, [now]),
    );
    figures.measure(
      {
        name: 'dispute_deadline_seconds',
        help: 'Seconds until the next deadline for evidence in a dispute; absent: there is none.',
      },
      async (now): Promise<FigureValues> => {
        const [row] = await database.query<{ at: Date | null }>(FIRST_DEADLINE, [now]);
        return row?.at ? { seconds: (row.at.getTime() - now.getTime()) / 1000 } : {};
      },
    );
    figures.measureAge(
      {
        name: 'refunds_unknown_seconds',
        help: 'Since when the oldest refund waits whose provider did not say what became of it; 0: none.',
        signs: [
          {
            state: 'behind',
            above: LONG_UNKNOWN_SECONDS,
            says: 'Refunds whose provider does not say what became of them',
            next: 'look at the provider, then POST /v1/finance/refunds/{id}/look-up; docs/runbook.md#refunds-unknown',
          },
        ],
      },
      async () => (await waitingRows(database, 'requested_at', UNKNOWN)).oldest,
    );
    figures.measureDue(LOOK_UPS_DUE, 'refunds', (now) =>
      waitingRows(database, 'next_look_at', 'FROM refunds WHERE next_look_at <= $1', [now]),
    );
  }
}
