import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Row } from '../../platform/database/row.js';
import type { Tx } from '../../platform/database/tx.js';
import type { VatDecision, VatMethod } from '../domain/tax-report.js';

type MethodColumns = Pick<
  Row<'vat_methods', { method: VatMethod }>,
  'method' | 'from_day' | 'decided_at'
>;

const OF_ACCOUNT = `
  SELECT method, from_day, decided_at FROM vat_methods WHERE account_id = $1 ORDER BY method_id`;

/** The decisions when tax is due: they only ever grow. */
@Injectable()
export class VatMethodsRepository {
  constructor(private readonly database: Database) {}

  /** In the order in which they were made: no locks. */
  async ofAccount(accountId: Uuid): Promise<VatDecision[]> {
    const rows = await this.database.query<MethodColumns>(OF_ACCOUNT, [accountId]);
    return rows.map(toDecision);
  }

  /** The same in a transaction, which has a connection already. */
  async readOfAccount(tx: Tx, accountId: Uuid): Promise<VatDecision[]> {
    const rows = await tx.read<MethodColumns>(OF_ACCOUNT, [accountId]);
    return rows.map(toDecision);
  }

  insert(tx: Tx, accountId: Uuid, { method, from, decidedAt }: VatDecision): void {
    tx.insert('vat_methods', {
      account_id: accountId,
      method_id: tx.newId(),
      method,
      from_day: from,
      decided_at: decidedAt,
    });
  }
}

function toDecision({ method, from_day, decided_at }: MethodColumns): VatDecision {
  return { method, from: from_day, decidedAt: decided_at };
}
