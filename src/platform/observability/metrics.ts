import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The age of something that waits; 0: nothing does. */
export const secondsSince = (since: Date | null | undefined, now: Date): number =>
  since ? Math.max(0, (now.getTime() - since.getTime()) / 1000) : 0;

/** Prometheus metrics of this process. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  private readonly requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route pattern and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [this.registry],
  });

  private readonly webhooks = new Counter({
    name: 'webhook_deliveries_total',
    help: 'Webhook deliveries by gateway and outcome.',
    labelNames: ['gateway', 'outcome'],
    registers: [this.registry],
  });

  private readonly audited = new Counter({
    name: 'audit_entries_total',
    help: 'Audit entries sent to the database, by action.',
    labelNames: ['action'],
    registers: [this.registry],
  });

  private readonly loginsFailed = new Counter({
    name: 'logins_failed_total',
    help: 'Requests for a token with wrong credentials.',
    registers: [this.registry],
  });

  private readonly signaturesRefused = new Counter({
    name: 'signatures_refused_total',
    help: 'Webhook deliveries without a good signature, by gateway.',
    labelNames: ['gateway'],
    registers: [this.registry],
  });

  private readonly refreshTokensReused = new Counter({
    name: 'refresh_token_reuse_total',
    help: 'Refresh tokens that came again, and ended their family.',
    registers: [this.registry],
  });

  private readonly refusals = new Counter({
    name: 'http_refusals_total',
    help: 'Problems that were answered, by code.',
    labelNames: ['code'],
    registers: [this.registry],
  });

  private readonly mailLimited = new Counter({
    name: 'mail_limited_total',
    help: 'Messages without room within 24 hours, by limit; refused, or held until there is some.',
    labelNames: ['limit', 'outcome'],
    registers: [this.registry],
  });

  private readonly deliveries = new Counter({
    name: 'webhook_delivery_tries_total',
    help: 'Calls of webhook endpoints of accounts, by what became of them.',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  private readonly deliveriesGivenUp = new Counter({
    name: 'webhook_deliveries_given_up_total',
    help: 'Events that an endpoint did not take, and that are tried no more.',
    registers: [this.registry],
  });

  private readonly sealed = new Counter({
    name: 'books_sealed_rows_total',
    help: 'Rows that this process sealed.',
    registers: [this.registry],
  });

  private readonly unwrittenHeads = new Counter({
    name: 'seal_heads_unwritten_total',
    help: 'Times that heads of seals could not be written to their file.',
    registers: [this.registry],
  });

  private readonly unsealed = new Gauge({
    name: 'books_unsealed_seconds',
    help: 'Age of the oldest transfer that no seal covers, at the last round of this process.',
    aggregator: 'max',
    registers: [this.registry],
  });

  private readonly differences = new Gauge({
    name: 'books_differences',
    help: 'Differences that the last integrity check of this process found; -1 before the first.',
    aggregator: 'max',
    registers: [this.registry],
  });

  private readonly groups = new Counter({
    name: 'commit_groups_total',
    help: 'Transactions in which calls were committed together, however many.',
    registers: [this.registry],
  });

  private readonly groupMembers = new Counter({
    name: 'commit_group_members_total',
    help: 'Calls in such a transaction, by outcome; alone, postponed and undone ones are tried again.',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  private readonly clockSteps = new Counter({
    name: 'clock_steps_total',
    help: 'Times that the clock was set while the process ran, by direction.',
    labelNames: ['direction'],
    registers: [this.registry],
  });

  constructor() {
    this.differences.set(-1);
    collectDefaultMetrics({ register: this.registry });
  }

  observeRequest(method: string, route: string, status: number, seconds: number): void {
    this.requests.observe({ method, route, status }, seconds);
  }

  setUnsealed(seconds: number): void {
    this.unsealed.set(seconds);
  }

  countWebhook(gateway: string, outcome: string): void {
    this.webhooks.inc({ gateway, outcome });
  }

  countAudit(action: string): void {
    this.audited.inc({ action });
  }

  countFailedLogin(): void {
    this.loginsFailed.inc();
  }

  countRefusedSignature(gateway: string): void {
    this.signaturesRefused.inc({ gateway });
  }

  countReusedRefreshToken(): void {
    this.refreshTokensReused.inc();
  }

  countRefusal(code: string): void {
    this.refusals.inc({ code });
  }

  countLimitedMessage(limit: string, outcome: 'refused' | 'held'): void {
    this.mailLimited.inc({ limit, outcome });
  }

  /** @param outcome `delivered`, or the failure */
  countDelivery(outcome: string): void {
    this.deliveries.inc({ outcome });
  }

  countGivenUpDelivery(): void {
    this.deliveriesGivenUp.inc();
  }

  /**
   * A figure of the whole database, the same in each process. It is read when somebody looks, and is
   * absent where it cannot be.
   * @param read the values, by that of the label
   */
  measure(
    { name, help, label }: { name: string; help: string; label?: string },
    read: () => Promise<Readonly<Record<string, number>>>,
  ): void {
    const gauge = new Gauge({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      aggregator: 'max',
      registers: [this.registry],
      collect: async () => {
        gauge.reset();
        const values = await read().catch(() => ({}));
        for (const [of, value] of Object.entries(values)) {
          if (label === undefined) gauge.set(value);
          else gauge.set({ [label]: of }, value);
        }
      },
    });
  }

  countSealed(rows: number): void {
    this.sealed.inc(rows);
  }

  countUnwrittenHeads(): void {
    this.unwrittenHeads.inc();
  }

  countGroup(): void {
    this.groups.inc();
  }

  countGroupMember(outcome: 'done' | 'refused' | 'alone' | 'postponed' | 'undone'): void {
    this.groupMembers.inc({ outcome });
  }

  countClockStep(direction: 'forwards' | 'backwards'): void {
    this.clockSteps.inc({ direction });
  }

  /** @param lost lines that no target of the log took, so far */
  countLostLines(lost: () => number): void {
    const counter = new Counter({
      name: 'log_lines_dropped_total',
      help: 'Lines of the log that were lost, because nobody took them.',
      registers: [this.registry],
      collect: () => {
        counter.reset();
        counter.inc(lost());
      },
    });
  }

  setDifferences(differences: number): void {
    this.differences.set(differences);
  }
}
