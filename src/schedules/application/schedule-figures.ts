import { Injectable } from '@nestjs/common';
import { HeldWork } from '../../platform/held-work.js';
import { Figures } from '../../platform/observability/figures.js';
import { DueSchedulesQuery } from '../infrastructure/due-schedules.query.js';

/** Midnight brings the most of a day at once. */
const LATE_SECONDS = 1800;

/** Tells those who watch the service whether schedules are behind, or wait for a person. */
@Injectable()
export class ScheduleFigures {
  constructor(query: DueSchedulesQuery, work: HeldWork, figures: Figures) {
    figures.measureAge(
      {
        name: 'schedules_due_seconds',
        help: 'Since when the oldest period waits whose day has come; 0: there is none.',
        signs: [
          {
            state: 'behind',
            above: LATE_SECONDS,
            says: 'Periods of schedules whose day has come wait to be made',
            next: 'see that a process with the role worker runs; docs/runbook.md#schedules-behind',
          },
        ],
      },
      (now) => query.oldest(now),
    );
    figures.measureHeld(
      {
        name: 'schedules_held',
        help: '1: the database was restored, and schedules wait for `cli release --schedules`.',
        says: 'Schedules are held since a restore',
      },
      async () => ((await work.isHeld('schedules')) ? 1 : 0),
    );
    figures.measureForPerson(
      'schedule_periods',
      {
        says: 'Periods of schedules that failed, or wait to be made or left out',
        next: 'GET /v1/finance/schedule-periods in each account; docs/schedules.md#when-something-cannot-be-made',
      },
      () => query.forPerson(),
    );
  }
}
