import { describe, expect, it } from 'vitest';
import type { PayoutImportBody } from '../../../src/bank/wire/payout-import.js';
import type { PayoutDetailBody } from '../../../src/bank/wire/payout.js';
import { bankFixture } from '../../support/bank-files.js';
import type { TestClient } from '../../support/client.js';
import type { TestService } from '../../support/service.js';
import { balancesOf, importReport } from './bank-calls.js';

// Payouts of a file: each one by itself, once, with our payments and refunds found by their ids.

const PAYOUTS = '/v1/finance/payouts';
type Answered = PayoutImportBody & { code: string };

/** `po_1 created 7/2`: its lines, and those that are unknown; or its code. */
const outcomes = ({ payouts }: PayoutImportBody) =>
  payouts.map((one) =>
    [one.provider_payout_id, one.status, one.code ?? `${one.lines}/${one.unknown_lines}`].join(' '),
  );

export function payoutImports(shop: () => { service: TestService; client: TestClient }): void {
  const importing = async (file: string, query: string, headers = {}) =>
    importReport<Answered>(shop().client, file, query, headers);
  const paidByCard = async () => {
    const { client, service } = shop();
    const invoice = await client.anInvoice();
    await service.deliverPaid(await client.aPaymentLink(invoice, { gateway: 'gateway-a' }));
    const path = `/v1/finance/documents/${invoice.id}/payments`;
    const { body } = await client.get<{ data: { id: string; reference: string }[] }>(path);
    return body.data[0] ?? { id: '', reference: '' };
  };

  const code = async (file: string, query: string, headers = {}) => {
    const { status, body } = await importing(file, query, headers);
    return `${status} ${body.code}`;
  };

  describe('a report of payouts', () => {
    it('becomes one each; what is refused hides no other, and the file again changes nothing', async () => {
      const { client } = shop();
      const payment = await paidByCard();
      const future = bankFixture('stripe-payouts.csv')
        .replaceAll('pi_1', payment.reference)
        .replace(/^(po_3),2026-11-17(.*?),2026-11-17/m, '$1,2899-11-17$2,2899-11-17');
      const { body, status } = await importing(future, 'gateway=gateway-a');
      expect([status, body.provider, body.note]).toEqual([200, 'stripe', null]);
      const rest = ['po_2 created 1/1', 'po_3 refused date_in_future', 'po_4 created 1/1'];
      expect(outcomes(body)).toEqual(['po_1 created 7/1', ...rest, 'po_5 created 0/0']);
      expect(body.left_out).toEqual([{ category: 'charge', rows: 1 }]);
      const [first] = body.payouts;
      expect(first).toMatchObject({
        unknown_categories: ['moon_dust'],
        payout: { amount: 9357, currency: 'EUR', status: 'sent', booked_fee: 243 },
      });
      const id = first?.payout?.id ?? '';
      const { body: read } = await client.get<PayoutDetailBody>(`${PAYOUTS}/${id}`);
      expect(read.lines.slice(0, 2)).toMatchObject([
        { payment_id: payment.id, booked_fee: 203, is_unknown: false },
        { kind: 'refund', provider_id: 're_1', is_unknown: true },
      ]);
      const balances = await balancesOf(client);
      const again = await importing(future, 'gateway=gateway-a');
      expect(outcomes(again.body)).toEqual(
        outcomes(body).map((one) => one.replace('created', 'known')),
      );
      expect(await balancesOf(client)).toEqual(balances);
      // Another amount is not what is known, and the rest of the file is.
      const other = future.replace('-11471,0,-11471', '-11470,0,-11470');
      const told = await importing(other, 'gateway=gateway-a');
      expect(outcomes(told.body).slice(0, 2)).toEqual([
        'po_1 known 7/1',
        'po_2 refused payout_exists',
      ]);
      const wrong = future.replace('-11471,0,-11471', '-11470,0,-11470').replaceAll('po_', 'po_x');
      expect(outcomes((await importing(wrong, 'gateway=gateway-a')).body)[1]).toBe(
        'po_x2 refused payout_lines_differ',
      );
    });

    it('may have more lines than a request, and comes once to those who send it at once', async () => {
      const [header = '', row = ''] = bankFixture('stripe-payouts.csv').split('\n');
      const rows = Array.from({ length: 400 }, (_, index) => row.replace('txn_1', `txn_a${index}`));
      const file = [header, ...rows].join('\n');
      const query = 'gateway=gateway-a&amounts_from=lines';
      const key = { 'idempotency-key': 'a report' };
      const answers = await Promise.all([importing(file, query), importing(file, query)]);
      const statuses = answers.map(({ body }) => outcomes(body)[0]);
      expect(statuses.toSorted()).toEqual(['po_1 created 400/400', 'po_1 known 400/400']);
      const { body } = await importing(file, query, key);
      const replayed = await importing(file, query, key);
      expect([replayed.headers.get('idempotency-replayed'), replayed.body]).toEqual(['true', body]);
    });

    it('of PayPal has its withdrawals, and says that they have no lines', async () => {
      const file = bankFixture('paypal-withdrawals.csv');
      const { body } = await importing(file, 'gateway=gateway-b');
      expect(body.note).toContain('no lines');
      expect(outcomes(body)).toEqual([
        '8AB00000000000002 created 0/0',
        '8AB00000000000003 created 0/0',
        '8AB00000000000006 refused payout_unclear',
      ]);
      expect(body.payouts[1]?.payout).toMatchObject({ amount: 500, currency: 'JPY', fee: 50 });
    });

    it('is refused whole if it is none, or one of another provider', async () => {
      const stripe = bankFixture('stripe-payouts.csv');
      expect(await code(bankFixture('n26.csv'), 'gateway=gateway-a')).toBe(
        '422 malformed_statement',
      );
      expect(await code(stripe, 'gateway=gateway-b')).toBe('422 malformed_statement');
      expect(await code(stripe, 'gateway=gateway-z')).toBe('404 gateway_not_found');
      expect(await code(stripe, '')).toBe('400 invalid_query');
      const json = { 'content-type': 'application/json' };
      expect(await code('{}', 'gateway=gateway-a', json)).toBe('415 unsupported_media_type');
      expect(await balancesOf(shop().client)).toEqual({});
    });
  });
}
