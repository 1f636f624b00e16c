import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MessageList } from '../../../src/mail/wire/message.js';
import { LANGUAGES } from '../../../src/documents/index.js';
import type { TestClient } from '../../support/client.js';
import { startTestService } from '../../support/service.js';
import { good } from '../documents/document-calls.js';
import { type MailStage, mailStage, send } from './mail-calls.js';

const LIMITS = { document: 5, recipient: 3, account: 4 };
const OLD = { iban: 'DE89370400440532013000', holder: 'Acme', bank_name: 'Commerzbank' };
const NEW = { iban: 'GB29NWBK60161331926819' };
const OFFICE = 'office@acme.example';

let stage: MailStage;
let client: TestClient;

beforeAll(async () => {
  stage = await mailStage({ mailLimits: LIMITS });
});
afterAll(() => stage.close());
beforeEach(async () => {
  client = await stage.service.aClient();
  await change({ name: 'Acme', email: OFFICE, bank_accounts: [OLD] });
  await stage.mails();
});

const change = async (body: object) =>
  good(await client.patch<{ version: number }>('/v1/finance/seller', body), 200);
const readers = async () =>
  (await stage.mails()).flatMap(({ to }) => [to].flat().map((one) => one?.text));
const listed = async () =>
  good(await client.get<MessageList>('/v1/finance/messages?limit=100'), 200).data;

describe('the seller is told', () => {
  it('which account it was and is, by whom, and what to do', async () => {
    await change({ bank_accounts: [NEW] });
    const [mail, ...others] = await stage.mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      subject: 'Your bank details were changed',
      to: { value: [{ address: OFFICE }] },
      attachments: [],
    });
    const parts = [
      'Payment details: Acme, Commerzbank, ****3000 → ****6819',
      client.id,
      '127.0.0.1',
      'UTC',
      'revoke that API client at once',
    ];
    for (const part of parts) {
      expect(mail?.text).toContain(part);
      expect(mail?.html).toContain(part);
    }
    for (const { iban } of [OLD, NEW]) expect(mail?.text).not.toContain(iban.slice(4, -4));
    expect(await listed()).toMatchObject([
      { kind: 'details_changed', document_id: null, to: [OFFICE], status: 'sent' },
      {},
    ]);
  });

  it.each([
    ['a holder', { bank_accounts: [{ ...OLD, holder: 'Eve' }] }],
    ['a BIC, which is not shown', { bank_accounts: [{ ...OLD, bic: 'COBADEFFXXX' }] }],
    ['an account that is gone', { bank_accounts: [] }],
    ['a second account', { bank_accounts: [OLD, NEW] }],
    ['a payee', { payee: { name: 'Factoring AG' } }],
    ['an account in the notes', { document_notes: 'New bank: gb29 NWBK 6016 1331 9268 19.' }],
    ['an account in the footer', { template: { footer: `Pay to ${NEW.iban}` } }],
    [
      'an account in a paragraph',
      { template: { blocks: [{ place: 'end', text: `Pay to ${NEW.iban}` }] } },
    ],
  ])('of %s', async (_which, body) => {
    await change(body);
    const [mail] = await stage.mails();
    expect(mail?.subject).toBe('Your bank details were changed');
  });

  it.each([
    ['what is as it was', { bank_accounts: [OLD] }],
    ['an address that is only spelled otherwise', { email: 'Office@Acme.Example' }],
    ['particulars that no money follows', { name: 'Acme Ltd', document_notes: 'Thank you.' }],
  ])('nothing of %s', async (_which, body) => {
    await change(body);
    expect(await stage.mails()).toEqual([]);
  });

  it('at the address of before, and at the new one too where that changed along', async () => {
    await change({ email: 'eve@evil.example', bank_accounts: [NEW] });
    expect((await readers()).toSorted()).toEqual(['eve@evil.example', OFFICE]);
  });

  it('at the address of before, where only that changed: later letters would go elsewhere', async () => {
    await change({ email: 'eve@evil.example' });
    const [mail, ...others] = await stage.mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      subject: 'Your e-mail address was changed',
      to: { value: [{ address: OFFICE }] },
    });
    expect(mail?.text).toContain(`${OFFICE} → eve@evil.example`);
    await change({ email: null });
    expect(await readers()).toEqual(['eve@evil.example']);
  });

  it('in its language of before, whatever is changed along', async () => {
    await change({ language: 'de' });
    await change({ language: 'th', name: 'Nobody', bank_accounts: [NEW] });
    const [mail] = await stage.mails();
    expect(mail).toMatchObject({
      subject: 'Ihre Bankverbindung wurde geändert',
      from: { value: [{ name: 'Acme' }] },
    });
  });

  it('in each language in its own words', async () => {
    const subjects = new Set<string | undefined>();
    for (const language of LANGUAGES) {
      client = await stage.service.aClient();
      await change({ email: OFFICE, language });
      await change({ bank_accounts: [NEW] });
      const [mail] = await stage.mails();
      subjects.add(mail?.subject);
      expect(mail?.html).toContain(`lang="${language}`);
    }
    expect(subjects.size).toBe(LANGUAGES.length);
  });
});

describe('these messages', () => {
  it('take no place of others, and leave where others have none', async () => {
    const invoice = await client.anInvoice();
    const to = { to: [OFFICE] };
    for (let count = 0; count < LIMITS.recipient; count += 1) await send(client, invoice, to);
    const refused = await client.post(`/v1/finance/documents/${invoice.id}/send`, to);
    expect(refused).toMatchObject({ status: 409, body: { limit: 'recipient' } });
    await change({ bank_accounts: [NEW] });
    expect(await stage.mails()).toHaveLength(LIMITS.recipient + 1);
    await send(client, invoice);
    expect(await stage.mails()).toHaveLength(1);
  });

  it('wait where somebody changes it over and over, and none is lost', async () => {
    const changes = LIMITS.document + 3;
    for (let count = 0; count < changes; count += 1) {
      await change({ bank_accounts: [count % 2 === 0 ? NEW : OLD] });
    }
    // One of them left when the account was set up.
    expect(await stage.mails()).toHaveLength(LIMITS.document - 1);
    expect(await listed()).toContainEqual(
      expect.objectContaining({ status: 'queued', reason: 'too_many_messages' }),
    );
    stage.service.clock.advance({ hours: 25 });
    expect(await stage.mails()).toHaveLength(changes - LIMITS.document + 1);
  });

  it('are there with their change, or not at all', async () => {
    const { version } = await change({ phone: '+49 30 1234567' });
    const stale = await client.patch(
      '/v1/finance/seller',
      { bank_accounts: [NEW] },
      { 'If-Match': `"${version - 1}"` },
    );
    expect(stale.status).toBe(412);
    const once = { 'Idempotency-Key': 'once' };
    for (let count = 0; count < 2; count += 1) {
      await client.patch('/v1/finance/seller', { bank_accounts: [NEW] }, once);
    }
    expect(await readers()).toEqual([OFFICE]);
  });

  it('are not queued where nothing can be sent; the audit log has the change', async () => {
    const { database, clock } = stage.service;
    const without = await startTestService({ database, clock, mail: null });
    try {
      client = await without.aClient();
      await change({ email: OFFICE, bank_accounts: [OLD] });
      await change({ bank_accounts: [NEW] });
      expect(await listed()).toEqual([]);
      const { body } = await client.get('/v1/audit?action=seller.updated');
      expect(body['data']).toMatchObject([
        {
          before: { bank_accounts: [{ iban: '****3000' }] },
          after: { bank_accounts: [{ iban: '****6819' }] },
        },
        {},
      ]);
    } finally {
      await without.close();
    }
  });
});

it('A demo without a mail server shows it.', async () => {
  const demo = await startTestService({ mail: null, demo: true, mailSeconds: 1 });
  try {
    client = await demo.aClient();
    await change({ email: OFFICE, bank_accounts: [OLD] });
    await change({ bank_accounts: [NEW] });
    await expect
      .poll(async () => (await demo.call('/mail')).text)
      .toMatch(/(Your bank details were changed.*){2}/s);
    const { text } = await demo.call('/mail');
    const [, id] = /href="(\/mail\/msg_\w+)"/.exec(text) ?? [];
    expect((await demo.call(id!)).text).toContain('****6819');
  } finally {
    await demo.close();
  }
});
