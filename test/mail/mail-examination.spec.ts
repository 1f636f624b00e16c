import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examineMail, examineMailDomain } from '../../src/mail/index.js';
import { nameRecords } from '../../src/platform/http/outgoing/name-records.js';
import { MailCatcher } from '../support/mail-catcher.js';
import { aRecordServer, type Records } from '../support/record-server.js';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const dkim = {
  domainName: 'acme.example',
  keySelector: 'q1',
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
};
const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
const KEY_NAME = 'q1._domainkey.acme.example';
const DKIM = { [KEY_NAME]: { TXT: [`v=DKIM1; k=rsa; p=${key}`] } };
const SPF = { TXT: ['other', 'v=spf1 include:mail.example -all'] };
const WHOLE: Records = {
  'acme.example': { ...SPF, MX: ['10 mx.acme.example'] },
  ...DKIM,
  '_dmarc.acme.example': { TXT: ['v=DMARC1; p=quarantine'] },
  'smtp.acme.example': { A: ['203.0.113.7'] },
  '7.113.0.203.in-addr.arpa': { PTR: ['smtp.acme.example'] },
};

let catcher: MailCatcher;
beforeAll(async () => {
  catcher = await MailCatcher.start();
});
afterAll(() => catcher.stop());

async function asking<Result>(
  given: Records,
  work: (records: ReturnType<typeof nameRecords>) => Promise<Result>,
): Promise<Result> {
  const server = await aRecordServer(given);
  try {
    return await work(nameRecords([server.at]));
  } finally {
    server.close();
  }
}

const examined = async (given: Records) =>
  asking(given, async (records) =>
    examineMail({ url: catcher.url, from: 'billing@acme.example', dkim }, records),
  );

/** By check: `ok`, `warn` or `FAIL`. */
async function domain(given: Records, url = 'smtp://smtp.acme.example:587') {
  const config = { url, from: 'billing@acme.example', dkim };
  const found = await asking(given, async (records) => examineMailDomain(config, records));
  const states = found.map(({ check, ok, warning }) => [
    check.slice('mail_'.length),
    warning ? 'warn' : ok ? 'ok' : 'FAIL',
  ]);
  return { found, states: Object.fromEntries(states) as Record<string, string> };
}

const FINE = { spf: 'ok', dkim: 'ok', dmarc: 'ok', mx: 'ok', reverse: 'ok' };

describe('the domain of messages', () => {
  it('is fine with SPF and the key', async () => {
    expect(await examined({ 'acme.example': SPF, ...DKIM })).toMatch(/SPF and DKIM/);
  });

  it.each<[string, Records, RegExp]>([
    ['without SPF', { 'acme.example': {}, ...DKIM }, /no SPF record/],
    ['without DKIM', { 'acme.example': SPF }, /no DKIM record: publish "v=DKIM1; p=/],
    [
      'with another key',
      { 'acme.example': SPF, [KEY_NAME]: { TXT: ['v=DKIM1; p=AAAA'] } },
      /another key/,
    ],
    ['that cannot be asked', { 'acme.example': 'fails', ...DKIM }, /^could not be asked: no name/],
  ])('is warned of %s', async (_what, records, warning) => {
    const found = await examined(records);
    expect((found as { warning: string }).warning).toMatch(warning);
  });

  it('is looked at whole', async () => {
    expect((await domain(WHOLE)).states).toEqual(FINE);
    const near = await domain(WHOLE, 'smtp://127.0.0.1:25');
    expect(near.states).toEqual(FINE);
  });

  it.each<[string, Records, object]>([
    [
      'two SPF records',
      { 'acme.example': { TXT: ['v=spf1 -all', 'v=spf1 mx -all'], MX: ['10 mx.acme.example'] } },
      { spf: 'FAIL' },
    ],
    [
      'SPF for everybody',
      { 'acme.example': { TXT: ['v=spf1 mx +all'], MX: ['10 mx.acme.example'] } },
      { spf: 'FAIL' },
    ],
    ['no MX', { 'acme.example': SPF }, { mx: 'warn' }],
    ['another key', { [KEY_NAME]: { TXT: ['v=DKIM1; p=AAAA'] } }, { dkim: 'FAIL' }],
    ['no DMARC', { '_dmarc.acme.example': {} }, { dmarc: 'warn' }],
    [
      'DMARC without a policy',
      { '_dmarc.acme.example': { TXT: ['v=DMARC1;'] } },
      { dmarc: 'FAIL' },
    ],
    ['no reverse name', { '7.113.0.203.in-addr.arpa': {} }, { reverse: 'warn' }],
    [
      'a reverse name of somebody else',
      {
        '7.113.0.203.in-addr.arpa': { PTR: ['other.example'] },
        'other.example': { A: ['203.0.113.8'] },
      },
      { reverse: 'warn' },
    ],
    ['a name server that fails', { '_dmarc.acme.example': 'fails' }, { dmarc: 'warn' }],
  ])('is told of %s', async (_what, records, expected) => {
    const { found, states } = await domain({ ...WHOLE, ...records });
    expect(states).toEqual({ ...FINE, ...expected });
    const wrong = found.filter(({ ok, warning }) => warning || !ok);
    expect(wrong.every(({ next }) => next)).toBe(true);
  });

  it('is neither right nor wrong where no name server answers', async () => {
    const config = { url: 'smtp://smtp.acme.example', from: 'billing@acme.example', dkim };
    const found = await examineMailDomain(config, nameRecords(['127.0.0.1:9']));
    for (const { ok, warning, detail } of found) {
      expect({ ok, warning, detail }).toEqual({
        ok: true,
        warning: true,
        detail: expect.stringMatching(/^could not be asked: /),
      });
    }
  });
});

it('A mail server that does not answer is told', async () => {
  const config = { url: 'smtp://127.0.0.1:9', from: 'billing@acme.example', dkim: null };
  await expect(examineMail(config)).rejects.toThrow(/QUITTANCE_SMTP_URL/);
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
