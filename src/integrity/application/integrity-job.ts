import { Injectable } from '@nestjs/common';
import { AuditedWork } from '../../auth/index.js';
import { byTime } from '../../kernel/actor.js';
import { IdGenerator, NO_ACCOUNT, publicId, type Uuid } from '../../kernel/ids.js';
import { Config } from '../../platform/config/config.js';
import { type Job, Jobs } from '../../platform/jobs.js';
import { Log } from '../../platform/observability/log.js';
import type { IntegrityRun } from '../domain/integrity-run.js';
import { CheckFailed } from '../domain/check-failed.js';
import { IntegrityQuery } from '../infrastructure/integrity.query.js';
import {
  type HeldRun,
  IntegrityRunsRepository,
} from '../infrastructure/integrity-runs.repository.js';

const LOOK_EVERY_MS = 10_000;
const BEAT_EVERY_MS = 15_000;
/** Shown in the log; the check itself has more. */
const SHOWN_DIFFERENCES = 20;

/** Makes the checks of books that were asked for, and from time to time one of all accounts. */
@Injectable()
export class IntegrityJob {
  private readonly job: Job;

  constructor(
    private readonly runs: IntegrityRunsRepository,
    private readonly integrity: IntegrityQuery,
    private readonly audited: AuditedWork,
    private readonly ids: IdGenerator,
    private readonly config: Config,
    private readonly log: Log,
    jobs: Jobs,
  ) {
    // It only reads, and another process goes on behind the last check that is done.
    const options = { name: 'integrity', atStop: 'leave' } as const;
    this.job = jobs.every(LOOK_EVERY_MS, 'the integrity check failed', () => this.run(), options);
  }

  /** Somebody has asked for one. */
  begin(): void {
    void this.job.begin();
  }

  /** @returns how many it has ended */
  async run(): Promise<number> {
    const { integrityHours } = this.config;
    if (integrityHours > 0) await this.runs.askWhenDue(integrityHours, this.ids.next());
    let ended = 0;
    while (!this.job.isStopping) {
      const run = await this.runs.take(this.ids.next());
      if (!run) break;
      if (await this.work(run)) ended += 1;
    }
    return ended;
  }

  private async work(run: HeldRun): Promise<boolean> {
    const beat = setInterval(() => {
      this.runs.beat(run).catch((error: unknown) => this.job.failed(error));
    }, BEAT_EVERY_MS).unref();
    try {
      await this.runs.noteHeads(run.accountId);
      const { part, done } = await this.planned(run);
      const examined = { accountId: accountOf(run), part, done, onReplica: true };
      const goesOn = await this.integrity.examine(examined, async (check, found) => {
        const isOurs = await this.runs.keep(run, check, found);
        return isOurs && !this.job.isStopping;
      });
      if (goesOn) return await this.finish(run);
      if (this.job.isStopping) await this.runs.giveBack(run, null);
      return false;
    } catch (error) {
      await this.runs.giveBack(run, error instanceof CheckFailed ? error.check : null);
      throw error;
    } finally {
      clearInterval(beat);
    }
  }

  /** One that goes on looks at what it looked at before. */
  private async planned(run: HeldRun): Promise<IntegrityRun> {
    if (run.checks !== null) return run;
    // If somebody has paused it meanwhile, its first check is not kept.
    const { integrityShares } = this.config;
    return (await this.runs.plan(run, await this.integrity.names(), integrityShares)) ?? run;
  }

  /** The entry in the audit log is sealed, as all of them are. */
  private async finish(held: HeldRun): Promise<boolean> {
    const by = byTime(held.accountId);
    const run = await this.audited.run(by, undefined, async ({ tx, record }) => {
      const finished = await this.runs.finish(tx, held);
      if (!finished) return null;
      const subject = publicId('chk', held.runId);
      record({ action: 'integrity.checked', subject, before: null, after: outcomeOf(finished) });
      return finished;
    });
    if (run) this.tell(run);
    return run !== null;
  }

  private tell(run: IntegrityRun): void {
    const { checks, differences } = run;
    const account = accountOf(run);
    const of = { checks, ...(account && { account_id: publicId('acc', account) }) };
    if (differences === 0) {
      this.log.info(of, 'the books agree');
      return;
    }
    const shown = run.found.slice(0, SHOWN_DIFFERENCES);
    this.log.error({ ...of, found: differences, differences: shown }, 'the books do not agree');
  }
}

const accountOf = ({ accountId }: IntegrityRun): Uuid | null =>
  accountId === NO_ACCOUNT ? null : accountId;

const outcomeOf = ({ checks, differences, head, isFull }: IntegrityRun) => ({
  full: isFull,
  checks,
  differences,
  sealed_sequence: head && Number(head.sequence),
  sealed_digest: head && head.digest,
});
