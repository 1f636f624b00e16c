import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Metrics, secondsSince } from '../../platform/observability/metrics.js';
import { DueDunningQuery } from '../infrastructure/due-dunning.query.js';

/** Tells those who watch the service whether reminders are behind. */
@Injectable()
export class DunningFigures {
  constructor(query: DueDunningQuery, metrics: Metrics, clock: Clock) {
    metrics.measure(
      {
        name: 'dunning_due_seconds',
        help: 'Since when the oldest document waits whose reminder has its day; 0: there is none.',
      },
      async () => {
        const now = clock.serverNow();
        return { seconds: secondsSince(await query.oldest(now), now) };
      },
    );
  }
}
