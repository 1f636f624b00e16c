import { Injectable } from '@nestjs/common';
import { OPERATOR } from '../../kernel/actor.js';
import { Clock } from '../../kernel/clock.js';
import { EventLog } from '../../events/index.js';
import type { Tx } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import {
  type BegunMessage,
  type Message,
  type MessageOutcome,
  messageTo,
} from '../domain/message.js';
import { MessageRepository } from '../infrastructure/message.repository.js';
import { messageStep } from '../wire/message-events.js';
import { LetterSources } from './letter-sources.js';

/** Settles messages, and tells what became of each, once. */
@Injectable()
export class MessageOutcomes {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly messages: MessageRepository,
    private readonly events: EventLog,
    private readonly sources: LetterSources,
    private readonly clock: Clock,
  ) {}

  async settle(message: Message, outcome: MessageOutcome): Promise<void> {
    await this.uow.run(async (tx) => this.settleIn(tx, message, outcome));
  }

  /** The same within a transaction. */
  async settleIn(tx: Tx, message: Message, outcome: MessageOutcome): Promise<void> {
    const isOurs = await this.messages.settle(tx, message, outcome);
    if (isOurs) await this.tell(tx, { ...message, status: outcome.status }, outcome);
  }

  /**
   * A new one, in the time of its account. It is given up at once where nobody can get it.
   * @param address as it is stored; null: there is none
   */
  async begin(tx: Tx, address: string | null, said: BegunMessage): Promise<void> {
    await this.clock.inTimeOf(said.accountId, async () => {
      const times = { createdAt: tx.now(), nextAttemptAt: this.clock.serverNow() };
      const message = messageTo(address, { ...said, id: tx.newId(), ...times });
      if (message.status === 'queued') this.messages.insert(tx, message);
      else if (await this.messages.insertSettled(tx, message)) {
        const { status, reason, createdAt: at } = message;
        await this.tell(tx, message, { status, reason, at });
      }
    });
  }

  private async tell(tx: Tx, message: Message, outcome: MessageOutcome): Promise<void> {
    const { accountId, status } = message;
    if (status === 'queued') return;
    await this.sources.of(message.kind)?.settled(tx, message, outcome);
    const by = { accountId, actor: OPERATOR };
    this.events.tell(tx, by, `message.${status}`, messageStep(message));
  }
}
