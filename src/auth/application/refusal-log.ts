import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { IdGenerator } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import { Log } from '../../platform/observability/log.js';
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
export class RefusalLog implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly refusals = new Refusals();
  private timer?: NodeJS.Timeout;
  private writing?: Promise<void>;

  constructor(
    private readonly database: Database,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.write(), EVERY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.writing;
    this.refusals.close();
    await this.write();
  }

  /** The caller waits for nothing. @param gateway its name in metrics */
  note(refusal: AccessRefusal, gateway = ''): void {
    this.count(refusal, gateway);
    this.refusals.add(refusal, this.clock.now());
  }

  /** Writes what is due. A refusal that could not be written stays counted, and is tried again. */
  write(): Promise<void> {
    return (this.writing ??= this.writeDue().finally(() => (this.writing = undefined)));
  }

  private count({ action }: AccessRefusal, gateway: string): void {
    if (action === 'signature.refused') this.metrics.countRefusedSignature(gateway);
    else if (action === 'login.failed') this.metrics.countFailedLogin();
    else this.metrics.countReusedRefreshToken();
  }

  private async writeDue(): Promise<void> {
    const now = this.clock.now();
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
    try {
      await insertRefusals(this.database, rows);
    } catch (error) {
      this.log.warn({ error }, 'refusals could not be written to the audit log; tried again');
      return;
    }
    this.refusals.written(due, now);
    for (const { action } of due) this.metrics.countAudit(action);
  }
}
