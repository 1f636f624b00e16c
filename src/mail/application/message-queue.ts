import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { Tx } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Metrics } from '../../platform/observability/metrics.js';
import {
  countedMailboxes,
  type FullLimit,
  hasPlace,
  tooManyMessages,
  windowStart,
} from '../domain/mail-limits.js';
import type { Message } from '../domain/message.js';
import { MailLimitsRepository } from '../infrastructure/mail-limits.repository.js';
import { MessageRepository } from '../infrastructure/message.repository.js';

/**
 * Gives messages a place among those of 24 hours: those that somebody asks for when they are asked
 * for, and all others when they leave. One at a time is given for an account, so that none is given twice.
 */
@Injectable()
export class MessageQueue {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly messages: MessageRepository,
    private readonly limits: MailLimitsRepository,
    private readonly metrics: Metrics,
    private readonly clock: Clock,
  ) {}

  /** A new one that somebody asks for. */
  async ask(tx: Tx, message: Message): Promise<void> {
    this.messages.insert(tx, await this.placed(tx, message));
  }

  /** One that is asked for once more. */
  async askAgain(tx: Tx, message: Message, now: Date): Promise<void> {
    const isCounted = hasPlace(message, now);
    this.messages.queueAgain(tx, isCounted ? message : await this.placed(tx, message), now);
  }

  /** Before one leaves. @returns the limit that has no room for it */
  async takePlace(message: Message): Promise<FullLimit | undefined> {
    if (hasPlace(message, this.clock.serverNow())) return undefined;
    return this.uow.run(async (tx) => {
      const full = await this.fullFor(tx, message);
      if (full) return full;
      this.messages.saveCounted(tx, this.count(tx, message));
      return undefined;
    });
  }

  /** It waits for room; told once, however often it looks. */
  countHeld({ limit }: FullLimit): void {
    this.metrics.countLimitedMessage(limit, 'held');
  }

  private async placed(tx: Tx, message: Message): Promise<Message> {
    const full = await this.fullFor(tx, message);
    if (!full) return this.count(tx, message);
    this.metrics.countLimitedMessage(full.limit, 'refused');
    throw tooManyMessages(full, this.clock.serverNow());
  }

  private async fullFor(tx: Tx, message: Message): Promise<FullLimit | undefined> {
    await this.limits.lock(tx, message.accountId);
    const since = windowStart(this.clock.serverNow());
    const mailboxes = countedMailboxes(message);
    return this.limits.full(tx, message, mailboxes, since);
  }

  private count(tx: Tx, message: Message): Message {
    const counted = { ...message, countedAt: this.clock.serverNow() };
    this.limits.count(tx, counted, countedMailboxes(message));
    return counted;
  }
}
