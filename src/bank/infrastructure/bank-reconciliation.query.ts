import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { Snapshots } from '../../platform/database/snapshots.js';
import type { Row } from '../../platform/database/row.js';
import type { BankStatementFormat } from '../domain/bank-statement.js';
import {
  type CashSums,
  type EntrySums,
  type ReconciledAccount,
  type ReconciledCash,
  reconciledAccounts,
  reconciledCash,
} from '../domain/bank-reconciliation.js';

interface PeriodColumns extends Pick<
  Row<'bank_statements', { format: BankStatementFormat }>,
  'statement_id' | 'format'
> {
  /** @derived */
  account: string | null;
  /** @derived */
  currency: string | null;
  /** @derived */
  opening: bigint | null;
  /** @derived */
  opening_on: IsoDate | null;
  /** @derived */
  closing: bigint | null;
  /** @derived */
  closing_on: IsoDate | null;
}

interface EntrySumColumns extends Pick<Row<'bank_entries'>, 'currency'> {
  /** @derived */
  account: string | null;
  /** @derived */
  booked: bigint | null;
  /** @derived */
  not_booked: bigint | null;
  /** @derived */
  ignored: bigint | null;
}

interface CashSumColumns extends Pick<Row<'transfers'>, 'currency'> {
  /** @derived */
  of_entries: bigint | null;
  /** @derived */
  by_hand: bigint | null;
}

interface TransitColumns extends Pick<Row<'transfers'>, 'currency'> {
  /** @derived */
  in_transit: bigint | null;
}

/** Sections with both balances; a file may tell one of them alone. */
const PERIODS = `
  SELECT s.statement_id, s.format, x.section->>'account' AS account,
    x.section->'opening'->>'currency' AS currency,
    (x.section->'opening'->>'amount')::bigint AS opening,
    (x.section->'opening'->>'date')::date AS opening_on,
    (x.section->'closing'->>'amount')::bigint AS closing,
    (x.section->'closing'->>'date')::date AS closing_on
  FROM bank_statements s CROSS JOIN LATERAL jsonb_array_elements(s.sections) AS x(section)
  WHERE s.account_id = $1 AND s.withdrawn_at IS NULL AND x.section->'opening'->>'amount' IS NOT NULL
    AND x.section->'closing'->>'amount' IS NOT NULL
    AND ($2::date IS NULL OR (x.section->'closing'->>'date')::date <= $2)
  ORDER BY s.statement_id`;

const MOVED = `CASE direction WHEN 'credit' THEN amount ELSE -amount END - fee`;
const ENTRIES = `
  SELECT bank_account AS account, currency,
    sum(${MOVED}) FILTER (WHERE status IN ('booked', 'recorded', 'returned', 'posted'))::bigint
      AS booked,
    sum(${MOVED}) FILTER (WHERE status IN ('proposed', 'unmatched', 'debit'))::bigint
      AS not_booked,
    sum(${MOVED}) FILTER (WHERE status = 'ignored')::bigint AS ignored
  FROM bank_entries WHERE account_id = $1 AND ($2::date IS NULL OR booked_on <= $2) GROUP BY 1, 2`;

/** A fact stands for an entry if the entry made it, was said to be it, or took it back. */
const CASH = `
  SELECT t.currency, sum(t.moved) FILTER (WHERE of_entry.tied)::bigint AS of_entries,
    sum(t.moved) FILTER (WHERE NOT of_entry.tied)::bigint AS by_hand
  FROM (
    SELECT currency, fact, fact_id,
      CASE split_part(debit, '/', 1) WHEN 'cash' THEN amount ELSE -amount END AS moved
    FROM transfers WHERE account_id = $1 AND ($2::date IS NULL OR effective_on <= $2)
      AND (split_part(debit, '/', 1) = 'cash' OR split_part(credit, '/', 1) = 'cash')
  ) t
  LEFT JOIN payments p ON t.fact IN ('payment.recorded', 'payment.reversed')
    AND p.account_id = $1 AND p.payment_id = t.fact_id
  LEFT JOIN (
    SELECT payment_id, bool_or(status = 'recorded') AS is_recorded,
      bool_or(status = 'returned') AS is_returned
    FROM bank_entries WHERE account_id = $1 AND status IN ('recorded', 'returned') GROUP BY 1
  ) e ON e.payment_id = p.payment_id
  CROSS JOIN LATERAL (SELECT CASE
    WHEN t.fact IN ('bank_entry.booked', 'bank_entry.unbooked') THEN true
    WHEN p.bank_entry_id IS NOT NULL THEN true
    WHEN t.fact = 'payment.recorded' THEN coalesce(e.is_recorded, false)
    WHEN t.fact = 'payment.reversed' THEN coalesce(e.is_returned, false)
    ELSE false END AS tied) of_entry
  GROUP BY 1`;

/** Payouts that left a provider and are no entry of a bank yet. */
const TRANSIT = `
  SELECT currency, sum(CASE split_part(debit, '/', 1) WHEN 'payouts_in_transit' THEN amount
    ELSE -amount END)::bigint AS in_transit
  FROM transfers WHERE account_id = $1 AND ($2::date IS NULL OR effective_on <= $2)
    AND (split_part(debit, '/', 1) = 'payouts_in_transit'
      OR split_part(credit, '/', 1) = 'payouts_in_transit')
  GROUP BY 1`;

/** Statements, their entries, and the account `cash`, as they stood at one moment. */
@Injectable()
export class BankReconciliationQuery {
  constructor(private readonly snapshots: Snapshots) {}

  /** Up to the end of a day; null: of all there is. */
  async read(
    accountId: Uuid,
    date: IsoDate | null,
  ): Promise<{ accounts: ReconciledAccount[]; cash: ReconciledCash[] }> {
    const [periods, entries, cash, transit] = await this.snapshots.run(async (read) => [
      await read<PeriodColumns>(PERIODS, [accountId, date]),
      await read<EntrySumColumns>(ENTRIES, [accountId, date]),
      await read<CashSumColumns>(CASH, [accountId, date]),
      await read<TransitColumns>(TRANSIT, [accountId, date]),
    ]);
    const sums = entries.map(entrySums);
    return {
      accounts: reconciledAccounts(periods.map(statedPeriod), sums),
      cash: reconciledCash(cash.map(cashSums), sums, new Map(transit.map(inTransit))),
    };
  }
}

function statedPeriod(row: PeriodColumns) {
  return {
    statementId: row.statement_id,
    mayOverlap: row.format === 'csv',
    account: row.account,
    currency: row.currency ?? '',
    opening: row.opening ?? 0n,
    openingOn: row.opening_on ?? '',
    closing: row.closing ?? 0n,
    closingOn: row.closing_on ?? '',
  };
}

function entrySums(row: EntrySumColumns): EntrySums {
  const { account, currency, booked, not_booked, ignored } = row;
  return {
    account,
    currency,
    booked: booked ?? 0n,
    notBooked: not_booked ?? 0n,
    ignored: ignored ?? 0n,
  };
}

function cashSums({ currency, of_entries, by_hand }: CashSumColumns): CashSums {
  return { currency, ofEntries: of_entries ?? 0n, byHand: by_hand ?? 0n };
}

function inTransit({ currency, in_transit }: TransitColumns): [string, bigint] {
  return [currency, in_transit ?? 0n];
}
