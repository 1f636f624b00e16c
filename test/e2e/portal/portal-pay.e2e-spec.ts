import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { sandboxDelivery } from '../../support/sandbox-delivery.js';
import { startTestService, testConfig, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';

// The way from a portal link to a provider's pay page and back, as programs see it.

const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };

interface Page {
  url: string;
  gateway: string;
  amount: number;
  currency: string;
}
interface Links {
  data: { id: string; url: string | null; amount: number; status: string }[];
}

let service: TestService;
let client: TestClient;
let invoice: { id: string; number: string | null };
let path: string;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
  invoice = await client.anInvoice();
  path = `/v1/portal/${await client.aPortalToken(invoice)}`;
});

const pay = (body: object = {}) => service.call<Page>(`${path}/pay`, { method: 'POST', body });
const linksOf = async () =>
  (await client.get<Links>(`/v1/finance/documents/${invoice.id}/payment-links`)).body.data;

describe('the pay action', () => {
  it('makes a page for what is due, and leads to the same one again', async () => {
    await client.pay(invoice, { amount: 1900 });
    const first = await pay();
    expect(first.body).toMatchObject({ gateway: 'sandbox', amount: 10_000, currency: 'EUR' });
    expect((await pay({ gateway: 'sandbox' })).body.url).toBe(first.body.url);
    expect(await linksOf()).toMatchObject([{ url: first.body.url, amount: 10_000 }]);
    await client.pay(invoice, { amount: 1000 });
    const second = await pay();
    expect(second.body.amount).toBe(9000);
    expect(second.body.url).not.toBe(first.body.url);
  });

  it('makes one page, however many press at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => pay()));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.url}`)).size).toBe(1);
    expect(await linksOf()).toHaveLength(1);
  });

  it('uses a link that the integration made', async () => {
    const link = await client.aPaymentLink(invoice, { gateway: 'sandbox' });
    expect((await pay()).body.url).toBe(link.url);
  });

  it('is told in the history as the client’s', async () => {
    await pay();
    const { body } = await client.get<{ data: { type: string; actor: { type: string } }[] }>(
      `/v1/finance/documents/${invoice.id}/history`,
    );
    const made = body.data.find(({ type }) => type === 'payment_link.created');
    expect(made?.actor.type).toBe('portal');
  });

  it('asks first where money is on its way', async () => {
    const link = await client.aPaymentLink(invoice, { gateway: 'sandbox' });
    await service.call('/v1/webhooks/sandbox', {
      method: 'POST',
      ...sandboxDelivery(service, 'payment.processing', {
        payment_id: 'sbx_1',
        payment_link_id: link.id,
        at: service.clock.now().toISOString(),
      }),
    });
    expectProblem(await pay(), 409, 'payment_processing');
    const page = await service.call(path, { headers: { accept: 'text/html' } });
    expect(page.text).toMatch(/<details><summary>[^<]*<\/summary><form[^]*despite_processing/);
    const again = await service.call(`${path}/pay`, {
      method: 'POST',
      body: 'gateway=sandbox&despite_processing=true',
      headers: FORM,
    });
    expect(again.status).toBe(303);
    expect(again.headers.get('location')).toContain('/v1/sandbox/sandbox/plink_');
  });

  it.each([
    ['a gateway that has no key', { gateway: 'gateway-a' }, 404, 'gateway_not_found'],
    ['no gateway at all', { gateway: 'other' }, 404, 'gateway_not_found'],
    ['a wrong tick', { despite_processing: 'yes' }, 422, 'invalid_boolean'],
    ['an unknown field', { amount: 1 }, 422, 'unknown_field'],
  ])('refuses %s', async (_what, body, status, code) => {
    expectProblem(await pay(body), status, code);
  });

  it('refuses what is paid, and says it on the page', async () => {
    await client.pay(invoice, { amount: 11_900 });
    expectProblem(await pay(), 409, 'document_not_payable');
    const page = await service.call(`${path}/pay`, { method: 'POST', body: '', headers: FORM });
    expect([page.status, page.text]).toEqual([
      409,
      expect.stringContaining('Nothing is due here any more.'),
    ]);
  });

  it('makes ten pages an hour at most', async () => {
    for (let part = 1; part <= 10; part += 1) {
      expect((await pay()).status).toBe(200);
      await client.pay(invoice, { amount: 100 });
    }
    expectProblem(await pay(), 409, 'too_many_payment_links');
    service.clock.advance({ hours: 2 });
    expect((await pay()).status).toBe(200);
    service.clock.advance({ hours: -2 });
  });

  it('offers nothing where no gateway makes pages', async () => {
    const gateways = testConfig(0).gateways.filter(({ provider }) => provider !== 'sandbox');
    const without = await startTestService({ gateways });
    try {
      const owner = await without.aClient();
      const token = await owner.aPortalToken(await owner.anInvoice());
      const answer = await without.call(`/v1/portal/${token}/pay`, { method: 'POST', body: {} });
      expectProblem(answer, 404, 'gateway_not_found');
      const page = await without.call(`/v1/portal/${token}`, { headers: { accept: 'text/html' } });
      expect(page.text).not.toContain('/pay"');
    } finally {
      await without.close();
    }
  });
});

const back = (id: string, headers: Record<string, string> = {}) =>
  service.call(`/v1/portal/return/${id}`, { headers });

describe('the way back', () => {
  it('leads the browser that went to pay to its document, and tells the provider nothing', async () => {
    const form = await service.call(`${path}/pay`, { method: 'POST', body: '', headers: FORM });
    const cookie = form.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/HttpOnly; SameSite=Lax/);
    const token = path.split('/').at(-1) ?? '';
    expect(form.headers.get('location')).not.toContain(token);
    const [link] = await linksOf();
    const answer = await back(link?.id ?? '', { cookie: cookie.split(';')[0] ?? '' });
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `${path}?payment=${link?.id}`,
    ]);
  });

  it('is a page with what became of the payment, for any other browser', async () => {
    await pay();
    const [link] = await linksOf();
    const open = await back(link?.id ?? '', { 'accept-language': 'sv' });
    expect(open.text).toContain('Din betalning har inte kommit hit ännu.');
    await client.post(`/v1/finance/payment-links/${link?.id}/cancel`);
    expect((await back(link?.id ?? '')).text).toContain('This payment page is closed.');
    expectProblem(await back('plink_01h455vb4pex5vsknk084sn02q'), 404, 'payment_link_not_found');
  });

  it('of the sandbox is one that was signed', async () => {
    const { url } = (await pay()).body;
    const forged = new URL(url);
    forged.searchParams.set('return_url', 'https://evil.example/');
    const page = await service.call(forged.pathname + forged.search, {});
    expect(page.text).not.toContain('evil.example');
    const real = await service.call(new URL(url).pathname + new URL(url).search, {});
    expect(real.text).toContain('/v1/portal/return/plink_');
  });
});
