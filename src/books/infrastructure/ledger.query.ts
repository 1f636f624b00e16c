import { Injectable } from '@nestjs/common';
import { addDays, type IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Row } from '../../platform/database/row.js';
import { type SnapshotRead, Snapshots } from '../../platform/database/snapshots.js';
import type { LedgerAccount, LedgerFact } from '../domain/ledger.js';
import type { TransferSum, Transfer } from '../domain/transfer.js';
import type { TrialSum } from '../domain/trial-balance.js';
import { flowsUntil, summedThrough } from './summed-transfers.js';

export interface LedgerFilter {
  account?: LedgerAccount;
  currency?: Currency;
  documentId?: Uuid;
  customerId?: Uuid;
  fact?: LedgerFact;
  /** Both days belong to it. */
  effective: { from?: IsoDate; to?: IsoDate };
  /** `to` does not. */
  recorded: { from?: Date; to?: Date };
}

export const LEDGER_SORTS = ['-recorded_at', 'recorded_at'] as const;
/** By id: ids sort by the time of recording. */
export type LedgerSort = (typeof LEDGER_SORTS)[number];

/** Rows that an export reads at once. */
const ROWS_AT_ONCE = 2000;
/** A quarter: all of them are read before the first are taken. */
const FEW_DAYS = 92;

type TransferColumns = Omit<
  Row<
    'transfers',
    { fact: LedgerFact; debit: LedgerAccount; credit: LedgerAccount; currency: Currency }
  >,
  'account_id' | 'xact'
>;

/** The ledger for reading: no locks. */
@Injectable()
export class LedgerQuery {
  constructor(
    private readonly database: Database,
    private readonly snapshots: Snapshots,
  ) {}

  /** The first `count` transfers behind a place. */
  async list(
    accountId: Uuid,
    filter: LedgerFilter,
    sort: LedgerSort,
    after: Uuid | null,
    count: number,
  ): Promise<Transfer[]> {
    const read: SnapshotRead = async (text, values) => this.database.list(text, values);
    return page(read, accountId, filter, sort, after, count);
  }

  /** How many there are, up to `most`. */
  async count(accountId: Uuid, filter: LedgerFilter, most: number): Promise<number> {
    const values: unknown[] = [accountId];
    const bind = (value: unknown) => `$${values.push(value)}`;
    const conditions = ['account_id = $1', ...conditionsOf(filter, bind)];
    return this.database.countRows(
      `SELECT FROM transfers WHERE ${conditions.join(' AND ')} LIMIT ${bind(most)}`,
      values,
    );
  }

  /** All of them, some at a time, as they stand when the first are read. */
  all(accountId: Uuid, filter: LedgerFilter, sort: LedgerSort): AsyncGenerator<Transfer[], void> {
    return this.snapshots.pages<Transfer>(ROWS_AT_ONCE, async (read, last) =>
      page(read, accountId, filter, sort, last?.id ?? null, ROWS_AT_ONCE),
    );
  }

  /** The sums between each two accounts until the end of a day. */
  async flowsUntil(
    accountId: Uuid,
    date: IsoDate,
    currency: Currency | null,
  ): Promise<TransferSum[]> {
    return this.snapshots.run(async (read) =>
      read<TransferSum>(FLOWS_UNTIL, [accountId, date, currency, await summedThrough(read)]),
    );
  }

  /** The sums between each two accounts: before some days, and in them. Both days belong to them. */
  async flowsAround(
    accountId: Uuid,
    from: IsoDate,
    to: IsoDate,
    currency: Currency | null,
  ): Promise<TrialSum[]> {
    return this.snapshots.run(async (read) =>
      read<TrialSum>(FLOWS_AROUND, [accountId, from, to, currency, await summedThrough(read)]),
    );
  }
}

const BETWEEN_ACCOUNTS = `split_part(debit, '/', 1) AS debit, split_part(credit, '/', 1) AS credit,
  right(debit, 3) AS currency`;

/** $2 the day, $3 the currency or null, $4 how far there are sums. */
const FLOWS_UNTIL = `
  SELECT ${BETWEEN_ACCOUNTS}, amount::bigint FROM (
    SELECT debit, credit, sum(amount) AS amount FROM (${flowsUntil('$2::date', '$4')}) flows
    WHERE $3::text IS NULL OR right(debit, 3) = $3 GROUP BY 1, 2) flows`;

/** $2 and $3 the first and the last day, $4 the currency or null, $5 how far there are sums. */
const FLOWS_AROUND = `
  SELECT ${BETWEEN_ACCOUNTS}, before::bigint, (until - before)::bigint AS within FROM (
    SELECT debit, credit, coalesce(sum(amount) FILTER (WHERE ends = 'before'), 0) AS before,
      sum(amount) FILTER (WHERE ends = 'until') AS until
    FROM (
      SELECT 'before' AS ends, * FROM (${flowsUntil('($2::date - 1)', '$5')}) flows
      UNION ALL SELECT 'until', * FROM (${flowsUntil('$3::date', '$5')}) flows
    ) flows
    WHERE $4::text IS NULL OR right(debit, 3) = $4 GROUP BY 1, 2) flows`;

async function page(
  read: SnapshotRead,
  accountId: Uuid,
  filter: LedgerFilter,
  sort: LedgerSort,
  after: Uuid | null,
  count: number,
): Promise<Transfer[]> {
  const values: unknown[] = [accountId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const [direction, behind] = sort === '-recorded_at' ? ['DESC', '<'] : ['ASC', '>'];
  const conditions = conditionsOf(filter, bind);
  if (after !== null) conditions.push(`transfer_id ${behind} ${bind(after)}`);
  // Else the planner would walk from the end of the ledger to some days of long ago.
  const fence = areFewDays(filter.effective) ? 'OFFSET 0' : '';
  const rows = await read<TransferColumns>(
    `SELECT transfer_id, fact, fact_id, split_part(debit, '/', 1) AS debit,
       split_part(credit, '/', 1) AS credit, amount, currency, document_id, customer_id,
       effective_on, recorded_at
     FROM (SELECT * FROM transfers
       WHERE ${['account_id = $1', ...conditions].join(' AND ')} ${fence}) found
     ORDER BY transfer_id ${direction} LIMIT ${bind(count)}`,
    values,
  );
  return rows.map(toTransfer);
}

function areFewDays({ from, to }: LedgerFilter['effective']): boolean {
  return from !== undefined && to !== undefined && to <= addDays(from, FEW_DAYS);
}

function conditionsOf(filter: LedgerFilter, bind: (value: unknown) => string): string[] {
  const { account, currency, documentId, customerId, fact, effective, recorded } = filter;
  const conditions: string[] = [];
  const add = (value: unknown, condition: (place: string) => string) => {
    if (value !== undefined) conditions.push(condition(bind(value)));
  };
  add(customerId, (id) => `customer_id = ${id}`);
  // A document's transfers are among its customer's, and those have an index.
  add(
    documentId,
    (id) => `document_id = ${id} AND customer_id = (SELECT d.customer_id FROM documents d
       WHERE d.account_id = $1 AND d.document_id = ${id})`,
  );
  add(account, (name) => `${name} IN (split_part(debit, '/', 1), split_part(credit, '/', 1))`);
  add(currency, (code) => `currency = ${code}`);
  add(fact, (name) => `fact = ${name}`);
  add(effective.from, (day) => `effective_on >= ${day}`);
  add(effective.to, (day) => `effective_on <= ${day}`);
  add(recorded.from, (instant) => `recorded_at >= ${instant}`);
  add(recorded.to, (instant) => `recorded_at < ${instant}`);
  return conditions;
}

function toTransfer(row: TransferColumns): Transfer {
  return {
    id: row.transfer_id,
    fact: row.fact,
    factId: row.fact_id,
    debit: row.debit,
    credit: row.credit,
    amount: row.amount,
    currency: row.currency,
    documentId: row.document_id,
    customerId: row.customer_id,
    effectiveOn: row.effective_on,
    recordedAt: row.recorded_at,
  };
}
