import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UuidV7Generator, uuidOf } from '../../src/kernel/ids.js';
import { LEDGER_ACCOUNTS } from '../../src/books/domain/ledger.js';
import type { TestClient } from '../support/client.js';
import { startTestService, type TestService } from '../support/service.js';
import { CHECK, FOREIGN, FROZEN, Statements, UNIQUE, uuid } from '../support/statements.js';

// The schema is the last guard of the books, too: whatever the code does, these are refused.

let service: TestService;
let client: TestClient;
let paymentId: string;
let documentId: string;
let transferId: string;

const ids = new UuidV7Generator();
const statements = new Statements(() => service.database);
const verdict = statements.verdict.bind(statements);

beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
  const invoice = await client.anInvoice();
  const { body } = await client.pay(invoice);
  documentId = uuid(invoice);
  paymentId = uuidOf('pay', (body['payment'] as { id: string }).id) ?? '';
  const [transfer] = await service.database.query<{ transfer_id: string }>(
    'SELECT transfer_id FROM transfers WHERE fact_id = $1',
    [paymentId],
  );
  transferId = transfer?.transfer_id ?? '';
});
afterAll(() => service.close());

const transfer = async (over: object) =>
  statements.copy('transfers', 'transfer_id', transferId, { transfer_id: ids.next(), ...over });

const returned = async (sql: string) =>
  verdict(`UPDATE payments SET returned = ${sql} WHERE payment_id = $1`, [paymentId]);

const allocate = async (currency: string, amount: number) =>
  verdict(
    `INSERT INTO allocations SELECT account_id, $2, payment_id, document_id, $3, $4, 'move', now()
     FROM payments WHERE payment_id = $1`,
    [paymentId, ids.next(), currency, amount],
  );

const refund = async (over: object) => {
  const row = {
    refund_id: ids.next(),
    payment_id: paymentId,
    receipt_id: null,
    currency: 'EUR',
    amount: 100,
    from_credit: 0,
    method: 'card',
    gateway: 'gateway-a',
    paid_from: 'gateway_clearing',
    status: 'pending',
    requested_at: new Date(),
    next_look_at: new Date(),
    attempts: 0,
    ...over,
  };
  const result = await verdict(
    `INSERT INTO refunds (account_id, client_id, customer_id, ${Object.keys(row).join(', ')})
     SELECT p.account_id, p.client_id,
       CASE WHEN r.payment_id IS NOT NULL THEN p.customer_id END,
       ${Object.keys(row)
         .map((name) => `r.${name}`)
         .join(', ')}
     FROM payments p, jsonb_populate_record(NULL::refunds, $1) r WHERE p.payment_id = $2`,
    [JSON.stringify(row), paymentId],
  );
  return { id: row.refund_id, result };
};

const setRefund = async (id: string, sql: string) =>
  verdict(`UPDATE refunds SET ${sql} WHERE refund_id = $1`, [id]);

const setBalance = async (sql: string) => verdict(`UPDATE customer_balances SET ${sql}`);

describe('a transfer', () => {
  it('is between two accounts of the chart, in the currency of both', async () => {
    const chart = `${CHECK} ledger_account_of_the_chart`;
    const currency = `${CHECK} transfers_in_the_currency_of_both_accounts`;
    expect(await transfer({})).toBe('done');
    for (const wrong of [
      'petty_cash/EUR',
      'cash',
      'cash/EUR/EUR',
      'cash EUR',
      '/EUR',
      'cash/eur',
    ]) {
      expect(await transfer({ debit: wrong })).toBe(chart);
      expect(await transfer({ credit: wrong })).toBe(chart);
    }
    expect(await transfer({ debit: 'cash/USD' })).toBe(currency);
    expect(await transfer({ credit: 'receivables/USD' })).toBe(currency);
    expect(await transfer({ currency: 'USD' })).toBe(currency);
    const same = { debit: 'cash/EUR', credit: 'cash/EUR' };
    expect(await transfer(same)).toBe(`${CHECK} transfers_between_two_accounts`);
  });

  it.each(LEDGER_ACCOUNTS.filter((name) => name !== 'receivables'))(
    'may concern %s: the chart of the code',
    async (name) => {
      expect(await transfer({ debit: `${name}/EUR` })).toBe('done');
    },
  );

  it('moves something, and is for a fact that there is', async () => {
    expect(await transfer({ amount: 0 })).toMatch(CHECK);
    expect(await transfer({ amount: -1 })).toMatch(CHECK);
    expect(await transfer({ fact: 'document.imagined' })).toMatch(CHECK);
  });
});

describe('a payment', () => {
  it('gives back at most what it is', async () => {
    const within = `${CHECK} payments_returned_within_amount`;
    expect(await returned('amount + 1')).toBe(within);
    expect(await returned('-1')).toBe(within);
    expect(await returned('amount')).toBe('done');
    expect(await returned('0')).toBe('done');
  });

  it('is reversed once', async () => {
    const reversal = `INSERT INTO payment_reversals
      SELECT account_id, payment_id, NULL, client_id, now() FROM payments WHERE payment_id = $1`;
    expect(await verdict(reversal, [paymentId])).toBe('done');
    expect(await verdict(reversal, [paymentId])).toBe(`${UNIQUE} payment_reversals_pkey`);
  });

  it('is applied to a document, or has its parts beside it', async () => {
    const other = { payment_id: ids.next(), document_id: null };
    const copy = async (over: object) =>
      statements.copy('payments', 'payment_id', paymentId, { ...other, ...over });
    expect(await copy({})).toBe(`${CHECK} payments_applied_to_a_document`);
    expect(await copy({ applied: 0, client_id: null })).toBe(`${CHECK} payments_source`);
    expect(await copy({ applied: 0, fee: 0 })).toMatch(CHECK);
    expect(await copy({ applied: 0, receipt_id: ids.next() })).toMatch(FOREIGN);
    expect(await copy({ applied: 0 })).toBe('done');
  });

  it('has parts in its own currency only', async () => {
    expect(await allocate('USD', 1)).toMatch(FOREIGN);
    expect(await allocate('EUR', 0)).toMatch(CHECK);
    expect(await allocate('EUR', -1)).toBe('done');
  });
});

describe('a refund', () => {
  it('is of a payment or a receipt, above zero, and settled or to be looked up', async () => {
    expect((await refund({})).result).toBe('done');
    expect((await refund({ amount: 0 })).result).toMatch(CHECK);
    expect((await refund({ payment_id: null })).result).toMatch(CHECK);
    expect((await refund({ payment_id: ids.next() })).result).toMatch(FOREIGN);
    expect((await refund({ from_credit: 101 })).result).toMatch(CHECK);
    expect((await refund({ next_look_at: null })).result).toMatch(CHECK);
    expect((await refund({ gateway: null })).result).toMatch(CHECK);
    expect((await refund({ status: 'succeeded' })).result).toMatch(CHECK);
    expect((await refund({ status: 'perhaps' })).result).toMatch(CHECK);
    expect((await refund({ paid_from: 'cash' })).result).toMatch(CHECK);
    expect((await refund({ paid_from: 'receivables' })).result).toMatch(CHECK);
  });

  it('is settled once, and never changed or deleted', async () => {
    const { id } = await refund({});
    expect(await setRefund(id, `amount = 99`)).toBe(FROZEN);
    expect(await setRefund(id, `paid_from = 'gateway_clearing'`)).toBe(FROZEN);
    expect(await setRefund(id, `status = 'unknown'`)).toBe('done');
    expect(await setRefund(id, `status = 'pending'`)).toBe('done');
    const done = `status = 'succeeded', settled_at = now(), next_look_at = NULL`;
    expect(await setRefund(id, done)).toBe('done');
    expect(await setRefund(id, `status = 'failed'`)).toBe(FROZEN);
    expect(await verdict('DELETE FROM refunds WHERE refund_id = $1', [id])).toBe(FROZEN);
  });

  it('takes from documents what is above zero, once each', async () => {
    const { id } = await refund({});
    const part = async (amount: number, document = documentId) =>
      verdict(
        `INSERT INTO refund_parts SELECT account_id, refund_id, $2, $3 FROM refunds
         WHERE refund_id = $1`,
        [id, document, amount],
      );
    expect(await part(0)).toMatch(CHECK);
    expect(await part(1, ids.next())).toMatch(FOREIGN);
    expect(await part(1)).toBe('done');
    expect(await part(1)).toBe(`${UNIQUE} refund_parts_pkey`);
  });
});

describe('customer credit', () => {
  it('on its way back is there, and cannot be spent meanwhile', async () => {
    const over = await client.pay(await client.anInvoice(), {
      amount: 12_000,
      on_overpayment: 'credit',
    });
    expect(over.status).toBe(201);
    const enough = `${CHECK} customer_balances_not_negative`;
    expect(await setBalance('reserved = credit + 1')).toBe(enough);
    expect(await setBalance('reserved = -1')).toMatch(CHECK);
    expect(await setBalance('reserved = credit')).toBe('done');
    expect(await setBalance('credit = credit - 1')).toBe(enough);
  });
});
