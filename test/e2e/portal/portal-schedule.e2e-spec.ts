import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Page } from 'puppeteer-core';
import type { PortalDocumentBody } from '../../../src/portal/wire/portal.js';
import type { ScheduleBody } from '../../../src/schedules/wire/schedule.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import { good } from '../documents/document-calls.js';
import { expectProblem } from '../expectations.js';
import {
  aCustomerId,
  create,
  documentsOf,
  read,
  scheduleRequest,
  type ScheduleStage,
  scheduleStage,
  step,
} from '../schedules/schedule-stage.js';
import { openBrowser } from './browser.js';
import { aScheduledPage, type ScheduledPage } from './scheduled-page.js';

let stage: ScheduleStage;
let client: TestClient;
beforeAll(async () => {
  stage = await scheduleStage('2027-02-01');
});
afterAll(() => stage.close());
beforeEach(async () => {
  stage.service.clock.set('2027-02-01T10:00:00Z');
  client = await stage.service.aClient();
});

const open = (over: Record<string, unknown> = {}) => aScheduledPage(stage.service, client, over);

const post = (token: string, name: string, headers: Record<string, string> = {}) =>
  stage.service.call(`/v1/portal/${token}/schedule/${name}`, { method: 'POST', body: {}, headers });

async function told(token: string): Promise<PortalDocumentBody['schedule']> {
  const headers = { accept: 'application/json' };
  const path = `/v1/portal/${token}`;
  return good(await stage.service.call<PortalDocumentBody>(path, { headers }), 200).schedule;
}

async function page(token: string, language = 'en'): Promise<string> {
  const headers = { accept: 'text/html' };
  const answer = await stage.service.call(`/v1/portal/${token}?language=${language}`, { headers });
  return answer.text;
}

/** Of the account, with their actors, the oldest first. */
const eventsOf = async (type: string) =>
  stage.service.database.query<{ actor_type: string; actor_id: string; data: object }>(
    `SELECT actor_type, actor_id, data FROM events WHERE account_id = $1 AND type = $2
     ORDER BY event_id`,
    [uuidOf('acc', client.accountId), type],
  );

/** Its first document comes on a later day. */
async function openOn(
  day: string,
  over: object,
  prepare: (schedule: ScheduleBody) => Promise<unknown> = async () => undefined,
) {
  const body = { client_may: 'end', start_date: '2027-02-01', ...over };
  const schedule = await create(client, scheduleRequest(await aCustomerId(client), body));
  await prepare(schedule);
  await stage.at(day);
  const [document] = await documentsOf(client, schedule);
  return { schedule, token: await client.aPortalToken(document!) };
}

describe('the page of a document that a schedule made', () => {
  it('shows its name, the next date and the next sum', async () => {
    const { token } = await open({ name: 'Rent <4>' });
    expect(await told(token)).toEqual({
      name: 'Rent <4>',
      status: 'active',
      next_on: '2027-03-01',
      next_total: 11_900,
      currency: 'EUR',
      end_date: null,
      client_may: 'nothing',
      end_asked: false,
    });
    const html = await page(token);
    expect(html).toContain('Rent &lt;4>');
    expect(html).toContain('Next on 1 March 2027: €119.00');
    expect(html).not.toContain('/schedule/');
    expect(await page(token, 'de')).toContain('Nächstes Mal am 1. März 2027: 119,00');
  });

  it('leaves out a sum that nobody knows yet, and periods without a document', async () => {
    const lines = [
      { description: 'Base', unit_amount: 500, tax_rate: '19' },
      { description: 'Calls', meter: 'calls', unit_amount: 2, tax_rate: '19' },
    ];
    const metered = await open({ document: { lines } });
    await client.post(`/v1/finance/schedules/${metered.schedule.id}/usage`, {
      meter: 'calls',
      quantity: '3',
    });
    expect(await told(metered.token)).toMatchObject({ next_on: '2027-03-01', next_total: null });
    expect(await page(metered.token)).toContain('Next on 1 March 2027<');
    const skipped = await open();
    await step(client, skipped.schedule, 'skip');
    expect(await told(skipped.token)).toMatchObject({ next_on: '2027-04-01', next_total: 11_900 });
    const stuck = await open();
    await client.post(`/v1/finance/customers/${stuck.schedule.customer_id}/archive`);
    expect(await told(stuck.token)).toMatchObject({ next_on: '2027-03-01' });
  });

  it('has the sum by the prices of that day', async () => {
    const { token } = await open({ price_changes: [{ from: '2027-03-01', percent: '10' }] });
    expect(await told(token)).toMatchObject({ next_total: 13_090 });
  });

  it('says that it is paused, or has ended', async () => {
    const { token, schedule } = await open({ client_may: 'ask_to_end' });
    await step(client, schedule, 'pause');
    expect(await told(token)).toMatchObject({ status: 'paused', next_on: null, next_total: null });
    expect(await page(token)).toContain('Paused');
    await step(client, schedule, 'end');
    expect(await told(token)).toMatchObject({ status: 'ended', client_may: 'nothing' });
    const html = await page(token);
    expect(html).toContain('Nothing more will come.');
    expect(html).not.toContain('/schedule/');
  });

  it('shows nothing of it where none made the document', async () => {
    const token = await client.aPortalToken(await client.anInvoice());
    expect(await told(token)).toBeNull();
    expect(await page(token)).not.toContain('id="schedule"');
  });
});

describe('a client who may ask', () => {
  let opened: ScheduledPage;
  beforeEach(async () => {
    opened = await open({ client_may: 'ask_to_end' });
  });

  it('is heard once as long as nothing changes, and it goes on', async () => {
    const { token, schedule } = opened;
    const before = await read(client, schedule);
    for (const _ of [1, 2])
      expect(good(await post(token, 'ask-to-end'), 200)).toEqual({ success: true });
    expect(await eventsOf('schedule.end_asked')).toEqual([
      {
        actor_type: 'portal',
        actor_id: expect.stringMatching(/^ptok_/),
        data: { schedule: expect.objectContaining({ id: schedule.id, status: 'active' }) },
      },
    ]);
    expect(await told(token)).toMatchObject({ client_may: 'ask_to_end', end_asked: true });
    expect(await page(token)).toContain('Your request to end this is recorded.');
    expect(await read(client, schedule)).toEqual(before);
    await client.patch(`/v1/finance/schedules/${schedule.id}`, { name: 'Other' });
    expect(await told(token)).toMatchObject({ end_asked: false });
    await post(token, 'ask-to-end');
    expect(await eventsOf('schedule.end_asked')).toHaveLength(2);
  });

  it('is heard once when asked many times at the same moment', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => post(opened.token, 'ask-to-end')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await eventsOf('schedule.end_asked')).toHaveLength(1);
  });

  it('is not heard once it has ended, and ends nothing', async () => {
    expectProblem(await post(opened.token, 'end'), 409, 'schedule_end_not_offered');
    await step(client, opened.schedule, 'end');
    expect((await post(opened.token, 'ask-to-end')).status).toBe(200);
    expect(await eventsOf('schedule.end_asked')).toEqual([]);
  });
});

describe('a client who may end it', () => {
  it('ends it in advance at once, once', async () => {
    const { token, schedule } = await open({ client_may: 'end' });
    stage.service.clock.set('2027-02-10T10:00:00Z');
    for (const _ of [1, 2]) expect(good(await post(token, 'end'), 200)).toEqual({ success: true });
    expect(await read(client, schedule)).toMatchObject({
      status: 'ended',
      end_date: '2027-02-10',
      next: null,
    });
    const [event, ...others] = await eventsOf('schedule.ended');
    expect([event?.actor_type, others]).toEqual(['portal', []]);
    const audit = await client.get<{ data: { action: string; actor: object }[] }>('/v1/audit');
    expect(audit.body.data.find(({ action }) => action === 'schedule.ended')?.actor).toMatchObject({
      type: 'portal',
    });
    await stage.at('2027-04-01');
    expect(await documentsOf(client, schedule)).toHaveLength(1);
  });

  it('ends it in arrears by the period that has begun, which is still billed', async () => {
    const { schedule, token } = await openOn('2027-03-01', { timing: 'in_arrears' });
    await stage.at('2027-03-10');
    expect((await post(token, 'end')).status).toBe(200);
    expect(await told(token)).toMatchObject({
      status: 'active',
      next_on: '2027-03-11',
      end_date: '2027-03-10',
      client_may: 'nothing',
    });
    expect(await page(token)).toContain('Ends on 10 March 2027');
    stage.service.clock.set('2027-03-11T10:00:00Z');
    expect((await post(token, 'end')).status).toBe(200);
    await stage.at('2027-03-11');
    expect(await read(client, schedule)).toMatchObject({ status: 'ended', end_date: '2027-03-10' });
    expect(await documentsOf(client, schedule)).toHaveLength(2);
  });

  it('ends it by its first period, where its document came before that', async () => {
    const { schedule, token } = await openOn(
      '2027-02-02',
      { start_date: '2027-02-20' },
      async (one) => step(client, one, 'move', { runs_on: '2027-02-02' }),
    );
    expect((await post(token, 'end')).status).toBe(200);
    expect(await read(client, schedule)).toMatchObject({ status: 'ended', end_date: '2027-02-20' });
  });

  it('does not ask, nor do so from another site', async () => {
    const { token, schedule } = await open({ client_may: 'end' });
    expectProblem(await post(token, 'ask-to-end'), 409, 'schedule_end_not_offered');
    const forged = await post(token, 'end', { 'sec-fetch-site': 'cross-site' });
    expectProblem(forged, 403, 'cross_site_request');
    expect((await read(client, schedule)).status).toBe('active');
  });
});

it('refuses both where the seller leaves nothing to the client, or none made the document', async () => {
  const { token } = await open();
  const plain = await client.aPortalToken(await client.anInvoice());
  for (const one of [token, plain]) {
    for (const name of ['ask-to-end', 'end'])
      expectProblem(await post(one, name), 409, 'schedule_end_not_offered');
  }
  expectProblem(await post('x'.repeat(43), 'end'), 404, 'portal_link_not_found');
});

const textOf = async (of: Page): Promise<string> =>
  of.$eval('body', (body) => (body as unknown as { innerText: string }).innerText);
const submit = (of: Page, step: string) =>
  Promise.all([of.waitForNavigation(), of.click(`form[action*="/schedule/${step}"] button`)]);

describe('in a browser without script', () => {
  it('a button asks, one behind a fold ends, and a late one is told why not', async () => {
    const browser = await openBrowser();
    try {
      const tab = await browser.newPage();
      await tab.setJavaScriptEnabled(false);
      const asking = await open({ client_may: 'ask_to_end' });
      await tab.goto(`${stage.service.url}/v1/portal/${asking.token}?language=en`);
      await submit(tab, 'ask-to-end');
      const status = await tab.$eval('[role=status]', (one) => one.textContent);
      expect(status).toBe('Your request to end this is recorded.');
      expect(await tab.$('form[action*="/schedule/"]')).toBeNull();
      const ending = await open({ client_may: 'end' });
      await tab.goto(`${stage.service.url}/v1/portal/${ending.token}`);
      await tab.click('#schedule summary');
      await submit(tab, 'end');
      expect(await textOf(tab)).toContain('Done. Nothing new will begin.');
      expect(await tab.$('form[action*="/schedule/"]')).toBeNull();
      expect((await read(client, ending.schedule)).status).toBe('ended');
      const late = await open({ client_may: 'end' });
      await tab.goto(`${stage.service.url}/v1/portal/${late.token}`);
      const path = `/v1/finance/schedules/${late.schedule.id}`;
      good(await client.patch(path, { client_may: 'nothing' }), 200);
      await tab.click('#schedule summary');
      await submit(tab, 'end');
      expect(await textOf(tab)).toContain('This cannot be ended here.');
      expect((await read(client, late.schedule)).status).toBe('active');
    } finally {
      await browser.close();
    }
  });
});
