import { Injectable } from '@nestjs/common';
import { AuditedWork } from '../../auth/index.js';
import type { By } from '../../kernel/actor.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import type { CommitGuard } from '../../platform/database/tx.js';
import { IntegrityRefusal } from '../domain/integrity-refusals.js';
import {
  type IntegrityRun,
  type LastRuns,
  type RunStep,
  statusAfter,
} from '../domain/integrity-run.js';
import { IntegrityRunsRepository } from '../infrastructure/integrity-runs.repository.js';
import { IntegrityJob } from './integrity-job.js';

const DONE = { pause: 'paused', resume: 'resumed', cancel: 'canceled' } as const;

/** A check, and whether it was asked for by this call. */
export interface AskedFor {
  run: IntegrityRun;
  isNew: boolean;
}

/** Checks of an account's books, as those see them who may read its reports. */
@Injectable()
export class IntegrityRuns {
  constructor(
    private readonly audited: AuditedWork,
    private readonly runs: IntegrityRunsRepository,
    private readonly job: IntegrityJob,
  ) {}

  /** One at a time of an account: to ask during a check is to ask for that one. */
  async request(
    by: By,
    isFull: boolean,
    guard: CommitGuard<AskedFor> | undefined,
  ): Promise<AskedFor> {
    return this.audited.run(by, guard, async ({ tx, accountId, serverNow, record }) => {
      const underWay = await this.runs.underWayForUpdate(tx, accountId);
      if (underWay) return { run: underWay, isNew: false };
      const run: IntegrityRun = {
        accountId,
        runId: tx.newId(),
        status: 'waiting',
        requestedAt: serverNow(),
        startedAt: null,
        finishedAt: null,
        checks: null,
        done: [],
        differences: 0,
        found: [],
        failedCheck: null,
        isFull,
        part: null,
        head: null,
      };
      this.runs.insert(tx, run);
      const subject = publicId('chk', run.runId);
      record({ action: 'integrity.requested', subject, before: null, after: { full: isFull } });
      tx.onCommit(() => this.job.begin());
      return { run, isNew: true };
    });
  }

  /**
   * The last that says something of an account's books, the last that looked at all of them, and one
   * that is newer.
   * @throws DomainError `books_not_checked`
   */
  async last(accountId: Uuid): Promise<LastRuns> {
    const [last, full, underWay] = await Promise.all([
      this.runs.last(accountId),
      this.runs.last(accountId, true),
      this.runs.underWay(accountId),
    ]);
    if (!last) throw IntegrityRefusal.books_not_checked.of();
    return { last, full, underWay };
  }

  /** @throws DomainError `integrity_run_not_found` */
  async read(accountId: Uuid, runId: Uuid): Promise<IntegrityRun> {
    return knownRun(await this.runs.find(accountId, runId));
  }

  /** @throws DomainError `integrity_run_not_found`, `integrity_run_ended` */
  async step(
    by: By,
    runId: Uuid,
    step: RunStep,
    guard: CommitGuard<IntegrityRun> | undefined,
  ): Promise<IntegrityRun> {
    return this.audited.run(by, guard, async ({ tx, accountId, record, serverNow }) => {
      const run = knownRun(await this.runs.findForUpdate(tx, accountId, runId));
      const status = statusAfter(step, run.status);
      if (status === run.status) return run;
      const finishedAt = status === 'canceled' ? serverNow() : null;
      const changed = { ...run, status, finishedAt };
      this.runs.setStatus(tx, changed);
      record({
        action: `integrity.${DONE[step]}`,
        subject: publicId('chk', runId),
        before: { status: run.status },
        after: { status },
      });
      if (step === 'resume') tx.onCommit(() => this.job.begin());
      return changed;
    });
  }
}

function knownRun(run: IntegrityRun | undefined): IntegrityRun {
  if (run) return run;
  throw IntegrityRefusal.integrity_run_not_found.of();
}
