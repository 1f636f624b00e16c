import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { IdGenerator } from '../../kernel/ids.js';
import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import { type Job, Jobs } from '../../platform/jobs.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { type AccessRefusal, Refusals } from '../domain/refusals.js';
import { insertRefusals } from '../infrastructure/refusals.repository.js';

const EVERY_MS = 1000;

/**
 * Writes refusals to the audit log. Their number has no limit, their cost has one. They are written
 * beside the requests, in a statement of their own. The first of its kind in a minute gets an
 * entry; the others are counted in one more.
 */
@Injectable()
export class RefusalLog {
  private readonly refusals = new Refusals();
  private readonly job: Job;

  constructor(
    private readonly database: Database,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    private readonly config: Config,
    jobs: Jobs,
  ) {
    const failure = 'refusals could not be written to the audit log; tried again';
    const options = { name: 'refusals', inEachProcess: true, atStop: 'once more' } as const;
    this.job = jobs.every(EVERY_MS, failure, () => this.writeDue(), options);
  }

  /** The caller waits for nothing. @param gateway its name in metrics */
  note(refusal: AccessRefusal, gateway = ''): void {
    this.count(refusal, gateway);
    // Nothing would ever take them from there.
    if (this.config.readOnly) return;
    this.refusals.add(refusal, this.clock.serverNow());
  }

  /** Writes what is due. A refusal that could not be written stays counted, and is tried again. */
  write(): Promise<void> {
    return this.job.begin();
  }

  private count({ action }: AccessRefusal, gateway: string): void {
    if (action === 'signature.refused') this.metrics.countRefusedSignature(gateway);
    else if (action === 'login.failed') this.metrics.countFailedLogin();
    else this.metrics.countReusedRefreshToken();
  }

  private async writeDue(): Promise<void> {
    if (this.job.isStopping) this.refusals.close();
    const now = this.clock.serverNow();
    const due = this.refusals.due(now);
    if (due.length === 0) return;
    const rows = due.map((alike) => ({
      account_id: alike.accountId,
      entry_id: this.ids.next(),
      action: alike.action,
      subject: alike.subject,
      address: alike.address,
      request_id: alike.requestId,
      occurrences: alike.count,
      occurred_at: alike.at,
    }));
    await insertRefusals(this.database, rows);
    this.refusals.written(due, now);
    for (const { action } of due) this.metrics.countAudit(action);
  }
}
