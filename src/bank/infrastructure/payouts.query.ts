import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Money } from '../../kernel/money.js';
import type { NamedPayout } from '../../payments/index.js';
import { Database } from '../../platform/database/database.js';
import type { SnapshotRead } from '../../platform/database/snapshots.js';
import { type Payout, type PayoutLine, type PayoutStatus } from '../domain/payouts/payout.js';
import {
  type PayoutColumns,
  type PayoutLineColumns,
  SELECT_PAYOUTS,
  toPayout,
  toPayoutLine,
} from './payout-columns.js';
import { BankRefusal } from '../domain/refusals.js';

export interface PayoutFilter {
  status: PayoutStatus | null;
  gateway: string | null;
  currency: string | null;
}

/** Lines of a payout, and those of them that are about nothing of ours. */
export interface LineCounts {
  all: number;
  unknown: number;
}

const MOST_IN_TRANSIT = 20;

const LIST = `${SELECT_PAYOUTS} WHERE o.account_id = $1 AND ($2::text IS NULL OR o.status = $2)
    AND ($3::text IS NULL OR o.gateway = $3) AND ($4::text IS NULL OR o.currency = $4)
    AND ($5::uuid IS NULL OR o.payout_id < $5)
  ORDER BY o.payout_id DESC LIMIT $6`;

/** Payouts for reading: no locks. */
@Injectable()
export class PayoutsQuery {
  constructor(private readonly database: Database) {}

  async get(accountId: Uuid, id: Uuid): Promise<Payout> {
    const [row] = await this.database.query<PayoutColumns>(
      `${SELECT_PAYOUTS} WHERE o.account_id = $1 AND o.payout_id = $2`,
      [accountId, id],
    );
    if (!row) throw BankRefusal.payout_not_found.of();
    return toPayout(row);
  }

  /** All that were recorded under these ids of the provider's, in the order in which that was done. */
  async named(
    accountId: Uuid,
    gateway: string,
    providerPayoutIds: readonly string[],
  ): Promise<NamedPayout[]> {
    const rows = await this.database.query<{
      payout_id: Uuid;
      undone_on: IsoDate | null;
      reason: string | null;
    }>(
      `SELECT o.payout_id, f.undone_on, f.reason FROM payouts o
         LEFT JOIN payout_undoings f ON f.account_id = o.account_id AND f.payout_id = o.payout_id
           AND f.kind = 'failed'
       WHERE o.account_id = $1 AND o.gateway = $2 AND o.provider_payout_id = ANY ($3::text[])
       ORDER BY o.payout_id`,
      [accountId, gateway, providerPayoutIds],
    );
    return rows.map((row) => ({ id: row.payout_id, failedOn: row.undone_on, reason: row.reason }));
  }

  /** In their order, each with what is known of it since. */
  async linesOf({ accountId, id, amount }: Payout): Promise<PayoutLine[]> {
    const rows = await this.database.query<PayoutLineColumns>(
      `SELECT l.position, l.kind, l.amount, l.fee, l.booked_fee + coalesce(c.booked_fee, 0) AS booked_fee,
         l.provider_id, coalesce(l.payment_id, c.payment_id) AS payment_id,
         coalesce(l.receipt_id, c.receipt_id) AS receipt_id,
         coalesce(l.refund_id, c.refund_id) AS refund_id
       FROM payout_lines l LEFT JOIN payout_lines c
         ON (c.account_id, c.payout_id, c.completes) = (l.account_id, l.payout_id, l.position)
       WHERE l.account_id = $1 AND l.payout_id = $2 AND l.completes IS NULL ORDER BY l.position`,
      [accountId, id],
    );
    return rows.map((row) => toPayoutLine(row, amount.currency));
  }

  /** By payout; one without lines is not there. */
  async lineCounts(accountId: Uuid, ids: readonly Uuid[]): Promise<Map<Uuid, LineCounts>> {
    const rows = await this.database.query<{ payout_id: Uuid; lines: number; unknown: number }>(
      `SELECT payout_id, count(*)::int AS lines, (count(*) FILTER (
           WHERE kind IN ('payment', 'refund')
             AND num_nonnulls(payment_id, receipt_id, refund_id) = 0
             AND NOT EXISTS (SELECT FROM payout_lines c WHERE (c.account_id, c.payout_id, c.completes)
               = (l.account_id, l.payout_id, l.position))))::int AS unknown
       FROM payout_lines l
       WHERE account_id = $1 AND payout_id = ANY ($2::uuid[]) AND completes IS NULL
       GROUP BY payout_id`,
      [accountId, ids],
    );
    return new Map(rows.map((row) => [row.payout_id, { all: row.lines, unknown: row.unknown }]));
  }

  /** Newest first, behind the payout `after`. */
  async list(
    accountId: Uuid,
    { status, gateway, currency }: PayoutFilter,
    after: Uuid | null,
    count: number,
  ): Promise<Payout[]> {
    const values = [accountId, status, gateway, currency, after, count];
    const rows = await this.database.list<PayoutColumns>(LIST, values);
    return rows.map(toPayout);
  }

  /** How many there are, up to `most`. */
  async count(
    accountId: Uuid,
    { status, gateway, currency }: PayoutFilter,
    most: number,
  ): Promise<number> {
    return this.database.countRows(LIST, [accountId, status, gateway, currency, null, most]);
  }

  /** Those on their way over this amount, nearest to the day first. */
  async inTransit(
    read: SnapshotRead,
    accountId: Uuid,
    amount: Money,
    on: IsoDate,
  ): Promise<Payout[]> {
    const rows = await read<PayoutColumns>(
      `${SELECT_PAYOUTS} WHERE o.account_id = $1 AND o.status = 'sent' AND o.currency = $2
         AND o.amount = $3
       ORDER BY abs($4::date - coalesce(o.arrives_on, o.sent_on)), o.payout_id
       LIMIT ${MOST_IN_TRANSIT}`,
      [accountId, amount.currency, amount.minor, on],
    );
    return rows.map(toPayout);
  }
}
