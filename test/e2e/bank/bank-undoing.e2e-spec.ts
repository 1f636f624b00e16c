import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { balancesOf, imported, invoiceOf, tellOf } from './bank-calls.js';
import { closeWithBooks } from '../documents/document-calls.js';

let service: TestService;
let client: TestClient;
let customer: { id: string };
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  client = await service.aClient();
  customer = await client.aCustomer();
});
afterAll(() => closeWithBooks(service));

const tell = tellOf(() => client);

describe('an entry that was confirmed for the wrong document', () => {
  it('is open again, as its payment is reversed on its day, and may be confirmed for another', async () => {
    const [wrong, right] = [await invoiceOf(client, customer), await invoiceOf(client, customer)];
    const text = wrong.payment_reference ?? '';
    const [entry] = await imported(client, { amount: '119.00', text, on: '2026-11-16' });
    const before = await balancesOf(client);
    expect(entry?.status).toBe('booked');
    const undone = await tell(entry?.id, 'unbook');
    expect([undone.status, undone.body.status, undone.body.payment_id]).toEqual([
      200,
      'unmatched',
      null,
    ]);
    expect(await balancesOf(client)).toMatchObject({ receivables: 23_800 });
    expect((await client.read(wrong)).amount_due).toBe(11_900);
    const days = await service.database.query(
      `SELECT DISTINCT effective_on::text AS on FROM transfers WHERE fact = 'payment.reversed'
         AND fact_id = $1`,
      [uuidOf('pay', entry?.payment_id ?? '')],
    );
    expect(days).toEqual([{ on: '2026-11-16' }]);
    const again = await tell(entry?.id, 'confirm', { document_id: right.id });
    expect([again.status, again.body.status]).toEqual([200, 'booked']);
    expect((await client.read(right)).amount_due).toBe(0);
    expect(await balancesOf(client)).toEqual(before);
  });

  it('stays as it is where the money went back, or another entry took it', async () => {
    const [first, second] = [await invoiceOf(client, customer), await invoiceOf(client, customer)];
    const [refunded, returned] = await imported(
      client,
      { amount: '119.00', text: first.payment_reference ?? '', on: '2026-11-16' },
      { amount: '119.00', text: second.payment_reference ?? '', on: '2026-11-16' },
    );
    const refund = { amount: 100, method: 'bank_transfer' };
    await client.post(`/v1/finance/payments/${refunded?.payment_id}/refunds`, refund);
    expect((await tell(refunded?.id, 'unbook')).body.code).toBe('payment_refunded');
    const [back] = await imported(client, {
      amount: '122.00',
      direction: 'debit',
      on: '2026-11-18',
      text: `RUECKLASTSCHRIFT ${second.number}`,
    });
    await tell(back?.id, 'confirm', { payment_id: returned?.payment_id });
    expect((await tell(returned?.id, 'unbook')).body.code).toBe('bank_entry_returned');
  });
});
