import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'puppeteer-core';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { violationsOn } from './accessibility.js';
import { openBrowser } from './browser.js';

// The pages in a real browser, as a client opens them.

let service: TestService;
let browser: Browser;
let client: TestClient;
let page: Page;
beforeAll(async () => {
  [service, browser] = await Promise.all([startTestService(), openBrowser()]);
});
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

const copied = async () => page.evaluate('navigator.clipboard.readText()');

describe('bank details', () => {
  const ACCOUNT = { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', bank_name: 'Bank & Co' };
  const opened = async (language: string) => {
    await client.patch('/v1/finance/seller', { bank_accounts: [ACCOUNT] });
    const invoice = await client.anInvoice({ language });
    await page.goto(`${service.url}/v1/portal/${await client.aPortalToken(invoice)}`);
    await page.bringToFront();
    return invoice;
  };
  beforeEach(() =>
    browser
      .defaultBrowserContext()
      .overridePermissions(service.url, [
        'clipboard-read',
        'clipboard-write',
        'clipboard-sanitized-write',
      ]),
  );

  it('are copied with a button each, as a bank wants them, and say so', async () => {
    const complaints = complaintsOf(page);
    const { number } = await opened('en');
    const names = await page.$$eval('.copy', (all) => all.map((one) => one.ariaLabel));
    expect(names).toEqual([
      'Copy: Account holder',
      'Copy: Bank',
      'Copy: IBAN',
      'Copy: BIC',
      'Copy: Payment reference',
      'Copy: Structured reference',
    ]);
    const values = [];
    for (const button of await page.$$('.copy')) {
      await button.click();
      await page.waitForFunction(`document.querySelector('.said').textContent !== ''`);
      values.push(await copied());
    }
    expect(values).toEqual([
      'Acme',
      'Bank & Co',
      'DE89370400440532013000',
      'COBADEFFXXX',
      number,
      expect.stringMatching(/^RF\d\d[A-Z\d]+$/),
    ]);
    expect(await textOf(page)).toContain('Copied: Structured reference');
    expect(complaints).toEqual([]);
  });

  it('are copied with the keyboard, and break no rule then', async () => {
    await opened('ar');
    await page.focus('.copy[aria-label$="IBAN"]');
    await page.keyboard.press('Enter');
    await page.waitForFunction(`document.querySelector('.said').textContent !== ''`);
    expect(await copied()).toBe('DE89370400440532013000');
    expect(await violationsOn(page)).toEqual([]);
  });

  it('have no buttons without script', async () => {
    await page.setJavaScriptEnabled(false);
    await opened('en');
    expect(await page.$$('.payment button')).toEqual([]);
  });

  it('have no script once nothing is due', async () => {
    const invoice = await opened('en');
    expect(await page.$$('script')).toHaveLength(1);
    await client.pay(invoice, { amount: 11_900 });
    await page.reload();
    expect(await page.$$('script')).toEqual([]);
  });
});

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

  it('chooses on the pay page what becomes of the payment', async () => {
    const invoice = await client.anInvoice();
    const complaints = complaintsOf(page);
    await page.goto(`${service.url}/v1/portal/${await client.aPortalToken(invoice)}`);
    await submit('form[action$="/pay"] button');
    const payPage = page.url();
    const names = await page.$$eval('form button', (all) => all.map((one) => one.textContent));
    expect(names).toEqual([
      'Pay €119.00',
      'The payment fails',
      'Pay later',
      'Pay later, and it fails',
      'Pay, and it bounces',
      'Pay, then a dispute that you win',
      'Pay, then a dispute that you lose',
      'Pay, then a refund at the provider',
      'Pay, then a payout to the bank',
      'Close the page',
    ]);
    await submit('form button[value=left]');
    expect(await textOf(page)).toContain('Your payment has not arrived here yet.');
    await page.goto(payPage);
    await submit('form button[value=paid_later]');
    expect(await textOf(page)).toContain('Your payment of €119.00 is on its way.');
    await page.goto(payPage);
    expect(await textOf(page)).toContain('on its way at once, paid after 5 seconds.');
    expect(await page.$('form')).toBeNull();
    service.clock.advance({ seconds: 5 });
    await expect.poll(async () => (await client.read(invoice)).status).toBe('paid');
    await page.reload();
    expect(await textOf(page)).toContain('Your payment of €119.00 has arrived.');
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
