import { describe, expect, it } from 'vitest';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { PortalDocumentBody } from '../../../src/portal/wire/portal.js';
import {
  aPayer,
  anInvoiceOf,
  bank,
  client,
  collect,
  day,
  linksOf,
  look,
  onlyDebit,
  payAll,
  round,
  service,
  withDebits,
} from '../gateways/debits.js';

// A client who will be debited is told so, and is not asked to pay otherwise.

withDebits();

const BANK = 'DE89370400440532013000';
type Invoice = { id: string };

async function seen(invoice: Invoice, headers = {}) {
  const path = `/v1/portal/${await client.aPortalToken(invoice)}`;
  const json = await service.call<PortalDocumentBody>(path, {
    headers: { accept: 'application/json' },
  });
  const page = await service.call(path, { headers: { accept: 'text/html', ...headers } });
  expect([json.status, page.status]).toEqual([200, 200]);
  return { ...json.body, page: page.text };
}
const planned = async (invoice: Invoice) => (await seen(invoice)).planned_collection;
const aSeller = async () =>
  client.patch('/v1/finance/seller', { name: 'Acme', bank_accounts: [{ iban: BANK }] });

describe('the page of an invoice that will be collected', () => {
  it('tells day, provider and mandate, and asks for no transfer', async () => {
    await aSeller();
    const { customer } = await aPayer();
    const invoice = await anInvoiceOf(customer, 30);
    const { planned_collection, page } = await seen(invoice);
    expect(planned_collection).toEqual({
      amount: 11_900,
      currency: 'EUR',
      charge_on: invoice.due_date,
      provider: 'GoCardless',
      mandate_reference: 'ACME-7Q2M9',
      account_ending: '11',
    });
    for (const text of ['GoCardless', 'ACME-7Q2M9', 'Account ending in 11', 'Pay another way']) {
      expect(page).toContain(text);
    }
    expect(page).not.toContain('IBAN');
    await client.patch(`/v1/finance/documents/${invoice.id}`, {
      collection_method: 'send_invoice',
    });
    const asked = await seen(invoice);
    expect(asked.planned_collection).toBeNull();
    expect(asked.page).toContain('IBAN');
    expect(asked.page).not.toContain('ACME-7Q2M9');
  });

  it('tells the same while the debit is begun, and then that it is on its way', async () => {
    const { customer } = await aPayer();
    const invoice = await anInvoiceOf(customer, 5);
    await round();
    expect(await planned(invoice)).toMatchObject({ amount: 11_900, charge_on: invoice.due_date });
    await bank(onlyDebit(), 'submitted');
    const onItsWay = await seen(invoice);
    expect(onItsWay.planned_collection).toBeNull();
    expect(onItsWay.payments_processing).toMatchObject([{ amount: 11_900 }]);
    expect(onItsWay.page).toContain('is on its way since');
    await bank(onlyDebit(), 'confirmed');
    expect(await seen(invoice)).toMatchObject({ planned_collection: null, amount_due: 0 });
  });

  it('tells the day that was asked for, today once that is over, and the rest', async () => {
    const { customer } = await aPayer({});
    const invoice = await anInvoiceOf(customer, 30);
    expect(await planned(invoice)).toBeNull();
    await collect(invoice, { charge_date: day(7) });
    expect(await planned(invoice)).toMatchObject({ amount: 11_900, charge_on: day(7) });
    await client.pay(invoice, { amount: 5000 });
    expect(await planned(invoice)).toMatchObject({ amount: 6900 });
    service.clock.advance({ days: 9 });
    expect(await planned(invoice)).toMatchObject({ charge_on: day(0) });
  });

  it('asks for payment again where the debit failed or was canceled', async () => {
    const { customer } = await aPayer();
    const [failed, canceled] = [await anInvoiceOf(customer, 5), await anInvoiceOf(customer, 30)];
    await round();
    await bank(onlyDebit(), 'submitted', 'failed');
    expect(await planned(failed)).toBeNull();
    await collect(canceled);
    const [link] = await linksOf(canceled);
    await client.post(`/v1/finance/payment-links/${link?.id}/cancel`);
    await look();
    expect(await planned(canceled)).toBeNull();
  });

  it('tells of no debit while other money is on its way', async () => {
    const { customer } = await aPayer();
    const invoice = await anInvoiceOf(customer, 30);
    const link = await client.aPaymentLink(invoice, { gateway: 'gocardless' });
    expect(await planned(invoice)).not.toBeNull();
    await service.database.query(
      "UPDATE payment_links SET status = 'processing', processing_at = now() WHERE payment_link_id = $1",
      [uuidOf('plink', String(link.id))],
    );
    expect(await planned(invoice)).toBeNull();
  });

  it('tells of nothing that will not be debited', async () => {
    const { customer, mandate } = await aPayer();
    const [paid, voided, foreign, last] = [
      await anInvoiceOf(customer, 5),
      await anInvoiceOf(customer, 5),
      await anInvoiceOf(customer, 5, { currency: 'GBP' }),
      await anInvoiceOf(customer, 5),
    ];
    await payAll(paid);
    await client.void(voided);
    for (const one of [paid, voided, foreign]) expect(await planned(one)).toBeNull();
    expect(await planned(last)).not.toBeNull();
    await client.post(`/v1/finance/mandates/${mandate.id}/cancel`);
    expect(await planned(last)).toBeNull();
  });
});
