import { Injectable } from '@nestjs/common';
import { Figures } from '../../platform/observability/figures.js';
import { DueDunningQuery } from '../infrastructure/due-dunning.query.js';
import { RemindersQuery } from '../infrastructure/reminders.query.js';

/** Midnight brings the most of a day at once. */
const LATE_SECONDS = 1800;

/** Tells those who watch the service whether reminders are behind, or wait for a person. */
@Injectable()
export class DunningFigures {
  constructor(query: DueDunningQuery, reminders: RemindersQuery, figures: Figures) {
    figures.measureAge(
      {
        name: 'dunning_due_seconds',
        help: 'Since when the oldest document waits whose reminder has its day; 0: there is none.',
        signs: [
          {
            state: 'behind',
            above: LATE_SECONDS,
            says: 'Reminders whose day has come wait to be made',
            next: 'see that a process with the role worker runs; docs/runbook.md#dunning-behind',
          },
        ],
      },
      (now) => query.oldest(now),
    );
    figures.measureForPerson(
      'failed_reminders',
      {
        says: 'Reminders that could not be sent',
        next: 'GET /v1/finance/reminders?status=failed in each account; docs/dunning.md',
      },
      () => reminders.failed(),
    );
  }
}
