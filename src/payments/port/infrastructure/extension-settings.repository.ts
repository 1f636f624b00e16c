import { Injectable } from '@nestjs/common';
import { lockAccount } from '../../../auth/sql.js';
import type { Uuid } from '../../../kernel/ids.js';
import { Database } from '../../../platform/database/database.js';
import type { Row } from '../../../platform/database/row.js';
import type { Tx } from '../../../platform/database/tx.js';
import type { KeptExtensionSettings } from '../domain/account-gateway.js';

type Columns = Row<'extension_settings'>;

const FIND = 'SELECT * FROM extension_settings WHERE account_id = $1 AND extension = $2';

@Injectable()
export class ExtensionSettingsRepository {
  constructor(private readonly database: Database) {}

  async find(accountId: Uuid, extension: string): Promise<KeptExtensionSettings | undefined> {
    const [row] = await this.database.query<Columns>(FIND, [accountId, extension]);
    return row && toSettings(row);
  }

  /** Locked by the account's own row, which is there when the settings are not yet. */
  async getForUpdate(
    tx: Tx,
    accountId: Uuid,
    extension: string,
  ): Promise<KeptExtensionSettings | undefined> {
    await lockAccount(tx, accountId);
    const [row] = await tx.read<Columns>(FIND, [accountId, extension]);
    return row && toSettings(row);
  }

  save(tx: Tx, { accountId, extension, sealed, version }: KeptExtensionSettings, now: Date): void {
    tx.write(
      `INSERT INTO extension_settings (account_id, extension, sealed_settings, version, updated_at)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (account_id, extension)
         DO UPDATE SET sealed_settings = $3, version = $4, updated_at = $5`,
      [accountId, extension, sealed, version, now],
    );
  }

  /** Also of extensions that are not installed now. */
  async ofAllAccounts(): Promise<KeptExtensionSettings[]> {
    return allExtensionSettings(this.database.query.bind(this.database));
  }

  /** The same settings under another key; nothing if somebody has changed them meanwhile. */
  async reseal(
    { accountId, extension, sealed }: KeptExtensionSettings,
    resealed: Buffer,
  ): Promise<void> {
    await this.database.query(
      `UPDATE extension_settings SET sealed_settings = $4
       WHERE account_id = $1 AND extension = $2 AND sealed_settings = $3`,
      [accountId, extension, sealed, resealed],
    );
  }
}

/** For upkeep: an account has few. */
export async function allExtensionSettings(
  query: <Row>(text: string, values: unknown[]) => Promise<Row[]>,
): Promise<KeptExtensionSettings[]> {
  const all = 'SELECT * FROM extension_settings ORDER BY account_id, extension';
  return (await query<Columns>(all, [])).map(toSettings);
}

function toSettings(row: Columns): KeptExtensionSettings {
  const { account_id: accountId, extension, sealed_settings: sealed, version } = row;
  return { accountId, extension, id: `ext:${extension}`, sealed, version };
}
