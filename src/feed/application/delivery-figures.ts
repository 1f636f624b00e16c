import { Injectable } from '@nestjs/common';
import { EventMarks } from '../../events/index.js';
import { Figures } from '../../platform/observability/figures.js';
import { DeliveryFiguresQuery } from '../infrastructure/delivery-figures.query.js';
import { DeliveryCalls } from './delivery-calls.js';

const LATE_SECONDS = 300;
const WORKER = 'see that a process with the role worker runs; docs/runbook.md#deliveries-behind';

/** Tells those who watch the service how deliveries stand, in processes that send them. */
@Injectable()
export class DeliveryFigures {
  constructor(
    private readonly query: DeliveryFiguresQuery,
    private readonly marks: EventMarks,
    private readonly figures: Figures,
    { areMade }: DeliveryCalls,
  ) {
    if (!areMade) return;
    this.tellDeliveries();
    this.tellEndpoints();
  }

  private tellDeliveries(): void {
    const { query, figures, marks } = this;
    figures.measure(
      {
        name: 'webhook_deliveries_waiting',
        help: 'Events on their way to endpoints: waiting for a try, due of these, or held since a restore.',
        label: 'state',
        signs: [
          {
            of: 'held',
            state: 'waits',
            says: 'Events for webhook endpoints are held since a restore',
            next: 'cli deliveries release, or drop; docs/webhook-endpoints.md#for-operators',
          },
        ],
      },
      async (now) => ({ ...(await query.waiting(now)) }),
    );
    figures.measure(
      {
        name: 'webhook_delivery_oldest_due_seconds',
        help: 'How long the oldest event has been due that was not sent; 0: none is.',
        signs: [
          {
            state: 'behind',
            above: LATE_SECONDS,
            says: 'Events for webhook endpoints are due to be sent',
            next: WORKER,
          },
        ],
      },
      async (now) => ({ ...(await query.oldestDueSeconds(now)) }),
    );
    figures.measureAge(
      {
        name: 'webhook_events_unread_seconds',
        help: 'Age of the oldest event of which no deliveries were made yet; 0: there is none.',
        signs: [
          {
            state: 'behind',
            above: LATE_SECONDS,
            says: 'Events wait for their deliveries to be made',
            next: WORKER,
          },
        ],
      },
      async () => {
        const { enabled } = await query.endpoints();
        // Without an endpoint nobody reads.
        return enabled > 0 ? marks.oldestUnread('deliveries') : undefined;
      },
    );
  }

  private tellEndpoints(): void {
    const { query, figures } = this;
    figures.measure(
      {
        name: 'webhook_endpoints',
        help: 'Endpoints: enabled, or disabled as asked, gone or failing.',
        label: 'state',
        signs: [
          {
            of: 'failing',
            state: 'waits',
            says: 'Webhook endpoints that were disabled because every try failed',
            next: 'their accounts were told, and enable them again; docs/webhook-endpoints.md',
          },
        ],
      },
      async () => ({ ...(await query.endpoints()) }),
    );
  }
}
