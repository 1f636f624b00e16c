import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import { IntegrityQuery } from '../../../src/integrity/index.js';
import type { PaymentDetailBody } from '../../../src/payments/recording/wire/payment.js';
import type { TestClient } from '../../support/client.js';
import { aCreditNote } from '../../support/documents.js';
import { startTestService, type TestService } from '../../support/service.js';
import { uuid } from '../../support/statements.js';
import { closeWithBooks, creditOf, good, pathOf } from '../documents/document-calls.js';
import { expectProblem, pointersOf } from '../expectations.js';

// Money that came before an issue, and documents that are made of others; and what becomes of it later.

let service: TestService;
let client: TestClient;

beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => closeWithBooks(service));

const DEPOSIT = { amount: 5000, method: 'bank_transfer' };

async function paymentsOf(document: { id: string }): Promise<PaymentDetailBody[]> {
  const path = pathOf(document, 'payments');
  return good(await client.get<{ data: PaymentDetailBody[] }>(path), 200).data;
}

const stepped = (document: { id: string }, step: string, body: object, by = client) =>
  by.post<DocumentBody>(pathOf(document, step), body);

describe('a document that is made of another one and issued at once', () => {
  it('has the deposit on a quote, in one transaction with its invoice', async () => {
    const quote = await client.aQuote();
    const refused = await stepped(quote, 'convert', { prepayments: [DEPOSIT] });
    expect(pointersOf(expectProblem(refused, 422, 'prepayments_need_issue'))).toEqual([
      '/prepayments',
    ]);
    const above = { issue: true, prepayments: [{ ...DEPOSIT, amount: 11_901 }] };
    expectProblem(await stepped(quote, 'convert', above), 422, 'amount_exceeds_due');
    expect(await client.read(quote)).toMatchObject({ status: 'open' });
    const whole = { issue: true, prepayments: [DEPOSIT] };
    const invoice = good(await stepped(quote, 'convert', whole), 201);
    expect(invoice).toMatchObject({ amount_prepaid: 5000, amount_paid: 5000, amount_due: 6900 });
    expect(await client.read(invoice)).toEqual(invoice);
    expect(await paymentsOf(invoice)).toMatchObject([{ ...DEPOSIT, applied: 5000 }]);
  });

  it('has that of a copy and of a revision, and never that of what it is made of', async () => {
    const whole = { issue: true, prepayments: [DEPOSIT] };
    const first = await client.anInvoice();
    const revised = good(await stepped(first, 'revise', whole), 201);
    expect(revised).toMatchObject({ revision: 2, amount_prepaid: 5000 });
    expect(await client.read(first)).toMatchObject({ status: 'void', amount_prepaid: 0 });
    // Money keeps it from being revised again.
    expectProblem(await stepped(revised, 'revise', {}), 409, 'document_not_revisable');
    const copy = good(await stepped(revised, 'duplicate', { issue: true }), 201);
    expect(copy).toMatchObject({ amount_prepaid: 0, amount_due: 11_900 });
    expect(await paymentsOf(copy)).toEqual([]);
    const both = good(await stepped(revised, 'duplicate', whole), 201);
    expect(both).toMatchObject({ amount_prepaid: 5000, status: 'partially_paid' });
  });

  it('takes it of invoices, and of clients that record payments, only', async () => {
    const whole = { issue: true, prepayments: [DEPOSIT] };
    const quote = await client.aQuote();
    expectProblem(await stepped(quote, 'duplicate', whole), 422, 'prepayments_need_issue');
    const writer = await service.aClient({ scopes: ['documents:write'], of: client });
    for (const step of ['convert', 'revise', 'duplicate']) {
      expectProblem(await stepped(quote, step, whole, writer), 403, 'insufficient_scope');
    }
  });
});

describe('what becomes of prepaid money later', () => {
  it('leaves the paper as it is: a reversal makes it due, and the invoice can be voided', async () => {
    const invoice = await client.anInvoice({ prepayments: [DEPOSIT] });
    const refused = await client.post(pathOf(invoice, 'void'));
    expectProblem(refused, 409, 'document_not_voidable');
    const [payment] = await paymentsOf(invoice);
    good(await client.post(`/v1/finance/payments/${payment?.id}/reverse`), 200);
    expect(await client.read(invoice)).toMatchObject({
      amount_prepaid: 5000,
      amount_paid: 0,
      amount_due: 11_900,
      status: 'open',
    });
    const { text } = await client.get(pathOf(invoice, 'xml?profile=xrechnung-cii'));
    expect(text).toContain('<ram:DuePayableAmount>69.00<');
    expect(await client.void(invoice)).toMatchObject({ status: 'void', amount_prepaid: 5000 });
  });

  it('may go back to the payer: it is due again, and the paper stays', async () => {
    const invoice = await client.anInvoice({ prepayments: [DEPOSIT] });
    const [payment] = await paymentsOf(invoice);
    const refund = { method: 'bank_transfer', amount: 2000 };
    good(await client.post(`/v1/finance/payments/${payment?.id}/refunds`, refund), 201);
    expect(await client.read(invoice)).toMatchObject({
      amount_prepaid: 5000,
      amount_refunded: 2000,
      amount_due: 8900,
    });
  });

  it('in another currency is credit first, which the invoice spends', async () => {
    const { id: customer_id } = await client.aCustomer();
    const received = { amount: 6000, currency: 'USD', exchange_rate: '0.9' };
    const deposit = {
      customer_id,
      amount: 5400,
      currency: 'EUR',
      method: 'bank_transfer',
      received,
    };
    good(await client.post('/v1/finance/payments', deposit), 201);
    const spent = { amount: 5400, method: 'credit_balance' };
    const wish = { customer: undefined, customer_id, prepayments: [spent] };
    expect(await client.anInvoice(wish)).toMatchObject({ amount_prepaid: 5400, amount_due: 6500 });
    expect(await creditOf(client, customer_id)).toBe(0);
  });

  it('above the total is reversed whole: its credit goes, and the invoice is due', async () => {
    const above = { ...DEPOSIT, amount: 13_000, on_overpayment: 'credit' };
    const invoice = await client.anInvoice({ prepayments: [above] });
    const note = await aCreditNote(client, invoice, { amount: 1900 });
    expect(note).toMatchObject({ amount_applied: 0, amount_to_credit: 1900 });
    expect(await creditOf(client, invoice.customer_id)).toBe(3000);
    const [payment] = await paymentsOf(invoice);
    good(await client.post(`/v1/finance/payments/${payment?.id}/reverse`), 200);
    const read = await client.read(invoice);
    expect(read).toMatchObject({ amount_prepaid: 13_000, amount_paid: 0, amount_due: 11_900 });
    // That of the note stays, and comes off with the next money.
    expect(await creditOf(client, invoice.customer_id)).toBe(1900);
  });

  it('is told by integrity where the paper says another sum than the books', async () => {
    const invoice = await client.anInvoice({ prepayments: [DEPOSIT] });
    const say = async (sum: number) =>
      service.database.query(`ALTER TABLE documents DISABLE TRIGGER USER;
        UPDATE documents SET amount_prepaid = ${sum} WHERE document_id = '${uuid(invoice)}';
        ALTER TABLE documents ENABLE TRIGGER USER`);
    await say(5001);
    const { differences } = await service.app.get(IntegrityQuery).differences();
    await say(5000);
    expect(differences).toMatchObject([
      {
        check: 'document amount_prepaid is the sum of the payments that its issue recorded',
        id: invoice.id,
        stored: '5001',
        derived: '5000',
      },
    ]);
  });

  it('is credit of the customer where a note takes all', async () => {
    const invoice = await client.anInvoice({ prepayments: [DEPOSIT] });
    const note = await aCreditNote(client, invoice);
    expect(note).toMatchObject({ amount_applied: 6900, amount_to_credit: 5000, amount_prepaid: 0 });
    const revised = await client.post(pathOf(invoice, 'duplicate'));
    expect(good(revised, 201)).toMatchObject({ amount_prepaid: 0 });
  });

  it('lowers what a cash discount asks for', async () => {
    const cash_discounts = [{ percent: '2', days: 10 }];
    const invoice = await client.anInvoice({ cash_discounts, prepayments: [DEPOSIT] });
    const [peppol, xrechnung] = [
      await client.get(pathOf(invoice, 'xml?profile=peppol')),
      await client.get(pathOf(invoice, 'xml?profile=xrechnung-ubl')),
    ];
    expect(peppol.text).toMatch(/<cbc:Note>2% .*66\.62/);
    expect(xrechnung.text).toContain('#SKONTO#TAGE=10#PROZENT=2.00#BASISBETRAG=119.00#\n');
    await client.pay(invoice, { amount: 6662 });
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_waived: 238 });
  });
});
