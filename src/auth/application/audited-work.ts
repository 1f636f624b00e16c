import { Injectable } from '@nestjs/common';
import type { Actor, By } from '../../kernel/actor.js';
import { Clock } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { type CommitGuard, lookUpOf, type Tx } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { AuditedChange } from '../domain/audit-entry.js';
import { AuditLog } from './audit-log.js';

/** A transaction of somebody who is known. */
export interface AuditedTx {
  tx: Tx;
  accountId: Uuid;
  actor: Actor;
  serverNow(): Date;
  /** Keeps in the audit log who changed it. */
  record(change: AuditedChange): void;
}

/** Changes that the audit log tells of: neither is there without the other. */
@Injectable()
export class AuditedWork {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** Sends a stored answer again, before work that has no transaction of its own. */
  async look(guard: CommitGuard<never> | undefined): Promise<void> {
    if (guard) await this.uow.run(async () => undefined, lookUpOf(guard));
  }

  async run<Result>(
    by: By,
    guard: CommitGuard<Result> | undefined,
    work: (change: AuditedTx) => Promise<Result>,
  ): Promise<Result> {
    const { accountId, actor } = by;
    return this.uow.run(async (tx) => {
      const record = (change: AuditedChange) => this.audit.record(tx, by, change);
      const serverNow = () => this.clock.serverNow();
      return work({ tx, accountId, actor, serverNow, record });
    }, guard);
  }
}
