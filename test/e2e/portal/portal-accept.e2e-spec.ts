import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openBrowser } from './browser.js';

let service: TestService;
let client: TestClient;
let quote: DocumentBody;
let token: string;

beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => service.close());
beforeEach(async () => {
  quote = await client.aQuote();
  token = await client.aPortalToken(quote);
});

const accept = (of = token) => service.call(`/v1/portal/${of}/accept`, { method: 'POST' });
const reject = () =>
  service.call(`/v1/portal/${token}/reject`, { method: 'POST', body: { reason: 'No' } });

describe('a client', () => {
  it('accepts a quote, and may say so twice', async () => {
    const first = await accept();
    expect([first.status, first.body]).toEqual([200, { success: true }]);
    const accepted = await client.read(quote);
    expect(accepted).toMatchObject({
      status: 'accepted',
      status_transitions: { accepted_at: expect.any(String) },
    });
    expect((await accept()).status).toBe(200);
    expect((await client.read(quote)).version).toBe(accepted.version);
    const events = await service.database.query(
      `SELECT type FROM events WHERE type = 'document.accepted' AND data->'document'->>'id' = $1`,
      [quote.id],
    );
    expect(events).toHaveLength(1);
  });

  it('cannot reject what it accepted, nor accept what it rejected', async () => {
    await accept();
    expect((await reject()).body).toMatchObject({
      status: 409,
      code: 'document_not_rejectable',
      document_status: 'accepted',
    });
    quote = await client.aQuote();
    token = await client.aPortalToken(quote);
    await reject();
    expect((await accept()).body).toMatchObject({
      status: 409,
      code: 'document_not_acceptable',
      document_status: 'rejected',
    });
  });

  it('gives exactly one answer when both are sent together', async () => {
    for (let round = 0; round < 10; round += 1) {
      quote = await client.aQuote();
      token = await client.aPortalToken(quote);
      const [accepted, rejected] = await Promise.all([accept(), reject()]);
      const { status } = await client.read(quote);
      expect([accepted.status, rejected.status]).toEqual(
        status === 'accepted' ? [200, 409] : [409, 200],
      );
    }
  });

  it('cannot accept an invoice, or a quote that was withdrawn', async () => {
    const invoice = await client.aPortalToken(await client.anInvoice());
    expect((await accept(invoice)).body).toMatchObject({ code: 'document_not_acceptable' });
    await client.post(`/v1/finance/documents/${quote.id}/void`);
    expect((await accept()).body).toMatchObject({
      code: 'document_not_acceptable',
      document_status: 'void',
    });
  });

  it('accepts with a button, without script', async () => {
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      await page.setJavaScriptEnabled(false);
      await page.goto(`${service.url}/v1/portal/${token}`);
      await page.type('input[name=name]', 'Ada Lovelace');
      await page.click('input[name=confirmed]');
      const button = 'form[action$="/accept"] button';
      await Promise.all([page.waitForNavigation(), page.click(button)]);
      const text = await page.$eval('body', (body) => (body as unknown as HTMLText).innerText);
      expect(text).toContain('Accepted');
      expect(await page.$('form')).toBeNull();
      expect(await client.read(quote)).toMatchObject({ status: 'accepted' });
    } finally {
      await browser.close();
    }
  });
});

interface HTMLText {
  innerText: string;
}

const change = (set: string) =>
  service.database.query(`UPDATE documents SET ${set} WHERE number = $1 AND kind = 'quote'`, [
    quote.number,
  ]);

it('keeps an accepted quote in the database as it was answered', async () => {
  await accept();
  await expect(change(`lifecycle = 'open'`)).rejects.toMatchObject({ code: '23000' });
  await expect(change('accepted_at = now()')).rejects.toMatchObject({ code: '23000' });
});
