import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { MessageBody } from '../../../src/mail/wire/message.js';
import type { DocumentWish, TestClient } from '../../support/client.js';
import { startTestService } from '../../support/service.js';
import { good } from '../documents/document-calls.js';
import {
  FROM,
  linkIn,
  type MailStage,
  mailStage,
  messageOf,
  messagesOf,
  send,
} from './mail-calls.js';

let stage: MailStage;
let client: TestClient;

beforeAll(async () => {
  stage = await mailStage();
});
afterAll(() => stage.close());
beforeEach(async () => {
  client = await stage.service.aClient();
  stage.catcher.refuse = () => null;
});

describe('a document that is sent', () => {
  it('comes with a link to its page and the PDF, in the name of the seller', async () => {
    await client.patch('/v1/finance/seller', { name: 'Acme', email: 'office@acme.example' });
    const invoice = await client.anInvoice();
    const message = await send(client, invoice, { note: 'Thank you for your order.' });
    expect(message).toMatchObject({ status: 'queued', kind: 'document', sent_at: null });
    const [mail, ...others] = await stage.mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      messageId: `<${message.id}@quittance.example>`,
      subject: `Invoice ${invoice.number} from Acme`,
      from: { value: [{ name: 'Acme', address: FROM }] },
      replyTo: { value: [{ address: 'office@acme.example' }] },
      to: { value: [{ address: 'accounts@globex.example' }] },
    });
    expect(mail?.headers.get('auto-submitted')).toBe('auto-generated');
    for (const text of ['Acme has sent you a document.', 'Thank you for your order.', '€119.00']) {
      expect(mail?.text).toContain(text);
      expect(mail?.html).toContain(text);
    }
    const page = await stage.service.call(linkIn(mail!), { headers: { accept: 'text/html' } });
    expect(page).toMatchObject({ status: 200 });
    expect(page.text).toContain(invoice.number!);
    const [file] = mail!.attachments;
    expect(file).toMatchObject({
      filename: `${invoice.number}.pdf`,
      contentType: 'application/pdf',
    });
    const stored = await client.get(`/v1/finance/documents/${invoice.id}/pdf`);
    expect(file?.content.equals(Buffer.from(stored.bytes))).toBe(true);
    expect(await messageOf(client, message)).toMatchObject({ status: 'sent', attempts: 1 });
    const read = await client.get(`/v1/finance/documents/${invoice.id}?expand=messages`);
    expect(read.body).toMatchObject({
      expanded: { messages: { data: [{ id: message.id, status: 'sent' }], has_more: false } },
    });
  });

  it('takes null for what is not said', async () => {
    const invoice = await client.anInvoice();
    const nulls = { kind: null, to: null, note: null };
    const { kind, to, note } = await send(client, invoice, nulls);
    const plain = await send(client, invoice);
    expect({ kind, to, note }).toEqual({ kind: plain.kind, to: plain.to, note: null });
    expect(await stage.mails()).toHaveLength(2);
  });

  it('goes out once, whatever is repeated', async () => {
    const invoice = await client.anInvoice();
    const path = `/v1/finance/documents/${invoice.id}/send`;
    const headers = { 'Idempotency-Key': 'once' };
    const answers = [await client.post(path, {}, headers), await client.post(path, {}, headers)];
    expect(answers.map(({ body }) => body['id'])).toEqual([
      answers[0]?.body['id'],
      answers[0]?.body['id'],
    ]);
    await Promise.all([stage.run(), stage.run(), stage.run()]);
    expect(await stage.mails()).toHaveLength(1);
    expect(await messagesOf(client, invoice)).toHaveLength(1);
  });

  it.each(['ar', 'de', 'ja'])('is written in its language: %s', async (language) => {
    const invoice = await client.anInvoice({ language });
    await send(client, invoice);
    const [mail] = await stage.mails();
    const direction = language === 'ar' ? 'rtl' : 'ltr';
    expect(mail?.html).toContain(`<html lang="${language}" dir="${direction}">`);
    expect(mail?.html).not.toContain('has sent you');
  });

  it('says nothing that its writer meant as code, header or address', async () => {
    const evil = `Eve" <eve@evil.example>, <img src=x onerror=alert(1)>`;
    await client.patch('/v1/finance/seller', { name: evil, email: 'office@acme.example' });
    const invoice = await client.anInvoice({
      customer: { name: evil, email: 'accounts@globex.example', country: 'DE' },
    });
    await send(client, invoice, { note: 'Hi\u2028\nBcc: victim@evil.example\n\n<b>bold</b>' });
    const [mail] = await stage.mails();
    expect(mail?.from?.value).toEqual([{ name: evil, address: FROM }]);
    expect(mail?.to).toMatchObject({ value: [{ address: 'accounts@globex.example' }] });
    expect(mail?.bcc).toBeUndefined();
    expect(mail?.html).not.toMatch(/<img|<b>/);
    expect(mail?.text).toContain('<b>bold</b>');
  });
});

describe('a message that cannot be sent now', () => {
  it('waits, says why, and is sent later by the same id', async () => {
    const invoice = await client.anInvoice();
    const message = await send(client, invoice);
    stage.catcher.refuse = () => ({ responseCode: 451, message: 'Greylisted, come back' });
    expect(await stage.mails()).toEqual([]);
    const waiting = await messageOf(client, message);
    expect(waiting).toMatchObject({ status: 'queued', attempts: 1 });
    expect(waiting.reason).toContain('Greylisted');
    stage.catcher.refuse = () => null;
    expect(await stage.mails()).toEqual([]);
    stage.service.clock.advance({ seconds: 120 });
    const [mail] = await stage.mails();
    expect(mail?.messageId).toBe(`<${message.id}@quittance.example>`);
    expect(await messageOf(client, message)).toMatchObject({ status: 'sent', reason: null });
  });

  it('has failed after some days', async () => {
    const message = await send(client, await client.anInvoice());
    stage.catcher.refuse = () => ({ responseCode: 421, message: 'Busy' });
    for (let hours = 0; hours < 40; hours += 1) {
      await stage.run();
      stage.service.clock.advance({ hours: 3 });
    }
    expect(await messageOf(client, message)).toMatchObject({ status: 'failed', attempts: 9 });
  });

  it('has failed at once where the mail server will never take it, and may be retried', async () => {
    const message = await send(client, await client.anInvoice());
    stage.catcher.refuse = () => ({ responseCode: 550, message: 'No such mailbox' });
    await stage.run();
    const failed = await messageOf(client, message);
    expect(failed).toMatchObject({ status: 'failed', attempts: 1, next_attempt_at: null });
    expect(failed.reason).toContain('No such mailbox');
    stage.catcher.refuse = () => null;
    const path = `/v1/finance/messages/${message.id}/retry`;
    expect(good(await client.post(path), 200)).toMatchObject({ status: 'queued', attempts: 0 });
    expect(await stage.mails()).toHaveLength(1);
    expect(await client.post(path)).toMatchObject({
      status: 409,
      body: { code: 'message_not_failed' },
    });
  });

  it('is taken over from a process that died with it', async () => {
    const message = await send(client, await client.anInvoice());
    // As a process does that takes it and is killed.
    await stage.service.database.query(
      `UPDATE mail_messages SET attempts = 1, next_attempt_at = $2 WHERE message_id = $1`,
      [uuidOf('msg', message.id), new Date(stage.service.clock.now().getTime() + 180_000)],
    );
    expect(await stage.mails()).toEqual([]);
    stage.service.clock.advance({ seconds: 240 });
    expect(await stage.mails()).toHaveLength(1);
    expect(await messageOf(client, message)).toMatchObject({ status: 'sent', attempts: 2 });
  });

  it('is not sent any more where its document was withdrawn', async () => {
    const invoice = await client.anInvoice();
    const message = await send(client, invoice);
    await client.void(invoice);
    expect(await stage.mails()).toEqual([]);
    expect(await messageOf(client, message)).toMatchObject({
      status: 'canceled',
      reason: 'document_not_sendable',
    });
  });
});

describe('a message is refused', () => {
  it.each([
    ['of a draft', { issue: false }, {}, 409, 'document_not_issued'],
    ['without an address', { customer: { name: 'Globex' } }, {}, 422, 'recipient_required'],
    ['that thanks for nothing', {}, { kind: 'receipt' }, 409, 'document_not_sendable'],
    [
      'that reminds of a quote',
      { kind: 'quote' },
      { kind: 'reminder' },
      409,
      'document_not_sendable',
    ],
    ['to no address', {}, { to: [] }, 422, 'invalid_email'],
    ['to half an address', {}, { to: ['a@b.example', 'nobody'] }, 422, 'invalid_email'],
    ['of a kind that there is not', {}, { kind: 'answer' }, 422, 'not_in_list'],
  ])('%s', async (_which, document, body, status, code) => {
    const { id } = await client.anInvoice(document as DocumentWish);
    const answer = await client.post(`/v1/finance/documents/${id}/send`, body);
    expect(answer).toMatchObject({ status, body: { code } });
    expect(await stage.mails()).toEqual([]);
  });

  it('of somebody else', async () => {
    const { id } = await client.anInvoice();
    const message = await send(client, { id });
    const stranger = await stage.service.aClient();
    const answers = [
      await stranger.post(`/v1/finance/documents/${id}/send`),
      await stranger.get(`/v1/finance/messages/${message.id}`),
      await stranger.post(`/v1/finance/messages/${message.id}/retry`),
      await stranger.get('/v1/finance/messages/msg_1'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    const { body } = await stranger.get('/v1/finance/messages');
    expect(body['data']).toEqual([]);
    await stage.mails();
  });

  it('that is the twenty-first of a document within a day', async () => {
    const invoice = await client.anInvoice();
    for (let count = 0; count < 20; count += 1) await send(client, invoice);
    const path = `/v1/finance/documents/${invoice.id}/send`;
    expect(await client.post(path)).toMatchObject({
      status: 409,
      body: { code: 'too_many_messages' },
    });
    stage.service.clock.advance({ hours: 25 });
    await send(client, invoice);
    await stage.mails();
  });

  it('where nothing can be sent', async () => {
    const { database, clock } = stage.service;
    const without = await startTestService({ database, clock, mail: null });
    try {
      const other = await without.aClient();
      const invoice = await other.anInvoice();
      const answer = await other.post(`/v1/finance/documents/${invoice.id}/send`);
      expect(answer).toMatchObject({ status: 409, body: { code: 'mail_not_configured' } });
    } finally {
      await without.close();
    }
  });
});

it('A message does not wait behind all that another account sends', async () => {
  const other = await stage.service.aClient();
  const crowd: MessageBody[] = [];
  for (let n = 0; n < 20; n += 1) crowd.push(await send(client, await client.anInvoice()));
  const late = await send(other, await other.anInvoice());
  const order = (await stage.mails()).map(({ messageId }) => messageId);
  expect(order).toHaveLength(21);
  const placeOf = ({ id }: MessageBody) => order.indexOf(`<${id}@quittance.example>`);
  // Behind the others only three lanes could be slower, and it would be the eighteenth.
  for (const one of [crowd[0]!, late]) expect(placeOf(one)).toBeLessThan(17);
});

it('Messages of several processes are sent once each', async () => {
  const { database, clock } = stage.service;
  const second = await mailStage({ database, clock });
  const third = await mailStage({ database, clock });
  try {
    const invoices = await Promise.all(Array.from({ length: 12 }, () => client.anInvoice()));
    await Promise.all(invoices.map((invoice) => send(client, invoice)));
    const stages = [stage, second, third];
    const all = await Promise.all(stages.map((one) => one.mails()));
    const ids = all.flat().map(({ messageId }) => messageId);
    expect(ids).toHaveLength(12);
    expect(new Set(ids).size).toBe(12);
  } finally {
    await second.close();
    await third.close();
  }
});
