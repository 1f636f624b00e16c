import { Injectable } from '@nestjs/common';
import { EventMarks } from '../../events/index.js';
import { Clock } from '../../kernel/clock.js';
import { Metrics, secondsSince } from '../../platform/observability/metrics.js';
import { DeliveryFiguresQuery } from '../infrastructure/delivery-figures.query.js';
import { DeliveryCalls } from './delivery-calls.js';

/** Tells those who watch the service how deliveries stand, in processes that send them. */
@Injectable()
export class DeliveryFigures {
  constructor(
    figures: DeliveryFiguresQuery,
    marks: EventMarks,
    metrics: Metrics,
    clock: Clock,
    { areMade }: DeliveryCalls,
  ) {
    if (!areMade) return;
    metrics.measure(
      {
        name: 'webhook_deliveries_waiting',
        help: 'Events on their way to endpoints: waiting for a try, due of these, or held since a restore.',
        label: 'state',
      },
      async () => ({ ...(await figures.waiting(clock.serverNow())) }),
    );
    metrics.measure(
      {
        name: 'webhook_delivery_oldest_due_seconds',
        help: 'How long the oldest event has been due that was not sent; 0: none is.',
      },
      async () => ({ ...(await figures.oldestDueSeconds(clock.serverNow())) }),
    );
    metrics.measure(
      {
        name: 'webhook_endpoints',
        help: 'Endpoints: enabled, or disabled as asked, gone or failing.',
        label: 'state',
      },
      async () => ({ ...(await figures.endpoints()) }),
    );
    metrics.measure(
      {
        name: 'webhook_events_unread_seconds',
        help: 'Age of the oldest event of which no deliveries were made yet; 0: there is none.',
      },
      async () => {
        const { enabled } = await figures.endpoints();
        // Without an endpoint nobody reads.
        const oldest = enabled > 0 ? await marks.oldestUnread('deliveries') : undefined;
        return { seconds: secondsSince(oldest, clock.serverNow()) };
      },
    );
  }
}
