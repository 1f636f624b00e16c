import { Injectable } from '@nestjs/common';
import { lockAccount } from '../../auth/sql.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Row } from '../../platform/database/row.js';
import type { Tx } from '../../platform/database/tx.js';
import { type MailSettings, NO_MAIL } from '../domain/mail-settings.js';

type Columns = Omit<
  Row<'mail_settings'>,
  'account_id' | 'updated_at' | 'statements_month' | 'statements_after'
>;

const FIND = `SELECT documents_since, receipts_since, answers_since, reminders_since, reminder_days,
    statements_since, quotes_since, quote_days, quote_waiting_since, quote_waiting_days, version
  FROM mail_settings WHERE account_id = $1`;

@Injectable()
export class MailSettingsRepository {
  constructor(private readonly database: Database) {}

  async find(accountId: Uuid, tx: Tx | null): Promise<MailSettings> {
    const [row] = await this.database.queryIn<Columns>(tx, FIND, [accountId]);
    return toSettings(row);
  }

  /** Locked by the account's own row, which is there when the settings are not yet. */
  async getForUpdate(tx: Tx, accountId: Uuid): Promise<MailSettings> {
    await lockAccount(tx, accountId);
    const [row] = await tx.read<Columns>(FIND, [accountId]);
    return toSettings(row);
  }

  save(tx: Tx, accountId: Uuid, settings: MailSettings, now: Date): void {
    tx.write(
      `INSERT INTO mail_settings (account_id, documents_since, receipts_since, answers_since,
         reminders_since, reminder_days, statements_since, quotes_since, quote_days,
         quote_waiting_since, quote_waiting_days, version, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
       ON CONFLICT (account_id) DO UPDATE SET documents_since = $2, receipts_since = $3,
         answers_since = $4, reminders_since = $5, reminder_days = $6, statements_since = $7,
         quotes_since = $8, quote_days = $9, quote_waiting_since = $10, quote_waiting_days = $11,
         version = $12, updated_at = $13`,
      [
        accountId,
        settings.documentsSince,
        settings.receiptsSince,
        settings.answersSince,
        settings.remindersSince,
        settings.reminderDays,
        settings.statementsSince,
        settings.quotesSince,
        settings.quoteDays,
        settings.quoteWaitingSince,
        settings.quoteWaitingDays,
        settings.version,
        now,
      ],
    );
  }
}

function toSettings(row: Columns | undefined): MailSettings {
  if (!row) return NO_MAIL;
  return {
    documentsSince: row.documents_since,
    receiptsSince: row.receipts_since,
    answersSince: row.answers_since,
    remindersSince: row.reminders_since,
    reminderDays: row.reminder_days,
    statementsSince: row.statements_since,
    quotesSince: row.quotes_since,
    quoteDays: row.quote_days,
    quoteWaitingSince: row.quote_waiting_since,
    quoteWaitingDays: row.quote_waiting_days,
    version: row.version,
  };
}
