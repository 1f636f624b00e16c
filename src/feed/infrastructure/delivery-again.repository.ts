import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import type { WebhookDelivery } from '../domain/delivery.js';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.js';
import { DELIVERY_OF_ENDPOINT, type DeliveryColumns, toDelivery } from './deliveries.query.js';
import { IS_WANTED, type TypeByScope, typeLists, typesFrom } from './wanted-events.js';

interface ReplayedTime {
  from: Date;
  to: Date;
  at: Date;
  /** More than that is not asked for. */
  most: number;
}

const AGAIN = `status = 'pending', next_try_at = $3, round_tries = 0`;

const FAILED = `UPDATE webhook_deliveries d SET ${AGAIN}
  FROM (SELECT event_id FROM webhook_deliveries JOIN events USING (account_id, event_id)
    WHERE account_id = $1 AND endpoint_id = $2 AND status = 'failed'
      AND occurred_at >= $4 AND occurred_at < $5 LIMIT $6) failed
  WHERE d.account_id = $1 AND d.endpoint_id = $2 AND d.event_id = failed.event_id`;

// The events of a time are read once, and not once for each type.
const ALL = `INSERT INTO webhook_deliveries AS d
    (account_id, endpoint_id, event_id, event_xact, status, next_try_at, created_at)
  WITH e AS MATERIALIZED (SELECT account_id, event_id, xact, type FROM events
    WHERE account_id = $1 AND occurred_at >= $4 AND occurred_at < $5)
  SELECT e.account_id, w.endpoint_id, e.event_id, e.xact, 'pending', $3, $3
  FROM webhook_endpoints w JOIN e USING (account_id) JOIN ${typesFrom(7)} USING (type)
  WHERE w.account_id = $1 AND w.endpoint_id = $2 AND ${IS_WANTED}
  LIMIT $6
  ON CONFLICT (account_id, endpoint_id, event_id) DO UPDATE SET ${AGAIN}
    WHERE d.status <> 'pending'`;

const counted = (statement: string) =>
  `WITH done AS (${statement} RETURNING 1) SELECT count(*)::int AS done FROM done`;

/** Deliveries that leave because somebody asked for them. */
@Injectable()
export class DeliveryAgainRepository {
  async findForUpdate(
    tx: Tx,
    { accountId, id }: WebhookEndpoint,
    eventId: Uuid,
  ): Promise<WebhookDelivery | undefined> {
    const [row] = await tx.read<DeliveryColumns>(
      `${DELIVERY_OF_ENDPOINT} AND d.event_id = $3 FOR UPDATE OF d`,
      [accountId, id, eventId],
    );
    return row && toDelivery(row);
  }

  insert(tx: Tx, { accountId, id }: WebhookEndpoint, eventId: Uuid, at: Date): void {
    tx.insert('webhook_deliveries', {
      account_id: accountId,
      endpoint_id: id,
      event_id: eventId,
      status: 'pending',
      next_try_at: at,
      created_at: at,
    });
    wake(tx, accountId, id);
  }

  redeliver(tx: Tx, { accountId, id }: WebhookEndpoint, eventId: Uuid, at: Date): void {
    tx.write(
      `UPDATE webhook_deliveries SET ${AGAIN}
       WHERE account_id = $1 AND endpoint_id = $2 AND event_id = $4`,
      [accountId, id, at, eventId],
    );
    wake(tx, accountId, id);
  }

  /** @returns how many */
  async replayFailed(
    tx: Tx,
    { accountId, id }: WebhookEndpoint,
    { from, to, at, most }: ReplayedTime,
  ): Promise<number> {
    wake(tx, accountId, id);
    const [row] = await tx.read<{ done: number }>(counted(FAILED), [
      accountId,
      id,
      at,
      from,
      to,
      most,
    ]);
    return row?.done ?? 0;
  }

  /** @returns how many, also of those that were never sent */
  async replayAll(
    tx: Tx,
    { accountId, id }: WebhookEndpoint,
    types: readonly TypeByScope[],
    { from, to, at, most }: ReplayedTime,
  ): Promise<number> {
    wake(tx, accountId, id);
    const [row] = await tx.read<{ done: number }>(counted(ALL), [
      accountId,
      id,
      at,
      from,
      to,
      most,
      ...typeLists(types),
    ]);
    return row?.done ?? 0;
  }
}

/** The process that works on the endpoint looks again. */
function wake(tx: Tx, accountId: Uuid, endpointId: Uuid): void {
  tx.write(
    `UPDATE webhook_queues SET due_at = '-infinity', round = round + 1
     WHERE account_id = $1 AND endpoint_id = $2`,
    [accountId, endpointId],
  );
}
