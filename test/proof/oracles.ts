import type pg from 'pg';
import { add, type Books, due, isUnderWay, takesMoney } from './books.js';
import { Disagreement } from './judge.js';

/** The database's account of one account, in the model's words. */
const STORED = `
  WITH mine AS (SELECT $1::uuid AS account_id),
  legs AS (
    SELECT debit AS account, amount, document_id, customer_id, currency
      FROM transfers JOIN mine USING (account_id)
    UNION ALL
    SELECT credit, -amount, document_id, customer_id, currency
      FROM transfers JOIN mine USING (account_id)
  )
  SELECT json_build_object(
    'documents', (SELECT coalesce(json_agg(d), '[]') FROM (
      SELECT document_id AS id, kind, lifecycle, total, amount_paid, amount_refunded, amount_waived,
        amount_credited, credit_notes_total, amount_applied + amount_moved AS amount_applied
      FROM documents JOIN mine USING (account_id)) d),
    'ledger', (SELECT coalesce(json_object_agg(account, sum), '{}') FROM (
      SELECT account, sum(amount) FROM legs GROUP BY 1 HAVING sum(amount) <> 0) l),
    'currencies', (SELECT coalesce(json_object_agg(currency, sum), '{}') FROM (
      SELECT currency, sum(amount) FROM legs GROUP BY 1) l),
    'receivable', (SELECT coalesce(json_object_agg(document_id, sum), '{}') FROM (
      SELECT document_id, sum(amount) FROM legs
      WHERE account ~ '^((rejected_)?receivables|bad_debt)/'
      GROUP BY 1 HAVING sum(amount) <> 0) l),
    'credit', (SELECT coalesce(json_object_agg(customer_id || '/' || currency, -sum), '{}') FROM (
      SELECT customer_id, currency, sum(amount) FROM legs
      WHERE account LIKE 'customer_credit/%' GROUP BY 1, 2 HAVING sum(amount) <> 0) l),
    'balances', (SELECT coalesce(json_object_agg(customer_id || '/' || currency, credit), '{}')
      FROM customer_balances JOIN mine USING (account_id) WHERE credit <> 0),
    'reserved', (SELECT coalesce(json_object_agg(customer_id || '/' || currency, reserved), '{}')
      FROM customer_balances JOIN mine USING (account_id) WHERE reserved <> 0),
    'refunds', (SELECT coalesce(json_object_agg(refund_id, coalesce(u.kind, status)), '{}')
      FROM refunds JOIN mine USING (account_id)
        LEFT JOIN refund_undoings u USING (account_id, refund_id)),
    'links', (SELECT coalesce(json_object_agg(payment_link_id, status), '{}')
      FROM payment_links JOIN mine USING (account_id)),
    'entries', (SELECT coalesce(json_object_agg(entry_id, status), '{}')
      FROM bank_entries JOIN mine USING (account_id)),
    'payouts', (SELECT coalesce(json_object_agg(payout_id, status), '{}')
      FROM payouts JOIN mine USING (account_id)),
    'disputes', (SELECT coalesce(json_object_agg(provider_dispute_id, json_build_array(status, held)), '{}')
      FROM (
        SELECT provider_dispute_id, (array_agg(status ORDER BY step DESC))[1] AS status,
          sum(withdrawn + adopted) AS held
        FROM disputes JOIN mine USING (account_id) JOIN dispute_steps USING (account_id, dispute_id)
        GROUP BY provider_dispute_id) d),
    'items', (SELECT coalesce(json_object_agg(substr(subject, 8), coalesce(s.status, 'open')), '{}')
      FROM unmatched_items i LEFT JOIN LATERAL (
        SELECT status FROM unmatched_item_steps s
        WHERE (s.account_id, s.item_id) = (i.account_id, i.item_id) ORDER BY step DESC LIMIT 1
      ) s ON true
      -- Of gateways that accounts share, they are the operator's.
      WHERE subject LIKE 'payout told-' || $1::text || '-%'),
    'receipts', (SELECT coalesce(json_object_agg(provider_payment_id, settled), '{}')
      FROM unmatched_receipts JOIN mine USING (account_id)),
    'payments', (SELECT coalesce(json_agg(p), '[]') FROM (
      SELECT amount, returned FROM payments JOIN mine USING (account_id)
      ) p)
  ) AS stored`;

interface Stored {
  documents: Record<string, string | number>[];
  ledger: Record<string, number>;
  currencies: Record<string, number>;
  receivable: Record<string, number>;
  credit: Record<string, number>;
  balances: Record<string, number>;
  reserved: Record<string, number>;
  refunds: Record<string, string>;
  receipts: Record<string, number>;
  /** By the provider's id: the status, and the amount that the provider has of it. */
  disputes: Record<string, [string, number]>;
  /** Payouts that were told and not booked, by the provider's id. */
  items: Record<string, string>;
  entries: Record<string, string>;
  links: Record<string, string>;
  payouts: Record<string, string>;
  payments: { amount: number; returned: number }[];
}

/** The books that are stored, against the model and against themselves. @throws Disagreement */
export async function assertBooks(
  database: pg.Client,
  accountId: string,
  possible: readonly Books[],
  uuid: (id: string) => string,
): Promise<void> {
  const { rows } = await database.query<{ stored: Stored }>(STORED, [accountId]);
  const { stored } = rows[0]!;
  const wrong = possible.map((books) => differences(stored, books, uuid));
  if (wrong.every((lines) => lines.length > 0)) throw new Disagreement(wrong[0]?.join('\n'));
}

/** Rows that no books may have, whatever the service said. $1 is the account. */
const IMPOSSIBLE = `
  SELECT 'document ' || document_id AS what FROM documents WHERE account_id = $1
    AND (amount_refunded < 0 OR amount_refunded > amount_paid OR amount_waived < 0
      OR amount_paid - amount_refunded + amount_credited + amount_waived > total
      OR amount_credited < 0 OR amount_credited > credit_notes_total
      OR credit_notes_total > total)
  UNION ALL
  SELECT 'payment ' || payment_id FROM payments
    WHERE account_id = $1 AND returned NOT BETWEEN 0 AND amount
  UNION ALL
  SELECT 'receipt ' || receipt_id FROM unmatched_receipts
    WHERE account_id = $1 AND settled NOT BETWEEN 0 AND amount
  UNION ALL
  SELECT 'credit of customer ' || customer_id FROM customer_balances
    WHERE account_id = $1 AND (reserved < 0 OR credit < reserved)
  UNION ALL
  SELECT 'ledger account ' || account FROM (
    SELECT debit AS account, amount FROM transfers WHERE account_id = $1
    UNION ALL SELECT credit, -amount FROM transfers WHERE account_id = $1
  ) legs
  GROUP BY account
  -- What is owed to us is never below zero, and what we owe never above.
  HAVING account ~ '^((rejected_)?receivables|bad_debt)/' AND sum(amount) < 0
    OR (account LIKE 'customer_credit/%' OR account LIKE 'unmatched_receipts/%') AND sum(amount) > 0
    OR account LIKE 'credit_notes/%' AND sum(amount) <> 0
  UNION ALL
  SELECT 'provider payment ' || told || ', kept ' || count(r.provider_payment_id) || ' times'
    FROM unnest($2::text[]) told LEFT JOIN provider_receipts r ON r.provider_payment_id = told
    GROUP BY told HAVING count(r.provider_payment_id) <> 1`;

/** Nothing is negative, given back twice or kept twice. @throws Disagreement */
export async function assertStored(
  database: pg.Client,
  accountId: string,
  told: readonly string[],
): Promise<void> {
  const { rows } = await database.query<{ what: string }>(IMPOSSIBLE, [accountId, told]);
  if (rows.length === 0) return;
  throw new Disagreement(`impossible: ${rows.map(({ what }) => what).join('; ')}`);
}

function differences(stored: Stored, books: Books, uuid: (id: string) => string): string[] {
  const wrong: string[] = [];
  const compare = (what: string, found: object, expected: object) => {
    const [left, right] = [canonical(found), canonical(expected)];
    if (left !== right) wrong.push(`${what}: stored ${left}, expected ${right}`);
  };
  compare('documents', sorted(stored.documents), sorted(documentsOf(books, uuid)));
  compare('payments', sorted(stored.payments), sorted(paymentsOf(books)));
  compare('ledger', stored.ledger, books.ledger);
  compare('sums of the ledger', Object.values(stored.currencies).filter(Boolean), []);
  compare('receivables', stored.receivable, keyed(books.receivable, uuid));
  compare('due', stored.receivable, keyed(dueOf(books), uuid));
  compare('credit in the ledger', stored.credit, keyed(books.credit, uuid));
  compare('credit of customers', stored.balances, keyed(books.credit, uuid));
  compare('credit that is on its way back', stored.reserved, keyed(books.reserved, uuid));
  const refunds = books.refunds.map(({ id, status }) => [uuid(id), status]);
  compare('refunds', stored.refunds, Object.fromEntries(refunds));
  const entries = books.entries.map(({ id, status }) => [uuid(id), status]);
  compare('bank entries', stored.entries, Object.fromEntries(entries));
  const links = Object.entries(books.links).map(([id, { status }]) => [uuid(id), status]);
  // Of two that one request makes at the same time, the second is canceled, and nobody's answer.
  const answered = Object.entries(stored.links).filter(([id, status]) => {
    return status !== 'canceled' || links.some(([known]) => known === id);
  });
  compare('payment links', Object.fromEntries(answered), Object.fromEntries(links));
  const payouts = books.payouts.map(({ id, status }) => [uuid(id), status]);
  compare('payouts', stored.payouts, Object.fromEntries(payouts));
  const disputes = books.disputes.map((one) => [one.id, [one.status, one.withdrawn]]);
  compare('payouts for a person', stored.items, books.payoutItems);
  compare('disputes', stored.disputes, Object.fromEntries(disputes));
  const receipts = books.receipts.map(({ id, settled }) => [id, settled]);
  compare('receipts', stored.receipts, Object.fromEntries(receipts));
  return wrong;
}

/**
 * The books know each refund that a provider made, unless they wait for its answer. @throws
 * Disagreement
 */
export function assertGivenBack(
  possible: readonly Books[],
  went: Readonly<Record<string, number>>,
): void {
  const wrong = possible.map(({ refunds }) => {
    const known = new Map(refunds.map((one) => [one.id, one]));
    const unheard = Object.keys(went).filter((id) => !known.has(id));
    const different = refunds.filter((one) => {
      const booked = one.byGateway && one.status === 'succeeded' ? one.amount : 0;
      return !isUnderWay(one) && (went[one.id] ?? 0) !== booked;
    });
    return [...unheard, ...different.map(({ id }) => id)];
  });
  if (wrong.every((ids) => ids.length > 0)) {
    throw new Disagreement(`given back otherwise than booked: ${wrong[0]?.join(', ')}`);
  }
}

/** Charges of letters in the report of tax, by currency and category. @throws Disagreement */
export function assertTaxReport(
  possible: readonly Books[],
  lines: readonly { currency: string; tax_category: string; taxable_amount: number }[],
): void {
  const found: Record<string, number> = {};
  for (const { currency, tax_category: category, taxable_amount: net } of lines) {
    if (category === 'O' || category === 'E') add(found, `${category}/${currency}`, net);
  }
  const wrong = possible.map((books) => {
    const [left, right] = [canonical(found), canonical(chargesReported(books))];
    return left === right ? null : `tax report: ${left}, expected ${right}`;
  });
  if (!wrong.includes(null)) throw new Disagreement(wrong[0]!);
}

/** By currency and category: of invoices that stand, less their credit notes. */
function chargesReported({ invoices, creditNotes }: Books): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { chargedIn, charged, currency, lifecycle } of invoices) {
    if (chargedIn && lifecycle !== 'void') add(sums, `${chargedIn}/${currency}`, charged);
  }
  for (const { nets, currency, lifecycle } of creditNotes) {
    if (lifecycle === 'void') continue;
    for (const category of ['O', 'E']) add(sums, `${category}/${currency}`, -(nets[category] ?? 0));
  }
  return sums;
}

function documentsOf(books: Books, uuid: (id: string) => string): object[] {
  return [
    ...books.invoices.map((invoice) => ({
      id: uuid(invoice.id),
      kind: 'invoice',
      lifecycle: invoice.lifecycle,
      total: invoice.total,
      amount_paid: invoice.paid,
      amount_refunded: invoice.refunded,
      amount_waived: invoice.waived,
      amount_credited: invoice.credited,
      credit_notes_total: invoice.creditNotes,
      amount_applied: 0,
    })),
    ...books.drafts.map((draft) => ({
      id: uuid(draft.id),
      kind: 'invoice',
      lifecycle: 'draft',
      total: draft.total,
      amount_paid: 0,
      amount_refunded: 0,
      amount_waived: 0,
      amount_credited: 0,
      credit_notes_total: 0,
      amount_applied: 0,
    })),
    ...books.creditNotes.map((note) => ({
      id: uuid(note.id),
      kind: 'credit_note',
      lifecycle: note.lifecycle,
      total: note.total,
      amount_paid: 0,
      amount_refunded: 0,
      amount_waived: 0,
      amount_credited: 0,
      credit_notes_total: 0,
      amount_applied: note.applied,
    })),
  ];
}

function paymentsOf(books: Books): object[] {
  // A reversal counts as if all had gone back: nothing may follow it.
  return books.payments.map(({ amount, returned, reversed, takenBack }) => ({
    amount,
    returned: reversed && takenBack === null ? amount : returned,
  }));
}

/** The debts that the ledger must have: a rejected invoice keeps its claim until it is void. */
function dueOf(books: Books): Record<string, number> {
  const owing = books.invoices.filter(
    (invoice) => takesMoney(invoice) || invoice.lifecycle === 'rejected',
  );
  return Object.fromEntries(
    owing
      .map((invoice) => [invoice.id, due(invoice) - (invoice.relief['bad_debt'] ?? 0)] as const)
      .filter(([, claim]) => claim !== 0),
  );
}

function keyed(sums: Record<string, number>, uuid: (id: string) => string) {
  return Object.fromEntries(
    Object.entries(sums).map(([key, sum]) => {
      const [id = '', ...rest] = key.split('/');
      return [[uuid(id), ...rest].join('/'), sum];
    }),
  );
}

function sorted(things: object[]): string[] {
  return things.map(canonical).sort();
}

function canonical(thing: object): string {
  return JSON.stringify(thing, Array.isArray(thing) ? undefined : Object.keys(thing).sort());
}
