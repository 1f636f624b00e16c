import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examineMail } from '../../src/mail/index.js';
import { MailCatcher } from '../support/mail-catcher.js';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const dkim = {
  domainName: 'acme.example',
  keySelector: 'q1',
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
};
const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
const SPF = ['v=spf1 include:mail.example -all'];
const DKIM = ['v=DKIM1; k=rsa; p=', key];

let catcher: MailCatcher;
beforeAll(async () => {
  catcher = await MailCatcher.start();
});
afterAll(() => catcher.stop());

async function examined(records: Record<string, string[][]>) {
  const config = { url: catcher.url, from: 'billing@acme.example', dkim };
  return examineMail(config, async (name) => {
    if (!records[name]) throw new Error('ENOTFOUND');
    return records[name];
  });
}

describe('the domain of messages', () => {
  it('is fine with SPF and the key', async () => {
    const records = { 'acme.example': [['other'], SPF], 'q1._domainkey.acme.example': [DKIM] };
    expect(await examined(records)).toMatch(/SPF and DKIM/);
  });

  it.each([
    ['without SPF', { 'q1._domainkey.acme.example': [DKIM] }, /no SPF record/],
    ['without DKIM', { 'acme.example': [SPF] }, /no DKIM record: add "v=DKIM1; p=/],
    [
      'with another key',
      { 'acme.example': [SPF], 'q1._domainkey.acme.example': [['v=DKIM1; p=AAAA']] },
      /another key/,
    ],
  ])('is warned of %s', async (_what, records, warning) => {
    const found = await examined(records as unknown as Record<string, string[][]>);
    expect((found as { warning: string }).warning).toMatch(warning);
  });
});

it('A mail server that does not answer is told', async () => {
  const config = { url: 'smtp://127.0.0.1:9', from: 'billing@acme.example', dkim: null };
  await expect(examineMail(config, async () => [])).rejects.toThrow(/QUITTANCE_SMTP_URL/);
});

it('Messages are signed with the key', async () => {
  const { SmtpSender } = await import('../../src/mail/infrastructure/smtp-sender.js');
  const sender = new SmtpSender({ url: catcher.url, from: 'billing@acme.example', dkim });
  const mail = {
    id: 'msg_1',
    at: new Date(0),
    fromName: 'Acme',
    replyTo: null,
    to: ['a@b.example'],
  };
  await sender.send({
    ...mail,
    subject: 'S',
    html: '<p>h</p>',
    text: 't',
    attachments: [],
    refuseUrl: null,
  });
  sender.close();
  expect(catcher.raw.at(-1)).toMatch(
    /^DKIM-Signature: v=1; a=rsa-sha256;[^]* d=acme\.example;[^]* s=q1;/m,
  );
});
