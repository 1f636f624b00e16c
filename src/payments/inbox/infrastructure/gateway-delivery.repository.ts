import { Injectable } from '@nestjs/common';
import { NO_ACCOUNT, type Uuid } from '../../../kernel/ids.js';
import { Config } from '../../../platform/config/config.js';
import { Database } from '../../../platform/database/database.js';
import { Retention } from '../../../platform/database/retention.js';
import type { Row } from '../../../platform/database/row.js';
import type { Tx } from '../../../platform/database/tx.js';
import type {
  DeliveryOutcome,
  GatewayDelivery,
  NewDelivery,
  ReportNames,
  TakenDelivery,
} from '../domain/gateway-delivery.js';
import type { WebhookOutcome } from '../../port/domain/webhook-outcome.js';
import { SealedDeliveries } from './sealed-deliveries.js';

type TakenRow = Pick<
  Row<'gateway_deliveries', { names: ReportNames[] }>,
  'account_id' | 'delivery_id' | 'gateway' | 'sealed_delivery' | 'names' | 'attempts' | 'left_over'
>;

const DAY_MS = 86_400_000;

/**
 * The account that all names of a delivery lead to, or nobody. A payment leads to its receipt, else
 * its link or its refund does; what leads nowhere is of the only account of the gateway.
 */
const OWNER = `SELECT CASE count(DISTINCT o.account_id)
    WHEN 0 THEN coalesce((SELECT account_id FROM sole), '${NO_ACCOUNT}')
    WHEN 1 THEN min(o.account_id::text)::uuid ELSE '${NO_ACCOUNT}' END
  FROM (
    SELECT coalesce(CASE WHEN r.gateway IS NULL THEN coalesce(l.account_id, f.account_id)
        ELSE r.account_id END, (SELECT account_id FROM sole), '${NO_ACCOUNT}') AS account_id
    FROM jsonb_to_recordset(g.names) AS n(payment text, link uuid, object text, refund uuid)
      LEFT JOIN provider_receipts r ON r.gateway = $1 AND r.provider_payment_id = n.payment
      LEFT JOIN LATERAL (
        SELECT account_id FROM payment_links
        WHERE payment_link_id = n.link AND gateway = $1 AND ($2 OR account_id = ANY ($3))
        UNION ALL
        SELECT account_id FROM payment_links
        WHERE provider_object_id = n.object AND gateway = $1 AND ($2 OR account_id = ANY ($3))
        LIMIT 1
      ) l ON true
      LEFT JOIN refunds f ON f.refund_id = n.refund AND f.gateway = $1
        AND ($2 OR f.account_id = ANY ($3))
  ) o`;

const SOLE = `sole AS MATERIALIZED (
    SELECT min(a.account_id::text)::uuid AS account_id FROM (
      SELECT account_id FROM accounts WHERE $3::uuid[] IS NULL OR account_id = ANY ($3) LIMIT 2
    ) a HAVING count(*) = 1
  )`;

const TYPES = (names: string) =>
  `ARRAY(SELECT DISTINCT n ->> 'type' FROM jsonb_array_elements(${names}) n ORDER BY 1)`;

/** A record that a crash loses is no loss, so that its commit need not wait for the disk. */
const INSERT = `WITH mode AS MATERIALIZED (
    SELECT set_config('synchronous_commit',
      CASE WHEN $4 THEN current_setting('synchronous_commit') ELSE 'off' END, true)
  ), ${SOLE}
  INSERT INTO gateway_deliveries (account_id, delivery_id, gateway, received_at, sealed_delivery,
    names, event_types, reports, outcome, problem, is_unfinished, next_try_at)
  SELECT (${OWNER}), g.id, $1, g.received_at, g.sealed, g.names, ${TYPES('g.names')}, g.reports,
    g.outcome, g.problem, g.outcome = 'accepted',
    CASE WHEN g.outcome = 'accepted' THEN g.received_at END
  FROM mode, unnest($5::uuid[], $6::timestamptz[], $7::bytea[], $8::jsonb[], $9::integer[],
    $10::text[], $11::text[]) AS g(id, received_at, sealed, names, reports, outcome, problem)`;

const TAKE_DUE = `WITH due AS (
    SELECT account_id, delivery_id FROM gateway_deliveries WHERE next_try_at <= $1
    ORDER BY next_try_at LIMIT 1 FOR UPDATE SKIP LOCKED
  )
  UPDATE gateway_deliveries d SET attempts = d.attempts + 1, next_try_at = $2 FROM due
  WHERE (d.account_id, d.delivery_id) = (due.account_id, due.delivery_id)
  RETURNING d.account_id, d.delivery_id, d.gateway, d.sealed_delivery, d.names, d.attempts,
    d.left_over`;

/** Verified calls of providers, for writing. */
@Injectable()
export class GatewayDeliveryRepository {
  constructor(
    private readonly database: Database,
    private readonly sealed: SealedDeliveries,
    config: Config,
    retention: Retention,
  ) {
    retention.add({
      what: 'calls of providers',
      keptMs: config.gatewayEventDays * DAY_MS,
      // Its provider does not send again what we accepted, so it stays until it is applied.
      statement: `DELETE FROM gateway_deliveries WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM gateway_deliveries WHERE received_at < $1 AND NOT is_unfinished
        LIMIT $2)) RETURNING 1`,
    });
  }

  /** @param isDurable whether the disk has them when it returns */
  async insert(
    { name, accounts }: NewDelivery['gateway'],
    all: readonly NewDelivery[],
    isDurable: boolean,
  ): Promise<void> {
    await this.database.query(INSERT, [
      name,
      accounts === 'all',
      accounts instanceof Set ? [...accounts] : null,
      isDurable,
      all.map(({ id }) => id),
      all.map(({ receivedAt }) => receivedAt),
      all.map(({ id, delivery }) => this.sealed.seal(id, delivery)),
      all.map(({ names }) => JSON.stringify(names)),
      all.map(({ reports }) => reports),
      all.map(({ outcome }) => outcome),
      all.map(({ problem }) => problem),
    ]);
  }

  /** As `insert` finds it. */
  async ownerOf(
    { name, accounts }: NewDelivery['gateway'],
    names: readonly ReportNames[],
  ): Promise<Uuid> {
    const [row] = await this.database.query<{ owner: Uuid }>(
      `WITH ${SOLE} SELECT (${OWNER}) AS owner FROM (SELECT $4::jsonb) AS g(names)`,
      [
        name,
        accounts === 'all',
        accounts instanceof Set ? [...accounts] : null,
        JSON.stringify(names),
      ],
    );
    return row?.owner ?? NO_ACCOUNT;
  }

  /** Takes one that is due, and keeps it until `again`. */
  async takeDue(now: Date, again: Date): Promise<TakenDelivery | undefined> {
    const [row] = await this.database.query<TakenRow>(TAKE_DUE, [now, again]);
    return (
      row && {
        id: row.delivery_id,
        accountId: row.account_id,
        gateway: row.gateway,
        delivery: this.sealed.open(row.delivery_id, row.sealed_delivery),
        names: row.names,
        attempts: row.attempts,
        left: row.left_over,
      }
    );
  }

  /** @returns false if somebody else has taken it since */
  async keepProgress(
    { accountId, id, attempts }: TakenDelivery,
    left: readonly number[],
    again: Date,
  ): Promise<boolean> {
    const kept = await this.database.query(
      `UPDATE gateway_deliveries SET left_over = $4, next_try_at = $5
       WHERE account_id = $1 AND delivery_id = $2 AND attempts = $3 AND outcome = 'accepted'
       RETURNING 1`,
      [accountId, id, attempts, left, again],
    );
    return kept.length > 0;
  }

  /** Its `left` are places of reports that are not applied; null: all of them; none: it is finished. */
  async settle(
    { accountId, id, attempts }: TakenDelivery,
    to: {
      outcome: DeliveryOutcome;
      problem: string | null;
      left: readonly number[] | null;
      nextTryAt: Date | null;
      names: readonly ReportNames[];
    },
  ): Promise<void> {
    await this.database.query(
      `UPDATE gateway_deliveries SET outcome = $4, problem = $5, left_over = $6,
         is_unfinished = $7, next_try_at = $8, names = $9, event_types = ${TYPES('$9::jsonb')}
       WHERE account_id = $1 AND delivery_id = $2 AND attempts = $3 AND outcome = 'accepted'`,
      [
        accountId,
        id,
        attempts,
        to.outcome,
        to.problem,
        to.left?.length === 0 ? null : to.left,
        to.left?.length !== 0,
        to.nextTryAt,
        JSON.stringify(to.names),
      ],
    );
  }

  /** The outcomes of events that it names. */
  async outcomesOf(gateway: string, names: readonly ReportNames[]): Promise<WebhookOutcome[]> {
    const events = names.flatMap(({ event }) => event ?? []);
    const rows = await this.database.query<{ outcome: WebhookOutcome }>(
      'SELECT DISTINCT outcome FROM provider_events WHERE gateway = $1 AND event_id = ANY ($2)',
      [gateway, events],
    );
    return rows.map(({ outcome }) => outcome);
  }

  keepReplay(
    tx: Tx,
    { accountId, id, replays }: GatewayDelivery,
    to: {
      outcome: DeliveryOutcome;
      problem: string | null;
      names: readonly ReportNames[];
      at: Date;
    },
  ): void {
    tx.write(
      `UPDATE gateway_deliveries SET outcome = $3, problem = $4, names = $5,
         event_types = ${TYPES('$5::jsonb')}, replays = $6, replayed_at = $7
       WHERE account_id = $1 AND delivery_id = $2`,
      [accountId, id, to.outcome, to.problem, JSON.stringify(to.names), replays + 1, to.at],
    );
  }

  /** All of it is worked off again. */
  queueAgain(tx: Tx, { accountId, id, replays }: GatewayDelivery, at: Date): void {
    tx.update(
      'gateway_deliveries',
      { account_id: accountId, delivery_id: id },
      {
        outcome: 'accepted',
        problem: null,
        is_unfinished: true,
        left_over: null,
        attempts: 0,
        next_try_at: at,
        replays: replays + 1,
        replayed_at: at,
      },
    );
  }
}
