import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MailWorker } from '../../../src/mail/application/mail-worker.js';
import type { MailSettingsBody } from '../../../src/mail/wire/mail-settings.js';
import { LANGUAGES } from '../../../src/documents/index.js';
import type { TestClient } from '../../support/client.js';
import { good } from '../documents/document-calls.js';
import { expectProblem } from '../expectations.js';
import { linkIn, looksAnew, type MailStage, mailStage, messagesOf, wish } from './mail-calls.js';

const OFFICE = 'office@acme.example';
const CLIENT = 'accounts@globex.example';
const SETTINGS = '/v1/finance/mail-settings';

let stage: MailStage;
let client: TestClient;

beforeAll(async () => {
  stage = await mailStage({ mailLimits: { document: 20, recipient: 1000, account: 5000 } });
});
afterAll(() => stage.close());
beforeEach(async () => {
  at('2026-10-01');
  await looksAnew(stage);
  // Accounts of other tests.
  await stage.service.database.query(
    `UPDATE mail_settings SET quotes_since = NULL, quote_days = '{}', quote_waiting_since = NULL,
       quote_waiting_days = NULL`,
  );
  client = await stage.service.aClient();
  good(await client.patch('/v1/finance/seller', { name: 'Acme', email: OFFICE }), 200);
});

const at = (day: string) => stage.service.clock.set(`${day}T10:00:00Z`);
const aQuote = async (over: object = {}) => client.aQuote({ due_date: '2026-10-31', ...over });
const stepOf = async ({ id }: { id: string }, name: string, body: object = {}) =>
  client.post(`/v1/finance/documents/${id}/${name}`, body);
const answer = async (quote: { id: string }, step: string, body: object) => {
  const token = await client.aPortalToken(quote);
  good(await stage.service.call(`/v1/portal/${token}/${step}`, { method: 'POST', body }), 200);
};
const accept = async (quote: { id: string }) => answer(quote, 'accept', { name: 'Ada Lovelace' });
/** To whom, and its subject. */
const letters = async () =>
  (await stage.mails())
    .map(({ to, subject }) => `${[to ?? []].flat()[0]?.text}: ${subject}`)
    .toSorted();

describe('a quote that is about to expire', () => {
  it('is told to both sides, each once for each day of the settings', async () => {
    await wish(client, { quote_days: [-1, -7] });
    const quote = await aQuote();
    at('2026-10-23');
    expect(await letters()).toEqual([]);
    at('2026-10-24');
    const both = [
      `${CLIENT}: Quote ${quote.number} from Acme is valid until 31 October 2026`,
      `${OFFICE}: Quote ${quote.number} is valid until 31 October 2026`,
    ];
    expect(await letters()).toEqual(both);
    stage.service.clock.advance({ hours: 1 });
    await Promise.all([stage.run(), stage.run()]);
    expect(await letters()).toEqual([]);
    at('2026-10-30');
    expect(await letters()).toEqual(both);
    at('2026-11-01');
    expect(await letters()).toEqual([]);
  });

  it('brings its client the way to answer, and the seller who has not answered', async () => {
    await wish(client, { quote_days: [-7] });
    const quote = await aQuote();
    at('2026-10-24');
    const mails = await stage.mails();
    const toClient = mails.find(({ attachments }) => attachments.length > 0);
    const toSeller = mails.find(({ attachments }) => attachments.length === 0);
    expect(toClient?.attachments[0]?.filename).toBe(`${quote.number}.pdf`);
    expect(toClient?.text).toContain('Until then you can accept or reject it online.');
    const body = { name: 'Ada Lovelace' };
    const path = `${linkIn(toClient!)}/accept`;
    good(await stage.service.call(path, { method: 'POST', body }), 200);
    expect(toSeller?.text).toContain('Globex GmbH has not answered it yet.');
    expect(toSeller?.replyTo?.value).toMatchObject([{ address: CLIENT }]);
  });

  it('is made up for within three days, and of two days once', async () => {
    await wish(client, { quote_days: [-9, -7, -6] });
    await aQuote();
    await aQuote({ due_date: '2026-11-04' });
    at('2026-10-26');
    // Of the other one, a day is four days ago, and the next one is to come.
    expect(await letters()).toHaveLength(4);
    stage.service.clock.advance({ hours: 1 });
    expect(await letters()).toEqual([]);
    const late = await aQuote({ due_date: '2026-11-05' });
    at('2026-11-04');
    await stage.run();
    stage.catcher.taken();
    expect(await messagesOf(client, late)).toEqual([]);
  });

  it('tells nothing of the day of its issue and before', async () => {
    await wish(client, { quote_days: [-7, -6] });
    at('2026-10-25');
    await aQuote();
    await aQuote({ due_date: '2026-11-01' });
    expect(await letters()).toEqual([]);
    at('2026-10-26');
    // Of the second one, its sixth day before has come after the issue.
    expect(await letters()).toHaveLength(2);
  });

  it('tells nothing of before the settings', async () => {
    const early = await aQuote();
    at('2026-10-25');
    await wish(client, { quote_days: [-7, -2] });
    const late = await aQuote();
    expect(await letters()).toEqual([]);
    at('2026-10-29');
    expect(await letters()).toHaveLength(4);
    for (const one of [early, late]) expect(await messagesOf(client, one)).toHaveLength(2);
  });

  it('is not told once it is answered, converted, voided or revised', async () => {
    await wish(client, { quote_days: [-7] });
    const [accepted, rejected, converted, voided, revised] = [
      await aQuote(),
      await aQuote(),
      await aQuote(),
      await aQuote(),
      await aQuote(),
    ];
    await accept(accepted);
    await answer(rejected, 'reject', { reason: 'No' });
    good(await stepOf(converted, 'convert'), 201);
    await client.void(voided);
    const draft = good(await stepOf(revised, 'revise'), 201) as { id: string };
    const { number } = await client.issue(draft);
    at('2026-10-24');
    expect(await letters()).toEqual([
      `${CLIENT}: Quote ${number} from Acme is valid until 31 October 2026`,
      `${OFFICE}: Quote ${number} is valid until 31 October 2026`,
    ]);
  });

  it('is judged again when the letters leave', async () => {
    await wish(client, { quote_days: [-7] });
    const quote = await aQuote();
    at('2026-10-24');
    stage.catcher.refuse = () => ({ responseCode: 451, message: 'Later' });
    await stage.run();
    stage.catcher.refuse = () => null;
    await client.void(quote);
    stage.service.clock.advance({ hours: 1 });
    expect(await letters()).toEqual([]);
    expect(await messagesOf(client, quote)).toMatchObject([
      { status: 'canceled', reason: 'document_not_sendable' },
      { status: 'canceled', reason: 'document_not_sendable' },
    ]);
  });

  it('may be refused by its client as a reminder, and the seller is told all the same', async () => {
    await wish(client, { quote_days: [-7, -3] });
    await aQuote();
    at('2026-10-24');
    const mails = await stage.mails();
    const link = mails
      .map(({ text }) => /http:\/\/\S+(\/v1\S+stop-reminders)/.exec(text ?? ''))
      .find(Boolean)?.[1];
    await stage.service.call(link!, {
      method: 'POST',
      body: { 'List-Unsubscribe': 'One-Click' },
    });
    at('2026-10-28');
    expect((await letters()).map((one) => one.split(':')[0])).toEqual([OFFICE]);
  });
});

describe('an accepted quote that nobody converts', () => {
  it('is told to the seller, once', async () => {
    await wish(client, { quote_waiting_days: 14 });
    const quote = await aQuote();
    await accept(quote);
    at('2026-10-14');
    expect(await letters()).toEqual([]);
    at('2026-10-15');
    const [mail, ...others] = await stage.mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      subject: `Accepted, but not invoiced yet: Quote ${quote.number}`,
      to: { value: [{ address: OFFICE }] },
    });
    expect(mail?.text).toContain('Accepted by Ada Lovelace on 1 October 2026');
    at('2026-11-15');
    expect(await letters()).toEqual([]);
  });

  it('is told also after a stop of weeks, and by two processes once', async () => {
    await wish(client, { quote_waiting_days: 14 });
    await accept(await aQuote());
    at('2026-12-01');
    const worker = stage.service.app.get(MailWorker);
    await Promise.all([worker.run(), worker.run()]);
    expect(await letters()).toHaveLength(1);
  });

  it('is not told once it is an invoice, nor if it waited long enough before', async () => {
    await accept(await aQuote());
    at('2026-10-20');
    await wish(client, { quote_waiting_days: 14 });
    const quote = await aQuote();
    await accept(quote);
    good(await stepOf(quote, 'convert'), 201);
    at('2026-11-20');
    expect(await letters()).toEqual([]);
  });

  it('is not told if it became an invoice before the letter left', async () => {
    await wish(client, { quote_waiting_days: 1 });
    const quote = await aQuote();
    await accept(quote);
    at('2026-10-02');
    stage.catcher.refuse = () => ({ responseCode: 451, message: 'Later' });
    await stage.run();
    stage.catcher.refuse = () => null;
    good(await stepOf(quote, 'convert'), 201);
    stage.service.clock.advance({ hours: 1 });
    expect(await letters()).toEqual([]);
    expect(await messagesOf(client, quote)).toMatchObject([{ status: 'canceled' }]);
  });
});

describe('those settings', () => {
  it('are read and changed like the others, and audited', async () => {
    const change = { send_statements: true, quote_days: [-1, -7, -1], quote_waiting_days: 30 };
    const told = { ...change, quote_days: [-7, -1] };
    expect(good(await client.patch<MailSettingsBody>(SETTINGS, change), 200)).toMatchObject(told);
    expect(good(await client.get<MailSettingsBody>(SETTINGS), 200)).toMatchObject(told);
    const path = '/v1/audit?action=mail_settings.updated';
    const { data } = good(await client.get<{ data: object[] }>(path), 200);
    expect(data).toMatchObject([
      {
        before: { send_statements: false, quote_days: [], quote_waiting_days: null },
        after: told,
      },
    ]);
    const off = { send_statements: false, quote_days: [], quote_waiting_days: null };
    expect(good(await client.patch<MailSettingsBody>(SETTINGS, off), 200)).toMatchObject(off);
  });

  it.each([
    [{ quote_days: [1] }, 'invalid_quote_days', '/quote_days/0'],
    [{ quote_days: '-7' }, 'invalid_quote_days', '/quote_days'],
    [{ quote_waiting_days: 0 }, 'invalid_integer', '/quote_waiting_days'],
  ])('are refused where they make no sense: %j', async (body, code, pointer) => {
    const answer = await client.patch(SETTINGS, body);
    expectProblem(answer, 422, code);
    expect(answer.body).toMatchObject({ errors: [{ pointer }] });
  });

  it('speak the language of each reader', async () => {
    for (const language of LANGUAGES) {
      client = await stage.service.aClient();
      good(
        await client.patch('/v1/finance/seller', { name: 'Acme', email: OFFICE, language }),
        200,
      );
      await wish(client, { quote_days: [-7], quote_waiting_days: 1 });
      await accept(await aQuote({ due_date: '2026-12-31' }));
      await aQuote();
    }
    at('2026-10-24');
    const mails = await stage.mails();
    expect(mails).toHaveLength(3 * LANGUAGES.length);
    for (const { subject, text } of mails) {
      expect(`${subject} ${text}`).not.toMatch(/undefined|\{\w+\}/);
    }
    for (const language of LANGUAGES) {
      expect(mails.filter(({ html }) => `${html}`.includes(`lang="${language}`))).toHaveLength(3);
    }
    const subjects = new Set(mails.map(({ subject }) => subject));
    expect(subjects.size).toBeGreaterThanOrEqual(2 * LANGUAGES.length);
  }, 120_000);
});
