import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ParsedMail } from 'mailparser';
import { LANGUAGES } from '../../../src/documents/index.js';
import type { TestClockBody } from '../../../src/clocks/wire/test-clock.js';
import type { MessageBody, MessageList } from '../../../src/mail/wire/message.js';
import { MailWorker } from '../../../src/mail/application/mail-worker.js';
import { untilAllHaveEnded } from '../../support/books.js';
import type { TestClient } from '../../support/client.js';
import { textOf } from '../../support/pdf-text.js';
import { startTestService } from '../../support/service.js';
import { good } from '../documents/document-calls.js';
import { aCustomerId } from '../schedules/schedule-stage.js';
import { FROM, looksAnew, type MailStage, mailStage, wish } from './mail-calls.js';

let stage: MailStage;
let client: TestClient;

beforeAll(async () => {
  stage = await mailStage({ mailLimits: { document: 5, recipient: 1000, account: 5000 } });
});
afterAll(() => stage.close());
beforeEach(async () => {
  at('2026-10-10');
  await looksAnew(stage);
  // Accounts of other tests.
  await stage.service.database.query('UPDATE mail_settings SET statements_since = NULL');
  client = await stage.service.aClient();
  const seller = { name: 'Acme', email: 'office@acme.example', time_zone: 'Europe/Berlin' };
  good(await client.patch('/v1/finance/seller', seller), 200);
});

const at = (day: string) => stage.service.clock.set(day.includes('T') ? day : `${day}T10:00:00Z`);

const invoiceTo = async (customer_id: string, over: object = {}) =>
  client.anInvoice({ customer: undefined, customer_id, ...over });

const statements = async (): Promise<MessageBody[]> =>
  good(await client.get<MessageList>('/v1/finance/messages?limit=100'), 200).data.filter(
    ({ kind }) => kind === 'statement',
  );

const readersOf = (mails: readonly ParsedMail[]) =>
  mails.flatMap(({ to }) => [to ?? []].flat().flatMap(({ text }) => text)).toSorted();

const archive = async (id: string) =>
  good(await client.post(`/v1/finance/customers/${id}/archive`), 200);

/** A customer with an invoice, on the day on which its statement is due. */
const aDueOne = async () => {
  await wish(client, { send_statements: true });
  const customer = await aCustomerId(client);
  const invoice = await invoiceTo(customer);
  at('2026-11-02');
  return { customer, invoice };
};

describe('each month, with `send_statements`', () => {
  it('brings its customer all that moved, with the balances, as a PDF', async () => {
    await wish(client, { send_statements: true });
    const customer = await aCustomerId(client, { name: 'Globex & Sons' });
    const invoice = await invoiceTo(customer);
    at('2026-10-20');
    await client.pay(invoice, { amount: 1000 });
    at('2026-11-01');
    expect(await stage.mails()).toEqual([]);
    at('2026-11-02');
    const [mail, ...others] = await stage.mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      subject: 'Statement of account, October 2026 from Acme',
      to: { value: [{ address: 'accounts@globex.example' }] },
      replyTo: { value: [{ address: 'office@acme.example' }] },
      attachments: [{ filename: 'statement-2026-10.pdf', contentType: 'application/pdf' }],
    });
    const paper = textOf(mail!.attachments[0]!.content);
    const parts = [
      'Statement of account, October 2026',
      '1 October 2026 – 31 October 2026',
      'Globex & Sons',
      'Opening balance',
      `Invoice ${invoice.number}`,
      `Payment ${invoice.number}`,
      '10 October 2026',
      '20 October 2026',
      'Closing balance',
    ];
    for (const part of parts) expect(paper).toContain(part);
    const { body } = await client.get<{ currencies: { closing: { balance: number } }[] }>(
      `/v1/finance/customers/${customer}/statement?from=2026-10-01&to=2026-10-31`,
    );
    const balance = body.currencies[0]?.closing.balance ?? 0;
    const text = `€${(balance / 100).toLocaleString('en-GB', { minimumFractionDigits: 2 })}`;
    expect(mail?.text).toContain(`Closing balance: ${text}`);
    expect(paper).toContain(text);
    expect(await statements()).toMatchObject([{ document_id: null, status: 'sent' }]);
  });

  it('goes to whom anything moved with, or who has something open; to nobody else', async () => {
    await wish(client, { send_statements: true });
    const of = async (name: string, email: string | null = `${name}@globex.example`) =>
      aCustomerId(client, { name, email });
    const [moved, open, settled, gone] = [
      await of('moved'),
      await of('open'),
      await of('settled'),
      await of('gone'),
    ];
    const nobody = await of('nobody', null);
    await of('quiet');
    const invoices = [await invoiceTo(open), await invoiceTo(settled), await invoiceTo(gone)];
    await invoiceTo(nobody);
    await client.pay(invoices[1]!, { amount: invoices[1]!.total });
    at('2026-11-02');
    expect(readersOf(await stage.mails())).toEqual([
      'gone@globex.example',
      'open@globex.example',
      'settled@globex.example',
    ]);
    const paid = await invoiceTo(moved);
    await client.pay(paid, { amount: paid.total });
    await archive(gone);
    at('2026-12-02');
    expect(readersOf(await stage.mails())).toEqual(['moved@globex.example', 'open@globex.example']);
    // Nobody is asked about one that is archived: no message, canceled ones neither.
    expect((await statements()).filter(({ to }) => to[0]?.startsWith('gone'))).toHaveLength(1);
  });

  it('has one table for each currency, and says what is in the favour of its reader', async () => {
    await wish(client, { send_statements: true });
    const customer = await aCustomerId(client);
    const invoice = await invoiceTo(customer);
    await invoiceTo(customer, { currency: 'USD' });
    await client.pay(invoice, { amount: invoice.total + 5000, on_overpayment: 'credit' });
    at('2026-11-02');
    const [mail] = await stage.mails();
    expect(mail?.text).toContain('Closing balance (EUR): -€50.00');
    expect(mail?.text).toContain('Closing balance (USD): US$');
    expect(mail?.text).toContain('An amount below zero is in your favour.');
    const paper = textOf(mail!.attachments[0]!.content);
    expect(paper).toContain('USD');
    expect(paper).toContain('-€50.00');
  });

  it('begins with the month in which it was turned on, in the zone of the account', async () => {
    await invoiceTo(await aCustomerId(client));
    // In Berlin it is November.
    at('2026-10-31T23:30:00Z');
    await wish(client, { send_statements: true });
    at('2026-11-02');
    expect(await stage.mails()).toEqual([]);
    // The second of December has begun there.
    at('2026-12-01T22:59:00Z');
    expect(await stage.mails()).toEqual([]);
    at('2026-12-01T23:10:00Z');
    expect((await stage.mails()).map(({ subject }) => subject)).toEqual([
      'Statement of account, November 2026 from Acme',
    ]);
  });

  it('is made up for within the month, and one that was missed as a whole is left out', async () => {
    await wish(client, { send_statements: true });
    await invoiceTo(await aCustomerId(client));
    at('2026-11-30');
    expect(await stage.mails()).toHaveLength(1);
    at('2027-01-15');
    expect((await stage.mails()).map(({ subject }) => subject)).toEqual([
      'Statement of account, December 2026 from Acme',
    ]);
  });

  it('reaches who refused reminders, and counts for the limits of mail', async () => {
    await wish(client, { send_statements: true });
    const customer = await aCustomerId(client);
    await invoiceTo(customer);
    await stage.service.database.query(
      `INSERT INTO mail_refusals (account_id, address, refused_at)
       SELECT account_id, 'accounts@globex.example', now() FROM mail_settings
       ON CONFLICT DO NOTHING`,
    );
    at('2026-11-02');
    expect(await stage.mails()).toHaveLength(1);
    const [message] = await statements();
    const letters = await stage.service.database.query(
      'SELECT mailbox FROM mail_letters l JOIN mail_messages m USING (account_id, message_id) WHERE m.created_at >= $1',
      ['2026-11-02'],
    );
    expect(message?.status).toBe('sent');
    expect(letters).toContainEqual({ mailbox: 'accounts@globex.example' });
  });

  it('speaks the language of its reader: all of them', async () => {
    await wish(client, { send_statements: true });
    for (const language of LANGUAGES) {
      const customer = await aCustomerId(client, { language, email: `${language}@globex.example` });
      await client.pay(await invoiceTo(customer));
    }
    at('2026-11-02');
    const mails = await stage.mails();
    expect(mails).toHaveLength(LANGUAGES.length);
    expect(new Set(mails.map(({ subject }) => subject)).size).toBe(LANGUAGES.length);
    for (const { text = '', html, attachments } of mails) {
      expect(`${text} ${html}`).not.toMatch(/undefined|\{\w+\}/);
      expect(attachments[0]?.content.subarray(0, 5).toString()).toBe('%PDF-');
    }
  }, 120_000);
});

describe('a test clock', () => {
  it('brings them on the way, month by month', async () => {
    await wish(client, { send_statements: true, quote_days: [-7], quote_waiting_days: 3 });
    const customer = await aCustomerId(client);
    await invoiceTo(customer);
    await client.aQuote({ due_date: '2026-12-20' });
    const path = '/v1/test-clock/advance';
    const { happened } = good(await client.post<TestClockBody>(path, { days: 90 }), 200);
    // Midnight in Berlin.
    const own = happened.filter(({ work }) => work === 'statements' || work === 'quotes');
    expect(own.map((one) => [one.at, one.work, one.count])).toEqual([
      ['2026-11-01T23:00:00.000Z', 'statements', 1],
      ['2026-12-01T23:00:00.000Z', 'statements', 1],
      ['2026-12-12T23:00:00.000Z', 'quotes', 2],
      ['2027-01-01T23:00:00.000Z', 'statements', 1],
    ]);
    const subjects = (await stage.mails()).map(({ subject }) => subject);
    expect(subjects.filter((one) => one?.startsWith('Statement'))).toHaveLength(3);
  });
});

describe('that message', () => {
  it('is one for each customer and month, by however many, and however often they look', async () => {
    await aDueOne();
    const { database, clock, config } = stage.service;
    const mail = { url: stage.catcher.url, from: FROM, dkim: null };
    const other = await startTestService({ database, clock, mail, secrets: config.secrets });
    try {
      await untilAllHaveEnded(other);
      const workers = [other, stage.service].map(({ app }) => app.get(MailWorker));
      await Promise.all(workers.map(async (one) => one.run()));
      clock.advance({ hours: 1 });
      await Promise.all(workers.map(async (one) => one.run()));
    } finally {
      await other.close();
    }
    expect(await stage.mails()).toHaveLength(1);
    // Even if nobody knew how far they had come.
    await database.query('UPDATE mail_settings SET statements_month = NULL');
    clock.advance({ hours: 1 });
    expect(await stage.mails()).toEqual([]);
    await wish(client, { send_statements: false });
    await wish(client, { send_statements: true });
    clock.advance({ hours: 1 });
    expect(await stage.mails()).toEqual([]);
    expect(await statements()).toHaveLength(1);
  });

  it('goes on with the rest of many customers in the next round', async () => {
    await aDueOne();
    await stage.service.database.query(
      `INSERT INTO customers (account_id, customer_id, profile, created_at)
       SELECT account_id, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
         '{"name": "Quiet", "email": "quiet@globex.example"}', now()
       FROM mail_settings, generate_series(1, 250) n WHERE statements_since IS NOT NULL`,
    );
    expect(await stage.mails()).toEqual([]);
    stage.service.clock.advance({ seconds: 700 });
    expect(readersOf(await stage.mails())).toEqual(['accounts@globex.example']);
  });

  it('is canceled where it has nothing to say any more', async () => {
    const { customer } = await aDueOne();
    stage.catcher.refuse = () => ({ responseCode: 451, message: 'Later' });
    await stage.run();
    stage.catcher.refuse = () => null;
    expect(await statements()).toMatchObject([{ status: 'queued', attempts: 1 }]);
    await archive(customer);
    stage.service.clock.advance({ seconds: 120 });
    await stage.run();
    expect(await statements()).toMatchObject([{ status: 'canceled', reason: 'customer_archived' }]);
  });
});
