import { type IntegrityCheck, ours } from './integrity-check.js';
import { PAYMENTS_AS_RECEIVED } from './conversions.js';
import { ledgerBalance, LEDGER_ENTRIES } from './ledger.js';

const ENTRY_ACCOUNTS = [
  'bank_fees',
  'other_expenses',
  'other_income',
  'opening_balances',
  'gateway_clearing',
  'currency_exchange',
  'payouts_in_transit',
];

const ENTRY_SHOWN = (side: 't' | 'b') =>
  `concat_ws(', ', ${ENTRY_ACCOUNTS.map((one) => `'${one} ' || nullif(${side}.${one}, 0)`).join(', ')})`;

/** An entry moves the account that it is posted to. */
const posted = (account: string) =>
  `CASE WHEN ledger_account = '${account}' THEN CASE direction WHEN 'debit' THEN b.amount
    ELSE -b.amount END ELSE 0 END`;

/** An entry may be booked, opened and booked again: together that is what it is now. */
const ENTRIES: IntegrityCheck = {
  name: 'bank_entry.booked and unbooked moved in the ledger what the entry is now',
  prefix: 'bentry',
  sql: `SELECT id, ${ENTRY_SHOWN('t')} AS stored, ${ENTRY_SHOWN('b')} AS derived
    FROM (
      SELECT b.account_id, b.entry_id AS id, ${ENTRY_ACCOUNTS.map(
        (one) => `${posted(one)}${one === 'bank_fees' ? ' + fees.kept' : ''} AS ${one}`,
      ).join(', ')}
      FROM bank_entries b LEFT JOIN ${PAYMENTS_AS_RECEIVED} p ON b.status = 'returned'
        AND p.account_id = b.account_id AND p.payment_id = b.payment_id
      CROSS JOIN LATERAL (SELECT CASE
        WHEN b.status = 'returned' THEN b.amount + b.fee - p.received
        WHEN b.status IN ('booked', 'recorded', 'posted') THEN b.fee ELSE 0 END AS kept) fees
      WHERE ${ours('b')} AND b.status IN ('booked', 'recorded', 'returned', 'posted')
    ) b FULL JOIN (
      SELECT account_id, fact_id AS id, ${[...ENTRY_ACCOUNTS, 'cash']
        .map((one) => `${ledgerBalance(one)} AS ${one}`)
        .join(', ')}
      FROM ${LEDGER_ENTRIES} t WHERE fact IN ('bank_entry.booked', 'bank_entry.unbooked')
      GROUP BY fact_id, account_id
    ) t USING (id, account_id)
    WHERE ${ENTRY_ACCOUNTS.map((one) => `coalesce(b.${one}, 0) <> coalesce(t.${one}, 0)`).join(' OR ')}
      OR coalesce(t.cash, 0) <> -(${ENTRY_ACCOUNTS.map((one) => `coalesce(b.${one}, 0)`).join(' + ')})`,
};

const POSTED: IntegrityCheck = {
  name: 'a posted bank entry names an account of the chart, and no other entry does',
  prefix: 'bentry',
  sql: `SELECT entry_id AS id, format('%s to %s', status, coalesce(ledger_account, 'none')) AS stored,
      'an account if it is posted' AS derived
    FROM bank_entries b WHERE ${ours('b')} AND CASE status
      WHEN 'posted' THEN ledger_account IS NULL OR ledger_account NOT IN (${ENTRY_ACCOUNTS.map((one) => `'${one}'`).join(', ')})
      ELSE ledger_account IS NOT NULL END`,
};

/** The entries of banks, and what the ledger has of them beside payments. */
export const ENTRY_CHECKS: readonly IntegrityCheck[] = [ENTRIES, POSTED];
