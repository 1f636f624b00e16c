import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccountMode } from '../../../src/auth/index.js';
import { publicId, uuidOf } from '../../../src/kernel/ids.js';
import { MailWorker } from '../../../src/mail/application/mail-worker.js';
import { ProviderReceiptClaims } from '../../../src/payments/index.js';
import { byOperator } from '../../../src/platform/process-identity.js';
import type { TestClient } from '../../support/client.js';
import { untilAllHaveEnded } from '../../support/books.js';
import { sandboxDelivery } from '../../support/sandbox-delivery.js';
import { startTestService, testConfig, type TestService } from '../../support/service.js';
import { expectBooksToAgree, good } from '../documents/document-calls.js';
import { expectProblem } from '../expectations.js';
import { mailStage, messageOf, messagesOf } from '../mail/mail-calls.js';

// Each way to money or mail that is made up, for an account that is live and one that is a test.

const SECRET = 'whsec_kD9vQ2xT7mB4nR8sL1wZ6yC3pH5jF0gA';

/** `gateway-a` has settings that were made up for it, and the sandbox was given to everybody. */
const gateways = testConfig(0).gateways.map((gateway) =>
  gateway.name === 'gateway-a' ? { ...gateway, accounts: 'tests' } : gateway,
);

let service: TestService;
let live: TestClient;
let test: TestClient;

beforeAll(async () => {
  service = await startTestService({ gateways, demo: true, mail: null });
  live = await service.aClient({ mode: 'live' });
  test = await service.aClient();
});
afterAll(() => service.close());

const sendOne = async (client: TestClient) => {
  const { id } = await client.anInvoice();
  return client.post<{ id: string }>(`/v1/finance/documents/${id}/send`);
};

const linksOf = (invoice: { id: string }) => `/v1/finance/documents/${invoice.id}/payment-links`;

describe('the mode of an account', () => {
  it.each(['live', 'test'] as const)('is told (%s), marks its secrets, and stays', async (mode) => {
    const client = await service.aClient({ mode });
    const seller = good(await client.get<{ mode: AccountMode }>('/v1/finance/seller'), 200);
    expect(seller.mode).toBe(mode);
    const other = await client.patch('/v1/finance/seller', { mode: 'test' });
    expectProblem(other, 422, 'unknown_field');
    const changed = service.database.query(`UPDATE accounts SET mode = 'test'`);
    await expect(changed).rejects.toThrow('UPDATE on accounts is refused');
    const made = await client.post<{ client_secret: string }>('/v1/clients', {
      name: 'shop',
      scopes: ['documents:read'],
    });
    const { client_secret: secret } = good(made, 201);
    const token = await service.call<{ refresh_token: string }>('/v1/auth/token', {
      method: 'POST',
      body: { client_id: client.id, client_secret: client.secret },
    });
    const { refresh_token: first } = good(token, 200);
    const next = await service.call<{ refresh_token: string }>('/v1/auth/token', {
      method: 'POST',
      body: {
        grant_type: 'refresh_token',
        client_id: client.id,
        client_secret: client.secret,
        refresh_token: first,
      },
    });
    const marks = [secret, first, good(next, 200).refresh_token].map((one) => one.slice(0, 9));
    expect(marks).toEqual(Array(3).fill(`qtc_${mode}_`));
  });
});

describe('money that is made up', () => {
  it.each(['sandbox', 'gateway-a'])(
    'through %s asks a test, and never a live one',
    async (name) => {
      const wish = { gateway: name };
      good(await test.post(linksOf(await test.anInvoice()), wish), 201);
      const refused = await live.post(linksOf(await live.anInvoice()), wish);
      expectProblem(refused, 404, 'gateway_not_found');
      expect(refused.text).toContain('may use: gateway-b');
    },
  );

  it('is on no page of a live one', async () => {
    const pages = await Promise.all(
      [live, test].map(async (client) => {
        const invoice = await client.anInvoice();
        const path = `/v1/portal/${await client.aPortalToken(invoice)}`;
        const page = await service.call(path, { headers: { accept: 'text/html' } });
        const wish = { gateway: 'sandbox' };
        const pay = await service.call(`${path}/pay`, { method: 'POST', body: wish });
        return [page.text.includes('/pay"'), pay.status];
      }),
    );
    expect(pages).toEqual([
      [false, 404],
      [true, 200],
    ]);
  });

  it('is no gateway that a live one may make for itself; its secrets are judged, too', async () => {
    const own = { name: 'mine', provider: 'sandbox', settings: { webhook_secret: SECRET } };
    const refused = await live.post('/v1/finance/gateways', own);
    expectProblem(refused, 422, 'provider_for_tests');
    good(await test.post('/v1/finance/gateways', own), 201);
    const weak = { name: 'shop', provider: 'stripe', settings: { webhook_secret: 'whsec_shop' } };
    expectProblem(await live.post('/v1/finance/gateways', weak), 422, 'invalid_setting');
    good(await test.post('/v1/finance/gateways', weak), 201);
  });

  it('pays no link of a live one, also if that is from a time when another provider had its name', async () => {
    const invoice = await live.anInvoice();
    const [link] = await service.database.query<{ id: string }>(
      `INSERT INTO payment_links (account_id, payment_link_id, document_id, gateway, amount, currency,
         status, created_at, expires_at)
       SELECT account_id, gen_random_uuid(), document_id, 'sandbox', total, currency, 'open', now(),
         now() + interval '1 day'
       FROM documents WHERE document_id = $1 RETURNING payment_link_id AS id`,
      [uuidOf('doc', invoice.id)],
    );
    const id = publicId('plink', link?.id ?? '');
    const told = { id, amount: 11_900, currency: 'EUR', gateway: 'sandbox' };
    const delivery = service.paidDelivery(told);
    const taken = await service.call('/v1/webhooks/sandbox', { method: 'POST', ...delivery });
    expect(taken.body).toEqual({ status: 'ignored' });
    expect(await live.read(invoice)).toMatchObject({ status: 'open', amount_paid: 0 });
    const [kept] = await service.database.query<{ id: string; account_id: string | null }>(
      `SELECT provider_payment_id AS id, account_id FROM provider_receipts
       WHERE gateway = 'sandbox' AND link_reference = $1`,
      [told.id],
    );
    expect(kept?.account_id).toBeNull();
    const claims = service.app.get(ProviderReceiptClaims);
    const claim = async (client: TestClient) =>
      claims.claim(byOperator(uuidOf('acc', client.accountId) ?? ''), 'sandbox', kept?.id ?? '');
    await expect(claim(live)).rejects.toMatchObject({ code: 'gateway_not_found' });
    expect(await claim(test)).toMatchObject({ reason: 'foreign_gateway' });
  });

  it('comes to the bank of no live one', async () => {
    const body = { gateway: 'sandbox', provider_payout_id: 'po_1', sent_on: '2026-11-17' };
    const stated = { ...body, currency: 'EUR', amount: 500 };
    const answers = await Promise.all(
      [live, test].map(async (client) => client.post('/v1/finance/payouts', stated)),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 201]);
    const data = { payout_id: 'po_2', amount: 500, currency: 'EUR', at: '2026-11-20T10:00:00Z' };
    const told = sandboxDelivery(service, 'payout.paid', data);
    await service.call('/v1/webhooks/sandbox', { method: 'POST', ...told });
    const { data: payouts } = good(await live.get<{ data: [] }>('/v1/finance/payouts'), 200);
    expect(payouts).toEqual([]);
    await expectBooksToAgree(service);
  });
});

describe('a payer', () => {
  it.each([
    ['https://shop.example/thanks', 201, 201],
    ['http://shop.example/thanks', 422, 422],
    ['http://localhost:8080/thanks', 422, 201],
    ['https://127.0.0.1/thanks', 422, 201],
  ])(
    'is sent back to %s by live accounts: %i, by tests: %i',
    async (return_url, ofLive, ofTest) => {
      const ask = async (client: TestClient) =>
        client.post(linksOf(await client.anInvoice()), { gateway: 'gateway-b', return_url });
      const answers = [await ask(live), await ask(test)];
      expect(answers.map(({ status }) => status)).toEqual([ofLive, ofTest]);
      for (const answer of answers.filter(({ status }) => status !== 201))
        expectProblem(answer, 422, 'invalid_url');
    },
  );
});

describe('a demo without a mail server', () => {
  it('shows the messages of tests, and takes none of a live one', async () => {
    expectProblem(await sendOne(live), 409, 'mail_not_configured');
    const sent = good(await sendOne(test), 201);
    good(await live.patch('/v1/finance/mail-settings', { send_documents: true }), 200);
    const automatic = await live.anInvoice();
    await untilAllHaveEnded(service);
    await service.app.get(MailWorker).run();
    expect(await messageOf(test, sent)).toMatchObject({ status: 'sent' });
    const [failed] = await messagesOf(live, automatic);
    expect(failed).toMatchObject({ status: 'failed', reason: 'mail_not_configured' });
    // And one that a mail server took before.
    const stage = await mailStage({ database: service.database, gateways });
    const before = await sendOne(await stage.service.aClient({ of: live }));
    await stage.mails();
    await stage.close();
    const list = await service.call('/mail');
    expect(list.text).toContain(sent.id);
    const ofLive = [failed?.id ?? '', good(before, 201).id];
    for (const id of ofLive) {
      expect(list.text).not.toContain(id);
      expect((await service.call(`/mail/${id}`)).status).toBe(404);
    }
    expect((await service.call(`/mail/${sent.id}`)).status).toBe(200);
  });
});
