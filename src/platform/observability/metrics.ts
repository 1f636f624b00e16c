import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { QueueStanding } from '../fair-queue.js';

const QUEUE_GAUGES = [
  ['inside', 'queue_places_taken', 'Places that are taken, by what they are for.'],
  ['waiting', 'queue_waiting', 'How many wait for a place now.'],
] as const;

const QUEUE_COUNTERS = [
  ['waits', 'queue_waits_total', 'How many had to wait for a place, and got one.'],
  ['waitedSeconds', 'queue_waited_seconds_total', 'How long they waited, all together.'],
  ['refused', 'queue_refused_total', 'How many got no place: the queue was full, or too slow.'],
] as const;

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

  private readonly providerCalls = new Histogram({
    name: 'provider_call_duration_seconds',
    help: 'Calls of payment providers: time until the answer began, by gateway and outcome.',
    labelNames: ['gateway', 'outcome'],
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });

  private readonly queues = new Map<string, () => QueueStanding>();

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

  private readonly backupsFailed = new Counter({
    name: 'backups_failed_total',
    help: 'Backups that could not be made (folder), or not be sent (store).',
    labelNames: ['place'],
    registers: [this.registry],
  });

  private readonly fileCalls = new Histogram({
    name: 'file_store_call_duration_seconds',
    help: 'Calls of the object store with the bytes of files, by call and outcome.',
    labelNames: ['call', 'outcome'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [this.registry],
  });

  private readonly unreadableFiles = new Counter({
    name: 'files_unreadable_total',
    help: 'Times that the store had no bytes (missing), or other bytes (changed), than a row says.',
    labelNames: ['found'],
    registers: [this.registry],
  });

  constructor() {
    this.tellQueues();
    collectDefaultMetrics({ register: this.registry });
  }

  private tellQueues(): void {
    for (const [of, name, help] of QUEUE_GAUGES) {
      const gauge = new Gauge({
        name,
        help,
        labelNames: ['queue'],
        registers: [this.registry],
        collect: () => {
          for (const [queue, standing] of this.queues) gauge.set({ queue }, standing()[of]);
        },
      });
    }
    for (const [of, name, help] of QUEUE_COUNTERS) {
      const counter = new Counter({
        name,
        help,
        labelNames: ['queue'],
        registers: [this.registry],
        collect: () => {
          counter.reset();
          for (const [queue, standing] of this.queues) counter.inc({ queue }, standing()[of]);
        },
      });
    }
  }

  observeRequest(method: string, route: string, status: number, seconds: number): void {
    this.requests.observe({ method, route, status }, seconds);
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

  countFailedBackup(place: 'folder' | 'store'): void {
    this.backupsFailed.inc({ place });
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

  /** @param outcome the class of the status, such as `2xx`, `429`, or `no_answer` */
  observeProviderCall(gateway: string, outcome: string, seconds: number): void {
    this.providerCalls.observe({ gateway, outcome }, seconds);
  }

  observeFileCall(call: 'put' | 'get', outcome: 'done' | 'failed', seconds: number): void {
    this.fileCalls.observe({ call, outcome }, seconds);
  }

  countUnreadableFile(found: 'missing' | 'changed'): void {
    this.unreadableFiles.inc({ found });
  }

  /** A queue for places of this process: the numbers of Prometheus are read off it. */
  watchQueue(queue: string, standing: () => QueueStanding): void {
    this.queues.set(queue, standing);
  }
}
