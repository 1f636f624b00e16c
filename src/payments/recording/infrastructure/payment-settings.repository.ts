import { Injectable } from '@nestjs/common';
import { lockAccount } from '../../../auth/sql.js';
import type { Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import { Database } from '../../../platform/database/database.js';
import type { Row } from '../../../platform/database/row.js';
import type { Tx } from '../../../platform/database/tx.js';
import type { PaymentSettings } from '../domain/payment-settings.js';
import type { RefundMeaningName } from '../domain/payment-settings.js';

type Columns = Omit<
  Row<
    'payment_settings',
    { underpayment_tolerance: Record<string, number>; refund_meaning: RefundMeaningName }
  >,
  'account_id' | 'updated_at'
>;

const COLUMNS = 'underpayment_tolerance, refund_meaning, debit_retry_days, version';

@Injectable()
export class PaymentSettingsRepository {
  constructor(private readonly database: Database) {}

  /** Null where no shortfall is let pass. */
  async tolerance(tx: Tx, accountId: Uuid, currency: string): Promise<Money | null> {
    const [row] = await tx.load<{ minor: bigint | null }>({
      text: `SELECT (underpayment_tolerance->>$2)::bigint AS minor FROM payment_settings
        WHERE account_id = $1`,
      types: ['uuid', 'text'],
      values: [accountId, currency],
      claims: null,
    });
    return row?.minor ? Money.of(row.minor, currency) : null;
  }

  /** The meaning of refunds that do not say it; null where the account has not said it either. */
  async refundMeaning(tx: Tx, accountId: Uuid): Promise<RefundMeaningName | null> {
    const [row] = await tx.read<Pick<Columns, 'refund_meaning'>>(
      'SELECT refund_meaning FROM payment_settings WHERE account_id = $1',
      [accountId],
    );
    return row?.refund_meaning ?? null;
  }

  async find(accountId: Uuid): Promise<PaymentSettings> {
    const [row] = await this.database.query<Columns>(
      `SELECT ${COLUMNS} FROM payment_settings WHERE account_id = $1`,
      [accountId],
    );
    return toSettings(row);
  }

  /** Locked by the account's own row, which is there when the settings are not yet. */
  async getForUpdate(tx: Tx, accountId: Uuid): Promise<PaymentSettings> {
    await lockAccount(tx, accountId);
    const [row] = await tx.read<Columns>(
      `SELECT ${COLUMNS} FROM payment_settings WHERE account_id = $1`,
      [accountId],
    );
    return toSettings(row);
  }

  save(tx: Tx, accountId: Uuid, settings: PaymentSettings, now: Date): void {
    tx.write(
      `INSERT INTO payment_settings (account_id, underpayment_tolerance, version, updated_at,
         refund_meaning, debit_retry_days)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (account_id) DO UPDATE
         SET underpayment_tolerance = $2, version = $3, updated_at = $4, refund_meaning = $5,
           debit_retry_days = $6`,
      [
        accountId,
        settings.underpaymentTolerance,
        settings.version,
        now,
        settings.refundMeaning,
        settings.debitRetryDays,
      ],
    );
  }
}

function toSettings(row: Columns | undefined): PaymentSettings {
  return {
    underpaymentTolerance: row?.underpayment_tolerance ?? {},
    refundMeaning: row?.refund_meaning ?? null,
    debitRetryDays: row?.debit_retry_days ?? [],
    version: row?.version ?? 1,
  };
}
