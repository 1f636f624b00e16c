import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.js';
import { type EndpointColumns, LIVE_ENDPOINTS, toEndpoint } from './webhook-endpoint.repository.js';

const LIST = `${LIVE_ENDPOINTS} AND ($2::uuid IS NULL OR endpoint_id < $2)
  ORDER BY endpoint_id DESC LIMIT $3`;

/** Webhook endpoints for reading: no locks. */
@Injectable()
export class WebhookEndpointsQuery {
  constructor(private readonly database: Database) {}

  /** At most `count` behind one, newest first. */
  async list(accountId: Uuid, after: Uuid | null, count: number): Promise<WebhookEndpoint[]> {
    const rows = await this.database.query<EndpointColumns>(LIST, [accountId, after, count]);
    return rows.map(toEndpoint);
  }

  /** How many there are, up to `most`. */
  async count(accountId: Uuid, most: number): Promise<number> {
    return this.database.countRows(LIST, [accountId, null, most]);
  }

  async find(accountId: Uuid, id: Uuid): Promise<WebhookEndpoint | undefined> {
    const [row] = await this.database.query<EndpointColumns>(
      `${LIVE_ENDPOINTS} AND endpoint_id = $2`,
      [accountId, id],
    );
    return row && toEndpoint(row);
  }
}
