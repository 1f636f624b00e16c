import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Tx } from '../../platform/database/tx.js';
import {
  type ChartSettings,
  type ChartTemplate,
  type DatevClient,
  NO_CHART_SETTINGS,
  type LossAccount,
  type TaxedAccount,
} from '../domain/chart-of-accounts.js';

/** @table chart_settings */
interface Columns {
  template: ChartTemplate;
  numbers: ChartSettings['numbers'];
  revenue: TaxedAccount[];
  losses: LossAccount[];
  datev: DatevClient | null;
  version: number;
}

const OF_ACCOUNT = `
  SELECT template, numbers, revenue, losses, datev, version FROM chart_settings WHERE account_id = $1`;

@Injectable()
export class ChartSettingsRepository {
  constructor(private readonly database: Database) {}

  async find(accountId: Uuid): Promise<ChartSettings> {
    const [row] = await this.database.query<Columns>(OF_ACCOUNT, [accountId]);
    return row ?? NO_CHART_SETTINGS;
  }

  /** Locked by the account's own row, which is there when the settings are not yet. */
  async getForUpdate(tx: Tx, accountId: Uuid): Promise<ChartSettings> {
    await tx.read('SELECT 1 FROM accounts WHERE account_id = $1 FOR NO KEY UPDATE', [accountId]);
    const [row] = await tx.read<Columns>(OF_ACCOUNT, [accountId]);
    return row ?? NO_CHART_SETTINGS;
  }

  save(tx: Tx, accountId: Uuid, settings: ChartSettings, now: Date): void {
    const { template, numbers, revenue, losses, datev, version } = settings;
    tx.write(
      `INSERT INTO chart_settings (account_id, template, numbers, revenue, datev, version,
         updated_at, losses)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (account_id) DO UPDATE SET template = $2, numbers = $3, revenue = $4,
         datev = $5, version = $6, updated_at = $7, losses = $8`,
      [
        accountId,
        template,
        numbers,
        JSON.stringify(revenue),
        datev && JSON.stringify(datev),
        version,
        now,
        JSON.stringify(losses),
      ],
    );
  }
}
