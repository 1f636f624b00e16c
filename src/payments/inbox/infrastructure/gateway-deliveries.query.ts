import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import { Database } from '../../../platform/database/database.js';
import type { Row } from '../../../platform/database/row.js';
import {
  type DeliveryEffects,
  type DeliveryOutcome,
  type GatewayDelivery,
  type KeptDelivery,
  type ReportNames,
} from '../domain/gateway-delivery.js';
import { SealedDeliveries } from './sealed-deliveries.js';
import { GatewayRefusal } from '../../port/domain/gateway-refusals.js';

/** The filters of a list of deliveries. */
export interface DeliveryFilter {
  gateway?: string;
  outcome?: DeliveryOutcome;
  eventType?: string;
  from?: Date;
  to?: Date;
  paymentId?: Uuid;
  documentId?: Uuid;
}

type DeliveryColumns = Omit<
  Row<'gateway_deliveries', { outcome: DeliveryOutcome }>,
  'is_unfinished' | 'left_over' | 'names' | 'sealed_delivery'
>;

type WholeColumns = DeliveryColumns &
  Pick<Row<'gateway_deliveries', { names: ReportNames[] }>, 'sealed_delivery' | 'names'>;

const COLUMNS = `d.account_id, d.delivery_id, d.gateway, d.received_at, d.event_types, d.reports,
  d.outcome, d.problem, d.replays, d.replayed_at, d.attempts, d.next_try_at`;

const NAMES = (names: string) => `jsonb_to_recordset(${names}) AS n(event text, type text,
  payment text, link uuid, object text, refund uuid, back text, dispute text)`;

const LIST = `SELECT ${COLUMNS} FROM gateway_deliveries d
  WHERE d.account_id = $1 AND ($2::text IS NULL OR d.gateway = $2)
    AND ($3::text IS NULL OR d.outcome = $3) AND ($4::text IS NULL OR $4 = ANY (d.event_types))
    AND ($5::timestamptz IS NULL OR d.received_at >= $5)
    AND ($6::timestamptz IS NULL OR d.received_at < $6)
    AND ($7::uuid IS NULL OR EXISTS (SELECT FROM ${NAMES('d.names')}
      WHERE (d.gateway, n.payment) IN (SELECT p.gateway, p.provider_payment_id FROM payments p
        WHERE p.account_id = $1 AND p.payment_id = $7)))
    AND ($8::uuid IS NULL OR EXISTS (SELECT FROM ${NAMES('d.names')}
      WHERE n.link IN (SELECT l.payment_link_id FROM payment_links l
          WHERE l.account_id = $1 AND l.document_id = $8)
        OR (d.gateway, n.payment) IN (SELECT p.gateway, p.provider_payment_id FROM payments p
          WHERE p.account_id = $1 AND p.document_id = $8)))
    AND ($9::uuid IS NULL OR d.delivery_id < $9)
  ORDER BY d.delivery_id DESC LIMIT $10`;

/** Each of the account, by the ids that its reports name. */
const EFFECTS = `WITH n AS MATERIALIZED (SELECT * FROM ${NAMES('$3::jsonb')})
  SELECT
    (SELECT coalesce(jsonb_agg(e), '[]') FROM (
      SELECT DISTINCT n.event, n.type, e.outcome FROM n
        LEFT JOIN provider_events e ON e.gateway = $2 AND e.event_id = n.event
      WHERE n.event IS NOT NULL ORDER BY 1, 2) e) AS events,
    ARRAY(SELECT DISTINCT r.payment_id::text FROM n JOIN provider_receipts r
      ON r.gateway = $2 AND r.provider_payment_id = n.payment
      WHERE r.account_id = $1 AND r.payment_id IS NOT NULL ORDER BY 1) AS payments,
    ARRAY(SELECT l.payment_link_id::text FROM n JOIN payment_links l
      ON l.account_id = $1 AND l.payment_link_id = n.link WHERE l.gateway = $2
      UNION SELECT r.payment_link_id::text FROM n JOIN provider_receipts r
      ON r.gateway = $2 AND r.provider_payment_id = n.payment
      WHERE r.account_id = $1 AND r.payment_link_id IS NOT NULL ORDER BY 1) AS links,
    ARRAY(SELECT DISTINCT u.receipt_id::text FROM n JOIN unmatched_receipts u
      ON u.account_id = $1 AND u.gateway = $2 AND u.provider_payment_id = n.payment
      ORDER BY 1) AS receipts,
    ARRAY(SELECT f.refund_id::text FROM n JOIN refunds f
      ON f.account_id = $1 AND f.refund_id = n.refund
      UNION SELECT f.refund_id::text FROM n JOIN refunds f
      ON f.account_id = $1 AND f.gateway = $2 AND f.provider_refund_id = n.back
      UNION SELECT f.refund_id::text FROM n JOIN refund_names f
      ON f.account_id = $1 AND f.gateway = $2 AND f.provider_refund_id = n.back
      ORDER BY 1) AS refunds,
    ARRAY(SELECT DISTINCT d.dispute_id::text FROM n JOIN disputes d
      ON d.account_id = $1 AND d.gateway = $2 AND d.provider_dispute_id = n.dispute
      ORDER BY 1) AS disputes,
    ARRAY(SELECT DISTINCT i.item_id::text FROM n JOIN unmatched_items i
      ON i.account_id = $1 AND i.gateway = $2 AND i.event_id = n.event ORDER BY 1) AS items`;

/** Transactions that begin from now on have no smaller number. */
const MARK = `SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint + book_xact_offset()
  AS mark`;

/**
 * Every report that is new writes its event. One that is known may still meet its payment, or become a
 * payout that could not be booked before, which closes its item.
 */
const HAS_CHANGED = `WITH n AS MATERIALIZED (SELECT * FROM ${NAMES('$2::jsonb')})
  SELECT EXISTS (SELECT FROM n JOIN provider_events e
      ON e.gateway = $1 AND e.event_id = n.event WHERE e.xact >= $3)
    OR EXISTS (SELECT FROM n JOIN provider_reversals v
      ON v.gateway = $1 AND v.provider_payment_id = n.payment WHERE v.xact >= $3)
    OR EXISTS (SELECT FROM n JOIN disputes d
      ON d.gateway = $1 AND d.provider_payment_id = n.payment
      JOIN dispute_steps s ON (s.account_id, s.dispute_id) = (d.account_id, d.dispute_id)
      WHERE s.xact >= $3)
    OR EXISTS (SELECT FROM n JOIN unmatched_items i ON i.gateway = $1 AND i.event_id = n.event
      JOIN unmatched_item_steps t ON (t.account_id, t.item_id) = (i.account_id, i.item_id)
      WHERE t.xact >= $3)
    AS changed`;

function valuesOf(accountId: Uuid, filter: DeliveryFilter, after: Uuid | null, count: number) {
  const { gateway, outcome, eventType, from, to, paymentId, documentId } = filter;
  return [accountId, gateway, outcome, eventType, from, to, paymentId, documentId, after, count];
}

/** Verified calls of providers, for reading: no locks. */
@Injectable()
export class GatewayDeliveriesQuery {
  constructor(
    private readonly database: Database,
    private readonly sealed: SealedDeliveries,
  ) {}

  /** With its bytes. */
  async get(accountId: Uuid, id: Uuid): Promise<KeptDelivery> {
    const [row] = await this.database.query<WholeColumns>(
      `SELECT ${COLUMNS}, d.sealed_delivery, d.names FROM gateway_deliveries d
       WHERE d.account_id = $1 AND d.delivery_id = $2`,
      [accountId, id],
    );
    if (!row) throw GatewayRefusal.gateway_event_not_found.of();
    const delivery = this.sealed.open(row.delivery_id, row.sealed_delivery);
    return { ...toDelivery(row), delivery, names: row.names };
  }

  /** Newest first, behind the delivery `after`. */
  async list(
    accountId: Uuid,
    filter: DeliveryFilter,
    after: Uuid | null,
    count: number,
  ): Promise<GatewayDelivery[]> {
    const values = valuesOf(accountId, filter, after, count);
    const rows = await this.database.list<DeliveryColumns>(LIST, values);
    return rows.map(toDelivery);
  }

  /** How many there are, up to `most`. */
  async count(accountId: Uuid, filter: DeliveryFilter, most: number): Promise<number> {
    return this.database.countRows(LIST, valuesOf(accountId, filter, null, most));
  }

  /** All that is there now, also if another delivery brought it. */
  async effectsOf({ accountId, gateway, names }: KeptDelivery): Promise<DeliveryEffects> {
    const values = [accountId, gateway, JSON.stringify(names)];
    const [effects] = await this.database.query<DeliveryEffects>(EFFECTS, values);
    if (!effects) throw new Error('one row is always there');
    return effects;
  }

  async mark(): Promise<bigint> {
    const [row] = await this.database.query<{ mark: bigint }>(MARK);
    return row?.mark ?? 0n;
  }

  /** Whether anything about these was written since. */
  async hasChanged(gateway: string, names: readonly ReportNames[], mark: bigint): Promise<boolean> {
    const values = [gateway, JSON.stringify(names), mark];
    const [row] = await this.database.query<{ changed: boolean }>(HAS_CHANGED, values);
    return row?.changed ?? false;
  }
}

function toDelivery(row: DeliveryColumns): GatewayDelivery {
  return {
    id: row.delivery_id,
    accountId: row.account_id,
    gateway: row.gateway,
    receivedAt: row.received_at,
    eventTypes: row.event_types,
    reports: row.reports,
    outcome: row.outcome,
    problem: row.problem,
    replays: row.replays,
    replayedAt: row.replayed_at,
    attempts: row.attempts,
    nextTryAt: row.next_try_at,
  };
}
