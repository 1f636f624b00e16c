import { Injectable } from '@nestjs/common';
import type { By } from '../../kernel/actor.js';
import { Clock } from '../../kernel/clock.js';
import type { Tx } from '../../platform/database/tx.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { type AuditedChange, differences } from '../domain/audit-entry.js';

/**
 * The append-only log of who changed what the books do not tell of: sellers, customers, settings,
 * clients, keys. An entry that belongs to no account is stored under the account of zeros
 * (`NO_ACCOUNT`): decision 48.
 */
@Injectable()
export class AuditLog {
  constructor(
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Writes in the transaction of the change: neither is there without the other.
   * @param change whole snapshots are welcome: what did not change is left out
   */
  record(tx: Tx, { accountId, actor, origin }: By, change: AuditedChange): void {
    const { before, after } = differences(change.before, change.after);
    tx.insert('audit_entries', {
      account_id: accountId,
      entry_id: tx.newId(),
      action: change.action,
      subject: change.subject,
      actor_type: actor.type,
      actor_id: actor.id,
      address: origin?.address ?? null,
      request_id: origin?.requestId ?? null,
      before: before && JSON.stringify(before),
      after: after && JSON.stringify(after),
      occurred_at: this.clock.serverNow(),
    });
    this.metrics.countAudit(change.action);
  }
}
