import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { balancesOf, payment, receipt } from '../books/books.js';
import { creditOf, expectBooksToAgree } from '../documents/document-calls.js';

let service: TestService;
let client: TestClient;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});

const FOREIGN = 'doc_01h455vb4pex5vsknk084sn02q';

/** Invoices of one customer over 119.00 each. */
async function invoices(count: number, over: object = {}) {
  const customer = await client.aCustomer();
  const made = [];
  for (let index = 0; index < count; index += 1) {
    const wish = { customer: undefined, customer_id: customer.id, ...over };
    made.push(await client.anInvoice(wish));
  }
  return { customer, made: made as [(typeof made)[0], ...typeof made] };
}

describe('one payment over several documents', () => {
  it('pays each its part, and leaves the rest as credit', async () => {
    const { customer, made } = await invoices(2);
    const [first, second] = made;
    const answer = await receipt(client, {
      amount: 20_000,
      allocations: [
        { document_id: first.id, amount: 11_900 },
        { document_id: second?.id, amount: 5000 },
      ],
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      success: true,
      payment: { amount: 20_000, applied: 16_900, credited: 3100, document_id: null },
      documents: [
        { id: first.id, applied: 11_900, amount_due: 0, status: 'paid' },
        { id: second?.id, applied: 5000, amount_due: 6900, status: 'partially_paid' },
      ],
      credited: 3100,
    });
    expect(await creditOf(client, customer.id)).toBe(3100);
    expect(await payment(client, answer.body.payment.id)).toMatchObject({
      status: 'recorded',
      amount_refundable: 20_000,
      allocations: [
        { document_id: first.id, amount: 11_900, movable: 11_900 },
        { document_id: second?.id, amount: 5000, movable: 5000 },
      ],
    });
    expect(await balancesOf(service, client)).toEqual({
      cash: 20_000,
      customer_credit: -3100,
      receivables: 6900,
      revenue: -20_000,
      tax_payable: -3800,
    });
    await expectBooksToAgree(service);
  });

  it('goes to the invoices that are due first', async () => {
    const customer = await client.aCustomer();
    const due = async (days: number) =>
      client.anInvoice({
        customer: undefined,
        customer_id: customer.id,
        payment_terms_days: days,
      });
    const late = await due(60);
    const soon = await due(5);
    const later = await due(90);
    const answer = await receipt(client, {
      amount: 12_000,
      currency: 'EUR',
      customer_id: customer.id,
      allocate: 'oldest_first',
    });
    expect(answer.body.documents).toMatchObject([
      { id: soon.id, applied: 11_900, status: 'paid' },
      { id: late.id, applied: 100, status: 'partially_paid' },
    ]);
    expect(await client.read(later)).toMatchObject({ amount_paid: 0 });
    const all = { amount: 30_000, currency: 'EUR', customer_id: customer.id };
    const rest = await receipt(client, { ...all, allocate: 'oldest_first' });
    expect(rest.body).toMatchObject({ credited: 30_000 - 11_800 - 11_900 });
    await expectBooksToAgree(service);
  });

  it('may pay nothing yet, or be paid from credit', async () => {
    const { customer, made } = await invoices(2);
    const answer = await receipt(client, {
      amount: 12_000,
      currency: 'EUR',
      customer_id: customer.id,
    });
    expect(answer.body).toMatchObject({ documents: [], credited: 12_000 });
    const fromCredit = { method: 'credit_balance', amount: 12_000 };
    const tooMuch = await receipt(client, {
      ...fromCredit,
      allocations: [{ document_id: made[0].id }],
    });
    expect(tooMuch.body.code).toBe('allocations_exceed_amount');
    const spent = await receipt(client, {
      ...fromCredit,
      allocations: made.map(({ id }) => ({ document_id: id })),
    });
    expect(spent.body.documents).toMatchObject([{ applied: 11_900 }, { applied: 100 }]);
    expect(await creditOf(client, customer.id)).toBe(0);
    await expectBooksToAgree(service);
  });

  it('is refused as a whole where a part is wrong, and nothing changes', async () => {
    const { customer, made } = await invoices(1);
    const [invoice] = made;
    const { made: others } = await invoices(1);
    const yen = await client.anInvoice({ currency: 'JPY' });
    const stranger = await service.aClient();
    const foreign = await stranger.anInvoice();
    const draft = await client.anInvoice({
      issue: false,
      customer: undefined,
      customer_id: customer.id,
    });
    const good = { document_id: invoice.id, amount: 100 };
    const cases: [object, number, string][] = [
      [{ allocations: [good, { document_id: FOREIGN, amount: 1 }] }, 422, 'unknown_document'],
      [{ allocations: [good, { document_id: foreign.id, amount: 1 }] }, 422, 'unknown_document'],
      [{ allocations: [good, { document_id: 'x', amount: 1 }] }, 422, 'unknown_document'],
      [{ allocations: [good, { document_id: others[0].id }] }, 422, 'customer_mismatch'],
      [{ allocations: [good, { document_id: yen.id }] }, 422, 'currency_mismatch'],
      [{ allocations: [good], currency: 'USD' }, 422, 'currency_mismatch'],
      [{ allocations: [good, { document_id: draft.id }] }, 409, 'document_not_payable'],
      [{ allocations: [{ ...good, amount: 11_901 }] }, 422, 'amount_exceeds_due'],
      [{ allocations: [good, good] }, 422, 'said_twice'],
      [{ allocations: [good], allocate: 'none' }, 422, 'said_twice'],
      [{ allocations: [{ ...good, amount: 0 }] }, 422, 'amount_out_of_range'],
      [{ allocations: [{ ...good, amount: 1.5 }] }, 422, 'amount_not_integer'],
      [{ allocations: [good], amount: 99 }, 422, 'allocations_exceed_amount'],
      [{ customer_id: customer.id }, 422, 'required'],
      [{ currency: 'EUR' }, 422, 'required'],
      [{ currency: 'EUR', customer_id: 'cus_01h455vb4pex5vsknk084sn02q' }, 422, 'unknown_customer'],
      [{ currency: 'EUR', customer_id: 'nobody' }, 422, 'invalid_id'],
    ];
    for (const [body, status, code] of cases) {
      const answer = await receipt(client, { amount: 20_000, ...body });
      const { errors } = answer.body as unknown as { errors?: { code: string }[] };
      expect([answer.status, errors?.[0]?.code ?? answer.body.code]).toEqual([status, code]);
    }
    expect(await client.read(invoice)).toMatchObject({ amount_paid: 0 });
    expect((await client.get<{ data: object[] }>('/v1/finance/payments')).body.data).toEqual([]);
  });

  it('goes to what became due while it waited', async () => {
    const { customer, made } = await invoices(2);
    const [first, second] = made;
    const paid = await client.pay(first, { amount: 11_900 });
    const { id } = paid.body['payment'] as { id: string };
    const other = await service.database.connect();
    await other.query('BEGIN');
    await other.query('SELECT FROM documents WHERE number = $1 FOR UPDATE', [second?.number]);
    const move = { from: first.id, to: second?.id };
    const moved = client.post(`/v1/finance/payments/${id}/allocations`, move);
    await service.database.untilBlocked();
    const both = receipt(client, {
      amount: 11_900,
      customer_id: customer.id,
      currency: 'EUR',
      allocate: 'oldest_first',
    });
    await service.database.untilBlocked(2);
    await other.query('ROLLBACK');
    await other.end();
    expect((await moved).status).toBe(200);
    const { body } = await both;
    expect(body).toMatchObject({ documents: [{ id: first.id, amount_due: 0 }], credited: 0 });
    await expectBooksToAgree(service);
  });

  it('is booked once however often its key comes', async () => {
    const { made } = await invoices(3);
    const body = {
      method: 'cash',
      amount: 30_000,
      allocations: made.map(({ id }) => ({ document_id: id })),
    };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        client.post('/v1/finance/payments', body, { 'Idempotency-Key': 'once' }),
      ),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await balancesOf(service, client))['cash']).toBe(30_000);
  });

  it('never pays more than is due, whoever else pays at the same time', async () => {
    const { customer, made } = await invoices(3);
    const ids = made.map(({ id }) => id);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        index % 3 === 0
          ? receipt(client, {
              amount: 7000,
              currency: 'EUR',
              customer_id: customer.id,
              allocate: 'oldest_first',
            })
          : receipt(client, {
              amount: 7000,
              allocations: (index % 2 ? ids : ids.toReversed()).map((id) => ({
                document_id: id,
                amount: 2000,
              })),
            }),
      ),
    );
    for (const { status } of answers) expect([201, 422]).toContain(status);
    const { receivables = 0, cash = 0 } = await balancesOf(service, client);
    const dues = await Promise.all(made.map(async (one) => (await client.read(one)).amount_due));
    expect(receivables).toBe(dues.reduce((sum, due) => sum + due, 0));
    expect(cash).toBe(answers.filter(({ status }) => status === 201).length * 7000);
    await expectBooksToAgree(service);
  });
});
