import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../../kernel/ids.js';
import { Database } from '../../../../platform/database/database.js';
import type { Tx } from '../../../../platform/database/tx.js';
import { type Mandate } from '../../domain/mandates/mandate.js';
import type { MandateStatus } from '../../../port/domain/mandates/mandate-status.js';
import { type MandateColumns, toMandate } from './mandate-columns.js';
import { PaymentRefusal } from '../../../port/domain/payment-refusals.js';

/** The filters of a list of mandates. */
export interface MandateFilter {
  customerId?: Uuid;
  status?: MandateStatus;
}

const LIST = `SELECT * FROM mandates WHERE account_id = $1 AND ($2::uuid IS NULL OR customer_id = $2)
    AND ($3::text IS NULL OR status = $3) AND ($4::uuid IS NULL OR mandate_id < $4)
  ORDER BY mandate_id DESC LIMIT $5`;

/** Mandates for reading: no locks. */
@Injectable()
export class MandatesQuery {
  constructor(private readonly database: Database) {}

  async get(accountId: Uuid, id: Uuid): Promise<Mandate> {
    const [row] = await this.database.query<MandateColumns>(
      'SELECT * FROM mandates WHERE account_id = $1 AND mandate_id = $2',
      [accountId, id],
    );
    if (!row) throw PaymentRefusal.mandate_not_found.of();
    return toMandate(row);
  }

  /** Whether a customer may be debited in a currency. */
  async isActive(tx: Tx, accountId: Uuid, customerId: Uuid, currency: string): Promise<boolean> {
    const rows = await tx.read(
      `SELECT 1 FROM mandates WHERE account_id = $1 AND customer_id = $2 AND currency = $3
         AND status = 'active' LIMIT 1`,
      [accountId, customerId, currency],
    );
    return rows.length > 0;
  }

  /** Newest first, behind the mandate `after`. */
  async list(
    accountId: Uuid,
    { customerId, status }: MandateFilter,
    after: Uuid | null,
    count: number,
  ): Promise<Mandate[]> {
    const values = [accountId, customerId, status, after, count];
    const rows = await this.database.list<MandateColumns>(LIST, values);
    return rows.map(toMandate);
  }

  /** How many there are, up to `most`. */
  async count(
    accountId: Uuid,
    { customerId, status }: MandateFilter,
    most: number,
  ): Promise<number> {
    return this.database.countRows(LIST, [accountId, customerId, status, null, most]);
  }
}
