import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Metrics, secondsSince } from '../../platform/observability/metrics.js';
import { DueSchedulesQuery } from '../infrastructure/due-schedules.query.js';

/** Tells those who watch the service whether schedules are behind. */
@Injectable()
export class ScheduleFigures {
  constructor(query: DueSchedulesQuery, metrics: Metrics, clock: Clock) {
    metrics.measure(
      {
        name: 'schedules_due_seconds',
        help: 'Since when the oldest period waits whose day has come; 0: there is none.',
      },
      async () => {
        const now = clock.serverNow();
        return { seconds: secondsSince(await query.oldest(now), now) };
      },
    );
    metrics.measure(
      {
        name: 'schedules_held',
        help: '1: the database was restored, and schedules wait for `cli schedules release`.',
      },
      async () => ({ held: (await query.areHeld()) ? 1 : 0 }),
    );
  }
}
