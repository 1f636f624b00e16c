import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { textOf } from '../../support/pdf-text.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';

// The receipt that a client gets for its payments, as a page and on paper.

let service: TestService;
let client: TestClient;
let invoice: { id: string; number: string | null };
let token: string;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient({ timeZone: 'Pacific/Auckland' });
  invoice = await client.anInvoice({ language: 'de' });
  token = await client.aPortalToken(invoice);
});

const page = (query = '') =>
  service.call(`/v1/portal/${token}/receipt${query}`, { headers: { accept: 'text/html' } });
const paper = () => service.call(`/v1/portal/documents/${token}/receipt`);

const plain = (text: string) => text.replace(/<[^>]*>/g, '\n').replaceAll('\u00a0', ' ');

describe('a receipt', () => {
  it('says who paid what, when and how, what went back, and what is due', async () => {
    service.clock.set(new Date('2026-11-05T20:00:00Z'));
    const { body } = await client.pay(invoice, { amount: 10_000, method: 'card' });
    const { id } = body['payment'] as { id: string };
    await client.post(`/v1/finance/payments/${id}/refunds`, { amount: 900 });
    service.clock.set(new Date('2026-11-08T20:00:00Z'));
    await client.pay(invoice, { amount: 2000, method: 'bank transfer' });
    const shown = plain((await page()).text);
    const { bytes, headers } = await paper();
    const printed = plain(textOf(bytes));
    for (const text of [
      'Quittung',
      `Rechnung ${invoice.number}`,
      // The day in Auckland.
      'Eingegangen am 6. November 2026',
      'Karte',
      '100,00 €',
      '-9,00 €',
      'Eingegangen am 9. November 2026',
      'Überweisung',
      '20,00 €',
      '111,00 €',
    ]) {
      expect([text, shown.includes(text), printed.includes(text)]).toEqual([text, true, true]);
    }
    const { amount_due, amount_undecided } = await client.read(invoice);
    // Nobody has said that what went back is owed again.
    const due = amount_due - amount_undecided;
    expect(shown).toContain(`${(due / 100).toFixed(2).replace('.', ',')} €`);
    expect(headers.get('content-disposition')).toContain(`${invoice.number}-receipt.pdf`);
    service.clock.set(new Date());
  });

  it('is offered on the page of the document, and can be read in another language', async () => {
    await client.pay(invoice, { amount: 11_900 });
    const document = await service.call(`/v1/portal/${token}?language=sv`, {
      headers: { accept: 'text/html' },
    });
    expect(document.text).toContain(`href="/v1/portal/${token}/receipt?language=sv"`);
    const receipt = await page('?language=sv');
    expect(receipt.text).toContain('<html lang="sv" dir="ltr">');
    expect(receipt.text).toContain(`<title>Kvitto för Faktura ${invoice.number}</title>`);
  });

  it('is there only for what is paid', async () => {
    expectProblem(await paper(), 404, 'document_receipt_not_found');
    const { body } = await client.pay(invoice, { amount: 1000 });
    expect((await paper()).status).toBe(200);
    const { id } = body['payment'] as { id: string };
    await client.post(`/v1/finance/payments/${id}/reverse`, {});
    expectProblem(await paper(), 404, 'document_receipt_not_found');
    const stranger = await service.call(`/v1/portal/documents/${'A'.repeat(43)}/receipt`);
    expectProblem(stranger, 404, 'portal_link_not_found');
  });
});
