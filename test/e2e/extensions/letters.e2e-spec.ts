import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidOf } from '../../../src/kernel/ids.js';
import { defineExtension } from '../../../src/extensions/extension.js';
import { Installation } from '../../../src/extensions/installation.js';
import { ExtensionLetters } from '../../../src/mail/index.js';
import { createLog } from '../../../src/platform/observability/log.js';
import type { TestClient } from '../../support/client.js';
import { observers } from '../../support/http.js';
import {
  linkIn,
  type MailStage,
  mailStage,
  messageOf,
  messagesOf,
  send,
} from '../mail/mail-calls.js';

/* Letters of an extension: asked for as ours are, judged when they leave, in the house's frame. */

/** The next letter; a function writes it. */
const next: { letter: unknown } = { letter: null };
const GOOD = { subject: 'Thank you', text: 'You have points.\n\nUse them soon.' };

const post = defineExtension({
  name: 'post',
  quittance: '^0.2',
  letters: [
    {
      name: 'thanks',
      withPdf: true,
      write: ({ number, total }, { name, timeZone }) => ({
        subject: `Thank you for ${number}`,
        text: `${name} thanks you for ${total.toString()}.`,
        html: `<p>${name} <b>thanks</b> you<br/> in ${timeZone}, <a href="https://acme.example/?a=1&amp;b=2">really</a>.</p>`,
      }),
    },
    {
      name: 'any',
      write: async () => {
        const { letter } = next;
        return (typeof letter === 'function' ? letter() : letter) as typeof GOOD;
      },
    },
  ],
});

let stage: MailStage;
let client: TestClient;
const lines: Record<string, unknown>[] = [];
beforeAll(async () => {
  const log = createLog('info', {
    write: (line) => lines.push(JSON.parse(line) as object as never),
  });
  stage = await mailStage({ installation: new Installation([post]), log });
  // The document of a plain installation knows none of its letters.
  observers.delete(stage.service.url);
});
afterAll(() => stage.close());
beforeEach(async () => {
  client = await stage.service.aClient();
  lines.length = 0;
});

describe('a letter of an extension', () => {
  it('goes by the route of ours, in the frame of ours', async () => {
    const invoice = await client.anInvoice();
    const message = await send(client, invoice, { kind: 'ext:post:thanks', note: 'See you.' });
    expect(message).toMatchObject({ status: 'queued', kind: 'ext:post:thanks' });
    const [mail, ...others] = await stage.mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      subject: `Thank you for ${invoice.number}`,
      from: { value: [{ name: 'Acme' }] },
      to: { value: [{ address: 'accounts@globex.example' }] },
    });
    expect(mail?.html).toContain('Acme <b>thanks</b> you<br /> in UTC');
    expect(mail?.html).toContain('href="https://acme.example/?a=1&amp;b=2"');
    expect(mail?.html).toContain('See you.');
    expect(mail?.text).toContain('Acme thanks you for 119.00 EUR.');
    expect(
      await stage.service.call(linkIn(mail!), { headers: { accept: 'text/html' } }),
    ).toMatchObject({ status: 200 });
    expect(mail?.attachments[0]).toMatchObject({ filename: `${invoice.number}.pdf` });
    expect(await messageOf(client, message)).toMatchObject({ status: 'sent' });
  });

  it('of text alone has its paragraphs, and no mark of its own', async () => {
    next.letter = { ...GOOD, text: 'Points < 100 & more.\n\nUse them.' };
    await send(client, await client.anInvoice(), { kind: 'ext:post:any' });
    const [mail] = await stage.mails();
    expect(mail?.html).toContain('Points &lt; 100 &amp; more.</p>');
    expect(mail?.text).toContain('Points < 100 & more.\n\nUse them.');
    expect(mail?.attachments).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['none', null, 'is none'],
    ['without a text', { subject: 'Hello' }, 'has no text'],
    ['without a subject', { ...GOOD, subject: ' ' }, 'has no subject'],
    [
      'with a header in its subject',
      { ...GOOD, subject: 'Hi\r\nBcc: all@x.example' },
      'has a subject with line breaks',
    ],
    [
      'with a break of Unicode in its subject',
      { ...GOOD, subject: 'Hi\u2028Bcc: a@x.example' },
      'has a subject with line breaks',
    ],
    [
      'with a subject without end',
      { ...GOOD, subject: 'a'.repeat(201) },
      'has a subject of more than 200 characters',
    ],
    [
      'with a part of its own',
      { ...GOOD, bcc: 'all@x.example' },
      'has parts that no letter has: bcc',
    ],
    ['with a script', { ...GOOD, html: '<p>Hi<script>steal()</script></p>' }, 'the element script'],
    [
      'with a handler',
      { ...GOOD, html: '<p onclick="steal()">Hi</p>' },
      'the attribute onclick of p',
    ],
    [
      'with a picture from elsewhere',
      { ...GOOD, html: '<img src="https://x.example/1.png"/>' },
      'the element img',
    ],
    [
      'with a link that runs',
      { ...GOOD, html: '<a href="javascript:steal()">Hi</a>' },
      'the link javascript:steal()',
    ],
    [
      'with a style that fetches',
      { ...GOOD, html: '<p style="background:URL(//x.example)">Hi</p>' },
      'the style background',
    ],
    ['with half an element', { ...GOOD, html: '<p>Hi' }, 'has html that is not well-formed'],
    [
      'that leaves its frame',
      { ...GOOD, html: '</letter><script>x()</script><letter>' },
      'has html that',
    ],
  ])('%s is not sent, and the log names its extension', async (_, letter, reason) => {
    next.letter = letter;
    const message = await send(client, await client.anInvoice(), { kind: 'ext:post:any' });
    expect(await stage.mails()).toEqual([]);
    const settled = await messageOf(client, message);
    expect(settled).toMatchObject({ status: 'failed', attempts: 1 });
    expect(settled.reason).toContain('the letter ext:post:any ');
    expect(settled.reason).toContain(reason);
    expect(lines.find(({ msg }) => msg === 'message not sent')).toMatchObject({
      level: 'warn',
      extension: 'post',
      message: message.id,
    });
  });

  it('whose extension throws is tried again', async () => {
    next.letter = () => {
      throw new Error('no points today');
    };
    const message = await send(client, await client.anInvoice(), { kind: 'ext:post:any' });
    expect(await stage.mails()).toEqual([]);
    expect(await messageOf(client, message)).toMatchObject({
      status: 'queued',
      reason: 'ext:post:any: no points today',
      attempts: 1,
    });
    next.letter = GOOD;
    stage.service.clock.advance({ seconds: 120 });
    expect(await stage.mails()).toHaveLength(1);
    expect(await messageOf(client, message)).toMatchObject({ status: 'sent', attempts: 2 });
  });

  it.each(['ext:post:gone', 'ext:other:thanks', 'ext:POST:thanks', 'thanks'])(
    '%s is refused, as there is none',
    async (kind) => {
      const { id } = await client.anInvoice();
      const answer = await client.post(`/v1/finance/documents/${id}/send`, { kind });
      expect(answer).toMatchObject({ status: 422, body: { code: 'not_in_list' } });
      expect(answer.body).toMatchObject({ errors: [{ pointer: '/kind', code: 'not_in_list' }] });
    },
  );

  it('counts among the messages of a document, and waits for room where a job asks', async () => {
    next.letter = GOOD;
    const invoice = await client.anInvoice();
    const path = `/v1/finance/documents/${invoice.id}/send`;
    for (let at = 0; at < 20; at += 1) await send(client, invoice, { kind: 'ext:post:any' });
    expect(await client.post(path, { kind: 'ext:post:any' })).toMatchObject({
      status: 409,
      body: { code: 'too_many_messages' },
    });
    expect(await stage.mails()).toHaveLength(20);
    const letters = stage.service.app.get(ExtensionLetters);
    const accountId = uuidOf('acc', client.accountId)!;
    const documentId = uuidOf('doc', invoice.id)!;
    const ask = async (fact: string) =>
      letters.send(accountId, documentId, 'ext:post:any', { fact });
    await ask('reached:100');
    await ask('reached:100');
    expect(await stage.mails()).toEqual([]);
    const [message, ...sent] = await messagesOf(client, invoice);
    expect(message).toMatchObject({ status: 'queued', reason: 'too_many_messages' });
    expect(sent.filter(({ status }) => status === 'sent')).toHaveLength(20);
    stage.service.clock.advance({ hours: 25 });
    expect(await stage.mails()).toHaveLength(1);
    await expect(
      letters.send(accountId, documentId, 'ext:post:gone', { fact: 'a' }),
    ).rejects.toThrow('ext:post:any');
  });

  it('is in the OpenAPI document, where its kinds are asked for and shown', async () => {
    const { body } = await stage.service.call<{
      components: {
        schemas: Record<
          string,
          { enum?: string[]; properties: Record<string, { enum: string[] }> }
        >;
      };
    }>('/v1/openapi.json');
    const { MessageKind, SendDocumentRequest } = body.components.schemas;
    expect(MessageKind?.enum).toContain('ext:post:thanks');
    expect(SendDocumentRequest?.properties['kind']?.enum).toEqual([
      'document',
      'receipt',
      'reminder',
      'ext:post:thanks',
      'ext:post:any',
    ]);
  });
});
