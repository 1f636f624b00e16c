import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { HeldWork } from '../../platform/held-work.js';
import { DISCARDED, HELD_SINCE_RESTORE } from '../domain/message.js';
import { HeldMessagesRepository } from '../infrastructure/held-messages.repository.js';
import { MailFacts } from './mail-facts.service.js';
import { MessageOutcomes } from './message-outcomes.js';

const AT_ONCE = 500;

/** Messages that were queued, or would have been, when a backup was made: most have left since. */
@Injectable()
export class HeldMail {
  constructor(
    private readonly work: HeldWork,
    private readonly facts: MailFacts,
    private readonly messages: HeldMessagesRepository,
    private readonly outcomes: MessageOutcomes,
    private readonly clock: Clock,
  ) {}

  /** After a restore, holds all that waits then. Messages of later leave as ever. */
  async notice(): Promise<void> {
    if (!(await this.work.isHeld('mail'))) return;
    while (await this.facts.collect());
    await this.messages.hold(HELD_SINCE_RESTORE);
    await this.work.release('mail');
  }

  async survey(): Promise<{ held: number; oldest: Date | null }> {
    await this.notice();
    return this.figures();
  }

  /** As it was noticed last. */
  async figures(): Promise<{ held: number; oldest: Date | null }> {
    return this.messages.survey(HELD_SINCE_RESTORE);
  }

  /** They leave now. @returns how many */
  async release(): Promise<number> {
    await this.notice();
    return this.messages.release(HELD_SINCE_RESTORE, this.clock.serverNow());
  }

  /** They never leave: each is canceled, and may be sent again by itself. @returns how many */
  async discard(): Promise<number> {
    await this.notice();
    let discarded = 0;
    for (;;) {
      const some = await this.messages.find(HELD_SINCE_RESTORE, AT_ONCE);
      for (const message of some) {
        const at = this.clock.now();
        await this.outcomes.settle(message, { status: 'canceled', reason: DISCARDED, at });
      }
      discarded += some.length;
      if (some.length < AT_ONCE) return discarded;
    }
  }
}
