import type { Browser, Page } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentWish, TestClient } from '../../support/client.js';
import { aCreditNote } from '../../support/documents.js';
import { sandboxDelivery } from '../../support/sandbox-delivery.js';
import { startTestService, type TestService } from '../../support/service.js';
import { pathOf } from '../documents/document-calls.js';
import { aPng } from '../../support/images.js';
import { violationsOn } from './accessibility.js';
import { openBrowser } from './browser.js';

// Every state of the page, light and dark, from left and from right, judged by axe in a browser.

let service: TestService;
let browser: Browser;
let client: TestClient;
beforeAll(async () => {
  [service, browser] = await Promise.all([startTestService(), openBrowser()]);
  client = await service.aClient();
  await client.patch('/v1/finance/seller', {
    email: 'billing@acme.example',
    phone: '+49 30 1234567',
    bank_accounts: [{ iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', bank_name: 'Bank' }],
  });
}, 60_000);
afterAll(async () => {
  await browser.close();
  await service.close();
});

const toPortal = (token: string, step: string, body: object) =>
  service.call(`/v1/portal/${token}/${step}`, { method: 'POST', body });

/** Each makes a document in one state, and gives the token of its page. */
const STATES: Record<string, (wish: DocumentWish) => Promise<string>> = {
  'an open invoice': async (wish) => client.aPortalToken(await client.anInvoice(wish)),
  'a long invoice': async (wish) => {
    const lines = Array.from({ length: 40 }, (_, at) => ({
      description: `Item ${at}`,
      unit_amount: 100,
    }));
    return client.aPortalToken(await client.anInvoice({ ...wish, lines }));
  },
  'a part payment': async (wish) => {
    const invoice = await client.anInvoice(wish);
    await client.pay(invoice);
    return client.aPortalToken(invoice);
  },
  'a paid invoice with a refund': async (wish) => {
    const invoice = await client.anInvoice(wish);
    const paid = await client.pay(invoice, { amount: 11_900 });
    const { id } = paid.body['payment'] as { id: string };
    await client.post(`/v1/finance/payments/${id}/refunds`, { amount: 900 });
    return client.aPortalToken(invoice);
  },
  'money on its way': async (wish) => {
    const link = await client.aPaymentLink(await client.anInvoice(wish), { gateway: 'sandbox' });
    const at = service.clock.now().toISOString();
    const data = { payment_id: `sbx_${link.id}`, payment_link_id: link.id, at };
    const delivery = sandboxDelivery(service, 'payment.processing', data);
    await service.call('/v1/webhooks/sandbox', { method: 'POST', ...delivery });
    return client.aPortalToken({ id: String(link.document_id) });
  },
  'a void invoice': async (wish) =>
    client.aPortalToken(await client.void(await client.anInvoice(wish))),
  'a rejected invoice': async (wish) => {
    const token = await client.aPortalToken(await client.anInvoice(wish));
    await toPortal(token, 'reject', { reason: 'Wrong address' });
    return token;
  },
  'an open quote': async (wish) => client.aPortalToken(await client.aQuote(wish)),
  'an accepted quote': async (wish) => {
    const token = await client.aPortalToken(await client.aQuote(wish));
    await toPortal(token, 'accept', { name: 'Ada Lovelace' });
    return token;
  },
  'a revised quote': async (wish) => {
    const quote = await client.aQuote(wish);
    const { body } = await client.post<{ id: string }>(pathOf(quote, 'revise'), {});
    await client.patch(pathOf(body), { notes: 'New' });
    return client.aPortalToken(await client.issue(body));
  },
  'a credit note': async (wish) =>
    client.aPortalToken(await aCreditNote(client, await client.anInvoice(wish), { amount: 500 })),
};

async function opened(token: string, scheme = 'light', width = 390): Promise<Page> {
  const page = await browser.newPage();
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await page.setViewport({ width, height: 844 });
  await page.goto(`${service.url}/v1/portal/${token}`);
  return page;
}

describe.each(Object.keys(STATES))('%s', (state) => {
  it.each([
    ['light', 'en', 390],
    ['dark', 'ar', 320],
    ['dark', 'ja', 1280],
    ['light', 'he', 3840],
  ])('breaks no rule, and fits: %s, %s, %i px', async (scheme, language, width) => {
    const page = await opened(await STATES[state]!({ language }), scheme, width);
    for (const closed of await page.$$('details:not([open]) > summary')) await closed.click();
    expect(await violationsOn(page)).toEqual([]);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    await page.close();
  });
});

it('a form that was refused breaks none, and the wrong field has the focus', async () => {
  const page = await opened(await client.aPortalToken(await client.aQuote()));
  await page.$eval('form#accept', (form) => form.setAttribute('novalidate', ''));
  await Promise.all([page.waitForNavigation(), page.click('form#accept button')]);
  expect(await violationsOn(page)).toEqual([]);
  expect(await page.evaluate('document.activeElement.name')).toBe('name');
  await page.close();
});

it.each(['an open invoice', 'a long invoice', 'money on its way'])(
  '%s can be paid in the first screen of a phone',
  async (state) => {
    const page = await opened(await STATES[state]!({}));
    const bottoms = await page.$$eval('.due, .actions .button, .payment dd', (elements) =>
      elements.map((element) => element.getBoundingClientRect().bottom),
    );
    expect(bottoms.length).toBeGreaterThan(5);
    // Sum, buttons, holder, bank and IBAN.
    expect(Math.max(...bottoms.slice(0, 6))).toBeLessThan(844);
    await page.close();
  },
);

it('can be paid with the keyboard alone', async () => {
  const page = await opened(await client.aPortalToken(await client.anInvoice()));
  const focused = () => page.evaluate('document.activeElement.textContent');
  for (let press = 0; press < 10 && (await focused()) !== 'Pay now'; press += 1) {
    await page.keyboard.press('Tab');
  }
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Pay €119.00');
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  expect(await page.$eval('.state', (state) => state.textContent)).toBe('Paid');
  await page.close();
});

it('a dark logo stands on a plate where the page is dark', async () => {
  const path = '/v1/finance/seller/logo';
  await client.put(path, aPng({ width: 60, height: 10 }), { 'content-type': 'image/png' });
  const token = await client.aPortalToken(await client.anInvoice());
  await client.delete(path);
  const plates = await Promise.all(
    ['light', 'dark'].map(async (scheme) => {
      const page = await opened(token, scheme);
      const plate = await page.evaluate(
        `getComputedStyle(document.querySelector('.logo')).backgroundColor`,
      );
      await page.close();
      return plate;
    }),
  );
  expect(plates).toEqual(['rgba(0, 0, 0, 0)', 'rgb(255, 255, 255)']);
});
