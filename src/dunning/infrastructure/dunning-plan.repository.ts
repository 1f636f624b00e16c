import { Injectable } from '@nestjs/common';
import { lockAccount } from '../../auth/sql.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Row } from '../../platform/database/row.js';
import type { Tx } from '../../platform/database/tx.js';
import { type DunningPlan, type DunningTerms, NO_PLAN } from '../domain/dunning-plan.js';

type Columns = Pick<Row<'dunning_plans', { terms: DunningTerms }>, 'terms' | 'version'>;

const FIND = 'SELECT terms, version FROM dunning_plans WHERE account_id = $1';

@Injectable()
export class DunningPlanRepository {
  constructor(private readonly database: Database) {}

  async find(accountId: Uuid): Promise<DunningPlan> {
    const [row] = await this.database.query<Columns>(FIND, [accountId]);
    return row ?? NO_PLAN;
  }

  /** As it is in a transaction. */
  async within(tx: Tx, accountId: Uuid): Promise<DunningPlan> {
    const [row] = await tx.read<Columns>(FIND, [accountId]);
    return row ?? NO_PLAN;
  }

  /** Locked by the account's own row, which is there when the plan is not yet. */
  async getForUpdate(tx: Tx, accountId: Uuid): Promise<DunningPlan> {
    await lockAccount(tx, accountId);
    return this.within(tx, accountId);
  }

  /** Documents that wait for their next step are looked at again: its day may be another one now. */
  save(tx: Tx, accountId: Uuid, { terms, version }: DunningPlan): void {
    const steps = [...terms.business_steps, ...terms.consumer_steps];
    const first = steps.length > 0 ? Math.min(...steps.map(({ days }) => days)) : null;
    tx.write(
      `INSERT INTO dunning_plans (account_id, terms, first_days, due_from, version, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (account_id) DO UPDATE SET terms = $2, first_days = $3, due_from = $4,
         version = $5, updated_at = $6`,
      [accountId, JSON.stringify(terms), first, terms.due_from, version, tx.now()],
    );
    tx.write(
      `UPDATE dunning_states s SET next_on = '0001-01-01' FROM pending_documents p
       WHERE s.account_id = $1 AND NOT s.paused
         AND (p.account_id, p.document_id) = (s.account_id, s.document_id)`,
      [accountId],
    );
  }
}
