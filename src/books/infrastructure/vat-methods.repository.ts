import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../kernel/clock.js';
import { IdGenerator, type Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Tx } from '../../platform/database/unit-of-work.js';
import type { VatDecision, VatMethod } from '../domain/tax-report.js';

/** @table vat_methods */
interface MethodColumns {
  method: VatMethod;
  from_day: IsoDate;
  decided_at: Date;
}

/** The decisions when tax is due: they only ever grow. */
@Injectable()
export class VatMethodsRepository {
  constructor(
    private readonly database: Database,
    private readonly ids: IdGenerator,
  ) {}

  /** In the order in which they were made: no locks. */
  async ofAccount(accountId: Uuid): Promise<VatDecision[]> {
    const rows = await this.database.query<MethodColumns>(
      `SELECT method, from_day, decided_at FROM vat_methods
       WHERE account_id = $1 ORDER BY method_id`,
      [accountId],
    );
    return rows.map(({ method, from_day, decided_at }) => ({
      method,
      from: from_day,
      decidedAt: decided_at,
    }));
  }

  insert(tx: Tx, accountId: Uuid, { method, from, decidedAt }: VatDecision): void {
    tx.insert('vat_methods', {
      account_id: accountId,
      method_id: this.ids.next(),
      method,
      from_day: from,
      decided_at: decidedAt,
    });
  }
}
