import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/documents/index.js';
import type { MessageList } from '../../../src/mail/wire/message.js';
import type { TestClient } from '../../support/client.js';
import { good } from '../documents/document-calls.js';
import { aScheduledPage, type ScheduledPage } from '../portal/scheduled-page.js';
import { type MailStage, mailStage } from './mail-calls.js';

const OFFICE = 'office@acme.example';

let stage: MailStage;
let client: TestClient;

beforeAll(async () => {
  stage = await mailStage();
});
afterAll(() => stage.close());
beforeEach(async () => {
  stage.service.clock.set('2027-02-01T10:00:00Z');
  await aSeller();
});

async function aSeller(over: object = {}): Promise<void> {
  client = await stage.service.aClient();
  const seller = { name: 'Acme', email: OFFICE, ...over };
  good(await client.patch('/v1/finance/seller', seller), 200);
}

const open = async () =>
  aScheduledPage(stage.service, client, { name: 'Rent <4>', client_may: 'ask_to_end' });

const ask = async ({ token }: ScheduledPage) =>
  good(
    await stage.service.call(`/v1/portal/${token}/schedule/ask-to-end`, {
      method: 'POST',
      body: {},
    }),
    200,
  );

const messages = async () =>
  good(await client.get<MessageList>('/v1/finance/messages?limit=100'), 200).data;

describe('a client who wants a schedule ended', () => {
  it('is told to the seller: who, which, and that it goes on', async () => {
    const page = await open();
    await ask(page);
    const [mail, ...others] = await stage.mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      subject: 'Globex GmbH asks to end: Rent <4>',
      to: { value: [{ address: OFFICE }] },
      replyTo: { value: [{ address: 'accounts@globex.example' }] },
      attachments: [],
    });
    const parts = [
      `Rent <4> (${page.schedule.id})`,
      'It goes on until you end it through the API.',
      'Next on 1 March 2027',
      'accounts@globex.example',
    ];
    for (const part of parts) expect(mail?.text).toContain(part);
    expect(mail?.html).toContain('Rent &lt;4>');
    expect(await messages()).toMatchObject([
      { kind: 'schedule_end_asked', document_id: null, to: [OFFICE], status: 'sent' },
    ]);
  });

  it('is told once, however often they ask, and by however many', async () => {
    const page = await open();
    await ask(page);
    await ask(page);
    await Promise.all([stage.run(), stage.run()]);
    expect(await stage.mails()).toHaveLength(1);
  });

  it('shows in the messages where there is no address', async () => {
    await aSeller({ email: null });
    await ask(await open());
    await stage.run();
    expect(await messages()).toMatchObject([
      { kind: 'schedule_end_asked', status: 'failed', reason: 'no_address' },
    ]);
  });

  it('is told in the language of the seller', async () => {
    for (const language of LANGUAGES) {
      await aSeller({ language });
      await ask(await open());
    }
    const mails = await stage.mails();
    expect(new Set(mails.map(({ subject }) => subject)).size).toBe(LANGUAGES.length);
    for (const { subject, text } of mails) {
      expect(`${subject} ${text}`).not.toMatch(/undefined|\{\w+\}/);
    }
  }, 60_000);
});
