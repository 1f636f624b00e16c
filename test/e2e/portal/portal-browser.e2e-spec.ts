import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'puppeteer';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openBrowser } from './browser.js';

// The pages in a real browser, as a client opens them.

let service: TestService;
let browser: Browser;
let client: TestClient;
let page: Page;
beforeAll(async () => {
  [service, browser] = await Promise.all([startTestService(), openBrowser()]);
}, 60_000);
afterAll(async () => {
  await browser.close();
  await service.close();
});
beforeEach(async () => {
  client = await service.aClient();
  page = await browser.newPage();
});
afterEach(() => page.close());

/** All that is to be read on the page. */
const textOf = async (of: Page): Promise<string> =>
  of.$eval('body', (body) => (body as unknown as { innerText: string }).innerText);

async function submit(selector: string): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.click(selector)]);
}

/** The browser's complaints and refusals. */
function complaintsOf(of: Page): string[] {
  const complaints: string[] = [];
  of.on('console', (message) => complaints.push(message.text()));
  of.on('pageerror', (error) => complaints.push(String(error)));
  of.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return complaints;
}

describe('without script, a client', () => {
  beforeEach(() => page.setJavaScriptEnabled(false));

  it('reads an invoice and rejects it', async () => {
    const invoice = await client.anInvoice();
    const complaints = complaintsOf(page);
    await page.goto(`${service.url}/v1/portal/${await client.aPortalToken(invoice)}`);
    const open = await textOf(page);
    expect(open).toContain(invoice.number);
    expect(open).toContain('€119.00');
    await page.click('summary');
    await page.type('textarea[name=reason]', 'Wrong address\nPlease correct it');
    await submit('form[action*="reject"] button');
    expect(await textOf(page)).toMatch(/rejected[^]*Wrong address\s+Please correct it/i);
    expect(await page.$('form')).toBeNull();
    const { status, rejection } = await client.read(invoice);
    expect([status, rejection?.reason]).toEqual([
      'rejected',
      expect.stringMatching(/^Wrong address\r?\nPlease correct it$/),
    ]);
    expect(complaints).toEqual([]);
  });

  it('reads why its rejection was refused, on the page itself', async () => {
    const invoice = await client.anInvoice();
    await page.goto(`${service.url}/v1/portal/${await client.aPortalToken(invoice)}`);
    await page.click('summary');
    await page.type('textarea[name=reason]', '   ');
    await submit('form[action*="reject"] button');
    expect(await textOf(page)).toMatch(/give a reason of at most 2000 characters[^]*Invoice INV/);
    await page.type('textarea[name=reason]', 'Too late');
    // Somebody pays while the client still types.
    await client.pay(invoice);
    await submit('form[action*="reject"] button');
    const refused = await textOf(page);
    expect(refused).toMatch(/can no longer be rejected[^]*Partially paid/);
    expect(refused).toContain('€94.00');
    expect(await page.$('form[action*="reject"]')).toBeNull();
    expect(await client.read(invoice)).toMatchObject({ status: 'partially_paid', rejection: null });
  });

  it('pays on the pay page of the sandbox, and comes back to the document', async () => {
    const invoice = await client.anInvoice({ language: 'de' });
    const complaints = complaintsOf(page);
    await page.goto(`${service.url}/v1/portal/${await client.aPortalToken(invoice)}`);
    const start = page.url();
    await submit('form[action$="/pay"] button');
    expect(page.url()).toMatch(/\/v1\/sandbox\/sandbox\/plink_/);
    const shown = await textOf(page);
    for (const text of ['Acme', invoice.number, '119,00', 'Zurück zum Dokument']) {
      expect(shown).toContain(text);
    }
    await submit('form button');
    expect(page.url()).toMatch(new RegExp(`^${start}\\?payment=plink_\\w+$`));
    expect(await textOf(page)).toMatch(/Ihre Zahlung über 119,00\s€ ist eingegangen[^]*Bezahlt/);
    expect(await page.$('form[action$="/pay"]')).toBeNull();
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_due: 0 });
    expect(complaints).toEqual([]);
  });

  it('comes back without having paid, and presses again', async () => {
    const invoice = await client.anInvoice();
    await page.goto(`${service.url}/v1/portal/${await client.aPortalToken(invoice)}`);
    await submit('form[action$="/pay"] button');
    const first = page.url();
    await submit('a');
    expect(await textOf(page)).toContain('Your payment has not arrived here yet.');
    await submit('form[action$="/pay"] button');
    expect(page.url()).toBe(first);
    await page.goBack();
    expect(await textOf(page)).toContain(invoice.number);
  });
});

const hostile = (where: string) =>
  `</textarea></title></style><script>document.title='${where}'</script>` +
  `<img src=x onerror="alert('${where}')">"'><svg onload=alert(1)>&lt;b&gt;`;

describe('hostile text', () => {
  it('is shown as text and does nothing, also with script enabled', async () => {
    const invoice = await client.anInvoice({
      customer: { name: hostile('name'), address: [hostile('address').slice(0, 200)] },
      lines: [{ description: hostile('description'), unit_amount: 100 }],
      notes: hostile('notes'),
      purchase_order: '<script>alert("order")</script>',
    });
    const token = await client.aPortalToken(invoice);
    const complaints = complaintsOf(page);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(`${service.url}/v1/portal/${token}`, { waitUntil: 'networkidle0' });
    const shown = await textOf(page);
    for (const where of ['name', 'description', 'notes']) expect(shown).toContain(hostile(where));
    expect(shown).toContain('<script>alert("order")</script>');
    expect(await page.title()).toContain(invoice.number);
    expect(await page.$$('script, img, svg')).toEqual([]);
    expect([complaints, requests]).toEqual([[], [`${service.url}/v1/portal/${token}`]]);

    await service.call(`/v1/portal/${token}/reject`, {
      method: 'POST',
      body: { reason: hostile('reason') },
    });
    await page.reload({ waitUntil: 'networkidle0' });
    expect(await textOf(page)).toContain(hostile('reason'));
    expect(complaints).toEqual([]);
  });
});
