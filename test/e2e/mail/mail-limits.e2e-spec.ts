import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MessageList } from '../../../src/mail/wire/message.js';
import type { TestClient } from '../../support/client.js';
import type { Answer } from '../../support/http.js';
import { good } from '../documents/document-calls.js';
import { type MailStage, mailStage, messageOf, messagesOf, send, wish } from './mail-calls.js';

const LIMITS = { document: 5, recipient: 12, account: 30 };

let stage: MailStage;
let client: TestClient;

beforeAll(async () => {
  stage = await mailStage({ mailLimits: LIMITS });
});
afterAll(() => stage.close());
beforeEach(async () => {
  client = await stage.service.aClient();
  stage.catcher.refuse = () => null;
});

const invoices = async (count: number) =>
  Promise.all(Array.from({ length: count }, () => client.anInvoice()));
const ask = async ({ id }: { id: string }, body: object = {}) =>
  client.post(`/v1/finance/documents/${id}/send`, body);
const passed = (answers: readonly Answer<object>[]) =>
  answers.filter(({ status }) => status === 201).length;
const limitsOf = (answers: readonly Answer<object>[]) => [
  ...new Set(
    answers
      .filter(({ status }) => status !== 201)
      .map(({ status, body }) => {
        const { code, limit } = body as Record<string, unknown>;
        return `${status} ${String(code)} ${String(limit)}`;
      }),
  ),
];
const hoursIn = ({ headers }: Answer<object>) =>
  Math.round(Number(headers.get('retry-after')) / 3600);
const listed = async (status: string) => {
  const path = `/v1/finance/messages?status=${status}&limit=100`;
  return good(await client.get<MessageList>(path), 200).data;
};
const limited = async (labels: string) => {
  const { text } = await stage.service.metrics();
  return Number(new RegExp(`^mail_limited_total\\{${labels}\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
};

const tagged = (count: number) =>
  Array.from({ length: count }, (_, at) => `victim+${count}${at}@b.example`);
/** Sent by itself, all but one as a batch. */
const issued = async (count: number) => {
  await wish(client, { send_documents: true });
  const [model] = await invoices(1);
  const { body } = await client.get(`/v1/finance/documents/${model!.id}`);
  const { lines, customer_id } = body as {
    lines: { description: string }[];
    customer_id: string;
  };
  const documents = Array.from({ length: count - 1 }, () => ({
    kind: 'invoice',
    customer_id,
    issue: true,
    currency: 'EUR',
    lines: lines.map(({ description }) => ({ description, quantity: '1', unit_amount: 100 })),
  }));
  const made = await client.post<{ results: { status: number }[] }>('/v1/finance/documents/batch', {
    documents,
  });
  expect(good(made, 200).results.map(({ status }) => status)).toEqual(documents.map(() => 201));
};

describe('requests that race', () => {
  it('pass the limit of their document exactly', async () => {
    // Connections are open before the race.
    const [invoice] = (await invoices(20)) as [{ id: string }, ...object[]];
    const before = await limited('limit="document",outcome="refused"');
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(invoice)));
    expect(passed(answers)).toBe(LIMITS.document);
    expect(limitsOf(answers)).toEqual(['409 too_many_messages document']);
    const refused = answers.find(({ status }) => status === 409);
    expect(hoursIn(refused!)).toBe(24);
    expect(await limited('limit="document",outcome="refused"')).toBe(before + 35);
    expect(await stage.mails()).toHaveLength(LIMITS.document);
  });

  it('pass the limit of an address exactly, over several documents and however it is spelled', async () => {
    const spellings = [
      'victim@b.example',
      'Victim@B.Example',
      'victim+1@b.example',
      'VICTIM@b.EXAMPLE',
    ];
    const sent = await invoices(10);
    const answers = await Promise.all(
      sent.flatMap((invoice) => spellings.map((to) => ask(invoice, { to: [to] }))),
    );
    expect(passed(answers)).toBe(LIMITS.recipient);
    expect(limitsOf(answers)).toEqual(['409 too_many_messages recipient']);
    expect(await stage.mails()).toHaveLength(LIMITS.recipient);
    await send(client, sent[0]!, { to: ['somebody@b.example'] });
    await stage.mails();
  });

  it('pass the limit of their account exactly, and not that of others', async () => {
    const sent = await invoices(10);
    const answers = await Promise.all(
      sent.flatMap((invoice, at) =>
        [1, 2, 3, 4].map((count) => ask(invoice, { to: [`a${at}-${count}@b.example`] })),
      ),
    );
    expect(passed(answers)).toBe(LIMITS.account);
    expect(limitsOf(answers)).toEqual(['409 too_many_messages account']);
    const other = await stage.service.aClient();
    await send(other, await other.anInvoice());
    expect(await stage.mails()).toHaveLength(LIMITS.account + 1);
  });
});

describe('a letter is counted', () => {
  it('for each address of a message', async () => {
    const [one, two] = [await client.anInvoice(), await client.anInvoice()];
    await send(client, one, { to: tagged(10) });
    expect(limitsOf([await ask(two, { to: tagged(3) })])).toEqual([
      '409 too_many_messages recipient',
    ]);
    await send(client, two, { to: tagged(2) });
    await stage.mails();
  });

  it('once for two spellings in one message', async () => {
    const { to } = await send(client, await client.anInvoice(), {
      to: ['V@b.example', 'v@B.example', 'V@b.example', 'w@b.example'],
    });
    expect(to).toEqual(['V@b.example', 'w@b.example']);
    expect(await stage.mails()).toHaveLength(1);
  });

  it('for 24 hours, and no longer', async () => {
    const invoice = await client.anInvoice();
    await send(client, invoice);
    expect(await stage.mails()).toHaveLength(1);
    stage.service.clock.advance({ hours: 12 });
    for (let count = 1; count < LIMITS.document; count += 1) await send(client, invoice);
    const refused = await ask(invoice);
    expect(hoursIn(refused)).toBe(12);
    stage.service.clock.advance({ hours: 12, seconds: 1 });
    await send(client, invoice);
    expect(limitsOf([await ask(invoice)])).toEqual(['409 too_many_messages document']);
    expect(await stage.mails()).toHaveLength(LIMITS.document);
  });

  it('once, however often it is tried', async () => {
    const invoice = await client.anInvoice();
    const message = await send(client, invoice);
    stage.catcher.refuse = () => ({ responseCode: 550, message: 'No such mailbox' });
    for (let count = 0; count < 3; count += 1) {
      await stage.run();
      good(await client.post(`/v1/finance/messages/${message.id}/retry`), 200);
    }
    stage.catcher.refuse = () => null;
    for (let count = 1; count < LIMITS.document; count += 1) await send(client, invoice);
    expect(passed([await ask(invoice)])).toBe(0);
    expect(await stage.mails()).toHaveLength(LIMITS.document);
  });

  it('again where it is asked for once more a day later', async () => {
    const invoice = await client.anInvoice();
    const message = await send(client, invoice);
    stage.catcher.refuse = () => ({ responseCode: 550, message: 'No such mailbox' });
    await stage.run();
    stage.catcher.refuse = () => null;
    stage.service.clock.advance({ hours: 25 });
    for (let count = 0; count < LIMITS.document; count += 1) await send(client, invoice);
    const retry = `/v1/finance/messages/${message.id}/retry`;
    expect(limitsOf([await client.post(retry)])).toEqual(['409 too_many_messages document']);
    expect(await stage.mails()).toHaveLength(LIMITS.document);
    stage.service.clock.advance({ hours: 25 });
    good(await client.post(retry), 200);
    expect(await stage.mails()).toHaveLength(1);
  });

  it('on the day on which it leaves, where the mail server was away', async () => {
    const invoice = await client.anInvoice();
    stage.catcher.refuse = () => ({ responseCode: 421, message: 'Busy' });
    for (let day = 0; day < 2; day += 1) {
      for (let count = 0; count < LIMITS.document; count += 1) await send(client, invoice);
      await stage.run();
      stage.service.clock.advance({ hours: 25 });
    }
    stage.catcher.refuse = () => null;
    expect(await stage.mails()).toHaveLength(LIMITS.document);
    stage.service.clock.advance({ hours: 25 });
    expect(await stage.mails()).toHaveLength(LIMITS.document);
  });
});

describe('a message that nobody waits for', () => {
  it('waits until there is room, and says so', async () => {
    await issued(20);
    const before = await limited('limit="recipient",outcome="held"');
    expect(await stage.mails()).toHaveLength(LIMITS.recipient);
    const waiting = await listed('queued');
    expect(waiting).toHaveLength(20 - LIMITS.recipient);
    const until = new Date(stage.service.clock.now().getTime() + 23 * 3600_000);
    for (const message of waiting) {
      expect(message).toMatchObject({ reason: 'too_many_messages', attempts: 0 });
      expect(new Date(message.next_attempt_at!) > until).toBe(true);
    }
    expect(await limited('limit="recipient",outcome="held"')).toBe(before + waiting.length);
    expect(limitsOf([await ask({ id: waiting[0]!.document_id! })])).toEqual([
      '409 too_many_messages recipient',
    ]);
    stage.service.clock.advance({ hours: 25 });
    expect(await stage.mails()).toHaveLength(waiting.length);
    expect(await listed('queued')).toEqual([]);
    for (const message of waiting) {
      expect(await messageOf(client, message)).toMatchObject({ status: 'sent', reason: null });
    }
  });

  it('passes the limit exactly where several processes send', async () => {
    const { database, clock } = stage.service;
    const second = await mailStage({ database, clock, mailLimits: LIMITS });
    try {
      await issued(20);
      const all = await Promise.all([stage, second, stage].map((one) => one.mails()));
      expect(all.flat()).toHaveLength(LIMITS.recipient);
    } finally {
      await second.close();
    }
    stage.service.clock.advance({ hours: 25 });
    await stage.mails();
  });

  it('has failed after three days without room, and may be retried', async () => {
    await issued(LIMITS.recipient + 1);
    await stage.mails();
    const [held] = await listed('queued');
    for (let day = 0; day < 3; day += 1) {
      stage.service.clock.advance({ hours: 24 });
      for (const invoice of await invoices(3)) {
        for (let count = 0; count < 4; count += 1) await ask(invoice);
      }
      await stage.mails();
    }
    stage.service.clock.advance({ hours: 1 });
    await stage.mails();
    expect(await messageOf(client, held!)).toMatchObject({
      status: 'failed',
      reason: 'too_many_messages',
    });
    stage.service.clock.advance({ hours: 24 });
    good(await client.post(`/v1/finance/messages/${held!.id}/retry`), 200);
    await stage.mails();
    expect(await messageOf(client, held!)).toMatchObject({ status: 'sent' });
  });

  it('takes no place where it is not sent any more', async () => {
    await wish(client, { send_documents: true });
    const gone = await invoices(3);
    await Promise.all(gone.map((invoice) => client.void(invoice)));
    await issued(LIMITS.recipient);
    expect(await stage.mails()).toHaveLength(LIMITS.recipient);
    expect(await messagesOf(client, gone[0]!)).toMatchObject([{ status: 'canceled' }]);
  });
});
