import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import type { ApiClient } from '../domain/api-client.js';

export const API_CLIENT_COLUMNS = `client_id AS "clientId", account_id AS "accountId", name,
  secret_sha256 AS "secretSha256", previous_secret_sha256 AS "previousSecretSha256",
  previous_secret_ends_at AS "previousSecretEndsAt", scopes, addresses, expires_at AS "expiresAt",
  (SELECT a.mode FROM accounts a WHERE a.account_id = api_clients.account_id) AS mode,
  had_scopes AS "hadScopes", had_addresses AS "hadAddresses", had_expires_at AS "hadExpiresAt",
  version, created_at AS "createdAt", last_used_at AS "lastUsedAt", revoked_at AS "revokedAt"`;

@Injectable()
export class ApiClientRepository {
  /** Clients of an account that may be used. */
  async countLive(tx: Tx, accountId: Uuid, now: Date): Promise<number> {
    const [row] = await tx.read<{ live: number }>(
      `SELECT count(*)::int AS live FROM api_clients
       WHERE account_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`,
      [accountId, now],
    );
    return row?.live ?? 0;
  }

  /** Without a lock: a token that is issued meanwhile names the version that was read. */
  async find(tx: Tx, clientId: Uuid): Promise<ApiClient | undefined> {
    const [client] = await tx.read<ApiClient>(
      `SELECT ${API_CLIENT_COLUMNS} FROM api_clients WHERE client_id = $1`,
      [clientId],
    );
    return client;
  }

  /** Locks the client against other changes of it; its tokens are issued and used meanwhile. */
  async findForUpdate(tx: Tx, accountId: Uuid, clientId: Uuid): Promise<ApiClient | undefined> {
    const [client] = await tx.read<ApiClient>(
      `SELECT ${API_CLIENT_COLUMNS} FROM api_clients WHERE account_id = $1 AND client_id = $2
       FOR NO KEY UPDATE`,
      [accountId, clientId],
    );
    return client;
  }

  insert(tx: Tx, client: ApiClient): void {
    tx.insert('api_clients', {
      client_id: client.clientId,
      account_id: client.accountId,
      created_at: client.createdAt,
      ...changing(client),
    });
  }

  /** Writes a changed client. The row must be locked. */
  save(tx: Tx, client: ApiClient): void {
    tx.update('api_clients', { client_id: client.clientId }, changing(client));
  }

  /** Whether tokens of this version were ended, though this process may not have heard of it yet. */
  async endedTokens(tx: Tx, clientId: Uuid, version: number): Promise<boolean> {
    const rows = await tx.read(
      'SELECT FROM revocations WHERE client_id = $1 AND below_version > $2 LIMIT 1',
      [clientId, version],
    );
    return rows.length > 0;
  }

  /** Ends every access token that was issued for an earlier version of the client. */
  endTokens(tx: Tx, { clientId, version }: ApiClient, revokedAt: Date): void {
    tx.insert('revocations', {
      revocation_id: tx.newId(),
      client_id: clientId,
      below_version: version,
      revoked_at: revokedAt,
    });
  }
}

function changing(client: ApiClient) {
  return {
    name: client.name,
    secret_sha256: client.secretSha256,
    previous_secret_sha256: client.previousSecretSha256,
    previous_secret_ends_at: client.previousSecretEndsAt,
    scopes: client.scopes,
    addresses: client.addresses,
    expires_at: client.expiresAt,
    had_scopes: client.hadScopes,
    had_addresses: client.hadAddresses,
    had_expires_at: client.hadExpiresAt,
    version: client.version,
    revoked_at: client.revokedAt,
  };
}
