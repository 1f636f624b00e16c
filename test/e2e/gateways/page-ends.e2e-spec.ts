import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CheckoutLookUps } from '../../../src/payments/inbox/application/checkouts/checkout-look-ups.js';
import { PaymentLinks } from '../../../src/payments/index.js';
import type { PaymentLinkBody } from '../../../src/payments/collecting/wire/payment-link.js';
import { uuidIn } from '../../support/books.js';
import type { TestClient } from '../../support/client.js';
import { type ProviderStub, startProviderStub } from '../../support/provider-stub.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';
import { anOwnGateway, OWN_GATEWAYS } from './own-gateways.js';

// A provider's page may end long before its link does.

const MINUTE_MS = 60_000;
const MAKE = 'POST /v2/payments';

let stub: ProviderStub;
let service: TestService;
let client: TestClient;
let invoice: { id: string; customer_id: string };
let portal: string;
let made = 0;

beforeAll(async () => {
  stub = await startProviderStub();
  const settings = { api_key: 'key', api_base: stub.apiBase };
  service = await startTestService({
    checkoutLookUpSeconds: 60,
    gateways: [{ name: 'mollie', provider: 'mollie', accounts: '*', settings }],
  });
});
afterAll(async () => {
  await service.close();
  await stub.close();
});
beforeEach(async () => {
  Object.assign(stub, { payments: {}, objects: {}, calls: [], answers: {}, nextLookUps: [] });
  await service.database.query('DELETE FROM checkout_look_ups');
  client = await service.aClient();
  invoice = await client.anInvoice();
  portal = `/v1/portal/${await client.aPortalToken(invoice)}`;
});

/** The next page that the provider makes is this one; nobody has paid there. */
function aNextPage(minutes: number | null): string {
  made += 1;
  const id = `tr_page${made}`;
  const end = new Date(service.clock.now().getTime() + (minutes ?? 0) * MINUTE_MS).toISOString();
  const checkout = { href: `https://mollie.test/${id}` };
  stub.answers[MAKE] = [
    201,
    { id, ...(minutes !== null && { expiresAt: end }), _links: { checkout } },
  ];
  return id;
}

/** A page as the provider shows it. */
function at(id: string, link: { id: string } | undefined, status = 'open'): void {
  const now = service.clock.now().toISOString();
  stub.payments[id] = {
    resource: 'payment',
    id,
    mode: 'test',
    status,
    amount: { currency: 'EUR', value: '119.00' },
    metadata: { payment_link_id: link?.id },
    createdAt: now,
    ...(status === 'paid' && { paidAt: now }),
  };
}

interface Page {
  url: string;
  expires_at: string;
}
const pay = () => service.call<Page>(`${portal}/pay`, { method: 'POST', body: {} });
const shownPages = async () => {
  const headers = { accept: 'application/json' };
  return (await service.call<{ pay_links: Page[] }>(portal, { headers })).body.pay_links;
};
const linksOf = async () => {
  const path = `/v1/finance/documents/${invoice.id}/payment-links`;
  return (await client.get<{ data: PaymentLinkBody[] }>(path)).body.data;
};
const states = async () => (await linksOf()).map(({ status }) => status);

/** An open page of so many minutes, and the time after. */
async function aPage(minutes: number | null, passed: number) {
  const id = aNextPage(minutes);
  const { body } = await pay();
  const [link] = await linksOf();
  at(id, link);
  service.clock.advance({ seconds: passed * 60 });
  return { id, link, url: body.url, expiresAt: body.expires_at };
}

describe('a pay page', () => {
  it.each([
    [15, 8],
    [null, 60 * 24 * 3],
  ])('of %s minutes is offered again after %s', async (minutes, passed) => {
    const { url } = await aPage(minutes, passed);
    expect((await pay()).body.url).toBe(url);
    expect(await states()).toEqual(['open']);
    const shown = await shownPages();
    expect(shown).toMatchObject([{ url }]);
  });

  it('says when it ends, which may be before its link does', async () => {
    const { link, expiresAt } = await aPage(15, 0);
    const end = link?.page_expires_at ?? '';
    const left = new Date(end).getTime() - service.clock.now().getTime();
    expect(Math.round(left / MINUTE_MS)).toBe(15);
    expect(expiresAt).toBe(end);
    expect(new Date(link?.expires_at ?? '').getTime()).toBeGreaterThan(new Date(end).getTime());
  });

  it.each([9.5, 10.5, 20])(
    'of 15 minutes is closed after %d, and then another one is made',
    async (passed) => {
      const old = await aPage(15, passed);
      stub.calls = [];
      const next = aNextPage(15);
      expect((await pay()).body.url).toBe(`https://mollie.test/${next}`);
      const closing = stub.calls.indexOf(`DELETE /v2/payments/${old.id}`);
      expect(closing).toBeGreaterThanOrEqual(0);
      expect(stub.calls.indexOf(MAKE)).toBeGreaterThan(closing);
      expect(await states()).toEqual(['canceled', 'open']);
    },
  );

  it('that has ended is not shown', async () => {
    await aPage(15, 11);
    const shown = await shownPages();
    expect(shown).toEqual([]);
  });

  it('is not used again by a caller that has closed nothing', async () => {
    const { link } = await aPage(15, 11);
    const next = aNextPage(15);
    const made = await service.app.get(PaymentLinks).create({
      accountId: uuidIn('acc', { id: client.accountId }),
      actor: { type: 'portal', id: null },
      documentId: uuidIn('doc', invoice),
      gateway: 'mollie',
      amountMinor: null,
      expected: null,
      expiresInDays: null,
      returnUrl: null,
      despiteProcessing: false,
      mayReuse: true,
    });
    expect(made).toMatchObject({ url: `https://mollie.test/${next}` });
    expect(made.id).not.toBe(uuidIn('plink', link ?? { id: '' }));
  });

  it('is made once, however many press at once when it has ended', async () => {
    await aPage(15, 20);
    stub.calls = [];
    aNextPage(15);
    const answers = await Promise.all(Array.from({ length: 12 }, pay));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.url}`)).size).toBe(1);
    expect(stub.calls.filter((call) => call === MAKE)).toHaveLength(1);
    expect(await states()).toEqual(['canceled', 'open']);
  });
});

describe('money on a page that has ended', () => {
  it('is found before another page is made, so that nobody pays twice', async () => {
    const old = await aPage(15, 20);
    at(old.id, old.link, 'paid');
    stub.calls = [];
    expectProblem(await pay(), 409, 'document_not_payable');
    expect(stub.calls).not.toContain(MAKE);
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_paid: 11_900 });
    expect(await states()).toEqual(['paid']);
  });

  it('on two pages, as the old one could not be closed, is paid once, and the rest is credit', async () => {
    const old = await aPage(15, 20);
    stub.answers[`DELETE /v2/payments/${old.id}`] = [500, {}];
    const id = aNextPage(15);
    expect((await pay()).status).toBe(200);
    const [first, second] = await linksOf();
    expect([first?.status, second?.status]).toEqual(['canceled', 'open']);
    at(old.id, first, 'paid');
    at(id, second, 'paid');
    delete stub.answers[`DELETE /v2/payments/${old.id}`];
    service.clock.advance({ hours: 1 });
    await service.app.get(CheckoutLookUps).run();
    // The document is paid, so the other page is closed: in the next round, if not in this one.
    service.clock.advance({ hours: 1 });
    await service.app.get(CheckoutLookUps).run();
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_paid: 11_900 });
    expect(await states()).toEqual(['paid', 'paid']);
    const { body } = await client.get<{ data: { amount: number; credited: number }[] }>(
      `/v1/finance/payments?customer_id=${invoice.customer_id}`,
    );
    const sums = body.data.map(({ amount, credited }) => [amount, credited]);
    expect(sums).toHaveLength(2);
    expect(sums).toEqual(
      expect.arrayContaining([
        [11_900, 0],
        [11_900, 11_900],
      ]),
    );
    service.clock.advance({ hours: 2 });
    await service.app.get(CheckoutLookUps).run();
    expect(await client.read(invoice)).toMatchObject({ amount_paid: 11_900 });
  });

  it('that is on its way keeps another page from being made', async () => {
    const old = await aPage(15, 20);
    at(old.id, old.link, 'pending');
    expectProblem(await pay(), 409, 'payment_processing');
    expect(await states()).toEqual(['processing']);
  });
});

describe('the page of a canceled link', () => {
  it('is closed later when its gateway has lost its key meanwhile', async () => {
    const gateway = await anOwnGateway(client, stub);
    const link = await client.aPaymentLink(invoice, { gateway: gateway.id });
    const settings = async (key: string | null) =>
      client.patch(`${OWN_GATEWAYS}/${gateway.id}`, { settings: { api_key: key } });
    expect((await settings(null)).status).toBe(200);
    await client.post(`/v1/finance/payment-links/${link.id}/cancel`);
    stub.calls = [];
    await service.app.get(CheckoutLookUps).run();
    expect(stub.calls).toEqual([]);
    expect((await settings('sk_test_again_0123456789')).status).toBe(200);
    service.clock.advance({ days: 1 });
    await service.app.get(CheckoutLookUps).run();
    expect(stub.calls).toContainEqual(expect.stringMatching(/sessions\/cs_\d+\/expire$/));
  });
});
