import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Row } from '../../platform/database/row.js';
import type { WebhookDelivery, DeliveryStatus, DeliveryTry } from '../domain/delivery.js';

/** As JSON has it. */
type KeptTry = Omit<DeliveryTry, 'at'> & { at: string };
export type DeliveryColumns = Row<
  'webhook_deliveries',
  { status: DeliveryStatus; tries: KeptTry[] }
> & { type: string };

export const DELIVERY_OF_ENDPOINT = `SELECT d.*, e.type FROM webhook_deliveries d
    JOIN events e USING (account_id, event_id)
  WHERE d.account_id = $1 AND d.endpoint_id = $2`;

const LIST = `${DELIVERY_OF_ENDPOINT} AND ($3::text IS NULL OR d.status = $3)
    AND ($4::uuid IS NULL OR d.event_id < $4)
  ORDER BY d.event_id DESC LIMIT $5`;

/** Deliveries for reading: no locks. */
@Injectable()
export class DeliveriesQuery {
  constructor(private readonly database: Database) {}

  /** At most `count` behind an event, newest first. */
  async list(
    accountId: Uuid,
    endpointId: Uuid,
    status: DeliveryStatus | undefined,
    after: Uuid | null,
    count: number,
  ): Promise<WebhookDelivery[]> {
    const values = [accountId, endpointId, status, after, count];
    const rows = await this.database.list<DeliveryColumns>(LIST, values);
    return rows.map(toDelivery);
  }

  async count(
    accountId: Uuid,
    endpointId: Uuid,
    status: DeliveryStatus | undefined,
    most: number,
  ): Promise<number> {
    return this.database.countRows(LIST, [accountId, endpointId, status, null, most]);
  }

  async find(
    accountId: Uuid,
    endpointId: Uuid,
    eventId: Uuid,
  ): Promise<WebhookDelivery | undefined> {
    const [row] = await this.database.query<DeliveryColumns>(
      `${DELIVERY_OF_ENDPOINT} AND d.event_id = $3`,
      [accountId, endpointId, eventId],
    );
    return row && toDelivery(row);
  }
}

export function toDelivery(row: DeliveryColumns): WebhookDelivery {
  return {
    id: row.event_id,
    endpointId: row.endpoint_id,
    type: row.type,
    status: row.status,
    tries: row.tries.map((one) => ({ ...one, at: new Date(one.at) })),
    nextTryAt: row.next_try_at,
    answer: row.answer,
    createdAt: row.created_at,
  };
}
