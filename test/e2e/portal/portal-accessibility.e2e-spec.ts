import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { aPng } from '../../support/images.js';
import { pageWithAxe, violationsOn } from './accessibility.js';
import { openBrowser } from './browser.js';
import { portalStates } from './portal-states.js';

// Every state of the page, light and dark, from left and from right, judged by axe in a browser.

let service: TestService;
let browser: Browser;
let page: Page;
let client: TestClient;
beforeAll(async () => {
  [service, browser] = await Promise.all([startTestService(), openBrowser()]);
  page = await pageWithAxe(browser);
  client = await service.aClient();
  await client.patch('/v1/finance/seller', {
    email: 'billing@acme.example',
    phone: '+49 30 1234567',
    bank_accounts: [{ iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', bank_name: 'Bank' }],
  });
});
afterAll(async () => {
  await browser.close();
  await service.close();
});

const STATES = [
  'an open invoice',
  'a long invoice',
  'a part payment',
  'prepaid above the total',
  'a prepayment taken back',
  'a paid invoice with a refund',
  'a paid invoice',
  'a refunded invoice',
  'money on its way',
  'a part on its way',
  'a debit to come',
  'a void invoice',
  'a rejected invoice',
  'an open quote',
  'an accepted quote',
  'a revised quote',
  'a schedule to ask about',
  'a schedule to end',
  'a credit note',
];

const BLOCK = { place: 'after_totals', heading: 'A heading', text: 'For {customer_name}' };

it('All states are looked at', () => {
  expect(Object.keys(portalStates(service, client))).toEqual(STATES);
});

/** In the one page: a browser starts a process for each new one. */
async function open(token: string, scheme = 'light', width = 390): Promise<void> {
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await page.setViewport({ width, height: 844 });
  await page.goto(`${service.url}/v1/portal/${token}`);
}

describe('an accent colour', () => {
  it.each(['#ffff00', '#fefefe', '#010101', '#00ff80', '#8a1c7c', '#777777'])(
    'can be read in both themes: %s',
    async (accent_color) => {
      const colourful = await service.aClient();
      const template = { accent_color, footer: 'At the foot', blocks: [BLOCK] };
      await colourful.patch('/v1/finance/seller', { template });
      for (const state of ['an open invoice', 'an open quote', 'a part payment']) {
        const token = await portalStates(service, colourful)[state]!({});
        for (const scheme of ['light', 'dark']) {
          await open(token, scheme);
          expect([state, scheme, await violationsOn(page)]).toEqual([state, scheme, []]);
        }
      }
    },
  );
});

describe.each(STATES)('%s', (state) => {
  it.each([
    ['light', 'en', 390],
    ['dark', 'ar', 320],
    ['dark', 'ja', 1280],
    ['light', 'he', 3840],
  ])('breaks no rule, and fits: %s, %s, %i px', async (scheme, language, width) => {
    await open(await portalStates(service, client)[state]!({ language }), scheme, width);
    for (const closed of await page.$$('details:not([open]) > summary')) await closed.click();
    expect(await violationsOn(page)).toEqual([]);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
  });
});

it.each([
  ['light', 'en', 390],
  ['dark', 'ar', 320],
])('the pay page of the sandbox breaks none, and fits: %s, %s', async (scheme, language, width) => {
  const invoice = await client.anInvoice({ language });
  const { url } = await client.aPaymentLink(invoice, { gateway: 'sandbox' });
  const page = await browser.newPage();
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await page.setViewport({ width, height: 844 });
  for (const button of ['button[value=refunded]', null]) {
    await page.goto(url ?? '');
    expect(await violationsOn(page)).toEqual([]);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    if (button) await Promise.all([page.waitForNavigation(), page.click(button)]);
  }
  await page.close();
});

it('a form that was refused breaks none, and the wrong field has the focus', async () => {
  await open(await client.aPortalToken(await client.aQuote()));
  await page.$eval('form#accept', (form) => form.setAttribute('novalidate', ''));
  await Promise.all([page.waitForNavigation(), page.click('form#accept button')]);
  expect(await violationsOn(page)).toEqual([]);
  expect(await page.evaluate('document.activeElement.name')).toBe('name');
});

it.each(['an open invoice', 'a long invoice', 'a part on its way'])(
  '%s can be paid in the first screen of a phone',
  async (state) => {
    await open(await portalStates(service, client)[state]!({}));
    const bottoms = await page.$$eval('.due, .actions .button, .payment dd', (elements) =>
      elements.map((element) => element.getBoundingClientRect().bottom),
    );
    expect(bottoms.length).toBeGreaterThan(5);
    // Sum, buttons, holder, bank and IBAN.
    expect(Math.max(...bottoms.slice(0, 6))).toBeLessThan(844);
  },
);

it('can be paid with the keyboard alone', async () => {
  await open(await client.aPortalToken(await client.anInvoice()));
  const focused = () => page.evaluate('document.activeElement.textContent');
  for (let press = 0; press < 10 && (await focused()) !== 'Pay now'; press += 1) {
    await page.keyboard.press('Tab');
  }
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Pay €119.00');
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  expect(await page.$eval('.state', (state) => state.textContent)).toBe('Paid');
});

it('a dark logo stands on a plate where the page is dark', async () => {
  const path = '/v1/finance/seller/logo';
  await client.put(path, aPng({ width: 60, height: 10 }), { 'content-type': 'image/png' });
  const token = await client.aPortalToken(await client.anInvoice());
  await client.delete(path);
  const plates = [];
  for (const scheme of ['light', 'dark']) {
    await open(token, scheme);
    const plate = `getComputedStyle(document.querySelector('.logo')).backgroundColor`;
    plates.push(await page.evaluate(plate));
  }
  expect(plates).toEqual(['rgba(0, 0, 0, 0)', 'rgb(255, 255, 255)']);
});
