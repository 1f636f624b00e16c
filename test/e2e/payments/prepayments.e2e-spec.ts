import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { PaymentDetailBody } from '../../../src/payments/recording/wire/payment.js';
import { readXml, textAt } from '../../einvoices/xml-reader.js';
import { type DocumentWish, requestFor, type TestClient } from '../../support/client.js';
import { textOf } from '../../support/pdf-text.js';
import { startTestService, type TestService } from '../../support/service.js';
import {
  closeWithBooks,
  creditOf,
  DOCUMENTS,
  good,
  historyOf,
  key,
  pathOf,
} from '../documents/document-calls.js';
import { ledgerOf, statementOf } from '../books/report-calls.js';
import { expectProblem, pointersOf } from '../expectations.js';

let service: TestService;
let client: TestClient;

beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => closeWithBooks(service));

const DEPOSIT = {
  amount: 5000,
  method: 'bank_transfer',
  paid_at: '2026-11-02T10:00:00Z',
  reference: 'Deposit',
};
const CASH = { amount: 900, method: 'cash' };

async function paymentsOf(document: { id: string }): Promise<PaymentDetailBody[]> {
  const path = pathOf(document, 'payments');
  return good(await client.get<{ data: PaymentDetailBody[] }>(path), 200).data;
}

const sequence = ({ number }: DocumentBody) => Number(number?.replace(/\D/g, ''));

const issuedWith = (draft: { id: string }, prepayments: object[], headers = {}) =>
  client.post<DocumentBody>(pathOf(draft, 'issue'), { prepayments }, headers);

describe('an invoice that is issued with prepayments', () => {
  it('has them as payments, in its answer, its history and the books', async () => {
    const invoice = await client.anInvoice({ prepayments: [DEPOSIT, CASH] });
    const today = invoice.issue_date;
    const sums = { total: 11_900, amount_prepaid: 5900, amount_paid: 5900, amount_due: 6000 };
    expect(invoice).toMatchObject({ ...sums, status: 'partially_paid' });
    expect(await client.read(invoice)).toMatchObject(sums);
    const payments = await paymentsOf(invoice);
    expect(payments).toMatchObject([
      { ...DEPOSIT, paid_at: '2026-11-02T10:00:00.000Z', applied: 5000 },
      { ...CASH, applied: 900, reference: null },
    ]);
    const history = await historyOf(client, invoice);
    expect(history.map(({ type, from, to }) => [type, from, to])).toEqual([
      ['document.created', null, 'draft'],
      ['document.issued', 'draft', 'open'],
      ['payment.recorded', 'open', 'partially_paid'],
      ['document.partially_paid', 'open', 'partially_paid'],
      ['payment.recorded', 'partially_paid', 'partially_paid'],
      ['document.partially_paid', 'partially_paid', 'partially_paid'],
    ]);
    const { data: entries } = await ledgerOf(client, { document_id: invoice.id });
    const booked = entries.map(({ fact, debit, credit, amount, effective_on: on }) =>
      [fact, debit, credit, amount, on].join(' '),
    );
    expect(booked.toReversed()).toEqual([
      `document.issued receivables revenue 10000 ${today}`,
      `document.issued receivables tax_payable 1900 ${today}`,
      'payment.recorded cash receivables 5000 2026-11-02',
      `payment.recorded cash receivables 900 ${today}`,
    ]);
    const statement = await statementOf(client, invoice.customer_id);
    const moved = statement.currencies[0]?.movements ?? [];
    expect(moved.map(({ type, date, balance }) => [type, date, balance])).toEqual([
      ['payment', '2026-11-02', -5000],
      ['issue', today, 6900],
      ['payment', today, 6000],
    ]);
  });

  it('says on paper and as an e-invoice what is left, whatever is paid later', async () => {
    const draft = await client.anInvoice({ issue: false });
    const invoice = good(await issuedWith(draft, [DEPOSIT]), 200);
    await client.pay(invoice, { amount: 6900 });
    expect(await client.read(invoice)).toMatchObject({
      amount_prepaid: 5000,
      amount_paid: 11_900,
      amount_due: 0,
      status: 'paid',
    });
    const ubl = await client.get(pathOf(invoice, 'xml?profile=peppol'));
    const totals = (name: string) =>
      textAt(readXml(ubl.bytes.toString()), `a:LegalMonetaryTotal/b:${name}`);
    expect(['TaxInclusiveAmount', 'PrepaidAmount', 'PayableAmount'].map(totals)).toEqual([
      '119.00',
      '50.00',
      '69.00',
    ]);
    const cii = await client.get(pathOf(invoice, 'xml?profile=factur-x'));
    expect(cii.text).toContain('<ram:TotalPrepaidAmount>50.00<');
    expect(cii.text).toContain('<ram:DuePayableAmount>69.00<');
    const pdf = await client.get(pathOf(invoice, 'pdf'));
    expect(textOf(pdf.bytes)).toMatch(/Total\n.119\.00\nPaid\n.50\.00\nAmount due\n.69\.00/);
  });
});

describe('prepayments', () => {
  it('are recorded once with an Idempotency-Key, and only with the issue', async () => {
    const request = requestFor({ prepayments: [DEPOSIT] });
    const [first, second] = [
      await client.post<DocumentBody>(DOCUMENTS, request, key('once')),
      await client.post<DocumentBody>(DOCUMENTS, request, key('once')),
    ];
    expect(good(second, 201)).toEqual(good(first, 201));
    expect(await paymentsOf(first.body)).toHaveLength(1);
    const draft = await client.anInvoice({ issue: false });
    const issued = await issuedWith(draft, [CASH], key('issued'));
    const again = await issuedWith(draft, [CASH], key('issued'));
    expect(good(again, 200)).toEqual(good(issued, 200));
    expect(await paymentsOf(draft)).toHaveLength(1);
  });

  it('are recorded once where a draft is issued several times at once', async () => {
    const draft = await client.anInvoice({ issue: false });
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => issuedWith(draft, [DEPOSIT, CASH])),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    expect(await paymentsOf(draft)).toHaveLength(2);
    expect(await client.read(draft)).toMatchObject({ amount_paid: 5900, amount_prepaid: 5900 });
  });

  it('may pay all: then the paper asks for nothing', async () => {
    const invoice = await client.anInvoice({ prepayments: [{ ...DEPOSIT, amount: 11_900 }] });
    expect(invoice).toMatchObject({ status: 'paid', amount_due: 0, amount_prepaid: 11_900 });
    const { bytes } = await client.get(pathOf(invoice, 'xml?profile=peppol'));
    const due = textAt(readXml(bytes.toString()), 'a:LegalMonetaryTotal/b:PayableAmount');
    expect(due).toBe('0.00');
  });

  it('above the total are credit of the customer, and the paper says so', async () => {
    const rest = { ...CASH, amount: 8000, on_overpayment: 'credit' };
    const invoice = await client.anInvoice({ prepayments: [DEPOSIT, rest] });
    const sums = { total: 11_900, amount_prepaid: 13_000, amount_paid: 11_900, amount_due: 0 };
    expect(invoice).toMatchObject({ ...sums, status: 'paid' });
    expect(await paymentsOf(invoice)).toMatchObject([
      { amount: 5000, applied: 5000, credited: 0 },
      { amount: 8000, applied: 6900, credited: 1100 },
    ]);
    expect(await creditOf(client, invoice.customer_id)).toBe(1100);
    const { data: entries } = await ledgerOf(client, { document_id: invoice.id });
    expect(entries.map(({ debit, credit, amount }) => [debit, credit, amount])).toContainEqual([
      'cash',
      'receivables',
      6900,
    ]);
    for (const [profile, due] of [
      ['peppol', '>-11.00</cbc:PayableAmount>'],
      ['factur-x', '<ram:DuePayableAmount>-11.00<'],
    ]) {
      const { text } = await client.get(pathOf(invoice, `xml?profile=${profile}`));
      expect(text).toContain(due);
    }
    const pdf = textOf((await client.get(pathOf(invoice, 'pdf'))).bytes);
    expect(pdf).toMatch(/Total\n.119\.00\nPaid\n.130\.00\nAdded to your credit balance\n.11\.00/);
    expect(pdf).not.toContain('Amount due');
  });

  it('of an invoice over nothing are all credit', async () => {
    const lines = [{ description: 'Gift', unit_amount: 0 }];
    const all = { ...CASH, on_overpayment: 'credit' };
    const invoice = await client.anInvoice({ lines, prepayments: [all] });
    expect(invoice).toMatchObject({ amount_prepaid: 900, amount_paid: 0, status: 'paid' });
    expect(await creditOf(client, invoice.customer_id)).toBe(900);
  });

  it('come with a document that was issued elsewhere, and with your own id', async () => {
    const elsewhere = { number: 'OLD-7', issue_date: '2026-11-03', prepayments: [DEPOSIT] };
    expect(await client.anInvoice(elsewhere)).toMatchObject({ amount_due: 6900 });
    const path = `${DOCUMENTS}/by-external-id/order-7`;
    good(await client.put(path, requestFor({ issue: false })), 201);
    const put = await client.put<DocumentBody>(path, requestFor({ prepayments: [CASH] }));
    expect(good(put, 200)).toMatchObject({ amount_prepaid: 900, amount_due: 11_000 });
    const batch = await client.post<{ results: { document: DocumentBody }[] }>(
      `${DOCUMENTS}/batch`,
      { documents: [requestFor({ prepayments: [CASH] })] },
    );
    expect(batch.body.results[0]?.document).toMatchObject({ amount_prepaid: 900 });
  });

  it('spend credit of the customer, of which there has to be enough for all of them', async () => {
    const { id: customer_id } = await client.aCustomer();
    const receipt = { customer_id, amount: 3000, currency: 'EUR', method: 'cash' };
    good(await client.post('/v1/finance/payments', receipt), 201);
    const wish = { customer: undefined, customer_id };
    const spent = { amount: 2000, method: 'credit_balance' };
    const both = await client.post(DOCUMENTS, requestFor({ ...wish, prepayments: [spent, spent] }));
    const { available_credit } = expectProblem(both, 422, 'insufficient_credit');
    expect(available_credit).toBe(3000);
    const atOnce = await Promise.all(
      Array.from({ length: 3 }, () =>
        client.post(DOCUMENTS, requestFor({ ...wish, prepayments: [spent] })),
      ),
    );
    expect(atOnce.map(({ status }) => status).toSorted()).toEqual([201, 422, 422]);
    expect(await creditOf(client, customer_id)).toBe(1000);
  });

  it('in a month that is closed are booked on the first open day', async () => {
    const other = await service.aClient();
    const closed = await other.post('/v1/finance/periods/2026-10/close');
    expect(closed.status).toBe(200);
    const paid_at = '2026-10-05T10:00:00Z';
    const invoice = await other.anInvoice({ prepayments: [{ ...CASH, paid_at }] });
    const { body } = await other.get<{ data: PaymentDetailBody[] }>(pathOf(invoice, 'payments'));
    expect(body.data).toMatchObject([{ booked_later: true, booked_on: '2026-11-01' }]);
  });
});

describe('prepayments are refused', () => {
  it.each<[string, DocumentWish, object[], string, string]>([
    ['above the total', {}, [{ ...CASH, amount: 11_901 }], 'amount_exceeds_due', '/prepayments'],
    [
      'together above the total',
      {},
      [CASH, { ...CASH, amount: 11_001 }],
      'amount_exceeds_due',
      '/prepayments',
    ],
    [
      'above the total by another one than that which may be',
      {},
      [
        { ...CASH, on_overpayment: 'credit' },
        { ...CASH, amount: 11_001, on_overpayment: 'reject' },
      ],
      'amount_exceeds_due',
      '/prepayments',
    ],
    [
      'of credit above the total',
      {},
      [{ amount: 11_901, method: 'credit_balance', on_overpayment: 'credit' }],
      'amount_exceeds_due',
      '/prepayments',
    ],
    ['of a draft', { issue: false }, [CASH], 'prepayments_need_issue', '/prepayments'],
    ['of a quote', { kind: 'quote' }, [CASH], 'prepayments_need_issue', '/prepayments'],
    [
      'of tomorrow',
      {},
      [CASH, { ...CASH, paid_at: '2096-01-01T00:00:00Z' }],
      'paid_at_in_future',
      '/prepayments/1/paid_at',
    ],
    ['by no method', {}, [{ ...CASH, method: 'gold' }], 'unknown_method', '/prepayments/0/method'],
  ])('%s, and nothing is written', async (_, wish, prepayments, code, pointer) => {
    const before = await client.anInvoice();
    const answer = await client.post(DOCUMENTS, requestFor({ ...wish, prepayments }));
    expect(pointersOf(expectProblem(answer, 422, code))).toEqual([pointer]);
    const after = await client.anInvoice();
    expect(sequence(after)).toBe(sequence(before) + 1);
  });

  it('with every wrong field at once', async () => {
    const wrong = { amount: '9', method: 'gold', paid_at: 'now', total: 1 };
    const answer = await client.post(DOCUMENTS, requestFor({ prepayments: [wrong] }));
    expect(pointersOf(expectProblem(answer, 422, 'validation_failed'))).toEqual(
      ['amount', 'method', 'paid_at', 'total'].map((field) => `/prepayments/0/${field}`),
    );
    const many = Array.from({ length: 21 }, () => CASH);
    expectProblem(
      await client.post(DOCUMENTS, requestFor({ prepayments: many })),
      422,
      'too_many_items',
    );
  });

  it('of a client that records no payments', async () => {
    const writer = await service.aClient({ scopes: ['documents:write'], of: client });
    const draft = await client.anInvoice({ issue: false });
    const answers = [
      await writer.post(DOCUMENTS, requestFor({ prepayments: [CASH] })),
      await writer.post(pathOf(draft, 'issue'), { prepayments: [CASH] }),
    ];
    for (const answer of answers) expectProblem(answer, 403, 'insufficient_scope');
    good(await writer.post(pathOf(draft, 'issue')), 200);
  });
});
