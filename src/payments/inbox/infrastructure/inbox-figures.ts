import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { waitingRows } from '../../../platform/observability/waiting-rows.js';
import { Figures, LOOK_UPS_DUE } from '../../../platform/observability/figures.js';

const LATE_SECONDS = 300;

const GIVEN_UP = "FROM gateway_deliveries WHERE outcome = 'failed' AND is_unfinished";

/** Tells those who watch the service how calls of providers stand that were stored first. */
@Injectable()
export class InboxFigures {
  constructor(database: Database, figures: Figures) {
    figures.measure(
      {
        name: 'gateway_deliveries_waiting',
        help: 'Calls of providers that are stored, and still to be applied; 10000: or more.',
      },
      async () => {
        const from = 'FROM gateway_deliveries WHERE next_try_at IS NOT NULL';
        return { count: (await waitingRows(database, 'next_try_at', from)).count };
      },
    );
    figures.measureAge(
      {
        name: 'gateway_delivery_oldest_due_seconds',
        help: 'How long the oldest of these has been due that nobody applied; 0: none is.',
        signs: [
          {
            state: 'behind',
            above: LATE_SECONDS,
            says: 'Calls of providers are due to be applied',
            next: 'see that a process with the role worker runs; docs/runbook.md#provider-calls-behind',
          },
        ],
      },
      async (now) => {
        const from = 'FROM gateway_deliveries WHERE next_try_at <= $1';
        return (await waitingRows(database, 'next_try_at', from, [now])).oldest;
      },
    );
    figures.measureForPerson(
      'provider_calls_given_up',
      {
        says: 'Calls of providers that could not be applied',
        next: 'cli gateway-events names them, cli gateway-events replay tries again; docs/gateways.md#the-record-of-calls',
      },
      () => waitingRows(database, 'received_at', GIVEN_UP),
    );
    figures.measureDue(LOOK_UPS_DUE, 'payment_lists', (now) =>
      waitingRows(database, 'next_read_at', 'FROM payment_list_reads WHERE next_read_at <= $1', [
        now,
      ]),
    );
  }
}
