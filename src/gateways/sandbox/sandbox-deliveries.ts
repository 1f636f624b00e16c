import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Gateways } from '../../payments/index.js';
import { Config } from '../../platform/config/config.js';
import { type Job, Jobs } from '../../platform/jobs.js';
import { SandboxBook } from './sandbox-book.js';
import type { SandboxEvent, SandboxPayment, SandboxSending } from './sandbox-outcomes.js';
import { SandboxSender } from './sandbox-sender.js';
import type { SandboxGateway } from './sandbox.gateway.js';

const EVERY_MS = 1000;

/**
 * Sends the sandbox's events as a provider would: over HTTP to our own webhook, signed, and again
 * with growing waits when one is refused. Events that are still to be sent survive the process.
 */
@Injectable()
export class SandboxDeliveries {
  private readonly book: SandboxBook;
  private readonly job: Job;

  constructor(
    private readonly gateways: Gateways,
    private readonly clock: Clock,
    config: Config,
    private readonly sender: SandboxSender,
    jobs: Jobs,
  ) {
    this.book = new SandboxBook(config.dataDir);
    const everyMs = config.production ? 0 : EVERY_MS;
    const failure = 'events of the sandbox could not be sent';
    this.job = jobs.every(everyMs, failure, () => this.run(), { name: 'sandbox' });
  }

  /** The choice on a pay page, if there was one. */
  async chosen(gateway: string, linkId: string): Promise<SandboxPayment | undefined> {
    return this.book.find({ gateway, linkId });
  }

  /**
   * Begins the life of a payment, once for a link. Events that are due are sent before this ends.
   * @returns the payment that counts: that of the first choice; and the sendings that are left
   */
  async begin(
    gateway: SandboxGateway,
    payment: SandboxPayment,
  ): Promise<{ payment: SandboxPayment; left: SandboxSending[] }> {
    const kept = await this.book.keep(payment);
    if (kept !== payment) return { payment: kept, left: [] };
    const { stopping } = this.job;
    const sendings = gateway.sendingsOf(payment);
    const left = await this.sender.sendDue(gateway, payment, sendings, stopping);
    // A process that dies before this has told too little, as providers may: look-ups tell it.
    await this.book.plan(payment, left);
    return { payment, left };
  }

  async run(): Promise<void> {
    for (const named of await this.book.waiting()) {
      if (this.job.isStopping) return;
      const sendings = await this.book.sendingsOf(named);
      const now = this.clock.serverNow();
      if (!sendings.some(({ due }) => due <= now)) continue;
      const payment = await this.book.find(named);
      // A gateway that cannot be read now may be readable again.
      const gateway = await this.gateways.find(named.gateway).catch(() => undefined);
      const left = payment
        ? await this.sender.sendDue(gateway, payment, sendings, this.job.stopping)
        : [];
      await this.book.plan(named, left);
    }
  }

  /** Sends an event once. @returns the status of the answer; 0 if there is none */
  async tell(gateway: SandboxGateway, event: SandboxEvent): Promise<number> {
    return this.sender.tell(gateway, event, this.job.stopping);
  }
}
