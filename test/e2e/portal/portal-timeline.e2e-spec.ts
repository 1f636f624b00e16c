import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';

// The history of a document, as its client reads it, and who counts as a reader.

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const BROWSER = {
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};

interface Tokens {
  data: { first_viewed_at: string | null; last_viewed_at: string | null }[];
}

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});
afterEach(() => service.clock.set(new Date()));

const textsOf = (html: string) =>
  [...html.matchAll(/<time[^>]*>([^<]*)</g)].map(([, text]) => text);
const tokensOf = async ({ id }: { id: string }) =>
  (await client.get<Tokens>(`/v1/finance/documents/${id}/portal-tokens`)).body.data;
const eventsOf = async ({ id }: { id: string }) =>
  (
    await client.get<{ data: { type: string; version: number; actor: { type: string } }[] }>(
      `/v1/finance/documents/${id}/history`,
    )
  ).body.data;

describe('the timeline of a page', () => {
  it('tells of issue, view, payments and refunds, in order', async () => {
    service.clock.set(new Date('2026-11-02T10:00:00Z'));
    const invoice = await client.anInvoice();
    const path = `/v1/portal/${await client.aPortalToken(invoice)}`;
    service.clock.set(new Date('2026-11-03T10:00:00Z'));
    await service.call(path, { headers: BROWSER });
    service.clock.set(new Date('2026-11-05T10:00:00Z'));
    const paid = await client.pay(invoice, { amount: 11_900, method: 'card' });
    service.clock.set(new Date('2026-11-06T10:00:00Z'));
    const { id } = paid.body['payment'] as { id: string };
    await client.post(`/v1/finance/payments/${id}/refunds`, { amount: 900 });
    const html = (await service.call(path, { headers: BROWSER })).text;
    expect(textsOf(html)).toEqual([
      'Issued on 2 November 2026',
      'Viewed on 3 November 2026',
      '€119.00 paid on 5 November 2026',
      '€9.00 refunded on 6 November 2026',
    ]);
    expect(html).toMatch(/5 November 2026<\/td><td>card<\/td><td class="figure"><bdi>€119\.00/);
    const json = await service.call(path, { headers: { accept: 'application/json' } });
    expect(json.body['payments']).toEqual([
      {
        amount: 11_900,
        credited: 0,
        currency: 'EUR',
        method: 'card',
        paid_at: expect.stringMatching(/^2026-11-05T10:00:00/),
      },
    ]);
  });

  it('tells who accepted, and thanks', async () => {
    service.clock.set(new Date('2026-11-02T10:00:00Z'));
    const quote = await client.aQuote();
    const path = `/v1/portal/${await client.aPortalToken(quote)}`;
    const answer = await service.call(`${path}/accept`, {
      method: 'POST',
      body: 'name=Ada+%3Cb%3ELovelace&confirmed=true',
      headers: FORM,
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `${path}?answered=accepted`,
    ]);
    const html = (await service.call(`${path}?answered=accepted`, { headers: BROWSER })).text;
    expect(html).toContain('Thank you. Your acceptance is recorded.');
    expect(html).toContain('Accepted by Ada &lt;b>Lovelace on 2 November 2026');
    expect(await client.read(quote)).toMatchObject({ accepted_by: 'Ada <b>Lovelace' });
    const [event] = await service.database.query<{ data: object }>(
      `SELECT data FROM events WHERE type = 'document.accepted' AND data->'document'->>'id' = $1`,
      [quote.id],
    );
    expect(event?.data).toMatchObject({
      by: 'Ada <b>Lovelace',
      statement: `I agree to Quote ${quote.number}.`,
    });
    const other = await service.call(`${path}?answered=rejected`, { headers: BROWSER });
    expect(other.text).not.toContain('Your rejection is recorded.');
  });
});

describe('a form that lacks something', () => {
  it.each([
    ['nothing at all', '', ['name', 'confirmed'], ''],
    ['a name alone', 'name=Ada', ['confirmed'], 'Ada'],
    ['a blank name', 'name=+&confirmed=true', ['name'], ' '],
    ['a name that is too long', `name=${'x'.repeat(101)}&confirmed=true`, ['name'], 'xxx'],
  ])('with %s keeps what was typed, and says it at the field', async (_what, body, wrong, kept) => {
    const quote = await client.aQuote();
    const path = `/v1/portal/${await client.aPortalToken(quote)}`;
    const answer = await service.call(`${path}/accept`, { method: 'POST', body, headers: FORM });
    expect(answer.status).toBe(422);
    const marked = [...answer.text.matchAll(/<input[^>]*name="(\w+)"[^>]*aria-invalid="true"/g)];
    expect(marked.map(([, field]) => field)).toEqual(wrong);
    for (const field of wrong) expect(answer.text).toContain(`id="${field}-wrong"`);
    expect(answer.text).toContain(`value="${kept}`);
    expect((await client.read(quote)).status).toBe('open');
  });

  it('stays open where a reason is too long', async () => {
    const path = `/v1/portal/${await client.aPortalToken(await client.anInvoice())}`;
    const reason = `Wrong address ${'x'.repeat(2000)}`;
    const answer = await service.call(`${path}/reject`, {
      method: 'POST',
      body: new URLSearchParams({ reason }).toString(),
      headers: FORM,
    });
    expect(answer.status).toBe(422);
    expect(answer.text).toMatch(/<details[^>]*id="reject"[^>]*open/);
    expect(answer.text).toMatch(/aria-describedby="reason-hint reason-wrong"[^>]*>Wrong address x/);
  });
});

describe('a view', () => {
  it('is kept once, and told in the history without a new version', async () => {
    service.clock.set(new Date('2026-11-02T10:00:00Z'));
    const invoice = await client.anInvoice();
    const path = `/v1/portal/${await client.aPortalToken(invoice)}`;
    const { version } = await client.read(invoice);
    for (const hours of [0, 0.5, 3]) {
      service.clock.set(new Date(Date.parse('2026-11-02T10:00:00Z') + hours * 3600 * 1000));
      expect((await service.call(path, { headers: BROWSER })).status).toBe(200);
    }
    expect(await tokensOf(invoice)).toMatchObject([
      {
        first_viewed_at: expect.stringMatching(/^2026-11-02T10:00:00/),
        last_viewed_at: expect.stringMatching(/^2026-11-02T13:00:00/),
      },
    ]);
    const other = `/v1/portal/${await client.aPortalToken(invoice)}`;
    await service.call(other, { headers: BROWSER });
    const viewed = (await eventsOf(invoice)).filter(({ type }) => type === 'document.viewed');
    expect(viewed).toMatchObject([{ version, actor: { type: 'portal' } }]);
    expect((await client.read(invoice)).version).toBe(version);
  });

  it.each([
    ['a program', { accept: '*/*' }],
    ['a program that wants JSON', { ...BROWSER, accept: 'application/json' }],
    ['a prefetch', { ...BROWSER, 'sec-purpose': 'prefetch;prerender' }],
    ['an old prefetch', { ...BROWSER, purpose: 'prefetch' }],
    ['a frame', { ...BROWSER, 'sec-fetch-dest': 'iframe' }],
    ['a script', { ...BROWSER, 'sec-fetch-mode': 'cors' }],
    ['a preview', { ...BROWSER, 'user-agent': 'Slackbot-LinkExpanding 1.0' }],
    ['a scanner of links', { ...BROWSER, 'user-agent': 'Mozilla/5.0 (compatible; bingbot/2.0)' }],
  ])('is not by %s', async (_who, headers) => {
    const invoice = await client.anInvoice();
    await service.call(`/v1/portal/${await client.aPortalToken(invoice)}`, { headers });
    expect(await tokensOf(invoice)).toMatchObject([{ first_viewed_at: null }]);
  });

  it('is not a HEAD, and no GET, HEAD or OPTIONS decides', async () => {
    const quote = await client.aQuote();
    const path = `/v1/portal/${await client.aPortalToken(quote)}`;
    const before = await eventsOf(quote);
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      for (const step of ['accept', 'reject', 'pay']) {
        const answer = await service.call(`${path}/${step}`, { method, headers: BROWSER });
        expect([method, step, answer.status]).toEqual([method, step, 405]);
      }
    }
    await service.call(path, { method: 'HEAD', headers: BROWSER });
    expect(await tokensOf(quote)).toMatchObject([{ first_viewed_at: null }]);
    expect(await eventsOf(quote)).toEqual(before);
  });

  it.each(['accept', 'reject', 'pay'])('%s of another site is refused', async (step) => {
    const quote = await client.aQuote();
    const path = `/v1/portal/${await client.aPortalToken(quote)}/${step}`;
    const body = 'name=Ada&confirmed=true';
    const headers = { ...FORM, 'sec-fetch-site': 'cross-site' };
    const answer = await service.call(path, {
      method: 'POST',
      body: step === 'accept' ? body : '',
      headers,
    });
    expectProblem(answer, 403, 'cross_site_request');
    expect((await client.read(quote)).status).toBe('open');
  });

  it('shows the page also where it cannot be kept', async () => {
    const invoice = await client.anInvoice();
    const path = `/v1/portal/${await client.aPortalToken(invoice)}`;
    const holder = new pg.Client(service.database.url);
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM documents WHERE number = $1 FOR UPDATE', [
      invoice.number ?? '',
    ]);
    const answer = await service.call(path, { headers: BROWSER });
    await holder.query('ROLLBACK');
    await holder.end();
    expect([answer.status, answer.text.includes(invoice.number ?? '')]).toEqual([200, true]);
    expect(await tokensOf(invoice)).toMatchObject([{ first_viewed_at: null }]);
  });
});
