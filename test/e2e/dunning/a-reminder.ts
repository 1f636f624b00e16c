import { ReminderMaking } from '../../../src/dunning/application/reminder-making.js';
import { ReminderOutcomes } from '../../../src/dunning/application/reminder-outcomes.js';
import { Clock } from '../../../src/kernel/clock.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import { addDays, dateIn } from '../../../src/kernel/clock.js';
import { UnitOfWork } from '../../../src/platform/database/unit-of-work.js';
import type { TestClient } from '../../support/client.js';
import type { TestService } from '../../support/service.js';
import { aCustomer, plan, remindersOf } from './dunning-stage.js';

/** The invoice of a letter, and the letter. */
export interface LateInvoice {
  id: string;
  reminder: string;
}

/**
 * A letter about an invoice that is late since yesterday, with a fee. Nobody is at the mail, so it
 * waits; without an address it has failed.
 */
export async function aReminder(
  service: TestService,
  client: TestClient,
  over: object = {},
): Promise<LateInvoice> {
  const today = dateIn('UTC', service.clock.now());
  const fees = [{ currency: 'EUR', amount: 500 }];
  await plan(client, { business_steps: [{ days: 1, fees }], due_from: addDays(today, -9) });
  const customer_id = await aCustomer(client, over);
  const dates = { issue_date: addDays(today, -3), due_date: addDays(today, -2) };
  const { id } = await client.anInvoice({ customer: undefined, customer_id, ...dates });
  const accountId = await accountOf(service, id);
  const documentId = uuidOf('doc', id)!;
  const due = { accountId, documentId, customerId: uuidOf('cus', customer_id)!, currency: 'EUR' };
  const making = service.app.get(ReminderMaking);
  await service.app.get(Clock).inTimeOf(accountId, () => making.consider(due));
  const [made] = await remindersOf(client, `&document_id=${id}`);
  return { id, reminder: made?.id ?? '' };
}

/** Its message ends so. */
export async function settle(
  service: TestService,
  { id, reminder }: LateInvoice,
  status: 'sent' | 'canceled',
): Promise<void> {
  const accountId = await accountOf(service, id);
  const outcome = { status, reason: null, at: service.clock.now() };
  const outcomes = service.app.get(ReminderOutcomes);
  const to = ['accounts@globex.example'];
  const work = () =>
    service.app
      .get(UnitOfWork)
      .run((tx) => outcomes.settle(tx, accountId, uuidOf('rem', reminder)!, outcome, to));
  await service.app.get(Clock).inTimeOf(accountId, work);
}

export async function accountOf(service: TestService, id: string): Promise<string> {
  const [row] = await service.database.query<{ account_id: string }>(
    'SELECT account_id FROM documents WHERE document_id = $1',
    [uuidOf('doc', id)],
  );
  return row!.account_id;
}
