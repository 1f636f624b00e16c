import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { HeldWork } from '../../platform/held-work.js';
import { type Job, Jobs } from '../../platform/jobs.js';
import { MailSender } from '../domain/mail-sender.js';
import type { QueueEnd } from '../infrastructure/message.repository.js';
import { HeldMail } from './held-mail.js';
import { MailDelivery } from './mail-delivery.service.js';
import { MailFacts } from './mail-facts.service.js';
import { MailRounds } from './mail-rounds.js';

/**
 * Messages that one process sends at the same time. Half of them come from the end of the queue, so
 * that a receipt does not wait behind all that another account sends at midnight.
 */
const LANES: readonly QueueEnd[] = ['oldest', 'newest', 'oldest', 'newest'];

/** Reads facts and sends messages, every few seconds. Any number of processes may do it at once. */
@Injectable()
export class MailWorker implements OnApplicationShutdown {
  private readonly job: Job;

  constructor(
    private readonly facts: MailFacts,
    private readonly rounds: MailRounds,
    private readonly delivery: MailDelivery,
    private readonly sender: MailSender,
    private readonly held: HeldMail,
    private readonly work: HeldWork,
    jobs: Jobs,
  ) {
    const failure = 'mail stopped; the next round goes on';
    this.job = jobs.every(
      ({ mailSeconds }) => mailSeconds * 1000,
      failure,
      () => this.run(),
      { name: 'mail' },
    );
  }

  /** Messages that are being sent were awaited: they would be sent again. */
  onApplicationShutdown(): void {
    this.sender.close();
  }

  /** One round: all that there is to do now. */
  async run(): Promise<void> {
    await this.held.notice();
    while (!this.job.isStopping && (await this.facts.collect()));
    if (!this.sender.isConfigured) return;
    // Reminders and statements go by days, and wait as schedules do.
    if (!(await this.work.isHeld('schedules'))) await this.rounds.run();
    await Promise.all(LANES.map((end) => this.deliver(end)));
  }

  private async deliver(end: QueueEnd): Promise<void> {
    while (!this.job.isStopping && (await this.delivery.deliverNext(end)));
  }
}
