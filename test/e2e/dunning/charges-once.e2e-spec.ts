import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ChargeBilling } from '../../../src/dunning/application/charge-billing.js';
import { Clock } from '../../../src/kernel/clock.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { good } from '../documents/document-calls.js';
import { accountOf, aReminder, type LateInvoice, settle } from './a-reminder.js';
import { plan, remindersOf } from './dunning-stage.js';

const AT_ONCE = Array.from({ length: 6 });

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});

async function aSentOne(on: string): Promise<LateInvoice & { customer_id: string }> {
  const late = await aReminder(service, client);
  await plan(client, { charges_on: on });
  await settle(service, late, 'sent');
  const { customer_id } = await client.read(late);
  return { ...late, customer_id };
}

it('invoices that are made at once take the charges of a letter once', async () => {
  const { customer_id } = await aSentOne('next_document');
  const wish = { customer: undefined, customer_id };
  const made = await Promise.all(AT_ONCE.map(async () => client.anInvoice(wish)));
  expect(made.filter(({ lines }) => lines.length > 1)).toHaveLength(1);
});

it('processes that bill a letter at once make one invoice', async () => {
  const late = await aSentOne('own_document');
  const accountId = await accountOf(service, late.id);
  const one = { accountId, id: uuidOf('rem', late.reminder)! };
  const billing = service.app.get(ChargeBilling);
  const clock = service.app.get(Clock);
  const billed = await Promise.all(
    AT_ONCE.map(async () => clock.inTimeOf(accountId, async () => billing.bill(one))),
  );
  expect(billed.filter(Boolean)).toHaveLength(1);
  const path = `/v1/finance/documents?customer_id=${late.customer_id}`;
  expect(good(await client.get<{ data: object[] }>(path), 200).data).toHaveLength(2);
});

it('of those who give charges up at once, one does', async () => {
  const { reminder } = await aSentOne('next_document');
  const path = `/v1/finance/reminders/${reminder}/waive-charges`;
  const answers = await Promise.all(AT_ONCE.map(async () => client.post(path, {})));
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([200, 409, 409, 409, 409, 409]);
  expect((await remindersOf(client))[0]).toMatchObject({ charges_amount: 0 });
});
