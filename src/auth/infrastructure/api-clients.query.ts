import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { ApiClient } from '../domain/api-client.js';
import { API_CLIENT_COLUMNS } from './api-client.repository.js';

const LIST = `SELECT ${API_CLIENT_COLUMNS} FROM api_clients
  WHERE account_id = $1 AND ($2::uuid IS NULL OR client_id < $2)
  ORDER BY client_id DESC LIMIT $3`;

/** Clients for reading: no locks. */
@Injectable()
export class ApiClientsQuery {
  constructor(private readonly database: Database) {}

  /** The first `count` clients of an account behind one, newest first; revoked ones, too. */
  async list(accountId: Uuid, after: Uuid | null, count: number): Promise<ApiClient[]> {
    return this.database.query<ApiClient>(LIST, [accountId, after, count]);
  }

  /** How many there are, up to `most`. */
  async count(accountId: Uuid, most: number): Promise<number> {
    return this.database.countRows(LIST, [accountId, null, most]);
  }

  async find(accountId: Uuid, clientId: Uuid): Promise<ApiClient | undefined> {
    const [client] = await this.database.query<ApiClient>(
      `SELECT ${API_CLIENT_COLUMNS} FROM api_clients WHERE account_id = $1 AND client_id = $2`,
      [accountId, clientId],
    );
    return client;
  }

  /** For the operator, who names a client without its account. */
  async accountOf(clientId: Uuid): Promise<Uuid | undefined> {
    const [row] = await this.database.query<{ accountId: Uuid }>(
      'SELECT account_id AS "accountId" FROM api_clients WHERE client_id = $1',
      [clientId],
    );
    return row?.accountId;
  }
}
