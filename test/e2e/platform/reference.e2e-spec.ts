import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, ElementHandle, Page } from 'puppeteer-core';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareDemo } from '../../../src/demo/demo-account.js';
import { DemoToken } from '../../../src/platform/http/docs/demo-token.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openBrowser } from '../portal/browser.js';

// The page of the reference: as a browser shows it under our policy, and who gets a demo's token.

const SELLER = '[id$="GET/v1/finance/seller"]';

let folder: string;
let service: TestService;
let browser: Browser;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-reference-'));
  service = await startTestService({ dataDir: folder });
  const running = { app: service.app, url: service.url, stop: async () => undefined };
  await prepareDemo(running, service.config);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await service.close();
  await rm(folder, { recursive: true });
});

/** All that a browser complains about, and every address that is not ours. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('requestfailed', (failed) => complaints.push(`failed: ${failed.url()}`));
  page.on('request', (sent) => {
    const url = sent.url();
    if (!url.startsWith(service.url) && !/^(data|blob):/.test(url)) complaints.push(url);
  });
  return complaints;
}

async function click(page: Page, words: string): Promise<void> {
  const seen = await page.waitForFunction(
    (words) =>
      [...document.querySelectorAll<HTMLElement>('button, [role=option]')].find(
        (one) => one.offsetParent && one.textContent.replaceAll(/\s+/g, ' ').includes(words),
      ),
    {},
    words,
  );
  await (seen as ElementHandle<Element>).click();
}

const shows = (page: Page, where: string, words: string) =>
  page.waitForFunction(
    (where, words) =>
      [...document.querySelectorAll(where)].some((one) => one.textContent.includes(words)),
    { timeout: 60_000 },
    where,
    words,
  );

/** A user's words, and the guide that is found by them. */
const SEARCHED = [
  ['invoice was paid', 'Learn that an invoice was paid'],
  ['double', 'Payments that cannot double'],
  ['chargeback', 'Refunds, disputes and chargebacks'],
  ['subscription', 'Recurring invoices and subscriptions'],
  ['bank import', 'Bank import'],
] as const;

describe('/docs in a browser', () => {
  it('finds an operation, shows it in curl and TypeScript, and calls it with a token of one click', async () => {
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 900 });
    const complaints = complaintsOf(page);
    const answer = await page.goto(`${service.url}/docs`, { waitUntil: 'networkidle2' });
    const policy = answer?.headers()['content-security-policy'];
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'nonce-[\w-]{22}';/);
    expect(policy).not.toMatch(/unsafe|https?:/);

    await page.click('#demo-token');
    await page.waitForFunction(() => !document.querySelector('#demo-token'));
    await click(page, 'Search');
    await page.locator('[role=dialog] input').fill('Read the seller');
    await click(page, 'Read the seller, and the defaults');

    await shows(page, `${SELLER} code`, `curl ${service.url}/v1/finance/seller`);
    await shows(page, `${SELLER} code`, 'Authorization: Bearer ey');
    await page.click(`${SELLER} button::-p-text(Shell Curl)`);
    await click(page, 'TypeScript');
    await shows(page, `${SELLER} code`, 'await getSeller(');
    await click(page, '(get /v1/finance/seller)');
    await click(page, 'Send');
    await shows(page, 'body', '200 OK');
    await shows(page, 'body', 'Acme Studio GmbH');
    expect(complaints).toEqual([]);
    await page.close();
  });
});

it('shows guides by task first, and its search finds them in the words of a user', async () => {
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  const complaints = complaintsOf(page);
  await page.goto(`${service.url}/docs`, { waitUntil: 'networkidle2' });
  await shows(page, 'h1, h2', 'Your first invoice');
  await shows(page, 'code', 'api documents/$INVOICE');
  for (const [words, title] of SEARCHED) {
    await click(page, 'Search');
    await page.locator('[role=dialog] input').fill(words);
    await shows(page, '[role=dialog] [role=option]', title);
    await page.keyboard.press('Escape');
  }
  expect(complaints).toEqual([]);
  await page.close();
}, 300_000);

describe('the document of the reference', () => {
  interface Operation {
    tags: string[];
    responses: Record<string, { description: string }>;
  }
  let reference: {
    tags: { name: string }[];
    'x-tagGroups': { name: string; tags: string[] }[];
    paths: Record<string, Record<string, Operation>>;
  };
  beforeAll(async () => {
    const { text } = await request(service.url).get('/docs/reference.json').expect(200);
    reference = JSON.parse(text) as typeof reference;
  });
  const operations = () => Object.values(reference.paths).flatMap((item) => Object.values(item));

  it('has each part of the API under one task', () => {
    const grouped = reference['x-tagGroups'].flatMap(({ tags }) => tags);
    expect(grouped.toSorted()).toEqual(reference.tags.map(({ name }) => name).toSorted());
    expect(reference['x-tagGroups'].map(({ name }) => name)).not.toContain('Extensions');
  });

  it('folds the refusals of each call into one answer, and begins with what makes a thing', () => {
    const statuses = operations().flatMap(({ responses }) => Object.keys(responses));
    expect(statuses.filter((status) => Number(status) >= 400)).toEqual([]);
    expect(statuses.filter((status) => status === 'default')).toHaveLength(operations().length);
    const documents = Object.entries(reference.paths).find(([, item]) =>
      Object.values(item).some(({ tags }) => tags.includes('documents')),
    );
    expect(documents?.[0]).toBe('/v1/finance/documents');
    expect(Object.keys(documents?.[1] ?? {})).toEqual(['post', 'get']);
  });

  it('links each refusal to its page, which names the calls that answer it', async () => {
    const links = new Set(
      operations().flatMap(({ responses }) =>
        [...(responses['default']?.description ?? '').matchAll(/\]\(([^)]+)\)/g)].map(
          ([, to = '']) => to,
        ),
      ),
    );
    expect(links.size).toBeGreaterThan(300);
    for (const link of links) {
      const { text } = await request(service.url).get(link).expect(200);
      expect(text).toContain(`<h1><code>${link.split('/').at(-1)}</code></h1>`);
      expect(text).toMatch(/<a href="\/docs#tag\/[\w-]+\/(GET|POST|PUT|PATCH|DELETE)\//);
    }
    const { body } = await request(service.url).get('/docs/problems/no_such_code').expect(404);
    expect(body).toMatchObject({ code: 'route_not_found' });
  });

  it('lists all problems, and a browser shows them and their calls', async () => {
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${service.url}/docs/problems`);
    await page.click('a[href="/docs/problems/amount_exceeds_due"]');
    await page.waitForSelector('h1 code');
    await page.click('a[href="/docs#tag/payments/POST/v1/finance/documents/{id}/payments"]');
    await shows(page, 'h3', 'Record a payment');
    expect(complaints).toEqual([]);
    await page.close();
  });
});

const tokenFor = (headers: object) =>
  request(service.url)
    .post('/docs/demo-token')
    .set(headers as Record<string, string>);

describe('the token of a demo', () => {
  const ours = { 'sec-fetch-site': 'same-origin' };

  it('is for the page on its own machine', async () => {
    const { body } = await tokenFor(ours).expect(200);
    const headers = { authorization: `Bearer ${body.access_token}` };
    expect((await service.call('/v1/finance/seller', { headers })).status).toBe(200);
  });

  it.each([
    ['who is no browser', {}],
    ['a page elsewhere', { 'sec-fetch-site': 'cross-site' }],
    ['a page of another port', { 'sec-fetch-site': 'same-site' }],
    ['a name that somebody else points here', { ...ours, host: 'rebound.example' }],
    ['somebody behind a proxy', { ...ours, 'x-forwarded-for': '203.0.113.7' }],
  ])('is not for %s', async (_who, headers) => {
    const { body } = await tokenFor(headers).expect(404);
    expect(body).toMatchObject({ code: 'route_not_found' });
  });

  it('is not there without a demo', async () => {
    const demo = service.app.get(DemoToken);
    const { make } = demo;
    demo.make = undefined;
    await tokenFor(ours).expect(404);
    const page = await service.call('/docs');
    expect(page.text).not.toContain('<button');
    demo.make = make;
  });
});
