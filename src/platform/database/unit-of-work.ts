import { Injectable } from '@nestjs/common';
import { Metrics } from '../observability/metrics.js';
import { RefusalCatalogue } from '../refusal-catalogue.js';
import { tracing } from '../tracing/tracing.js';
import { brokenKey, isRetryable, translateDatabaseError } from './database-error.js';
import { DatabaseProbe } from './database-probe.js';
import { GroupCommit, type Shared } from './group-commit.js';
import { Transactions } from './transactions.js';
import type { CommitGuard, Tx } from './tx.js';

const MAX_ATTEMPTS = 4;
const FIRST = {};

@Injectable()
export class UnitOfWork {
  private readonly groups: GroupCommit;

  constructor(
    private readonly transactions: Transactions,
    private readonly probe: DatabaseProbe,
    metrics: Metrics,
    private readonly refusals: RefusalCatalogue,
  ) {
    this.groups = new GroupCommit(transactions, probe, metrics, this.run.bind(this));
  }

  /**
   * Runs `work` in one transaction: load for update, decide, write once. Serialization failures,
   * deadlocks and lost races on a unique key that `work` can now see are run again.
   * @throws DomainError `document_busy` after a lock timeout, `database_unavailable` when the
   *   connection breaks; a broken COMMIT is settled by repeating with the same Idempotency-Key
   */
  async run<Result>(
    work: (tx: Tx) => Promise<Result>,
    guard?: CommitGuard<Result>,
    isPatient = true,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const result = await tracing.span(
          'transaction',
          attempt > 1 ? { 'quittance.attempt': attempt } : FIRST,
          async () => this.attempt(work, guard, isPatient),
        );
        this.probe.noteWrite();
        return result;
      } catch (error) {
        this.probe.noteFailure(error);
        if (attempt < MAX_ATTEMPTS && isRetryable(error)) continue;
        throw this.refusals.ofKeys[brokenKey(error) ?? '']?.() ?? translateDatabaseError(error);
      }
    }
  }

  /**
   * The same, in one transaction with others that are under way at the same moment. For each it is
   * as if it were alone. Work begins with all of its `Tx.load`; where it reads more, it is alone.
   */
  async runInGroup<Result>(
    shared: Shared,
    work: (tx: Tx) => Promise<Result>,
    guard?: CommitGuard<Result>,
  ): Promise<Result> {
    return this.groups.run(shared, work, guard);
  }

  private async attempt<Result>(
    work: (tx: Tx) => Promise<Result>,
    guard: CommitGuard<Result> | undefined,
    isPatient: boolean,
  ): Promise<Result> {
    const anyGuard = guard as CommitGuard<never> | undefined;
    const tx = this.transactions.open({ guard: anyGuard, isPatient });
    try {
      const result = await work(tx);
      if (guard?.record) tx.queue(guard.record(result));
      await tx.commit();
      return result;
    } finally {
      await tx.end();
    }
  }
}
