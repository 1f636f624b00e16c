import { Injectable } from '@nestjs/common';
import { lockAccount } from '../../auth/sql.js';
import type { Uuid } from '../../kernel/ids.js';
import type { IsoDate } from '../../kernel/clock.js';
import { Database } from '../../platform/database/database.js';
import type { Row } from '../../platform/database/row.js';
import { Snapshots } from '../../platform/database/snapshots.js';
import type { Tx } from '../../platform/database/tx.js';
import type { CashAccount } from '../domain/cash-account.js';
import {
  type ChartSettings,
  type DatevClient,
  NO_CHART_SETTINGS,
} from '../domain/chart-of-accounts.js';
import type { ChartTemplate } from '../domain/chart-templates.js';
import { ChartsByMonth } from '../domain/charts-by-month.js';
import type { LossAccount, TaxedAccount } from '../domain/taxed-account.js';
import { closingsIn } from './period-closings.repository.js';

type Columns = Omit<
  Row<
    'chart_settings',
    {
      template: ChartTemplate;
      numbers: ChartSettings['numbers'];
      revenue: TaxedAccount[];
      losses: LossAccount[];
      cash_accounts: CashAccount[];
      datev: DatevClient;
    }
  >,
  'account_id' | 'updated_at'
>;

const OF_ACCOUNT = `
  SELECT template, numbers, revenue, losses, cash_accounts, datev, version
  FROM chart_settings WHERE account_id = $1
  ORDER BY version`;

const CURRENT = `${OF_ACCOUNT} DESC LIMIT 1`;

const toSettings = ({ cash_accounts: cashAccounts, ...row }: Columns): ChartSettings => ({
  ...row,
  cashAccounts,
});

@Injectable()
export class ChartSettingsRepository {
  constructor(
    private readonly database: Database,
    private readonly snapshots: Snapshots,
  ) {}

  async find(accountId: Uuid): Promise<ChartSettings> {
    const [row] = await this.database.query<Columns>(CURRENT, [accountId]);
    return row ? toSettings(row) : NO_CHART_SETTINGS;
  }

  /** Those of closed months too, in one snapshot with what closed them. */
  async byMonth(accountId: Uuid): Promise<ChartsByMonth> {
    return this.snapshots.run(async (read) => {
      const [account] = await read<{ books_open_from: IsoDate }>(
        'SELECT books_open_from FROM accounts WHERE account_id = $1',
        [accountId],
      );
      if (!account) throw new Error(`there is no account ${accountId}`);
      const closings = await closingsIn(read, accountId);
      const versions = await read<Columns>(OF_ACCOUNT, [accountId]);
      return new ChartsByMonth(versions.map(toSettings), account.books_open_from, closings);
    });
  }

  /** Locked by the account's own row, which is there when the settings are not yet. */
  async getForUpdate(tx: Tx, accountId: Uuid): Promise<ChartSettings> {
    await lockAccount(tx, accountId);
    return this.read(tx, accountId);
  }

  /** Under the lock of the account's own row. */
  async read(tx: Tx, accountId: Uuid): Promise<ChartSettings> {
    const [row] = await tx.read<Columns>(CURRENT, [accountId]);
    return row ? toSettings(row) : NO_CHART_SETTINGS;
  }

  /** Versions before stay: closed months keep theirs. */
  save(tx: Tx, accountId: Uuid, settings: ChartSettings, now: Date): void {
    const { template, numbers, revenue, losses, cashAccounts, datev, version } = settings;
    tx.write(
      `INSERT INTO chart_settings (account_id, template, numbers, revenue, datev, version,
         updated_at, losses, cash_accounts)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        accountId,
        template,
        numbers,
        JSON.stringify(revenue),
        datev && JSON.stringify(datev),
        version,
        now,
        JSON.stringify(losses),
        JSON.stringify(cashAccounts),
      ],
    );
  }
}
