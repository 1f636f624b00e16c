import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES, textsOf } from '../../../src/documents/domain/texts/languages.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';
import { pageWithAxe, violationsOn } from './accessibility.js';
import { openBrowser } from './browser.js';

// Every refusal that a person can run into is a page; a program gets its problem document.

const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const FORM = 'application/x-www-form-urlencoded';

let service: TestService;
let client: TestClient;
let token: string;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
  token = await client.aPortalToken(await client.anInvoice());
});
afterAll(() => service.close());

const unknown = 'A'.repeat(43);
const REFUSALS: [what: string, call: () => { method: string; path: string; body?: string }][] = [
  ['an unknown link', () => ({ method: 'GET', path: `/v1/portal/${unknown}` })],
  ['an unknown PDF', () => ({ method: 'GET', path: `/v1/portal/documents/${unknown}/pdf` })],
  [
    'an answer to an unknown link',
    () => ({ method: 'POST', path: `/v1/portal/${unknown}/reject`, body: 'reason=No' }),
  ],
  ['no page at all', () => ({ method: 'GET', path: '/wrong' })],
  ['half of a link', () => ({ method: 'GET', path: `/v1/portal/${token.slice(0, 20)}` })],
  ['a wrong method', () => ({ method: 'GET', path: `/v1/portal/${token}/accept` })],
  ['a wrong path', () => ({ method: 'GET', path: '/v1/portal/%ff' })],
  ['a wrong query', () => ({ method: 'GET', path: `/v1/portal/${token}?language=none_` })],
  [
    'a form that is too large',
    () => ({
      method: 'POST',
      path: `/v1/portal/${token}/reject`,
      body: `reason=${'x'.repeat(2_000_000)}`,
    }),
  ],
  ['an unknown pay page', () => ({ method: 'GET', path: '/v1/sandbox/sandbox/plink_1' })],
  ['an unknown way back', () => ({ method: 'GET', path: '/v1/portal/return/plink_1' })],
];

const send = (
  { method, path, body }: { method: string; path: string; body?: string },
  accept: string,
  language = 'sv',
) =>
  service.call(path, {
    method,
    ...(body !== undefined && { body }),
    headers: {
      accept,
      'accept-language': language,
      ...(body !== undefined && { 'content-type': FORM }),
    },
  });

describe.each(REFUSALS)('%s', (_what, of) => {
  it('is a page in the language of the browser, with the status of the problem', async () => {
    const [page, problem] = [await send(of(), HTML), await send(of(), 'application/json')];
    expect(page.status).toBe(problem.status);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('vary')).toMatch(/Accept, Accept-Language/);
    expect(page.text).toContain('<html lang="sv" dir="ltr">');
    expect(page.text).not.toMatch(/<script|portal_link_not_found|Error|\bat \w+\./);
    expectProblem(problem, page.status, String(problem.body['code']));
    const allowed = problem.headers.get('allow');
    expect(page.headers.get('allow')).toBe(allowed);
  });
});

it.each(LANGUAGES)('says in %s that a link does not work any more', async (language) => {
  const page = await send({ method: 'GET', path: `/v1/portal/${unknown}` }, HTML, language);
  const { title, sentence } = textsOf(language).pages.linkGone;
  expect(page.text.replaceAll('&#39;', "'")).toContain(`<h1>${title}</h1>`);
  expect(page.text).toContain(sentence);
});

it.each(['revoked', 'expired'])('a link that was %s is the same page', async (how) => {
  const invoice = await client.anInvoice();
  const gone = await client.aPortalToken(invoice);
  if (how === 'revoked') await client.delete(`/v1/finance/documents/${invoice.id}/portal-tokens`);
  else service.clock.advance({ days: 100 });
  const page = await send({ method: 'GET', path: `/v1/portal/${gone}` }, HTML);
  if (how === 'expired') service.clock.advance({ days: -100 });
  expect([page.status, page.text]).toEqual([
    404,
    (await send({ method: 'GET', path: `/v1/portal/${unknown}` }, HTML)).text,
  ]);
});

it('too many failures are a page, with the time to wait', async () => {
  const limited = await startTestService({
    rateLimit: 100,
    rateBurst: 100,
    failureLimit: 1,
    failureBurst: 2,
  });
  try {
    const open = () =>
      limited.call(`/v1/portal/${unknown}`, { headers: { accept: HTML, 'accept-language': 'de' } });
    await open();
    await open();
    const page = await open();
    expect([page.status, page.text]).toEqual([
      429,
      expect.stringContaining('Bitte warten Sie einen Moment'),
    ]);
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
  } finally {
    await limited.close();
  }
});

it('an API call in a browser shows what a program gets', async () => {
  const answer = await send({ method: 'GET', path: '/v1/finance/documents' }, HTML);
  expectProblem(answer, 401, 'missing_token');
});

describe('the site', () => {
  it('has a front door, for people and for programs', async () => {
    const page = await send({ method: 'GET', path: '/' }, HTML);
    expect(page.text).toMatch(/<a href="\/docs">Dokumentation<\/a>/);
    const json = await send({ method: 'GET', path: '/' }, '*/*');
    expect(json.body).toEqual({ documentation: '/docs', openapi: '/v1/openapi.json' });
  });

  it('has an icon, and nothing for crawlers', async () => {
    const robots = await service.call('/robots.txt', {});
    expect(robots.text).toBe('User-agent: *\nDisallow: /\n');
    const icon = await service.call('/favicon.ico', {});
    expect([icon.status, icon.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('image/svg+xml'),
    ]);
  });
});

describe('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it.each([
    ['light', 'en'],
    ['dark', 'ar'],
  ])('no page breaks a rule of accessibility: %s, %s', async (scheme, language) => {
    const page = await pageWithAxe(browser);
    await page.setExtraHTTPHeaders({ 'accept-language': language });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await page.setViewport({ width: 390, height: 844 });
    for (const path of [`/v1/portal/${unknown}`, '/wrong', '/', `/v1/portal/${token}/accept`]) {
      await page.goto(service.url + path);
      expect([path, await violationsOn(page)]).toEqual([path, []]);
    }
    await page.close();
  });
});
