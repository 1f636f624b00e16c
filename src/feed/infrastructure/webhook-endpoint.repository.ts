import { Injectable } from '@nestjs/common';
import { lockAccount } from '../../auth/sql.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Row } from '../../platform/database/row.js';
import type { Tx } from '../../platform/database/tx.js';
import type {
  DisabledReason,
  EndpointStatus,
  Payload,
  Signing,
  WebhookEndpoint,
} from '../domain/webhook-endpoint.js';

export type EndpointColumns = Row<
  'webhook_endpoints',
  {
    metadata: Record<string, string>;
    payload: Payload;
    signing: Signing;
    status: EndpointStatus;
    disabled_reason: DisabledReason;
  }
>;

export const LIVE_ENDPOINTS = `SELECT * FROM webhook_endpoints WHERE account_id = $1 AND deleted_at IS NULL`;

const FAILURE = `SELECT failing_since AS since, (SELECT count(*)::int FROM webhook_deliveries d
    WHERE d.account_id = $1 AND d.endpoint_id = $2 AND (status IN ('pending', 'held')
      OR status = 'failed' AND (d.tries -> -1 ->> 'at')::timestamptz >= failing_since)) AS undelivered
  FROM webhook_queues WHERE account_id = $1 AND endpoint_id = $2`;

/** Addresses that accounts want their events at. */
@Injectable()
export class WebhookEndpointRepository {
  constructor(private readonly database: Database) {}

  /** For those who send: only while it is enabled, with the mode of its account. */
  async findEnabled(
    accountId: Uuid,
    id: Uuid,
  ): Promise<{ endpoint: WebhookEndpoint; isTest: boolean } | undefined> {
    const [row] = await this.database.query<EndpointColumns & { is_test: boolean }>(
      `SELECT w.*, a.mode = 'test' AS is_test FROM webhook_endpoints w JOIN accounts a USING (account_id)
       WHERE account_id = $1 AND endpoint_id = $2 AND status = 'enabled' AND deleted_at IS NULL`,
      [accountId, id],
    );
    return row && { endpoint: toEndpoint(row), isTest: row.is_test };
  }

  async findForUpdate(tx: Tx, accountId: Uuid, id: Uuid): Promise<WebhookEndpoint | undefined> {
    const [row] = await tx.read<EndpointColumns>(
      `${LIVE_ENDPOINTS} AND endpoint_id = $2 FOR NO KEY UPDATE`,
      [accountId, id],
    );
    return row && toEndpoint(row);
  }

  /** Whether an account is for trying, and how many it has; one at a time may add one. */
  async roomForUpdate(tx: Tx, accountId: Uuid): Promise<{ isTest: boolean; live: number }> {
    const account = await lockAccount(tx, accountId);
    const [row] = await tx.read<{ live: number }>(
      `SELECT count(*)::int AS live FROM (${LIVE_ENDPOINTS}) endpoints`,
      [accountId],
    );
    return { isTest: account?.mode === 'test', live: row?.live ?? 0 };
  }

  insert(tx: Tx, endpoint: WebhookEndpoint): void {
    const key = keyOf(endpoint);
    tx.insert('webhook_endpoints', {
      ...key,
      signing: endpoint.signing,
      created_at: endpoint.createdAt,
      ...changing(endpoint),
    });
    tx.insert('webhook_queues', { ...key, due_at: 'infinity' });
  }

  /** The row must be locked. */
  save(tx: Tx, endpoint: WebhookEndpoint): void {
    tx.update('webhook_endpoints', keyOf(endpoint), changing(endpoint));
  }

  /** Events of the time when it was disabled are not sent; those that were queued before go on. */
  async beginAnew(tx: Tx, endpoint: WebhookEndpoint): Promise<void> {
    const [row] = await tx.read<{ now: bigint }>('SELECT book_xact() AS now');
    const key = keyOf(endpoint);
    tx.update('webhook_endpoints', key, { ...changing(endpoint), from_xact: row!.now });
    tx.update('webhook_queues', key, { due_at: '-infinity', failing_since: null });
  }

  remove(tx: Tx, endpoint: WebhookEndpoint, at: Date): void {
    tx.update('webhook_endpoints', keyOf(endpoint), { deleted_at: at });
  }

  /** Since when it fails, and how many events wait for it or were given up since. */
  async failureOf(
    tx: Tx,
    { accountId, id }: WebhookEndpoint,
  ): Promise<{ since: Date | null; undelivered: number }> {
    const [row] = await tx.read<{ since: Date | null; undelivered: number }>(FAILURE, [
      accountId,
      id,
    ]);
    return row ?? { since: null, undelivered: 0 };
  }

  /** By the ids of endpoints, without those that were deleted. */
  async urls(
    tx: Tx,
    of: readonly Pick<WebhookEndpoint, 'accountId' | 'id'>[],
  ): Promise<Map<Uuid, string>> {
    const rows = await tx.read<{ endpoint_id: Uuid; url: string }>(
      `SELECT endpoint_id, url FROM webhook_endpoints WHERE deleted_at IS NULL
         AND (account_id, endpoint_id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))`,
      [of.map(({ accountId }) => accountId), of.map(({ id }) => id)],
    );
    return new Map(rows.map((row) => [row.endpoint_id, row.url]));
  }

  async ofAllAccounts(): Promise<WebhookEndpoint[]> {
    const rows = await this.database.query<EndpointColumns>(
      'SELECT * FROM webhook_endpoints WHERE deleted_at IS NULL',
    );
    return rows.map(toEndpoint);
  }

  /** The same secrets under another key; nothing if somebody has changed them meanwhile. */
  async reseal(
    { accountId, id, version }: WebhookEndpoint,
    sealed: Buffer,
    previous: Buffer | null,
  ): Promise<void> {
    await this.database.query(
      `UPDATE webhook_endpoints SET sealed_secret = $4, previous_sealed_secret = $5
       WHERE account_id = $1 AND endpoint_id = $2 AND version = $3`,
      [accountId, id, version, sealed, previous],
    );
  }
}

const keyOf = ({ accountId, id }: Pick<WebhookEndpoint, 'accountId' | 'id'>) => ({
  account_id: accountId,
  endpoint_id: id,
});

function changing(endpoint: WebhookEndpoint) {
  return {
    url: endpoint.url,
    types: endpoint.types,
    scopes: endpoint.scopes,
    description: endpoint.description,
    metadata: JSON.stringify(endpoint.metadata),
    payload: endpoint.payload,
    public_key: endpoint.publicKey,
    sealed_secret: endpoint.sealedSecret,
    previous_sealed_secret: endpoint.previousSealedSecret,
    previous_secret_ends_at: endpoint.previousSecretEndsAt,
    status: endpoint.status,
    disabled_reason: endpoint.disabledReason,
    version: endpoint.version,
    updated_at: endpoint.updatedAt,
  };
}

export function toEndpoint(row: EndpointColumns): WebhookEndpoint {
  return {
    accountId: row.account_id,
    id: row.endpoint_id,
    url: row.url,
    types: row.types,
    scopes: row.scopes,
    description: row.description,
    metadata: row.metadata,
    payload: row.payload,
    signing: row.signing,
    publicKey: row.public_key,
    sealedSecret: row.sealed_secret,
    previousSealedSecret: row.previous_sealed_secret,
    previousSecretEndsAt: row.previous_secret_ends_at,
    status: row.status,
    disabledReason: row.disabled_reason,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
