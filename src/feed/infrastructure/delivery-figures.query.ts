import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';

interface EndpointCounts {
  enabled: number;
  asked: number;
  gone: number;
  failing: number;
}

const OF_LIVE = `JOIN webhook_endpoints w USING (account_id, endpoint_id)
  WHERE w.status = 'enabled' AND w.deleted_at IS NULL AND d.status = 'pending'`;

/** Due are those that were never tried, and those whose wait is over; each has an index. */
const WAITING = `SELECT fresh.waiting + again.waiting AS waiting, fresh.waiting + again.due AS due, held
  FROM (SELECT count(*)::int AS waiting FROM webhook_deliveries d ${OF_LIVE}
      AND next_try_at IS NULL) fresh,
    (SELECT count(*)::int AS waiting, count(*) FILTER (WHERE next_try_at <= $1)::int AS due
      FROM webhook_deliveries d ${OF_LIVE} AND next_try_at IS NOT NULL) again,
    (SELECT count(*)::int AS held FROM webhook_deliveries WHERE status = 'held') held`;

const OLDEST_DUE = `SELECT coalesce(greatest(0, extract(epoch FROM $1 - least(
    (SELECT min(d.created_at) FROM webhook_deliveries d ${OF_LIVE} AND next_try_at IS NULL),
    (SELECT min(next_try_at) FROM webhook_deliveries d ${OF_LIVE} AND next_try_at <= $1)))), 0)::int
  AS seconds`;

const ENDPOINTS = `SELECT count(*) FILTER (WHERE status = 'enabled')::int AS enabled,
    count(*) FILTER (WHERE disabled_reason = 'asked')::int AS asked,
    count(*) FILTER (WHERE disabled_reason = 'gone')::int AS gone,
    count(*) FILTER (WHERE disabled_reason = 'failing')::int AS failing
  FROM webhook_endpoints WHERE deleted_at IS NULL`;

/** The deliveries of all accounts, for those who watch the service. */
@Injectable()
export class DeliveryFiguresQuery {
  constructor(private readonly database: Database) {}

  /** By what they wait for. */
  async waiting(now: Date): Promise<{ waiting: number; due: number; held: number }> {
    const [row] = await this.database.query<{ waiting: number; due: number; held: number }>(
      WAITING,
      [now],
    );
    return row!;
  }

  async oldestDueSeconds(now: Date): Promise<{ seconds: number }> {
    const [row] = await this.database.query<{ seconds: number }>(OLDEST_DUE, [now]);
    return row!;
  }

  /** Those that are enabled, and others by why they are not. */
  async endpoints(): Promise<EndpointCounts> {
    const [row] = await this.database.query<EndpointCounts>(ENDPOINTS);
    return row!;
  }
}
