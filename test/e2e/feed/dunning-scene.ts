import { ChargeBilling } from '../../../src/dunning/application/charge-billing.js';
import { Clock } from '../../../src/kernel/clock.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import { aReminder, settle } from '../dunning/a-reminder.js';
import { say } from '../dunning/dunning-stage.js';
import { good } from '../documents/document-calls.js';
import type { Scene } from './event-scenes.js';

const PATH = '/v1/finance/reminders';

/** Letters that end in each way, and what becomes of what they asked for. */
export async function dunning({ service, client }: Scene): Promise<void> {
  const waived = await aReminder(service, client, { email: undefined });
  good(await client.post(`${PATH}/${waived.reminder}/mark-sent`), 200);
  good(await client.post(`${PATH}/${waived.reminder}/waive-charges`), 200);
  await settle(service, await aReminder(service, client), 'canceled');
  const billed = await aReminder(service, client);
  await settle(service, billed, 'sent');
  const failed = await aReminder(service, client);
  await settle(service, failed, 'sent');
  await say(client, failed, { paused: true });
  const [row] = await service.database.query<{ account_id: string }>(
    'SELECT account_id FROM reminders WHERE reminder_id = $1',
    [uuidOf('rem', failed.reminder)],
  );
  const bill = async ({ reminder }: typeof failed) =>
    service.app
      .get(Clock)
      .inTimeOf(row!.account_id, () =>
        service.app
          .get(ChargeBilling)
          .bill({ accountId: row!.account_id, id: uuidOf('rem', reminder)! }),
      );
  await bill(billed);
  const customer = await client.get<{ customer_id: string }>(`${PATH}/${failed.reminder}`);
  await client.post(`/v1/finance/customers/${customer.body.customer_id}/archive`);
  await bill(failed);
}
