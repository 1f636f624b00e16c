import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LedgerFact } from '../../../src/books/domain/ledger.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import { startTestService, type TestService } from '../../support/service.js';
import { oneIn } from '../../support/share.js';
import { expectBooksToAgree, good } from '../documents/document-calls.js';
import { UNDOINGS } from './undoings/facts.js';
import type { Shop, Way } from './undoings/shop.js';

/*
 * A fact and its undoing leave the books as they were, but for the dates: each account of the ledger,
 * the sums of each document, the credit of each customer. So it is in whatever state the books are.
 */

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const DAY_MS = 86_400_000;

interface State {
  /** Its facts are of the last month, which is closed before they are undone. */
  isClosed?: boolean;
  tolerance?: number;
  isDiscounted?: boolean;
  /** Paid by hand before, and what of that went back. */
  paid?: number;
  refunded?: number;
  credit?: number;
}

const STATES: Record<string, State> = {
  'a new invoice': {},
  'an invoice that is paid in part': { paid: 2500 },
  'an invoice that was refunded in part': { paid: 2500, refunded: 1000 },
  'a customer with credit': { credit: 3000 },
  'a tolerance': { tolerance: 300, paid: 2500 },
  'a cash discount': { isDiscounted: true, paid: 2500 },
  'a month that is closed in between': { isClosed: true, paid: 2500 },
};

async function aShop({
  isClosed,
  tolerance,
  isDiscounted,
  paid,
  refunded,
  credit,
}: State): Promise<Shop> {
  const client = await service.aClient();
  const { id: customer } = await client.aCustomer();
  const now = service.clock.now();
  const lastMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15, 12));
  const on = isClosed === true ? lastMonth : new Date(now.getTime() - 5 * DAY_MS);
  const [day, paidAt] = [on.toISOString().slice(0, 10), on.toISOString()];
  const issued = { customer: undefined, customer_id: customer, issue_date: day, due_date: day };
  const early = { due_date: null, cash_discounts: [{ percent: '2', days: 14 }] };
  if (isDiscounted === true) Object.assign(issued, early);
  const [invoice, other] = [await client.anInvoice(issued), await client.anInvoice(issued)];
  if (tolerance !== undefined) {
    const body = { underpayment_tolerance: [{ currency: 'EUR', amount: tolerance }] };
    good(await client.patch('/v1/finance/payment-settings', body), 200);
  }
  if (paid !== undefined) {
    const made = good(await client.pay(invoice, { amount: paid, paid_at: paidAt }), 201);
    const { id } = made['payment'] as { id: string };
    const back = { amount: refunded, method: 'bank_transfer' };
    if (refunded !== undefined) {
      good(await client.post(`/v1/finance/payments/${id}/refunds`, back), 201);
    }
  }
  if (credit !== undefined) {
    const more = { amount: 11_900 + credit, paid_at: paidAt, on_overpayment: 'credit' };
    good(await client.pay(await client.anInvoice(issued), more), 201);
  }
  return { service, client, customer, invoice: invoice.id, other: other.id, day, paidAt };
}

async function closeLastMonth({ client, day }: Shop): Promise<void> {
  good(await client.post(`/v1/finance/periods/${day.slice(0, 7)}/close`), 200);
}

interface Books {
  balances: Record<string, number>;
  documents: object[];
  credits: Record<string, number>;
}

/** Of documents that stand, whichever they are: an undoing may be another one of the same sums. */
const BOOKS = `
  WITH legs AS (
    SELECT debit AS account, amount FROM transfers WHERE account_id = $1
    UNION ALL SELECT credit, -amount FROM transfers WHERE account_id = $1
  )
  SELECT json_build_object(
    'balances', (SELECT coalesce(json_object_agg(account, sum), '{}') FROM (
      SELECT account, sum(amount) FROM legs GROUP BY 1 HAVING sum(amount) <> 0) b),
    'documents', (SELECT coalesce(json_agg(d ORDER BY d), '[]') FROM (
      SELECT kind, lifecycle, total, amount_paid, amount_refunded, amount_waived, amount_credited,
        credit_notes_total, amount_applied + amount_moved
      FROM documents WHERE account_id = $1 AND lifecycle NOT IN ('void', 'draft')) d),
    'credits', (SELECT coalesce(json_object_agg(customer_id || currency, credit), '{}')
      FROM customer_balances WHERE account_id = $1 AND credit <> 0)
  ) AS books`;

async function booksOf({ client }: Shop): Promise<Books> {
  const account = uuidOf('acc', client.accountId);
  const [row] = await service.database.query<{ books: Books }>(BOOKS, [account]);
  return row!.books;
}

async function countOf({ client }: Shop, fact: LedgerFact): Promise<number> {
  const [row] = await service.database.query<{ count: number }>(
    `SELECT count(DISTINCT recorded_at)::int AS count FROM transfers
     WHERE account_id = $1 AND fact = $2`,
    [uuidOf('acc', client.accountId), fact],
  );
  return row!.count;
}

async function walk(way: Way, shop: Shop, fact: LedgerFact, by: LedgerFact, isClosed = false) {
  const steps = way(shop);
  await steps.next();
  const [before, facts] = [await booksOf(shop), await countOf(shop, fact)];
  await steps.next();
  const between = await booksOf(shop);
  expect(between).not.toEqual(before);
  expect(await countOf(shop, fact)).toBeGreaterThan(facts);
  if (isClosed) await closeLastMonth(shop);
  const undoings = await countOf(shop, by);
  expect((await steps.next()).done).toBe(true);
  expect(await countOf(shop, by)).toBeGreaterThan(undoings);
  return { before, after: await booksOf(shop) };
}

const undone = Object.entries(UNDOINGS).flatMap(([fact, rows]) =>
  'never' in rows
    ? []
    : rows.flatMap(({ by, ways }) =>
        Object.entries(ways).map(([name, way]) => ({ fact: fact as LedgerFact, by, name, way })),
      ),
);

describe.each(undone)('$fact and $by, by $name', ({ fact, by, way }) => {
  it.each(oneIn(6, Object.entries(STATES)))(
    'leave the books as they were: %s',
    async (_name, state) => {
      const shop = await aShop(state);
      const { before, after } = await walk(way, shop, fact, by, state.isClosed);
      expect(after).toEqual(before);
    },
  );
});

it('leave nothing that the check of the books finds', async () => {
  await expectBooksToAgree(service);
});
