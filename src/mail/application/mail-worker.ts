import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Log } from '../../platform/observability/log.js';
import { Rounds } from '../../platform/rounds.js';
import { MailSender } from '../domain/mail-sender.js';
import { MailDelivery } from './mail-delivery.service.js';
import { MailFacts } from './mail-facts.service.js';

/** Messages that one process sends at the same time. */
const AT_ONCE = 4;

/** Reads facts and sends messages, every few seconds. Any number of processes may do it at once. */
@Injectable()
export class MailWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds = new Rounds(
    () => this.run(),
    (error) => this.log.warn({ error }, 'mail stopped; the next round goes on'),
  );

  constructor(
    private readonly facts: MailFacts,
    private readonly delivery: MailDelivery,
    private readonly sender: MailSender,
    private readonly config: Config,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    const everyMs = this.config.mailSeconds * 1000;
    if (everyMs > 0) this.rounds.start(everyMs);
  }

  /** Messages that are being sent are awaited: they would be sent again. */
  async onModuleDestroy(): Promise<void> {
    await this.rounds.stop();
    this.sender.close();
  }

  /** One round: all that there is to do now. */
  async run(): Promise<void> {
    while (!this.rounds.isStopping && (await this.facts.collect()));
    if (this.sender.isConfigured) await this.facts.remind();
    await Promise.all(Array.from({ length: AT_ONCE }, () => this.deliver()));
  }

  private async deliver(): Promise<void> {
    while (!this.rounds.isStopping && (await this.delivery.deliverNext()));
  }
}
