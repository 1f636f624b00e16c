import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES, Locale } from '../../../src/documents/index.js';
import type { RefundedBody } from '../../../src/payments/returning/wire/refund.js';
import type { TestClient } from '../../support/client.js';
import { textOf } from '../../support/pdf-text.js';
import { startTestService, type TestService } from '../../support/service.js';
import { closeWithBooks, good, pathOf } from '../documents/document-calls.js';
import { paymentOf, refund } from '../payments/refund-calls.js';

// A client who got money back is told that, and not asked to pay again.

const IBAN = 'DE89 3704 0044 0532 0130 00';
const PAY = 'Pay now';

let service: TestService;
let client: TestClient;

beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
  const bank = { holder: 'ACME GmbH', iban: IBAN.replaceAll(' ', '') };
  await client.patch('/v1/finance/seller', { name: 'ACME GmbH', bank_accounts: [bank] });
});
afterAll(() => closeWithBooks(service));

/** A paid invoice of which something went back, and what its client sees. */
async function refunded(body: object, language = 'en') {
  const invoice = await client.anInvoice({ language });
  good(await client.pay(invoice, { amount: 11_900 }), 201);
  const made = good(await refund(client, await paymentOf(client, invoice), body), 201);
  const token = await client.aPortalToken(invoice);
  return { invoice, token, made: made as RefundedBody };
}

const pageOf = async (token: string, path = '') =>
  (await service.call(`/v1/portal/${token}${path}`, { headers: { accept: 'text/html' } })).text;

describe('a document that gave money back', () => {
  it.each([
    ['a part of it', { amount: 1000 }, 'Partially refunded'],
    ['all of it', {}, 'Refunded in full'],
  ])('asks nobody for %s, as long as nobody has decided', async (_, body, words) => {
    const { invoice, token } = await refunded(body);
    const page = await pageOf(token);
    expect(page).toContain(words);
    for (const asked of [PAY, IBAN, 'class="sheet payment"']) expect(page).not.toContain(asked);
    expect(page).toContain('Not to be paid again');
    const json = await service.call<{ refund_status: string; pay_links: object[] }>(
      `/v1/portal/${token}`,
      { headers: { accept: 'application/json' } },
    );
    expect(json.body).toMatchObject({
      refund_status: 'amount' in body ? 'partial' : 'full',
      pay_links: [],
      is_overdue: false,
    });
    const pay = await service.call<{ code: string }>(`/v1/portal/${token}/pay`, {
      method: 'POST',
      body: { gateway: 'sandbox' },
    });
    expect([pay.status, pay.body.code]).toEqual([409, 'document_not_payable']);
    expect(await pageOf(token, '/receipt')).toContain(words);
    const copy = textOf((await client.get(pathOf(invoice, 'pdf'))).bytes);
    expect(copy).not.toContain(IBAN);
    expect(copy).toContain(words);
  });

  it('asks for it where it is owed again', async () => {
    const { token } = await refunded({ amount: 1000, meaning: 'owed_again' });
    const page = await pageOf(token);
    for (const asked of [PAY, IBAN, '€10.00', 'Partially refunded']) expect(page).toContain(asked);
    expect(page).not.toContain('Not to be paid again');
  });

  it('stays paid where a credit note lowers it', async () => {
    const { token, invoice } = await refunded({ meaning: 'lowers_document' });
    const page = await pageOf(token);
    expect(page).toContain('Refunded in full');
    for (const asked of [PAY, IBAN]) expect(page).not.toContain(asked);
    const copy = await client.get(pathOf(invoice, 'pdf'));
    expect(textOf(copy.bytes)).toContain('Refunded in full');
    expect(copy.headers.get('content-disposition')).toContain(`${invoice.number}-refunded.pdf`);
  });

  it('asks only for the rest of what is due', async () => {
    const invoice = await client.anInvoice({ language: 'en' });
    good(await client.pay(invoice, { amount: 5000 }), 201);
    good(await refund(client, await paymentOf(client, invoice), { amount: 1000 }), 201);
    const token = await client.aPortalToken(invoice);
    const page = await pageOf(token);
    for (const asked of [PAY, IBAN, '€69.00']) expect(page).toContain(asked);
    const pay = await service.call<{ amount: number }>(`/v1/portal/${token}/pay`, {
      method: 'POST',
      body: { gateway: 'sandbox' },
      headers: { accept: 'application/json' },
    });
    expect(pay.body.amount).toBe(6900);
  });

  it.each(LANGUAGES)('says so in its words: %s', async (language) => {
    const { token } = await refunded({ amount: 1000 }, language);
    const page = await pageOf(token);
    const { refundStatus, notAskedAgain } = Locale.of(language).texts;
    expect(page).toContain(refundStatus.partial);
    expect(page).toContain(notAskedAgain);
  });
});

describe('a document that mandates collect', () => {
  it('is not debited for what nobody has decided', async () => {
    const { invoice } = await refunded({ amount: 1000 });
    good(await client.patch(pathOf(invoice), { collection_method: 'charge_automatically' }), 200);
    const path = `/v1/finance/customers/${invoice.customer_id}/mandates`;
    good(await client.post(path, { gateway: 'sandbox', currency: 'EUR' }), 201);
    const token = await client.aPortalToken(invoice);
    expect(await pageOf(token)).not.toContain('will be debited');
  });
});
