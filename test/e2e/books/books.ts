import type { TestClient } from '../../support/client.js';
import { good } from '../documents/document-calls.js';
import type { TestService } from '../../support/service.js';
import { uuidOf } from '../../../src/kernel/ids.js';

/**
 * The balances of an account's ledger in one currency: debits above zero, credits below. Accounts
 * with nothing left are not listed.
 */
export async function balancesOf(
  service: TestService,
  client: TestClient,
  currency = 'EUR',
): Promise<Record<string, number>> {
  const rows = await service.database.query<{ name: string; balance: bigint }>(
    `SELECT split_part(name, '/', 1) AS name, sum(amount)::bigint AS balance FROM (
       SELECT debit AS name, amount FROM transfers WHERE account_id = $1 AND currency = $2
       UNION ALL
       SELECT credit, -amount FROM transfers WHERE account_id = $1 AND currency = $2
     ) legs GROUP BY 1 HAVING sum(amount) <> 0 ORDER BY 1`,
    [uuidOf('acc', client.accountId), currency],
  );
  return Object.fromEntries(rows.map(({ name, balance }) => [name, Number(balance)]));
}

/** A payment with what became of it. */
export interface PaymentDetail {
  id: string;
  status: string;
  amount: number;
  applied: number;
  amount_refunded: number;
  amount_refundable: number;
  allocations: { document_id: string; amount: number; movable: number }[];
}

export const PAYMENTS = '/v1/finance/payments';

/** One payment that is recorded at `POST /v1/finance/payments`. */
export async function receipt(client: TestClient, body: object) {
  return client.post<{
    success: boolean;
    code?: string;
    payment: PaymentDetail;
    documents: { id: string; applied: number; amount_due: number; status: string }[];
    credited: number;
  }>(PAYMENTS, { method: 'bank_transfer', ...body });
}

export async function payment(client: TestClient, id: string): Promise<PaymentDetail> {
  return good(await client.get<PaymentDetail>(`${PAYMENTS}/${id}`), 200);
}
