import { Injectable } from '@nestjs/common';
import { lockAccount } from '../../../auth/sql.js';
import type { Uuid } from '../../../kernel/ids.js';
import { Database } from '../../../platform/database/database.js';
import type { Row } from '../../../platform/database/row.js';
import type { Tx } from '../../../platform/database/tx.js';
import type { AccountGateway, GatewayStatus } from '../domain/account-gateway.js';
import type { Reads } from '../domain/gateways.js';

type GatewayColumns = Row<'gateways', { status: GatewayStatus }>;

const OF_ACCOUNT = 'SELECT * FROM gateways WHERE account_id = $1 ORDER BY gateway_id';

/** The gateways that accounts configured themselves. */
@Injectable()
export class AccountGatewayRepository {
  constructor(private readonly database: Database) {}

  /** By id alone: a provider knows no account. */
  async find(id: Uuid, reads: Reads = this.beside()): Promise<AccountGateway | undefined> {
    const [row] = await reads.read<GatewayColumns>('SELECT * FROM gateways WHERE gateway_id = $1', [
      id,
    ]);
    return row && toGateway(row);
  }

  /** Oldest first. */
  async ofAccount(accountId: Uuid, reads: Reads = this.beside()): Promise<AccountGateway[]> {
    return (await reads.read<GatewayColumns>(OF_ACCOUNT, [accountId])).map(toGateway);
  }

  /** The same, with the account locked: names and numbers of gateways are judged by one at a time. */
  async ofAccountForUpdate(
    tx: Tx,
    accountId: Uuid,
  ): Promise<{ all: AccountGateway[]; isTest: boolean }> {
    const account = await lockAccount(tx, accountId);
    return { all: await this.ofAccount(accountId, tx), isTest: account?.mode === 'test' };
  }

  async ofAllAccounts(): Promise<AccountGateway[]> {
    return allAccountGateways(this.database.query.bind(this.database));
  }

  insert(tx: Tx, gateway: AccountGateway): void {
    tx.insert('gateways', {
      account_id: gateway.accountId,
      gateway_id: gateway.id,
      provider: gateway.provider,
      created_at: gateway.createdAt,
      ...changing(gateway),
    });
  }

  /** The account must be locked. */
  save(tx: Tx, gateway: AccountGateway): void {
    const { accountId: account_id, id: gateway_id } = gateway;
    tx.update('gateways', { account_id, gateway_id }, changing(gateway));
  }

  /** The same settings under another key; nothing if somebody has changed them meanwhile. */
  async reseal({ id, sealed }: AccountGateway, resealed: Buffer): Promise<void> {
    await this.database.query(
      'UPDATE gateways SET sealed_settings = $3 WHERE gateway_id = $1 AND sealed_settings = $2',
      [id, sealed, resealed],
    );
  }

  private beside(): Reads {
    return { read: this.database.query.bind(this.database) };
  }
}

/** For upkeep: an account has few. */
export async function allAccountGateways(
  query: <Row>(text: string, values: unknown[]) => Promise<Row[]>,
): Promise<AccountGateway[]> {
  const rows = await query<GatewayColumns>('SELECT * FROM gateways ORDER BY gateway_id', []);
  return rows.map(toGateway);
}

function changing(gateway: AccountGateway) {
  return {
    name: gateway.name,
    sealed_settings: gateway.sealed,
    previous_secret_ends_at: gateway.previousSecretEndsAt,
    status: gateway.status,
    version: gateway.version,
    updated_at: gateway.updatedAt,
  };
}

function toGateway(row: GatewayColumns): AccountGateway {
  return {
    accountId: row.account_id,
    id: row.gateway_id,
    name: row.name,
    provider: row.provider,
    sealed: row.sealed_settings,
    previousSecretEndsAt: row.previous_secret_ends_at,
    status: row.status,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
