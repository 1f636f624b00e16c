import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { LANGUAGES } from '../../../src/documents/index.js';
import type {
  WebhookEndpointBody,
  WebhookEndpointWithSecretBody,
} from '../../../src/feed/wire/webhook-endpoint.js';
import { MailWorker } from '../../../src/mail/application/mail-worker.js';
import type { MessageList } from '../../../src/mail/wire/message.js';
import { answering, Receiver } from '../../feed/receiver.js';
import { untilAllHaveEnded } from '../../support/books.js';
import type { TestClient } from '../../support/client.js';
import { startTestService } from '../../support/service.js';
import { good } from '../documents/document-calls.js';
import { type MailStage, mailStage } from './mail-calls.js';

const OFFICE = 'office@acme.example';
const SUBJECT = 'A webhook endpoint was disabled';
const MOST = 5;

let stage: MailStage;
let client: TestClient;
let code = 410;
let receiver: Receiver;

beforeAll(async () => {
  const mailLimits = { document: MOST, recipient: 50, account: 50 };
  stage = await mailStage({ sendsEvents: true, mailLimits });
});
afterAll(() => stage.close());
beforeEach(async () => {
  code = 410;
  receiver = await Receiver.open((call, response) => answering(code)(call, response));
  client = await stage.service.aClient();
  await seller({ name: 'Acme', email: OFFICE });
  await stage.mails();
});
afterEach(() => receiver.close());

const seller = async (body: object) => good(await client.patch('/v1/finance/seller', body), 200);
const path = ({ id }: { id: string }, rest = '') => `/v1/webhook-endpoints/${id}${rest}`;
const soon = async (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 50 });
const tried = async (times: number) => soon(() => expect(receiver.calls).toHaveLength(times));
const messages = async () =>
  good(await client.get<MessageList>('/v1/finance/messages?limit=100'), 200).data;

async function anEndpoint(query = '') {
  const url = `${receiver.url}${query}`;
  const wish = { url, types: ['document.issued', 'webhook_endpoint.test'] };
  return good(await client.post<WebhookEndpointWithSecretBody>('/v1/webhook-endpoints', wish), 201);
}

async function untilDisabled(endpoint: { id: string }, reason: string) {
  await soon(async () =>
    expect((await client.get<WebhookEndpointBody>(path(endpoint))).body.disabled_reason).toBe(
      reason,
    ),
  );
}

/** One that answers 410 to its first call. */
async function gone(query = ''): Promise<{ id: string }> {
  const endpoint = await anEndpoint(query);
  good(await client.post(path(endpoint, '/test')), 200);
  await untilDisabled(endpoint, 'gone');
  return endpoint;
}

describe('the seller is told of an endpoint', () => {
  it('that is gone: which, why, and what to do, without a secret of its address', async () => {
    const endpoint = await gone('?token=s3cret');
    const [mail, ...others] = await stage.mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      subject: SUBJECT,
      to: { value: [{ address: OFFICE }] },
      from: { value: [{ name: 'Acme' }] },
      attachments: [],
    });
    const parts = [
      endpoint.id,
      receiver.url,
      'status 410',
      'Events not delivered: 1',
      'Failing since: ',
      'enable the endpoint through the API',
    ];
    for (const part of parts) expect(mail?.text).toContain(part);
    expect(mail?.html).toContain(receiver.url);
    expect(`${mail?.text} ${mail?.html}`).not.toContain('s3cret');
    const [message] = await messages();
    expect(message).toMatchObject({
      kind: 'endpoint_disabled',
      document_id: null,
      to: [OFFICE],
      status: 'sent',
    });
  });

  it('that failed for five days, since when, and how much it missed', async () => {
    code = 503;
    const endpoint = await anEndpoint();
    const since = stage.service.clock.now();
    await client.anInvoice();
    await client.anInvoice();
    await tried(2);
    stage.service.clock.advance({ days: 4 });
    await tried(4);
    expect(await stage.mails()).toEqual([]);
    stage.service.clock.advance({ days: 2 });
    await untilDisabled(endpoint, 'failing');
    const [mail, ...others] = await stage.mails();
    expect(others).toEqual([]);
    expect(mail?.text).toContain('Every try of the last five days has failed.');
    expect(mail?.text).toContain('Events not delivered: 2');
    const at = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
    expect(mail?.text).toContain(`Failing since: ${at.format(since)}`);
    const event = (await client.get<{ data: object[] }>('/v1/events?types=webhook_endpoint.*'))
      .body;
    expect(event.data).toMatchObject([{ data: { reason: 'failing', undelivered: 2 } }]);
  });

  it('not if somebody asked for it, and not if it was deleted meanwhile', async () => {
    const asked = await anEndpoint();
    good(await client.post(path(asked, '/disable')), 200);
    const deleted = await gone();
    good(await client.delete(path(deleted)), 204);
    expect(await stage.mails()).toEqual([]);
    expect(await messages()).toEqual([]);
  });

  it('in each language in its own words', async () => {
    const subjects = new Set<string | undefined>();
    for (const language of LANGUAGES) {
      client = await stage.service.aClient();
      await seller({ email: OFFICE, language });
      await gone();
      const [mail] = await stage.mails();
      subjects.add(mail?.subject);
      expect(mail?.html).toContain(`lang="${language}`);
      expect(mail?.text).not.toMatch(/undefined|\{\w+\}/);
    }
    expect(subjects.size).toBe(LANGUAGES.length);
  }, 60_000);
});

describe('that message', () => {
  it('is sent once for each time, by however many, and also by a process that starts later', async () => {
    const endpoint = await gone();
    const { database, clock, config } = stage.service;
    const mail = { url: stage.catcher.url, from: 'billing@quittance.example', dkim: null };
    const other = await startTestService({ database, clock, mail, secrets: config.secrets });
    try {
      await untilAllHaveEnded(other);
      const workers = [other, stage.service].map(({ app }) => app.get(MailWorker));
      await Promise.all(workers.map(async (one) => one.run()));
    } finally {
      await other.close();
    }
    expect(await stage.mails()).toHaveLength(1);
    good(await client.post(path(endpoint, '/enable')), 200);
    // It still answers 410 to what waited.
    stage.service.clock.advance({ seconds: 6 });
    await untilDisabled(endpoint, 'gone');
    expect(await stage.mails()).toHaveLength(1);
  });

  it('shows where there is no address', async () => {
    await seller({ email: null });
    await gone();
    await stage.run();
    const [message] = await messages();
    expect(message).toMatchObject({
      kind: 'endpoint_disabled',
      status: 'failed',
      reason: 'no_address',
    });
  });

  it('takes no place of a warning that bank details were changed', async () => {
    const endpoint = await gone();
    for (let more = 0; more < MOST; more += 1) {
      good(await client.post(path(endpoint, '/enable')), 200);
      good(await client.post(path(endpoint, '/test')), 200);
      await untilDisabled(endpoint, 'gone');
    }
    await seller({ bank_accounts: [{ iban: 'DE89370400440532013000' }] });
    const subjects = (await stage.mails()).map(({ subject }) => subject);
    expect(subjects.filter((one) => one === SUBJECT)).toHaveLength(MOST);
    expect(subjects).toContain('Your bank details were changed');
    expect(await messages()).toContainEqual(
      expect.objectContaining({ kind: 'endpoint_disabled', reason: 'too_many_messages' }),
    );
  });
});
