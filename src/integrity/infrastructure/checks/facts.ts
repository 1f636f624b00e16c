import type { IdPrefix } from '../../../kernel/ids.js';
import { type IntegrityCheck, ours } from './integrity-check.js';
import { converted, EXCHANGED_IN, EXCHANGED_OUT, PAID_OUT, RECEIVED } from './conversions.js';
import { OF_DISPUTES } from './disputes.js';
import { ledgerBalance, LEDGER_ENTRIES } from './ledger.js';
import { IS_FROM_CREDIT } from './payments.js';
import { PAYOUT_MOVES } from './payouts.js';

/**
 * The amounts that a fact moves on each account, debits less credits, told by the fact itself. The
 * due part of a document is one column, whether it stood as receivable, as lost, or as let pass.
 */
const ACCOUNTS = {
  due: ['receivables', 'rejected_receivables', 'bad_debt', 'payment_differences'],
  revenue: ['revenue'],
  tax: ['tax_payable'],
  rounding: ['rounding'],
  notes: ['credit_notes'],
  credit: ['customer_credit'],
  cash: ['cash'],
  clearing: ['gateway_clearing'],
  unmatched: ['unmatched_receipts'],
  fees: ['gateway_fees'],
  transit: ['payouts_in_transit'],
  disputed: ['disputed_funds'],
  losses: ['payment_losses'],
  bankFees: ['bank_fees'],
  expenses: ['other_expenses'],
  income: ['other_income'],
  opening: ['opening_balances'],
  exchange: ['currency_exchange'],
  gains: ['exchange_gains'],
  exchangeLosses: ['exchange_losses'],
};
type Column = keyof typeof ACCOUNTS;

const COLUMNS = Object.keys(ACCOUNTS) as Column[];

/** A kind of fact: rows `account_id, id, currency` and what it should have moved. */
interface ExpectedMoves {
  fact: string;
  from: string;
  id: string;
  /** Default: that of `t`. */
  currency?: string;
  /** SQL by column; what is not named is not moved. */
  moved: Partial<Record<Column, string>>;
}

const INVOICE = { due: 't.total', revenue: '-t.net_total', tax: '-t.tax_total' };
const NOTE = (applied: string) => ({
  due: `-${applied}`,
  revenue: 't.net_total',
  tax: 't.tax_total',
  credit: `-(t.total - ${applied})`,
});
const negated = (moved: Partial<Record<Column, string>>) =>
  Object.fromEntries(Object.entries(moved).map(([column, sql]) => [column, `-(${sql})`]));

const OF_DOCUMENTS: readonly ExpectedMoves[] = [
  {
    fact: 'document.issued',
    from: `documents t WHERE t.kind = 'invoice' AND t.issued_at IS NOT NULL`,
    id: 't.document_id',
    moved: { ...INVOICE, rounding: '-t.rounding' },
  },
  {
    fact: 'document.voided',
    from: `documents t WHERE t.kind = 'invoice' AND t.issued_at IS NOT NULL
      AND t.lifecycle = 'void'`,
    id: 't.document_id',
    moved: { ...negated(INVOICE), rounding: 't.rounding' },
  },
  {
    fact: 'document.rejected',
    from: `documents t WHERE t.kind = 'invoice' AND t.rejected_at IS NOT NULL`,
    id: 't.document_id',
    moved: {},
  },
  ...(['document.written_off', 'document.write_off_reversed'] as const).map((fact) => ({
    fact,
    from: `(SELECT DISTINCT account_id, document_id, data->'document'->>'currency' AS currency
      FROM events WHERE type = '${fact}') t WHERE true`,
    id: 't.document_id',
    moved: {},
  })),
  {
    fact: 'document.tax_relieved',
    from: `(SELECT account_id, relief_id, currency, sum(tax) AS tax FROM tax_reliefs v
      WHERE ${ours('v')} GROUP BY 1, 2, 3) t WHERE true`,
    id: 't.relief_id',
    moved: { tax: 't.tax', due: '-t.tax' },
  },
  {
    fact: 'credit_note.issued',
    from: `documents t WHERE t.kind = 'credit_note' AND t.issued_at IS NOT NULL`,
    id: 't.document_id',
    moved: { ...NOTE('t.amount_applied'), rounding: 't.rounding' },
  },
  {
    fact: 'credit_note.moved',
    from: `documents t WHERE t.kind = 'credit_note' AND t.issued_at IS NOT NULL`,
    id: 't.document_id',
    moved: { due: '-t.amount_moved', credit: 't.amount_moved' },
  },
  {
    fact: 'credit_note.voided',
    from: `documents t WHERE t.kind = 'credit_note' AND t.issued_at IS NOT NULL
      AND t.lifecycle = 'void'`,
    id: 't.document_id',
    moved: { ...negated(NOTE('(t.amount_applied + t.amount_moved)')), rounding: '-t.rounding' },
  },
];

/** Sums of the allocations of a reason, by payment. */
const allocated = (reason: string) => `(
  SELECT account_id, payment_id, sum(amount) AS amount FROM allocations a
  WHERE reason = '${reason}' AND ${ours('a')} GROUP BY 1, 2)`;

/** The sums that providers took back of each payment or receipt. */
const takenBack = (id: string) => `(
  SELECT account_id, ${id}, currency, sum(amount) AS amount, sum(from_credit) AS from_credit,
    sum(lost) AS lost
  FROM provider_reversals v WHERE ${id} IS NOT NULL AND dispute_id IS NULL AND ${ours('v')}
  GROUP BY 1, 2, 3)`;

const fromCredit = IS_FROM_CREDIT.replaceAll('p.', 't.');
/** The account that a payment came from: of one in another currency, its worth in exchange. */
const SOURCE = {
  cash: `CASE WHEN ${fromCredit} OR t.gateway IS NOT NULL OR x.worth IS NOT NULL
    THEN 0 ELSE t.amount END`,
  unmatched: 'CASE WHEN t.receipt_id IS NULL OR x.worth IS NOT NULL THEN 0 ELSE t.amount END',
  ...EXCHANGED_IN,
};
/** Of a payment, or of a receipt without a home. */
const REFUND = {
  due: 'CASE WHEN t.payment_id IS NULL THEN 0 ELSE t.amount - t.from_credit - t.lost END',
  credit: 't.from_credit',
  unmatched: 'CASE WHEN t.payment_id IS NULL THEN t.amount - t.lost ELSE 0 END',
  losses: 't.lost',
  cash: `CASE WHEN x.worth IS NULL AND t.paid_from = 'cash' THEN -t.amount ELSE 0 END`,
  clearing: `CASE WHEN x.worth IS NULL AND t.paid_from = 'gateway_clearing'
    THEN -t.amount ELSE 0 END`,
  ...EXCHANGED_OUT,
};
const isGateway = 't.gateway IS NOT NULL AND t.receipt_id IS NULL';
/** The fee is in the currency of the money. */
const OWN_FEE = '(CASE WHEN x.worth IS NULL THEN coalesce(t.fee, 0) ELSE 0 END)';
const APPLIED = '(t.applied + coalesce(a.amount, 0))';

const OF_MONEY: readonly ExpectedMoves[] = [
  {
    fact: 'payment.recorded',
    from: `payments t LEFT JOIN ${allocated('receipt')} a USING (account_id, payment_id)
      ${converted('payment_id', 'LEFT JOIN')} WHERE true`,
    id: 't.payment_id',
    moved: {
      ...SOURCE,
      due: `-${APPLIED}`,
      credit: `CASE WHEN ${fromCredit} THEN ${APPLIED} ELSE ${APPLIED} - t.amount END`,
      clearing: `CASE WHEN ${isGateway} THEN t.amount ELSE 0 END - ${OWN_FEE}`,
      fees: OWN_FEE,
    },
  },
  {
    fact: 'payment.recorded',
    from: `payments t ${converted('payment_id', 'JOIN')} WHERE true`,
    id: 't.payment_id',
    currency: 'x.currency',
    moved: RECEIVED,
  },
  {
    fact: 'payment.reversed',
    from: `payments t JOIN payment_reversals USING (account_id, payment_id)
      LEFT JOIN ${allocated('reversal')} a USING (account_id, payment_id)
      ${converted('payment_id', 'LEFT JOIN')} WHERE true`,
    id: 't.payment_id',
    moved: {
      ...negated(SOURCE),
      due: '-coalesce(a.amount, 0)',
      credit: `coalesce(a.amount, 0) + CASE WHEN ${fromCredit} THEN 0 ELSE t.amount END`,
      clearing: `CASE WHEN ${isGateway} THEN -t.amount ELSE 0 END + ${OWN_FEE}`,
      fees: `-${OWN_FEE}`,
    },
  },
  {
    fact: 'payment.reversed',
    from: `payments t JOIN payment_reversals USING (account_id, payment_id)
      ${converted('payment_id', 'JOIN')} WHERE true`,
    id: 't.payment_id',
    currency: 'x.currency',
    moved: negated(RECEIVED),
  },
  {
    fact: 'payment.reversed',
    from: `${takenBack('payment_id')} t WHERE true`,
    id: 't.payment_id',
    moved: {
      due: 't.amount - t.from_credit - t.lost',
      credit: 't.from_credit',
      losses: 't.lost',
      clearing: '-t.amount',
    },
  },
  {
    fact: 'receipt.closed',
    from: `${takenBack('receipt_id')} t WHERE true`,
    id: 't.receipt_id',
    moved: { unmatched: 't.amount - t.lost', losses: 't.lost', clearing: '-t.amount' },
  },
  {
    fact: 'receipt.unmatched',
    from: 'unmatched_receipts t WHERE true',
    id: 't.receipt_id',
    moved: {
      clearing: 't.amount - t.booked_fee',
      unmatched: '-t.amount',
      fees: 't.booked_fee',
    },
  },
  {
    fact: 'payment.refunded',
    from: `refunds t ${converted('refund_id', 'LEFT JOIN')}
      WHERE t.payment_id IS NOT NULL AND t.status = 'succeeded'`,
    id: 't.refund_id',
    moved: REFUND,
  },
  {
    fact: 'payment.refunded',
    from: `refunds t ${converted('refund_id', 'JOIN')} WHERE t.status = 'succeeded'`,
    id: 't.refund_id',
    currency: 'x.currency',
    moved: PAID_OUT,
  },
  {
    fact: 'receipt.refunded',
    from: `refunds t ${converted('refund_id', 'LEFT JOIN')}
      WHERE t.receipt_id IS NOT NULL AND t.status = 'succeeded'`,
    id: 't.refund_id',
    moved: REFUND,
  },
  ...['returned', 'reversed'].flatMap((kind) => {
    const undone = { fact: `refund.${kind}`, id: 't.refund_id' };
    const from = (join: 'JOIN' | 'LEFT JOIN') =>
      `refunds t JOIN refund_undoings w USING (account_id, refund_id)
        ${converted('refund_id', join)} WHERE w.kind = '${kind}'`;
    return [
      { ...undone, from: from('LEFT JOIN'), moved: negated(REFUND) },
      { ...undone, from: from('JOIN'), currency: 'x.currency', moved: negated(PAID_OUT) },
    ];
  }),
];

/** The moved columns as they are shown, without those that are zero on both sides. */
const shown = (side: 'f' | 't', other: 'f' | 't') =>
  `format('%s %s: %s', coalesce(f.fact, t.fact), coalesce(${side}.currency, 'nothing'), concat_ws(', ',
    ${COLUMNS.map(
      (one) => `CASE WHEN coalesce(${side}.${one}, 0) <> 0 OR coalesce(${other}.${one}, 0) <> 0
        THEN '${one} ' || coalesce(${side}.${one}, 0) END`,
    ).join(', ')}))`;

/** The amounts that each fact should have moved; a fact that moves nothing needs no transfer. */
const ALL_MOVES: readonly ExpectedMoves[] = [
  ...OF_DOCUMENTS,
  ...OF_MONEY,
  ...OF_DISPUTES,
  ...PAYOUT_MOVES,
];
const rowsOfOne = ({ fact, from, id, currency = 't.currency', moved }: ExpectedMoves) => `
      SELECT t.account_id, '${fact}' AS fact, ${id} AS id, ${currency} AS currency,
        ${COLUMNS.map((one) => `(${moved[one] ?? '0'})::bigint AS ${one}`).join(', ')}
      FROM ${from} AND ${ours('t')}`;
/** A provider took it back, a dispute that it lost gave it again, and somebody reversed it then. */
const TOLD_TWICE = 'payment.reversed';
const rowsOf = (isTwice: boolean) =>
  ALL_MOVES.filter(({ fact }) => (fact === TOLD_TWICE) === isTwice)
    .map(rowsOfOne)
    .join(' UNION ALL ');
const EXPECTED = `${rowsOf(false)} UNION ALL
      SELECT account_id, fact, id, currency,
        ${COLUMNS.map((one) => `sum(${one})::bigint AS ${one}`).join(', ')}
      FROM (${rowsOf(true)}) t GROUP BY 1, 2, 3, 4`;

const PREFIXES: Record<string, IdPrefix> = {
  't.document_id': 'doc',
  't.payment_id': 'pay',
  't.receipt_id': 'rcpt',
  't.refund_id': 'rfnd',
  't.payout_id': 'pout',
  't.relief_id': 'trel',
  't.dispute_id': 'dsp',
};
const PREFIX = `CASE coalesce(f.fact, t.fact) ${ALL_MOVES.map(
  ({ fact, id }) => `WHEN '${fact}' THEN '${PREFIXES[id]}'`,
).join(' ')} END`;

/**
 * One pass over the ledger for all facts. A fact may have transfers of two currencies, each with
 * its own sums. The currency is cut off an account's name once. Ids come first in the grouping,
 * because nearly every comparison of a sort ends with the first key.
 */
const FACTS: IntegrityCheck = {
  name: 'each fact moved in the ledger what it says, and each transfer has its fact',
  prefix: null,
  of: 'facts',
  sql: `SELECT id, ${PREFIX} AS prefix, ${shown('t', 'f')} AS stored, ${shown('f', 't')} AS derived
    FROM (${EXPECTED}) f FULL JOIN (
      SELECT account_id, fact, fact_id AS id, currency,
        ${COLUMNS.map((one) => `${ledgerBalance(...ACCOUNTS[one])} AS ${one}`).join(', ')}
      FROM ${LEDGER_ENTRIES} t WHERE fact NOT IN ('payment.moved', 'bank_entry.booked', 'bank_entry.unbooked') GROUP BY fact_id, fact, account_id, currency
    ) t USING (id, fact, account_id, currency)
    WHERE f.id IS NULL
      OR ${COLUMNS.map((one) => `f.${one} <> coalesce(t.${one}, 0)`).join(' OR ')}`,
};

const MOVED: IntegrityCheck = {
  name: 'payment.moved moved in the ledger what the allocations say',
  prefix: 'pay',
  sql: `SELECT payment_id AS id, format('due %s, credit %s', t.due, t.credit) AS stored,
      format('due %s, credit %s', -a.amount, a.amount) AS derived
    FROM (
      SELECT account_id, payment_id, sum(amount) AS amount FROM allocations a
      WHERE reason = 'move' AND ${ours('a')} GROUP BY 1, 2
    ) a FULL JOIN (
      SELECT t.account_id, a.payment_id, ${ledgerBalance(...ACCOUNTS.due)} AS due,
        ${ledgerBalance(...ACCOUNTS.credit)} AS credit
      FROM (SELECT * FROM ${LEDGER_ENTRIES} t WHERE fact = 'payment.moved') t
      LEFT JOIN (SELECT account_id, allocation_id, payment_id FROM allocations) a
        ON (a.account_id, a.allocation_id) = (t.account_id, t.fact_id)
      GROUP BY 1, 2
    ) t USING (account_id, payment_id)
    WHERE (t.due, t.credit) IS DISTINCT FROM (-a.amount, a.amount)`,
};

/** Each fact has its transfers, and each transfer its fact. */
export const FACT_CHECKS: readonly IntegrityCheck[] = [FACTS, MOVED];
