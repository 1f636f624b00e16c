import { Injectable } from '@nestjs/common';
import { EventMarks } from '../../events/index.js';
import { Clock } from '../../kernel/clock.js';
import { Metrics } from '../../platform/observability/metrics.js';
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
        name: 'event_reader_behind_transactions',
        help: 'Transactions that have ended, and whose events a reader may not have read.',
        label: 'reader',
      },
      async () => {
        const [behind, { enabled }] = await Promise.all([marks.behind(), figures.endpoints()]);
        // Without an endpoint nobody reads for deliveries.
        return enabled ? { ...behind } : { ...behind, deliveries: 0 };
      },
    );
  }
}
