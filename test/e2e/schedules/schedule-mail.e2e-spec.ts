import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ScheduleRounds } from '../../../src/schedules/index.js';
import type { TestClockBody } from '../../../src/clocks/wire/test-clock.js';
import type { TestClient } from '../../support/client.js';
import { good } from '../documents/document-calls.js';
import { type MailStage, mailStage, wish } from '../mail/mail-calls.js';
import { aCustomerId, create, documentsOf, periodsOf, scheduleRequest } from './schedule-stage.js';

let stage: MailStage;
let client: TestClient;
beforeAll(async () => {
  stage = await mailStage();
});
afterAll(() => stage.close());
beforeEach(async () => {
  stage.service.clock.set('2027-02-01T10:00:00Z');
  client = await stage.service.aClient();
});

async function lettersOf(over: object): Promise<[letters: number, attached: number]> {
  const customerId = await aCustomerId(client);
  const body = scheduleRequest(customerId, { start_date: '2027-02-01', periods: 1, ...over });
  await create(client, body);
  for (let round = 0; round < 2; round += 1) await stage.service.app.get(ScheduleRounds).run();
  const mails = await stage.mails();
  const again = await stage.mails();
  return [mails.length + again.length, mails.flatMap(({ attachments }) => attachments).length];
}

describe('a document of a schedule', () => {
  it('is sent once where the schedule sends, whatever the account does', async () => {
    expect(await lettersOf({ action: 'send' })).toEqual([1, 1]);
    await wish(client, { send_documents: true });
    expect(await lettersOf({ action: 'send' })).toEqual([1, 1]);
    expect(await lettersOf({ action: 'issue' })).toEqual([1, 1]);
    await wish(client, { send_documents: false });
    expect(await lettersOf({ action: 'issue' })).toEqual([0, 0]);
    expect(await lettersOf({ action: 'draft' })).toEqual([0, 0]);
  });

  it('is sent and debited on its day by the mandate, on the way of a test clock', async () => {
    const customerId = await aCustomerId(client);
    const mandates = `/v1/finance/customers/${customerId}/mandates`;
    const asked = { gateway: 'sandbox', currency: 'EUR' };
    const { id: object } = good(await client.post<{ id: string }>(mandates, asked), 201);
    good(await client.post('/v1/sandbox/outcomes', { object, outcome: 'active' }), 200);
    const made = await create(
      client,
      scheduleRequest(customerId, {
        start_date: '2027-02-02',
        action: 'collect',
        document: { payment_terms_days: 20 },
      }),
    );
    const advanced = await client.post<TestClockBody>('/v1/test-clock/advance', { days: 30 });
    const happened = advanced.body.happened
      .filter(({ work }) => work !== 'due_dates')
      .map(({ at, work }) => [at.slice(0, 10), work]);
    expect(happened).toEqual([
      ['2027-02-02', 'schedules'],
      ['2027-02-13', 'debits'],
      ['2027-03-02', 'schedules'],
    ]);
    expect(await documentsOf(client, made)).toMatchObject([
      {
        issue_date: '2027-02-02',
        due_date: '2027-02-22',
        collection_method: 'charge_automatically',
      },
      { issue_date: '2027-03-02' },
    ]);
    expect(await stage.mails()).toHaveLength(2);
  });

  it('waits for a person where the customer cannot be debited', async () => {
    const customerId = await aCustomerId(client);
    const made = await create(
      client,
      scheduleRequest(customerId, { start_date: '2027-02-01', action: 'collect' }),
    );
    await stage.service.app.get(ScheduleRounds).run();
    expect(await periodsOf(client, made)).toMatchObject([
      { status: 'failed', document_id: null, problem: { code: 'mandate_not_active' } },
    ]);
    expect(await documentsOf(client, made)).toEqual([]);
    expect(await stage.mails()).toHaveLength(0);
  });
});
