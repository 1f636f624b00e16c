import { Injectable } from '@nestjs/common';
import { OPERATOR } from '../../kernel/actor.js';
import { EventLog } from '../../events/index.js';
import type { Tx } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { Message, MessageStatus } from '../domain/message.js';
import { MessageRepository } from '../infrastructure/message.repository.js';
import { messageStep } from '../wire/message-events.js';

/** An attempt, as it ended. */
export interface MessageOutcome {
  status: MessageStatus;
  reason: string | null;
  at: Date;
  /** The message waits for room, and was not tried. */
  isHeld?: boolean;
}

/** Settles messages, and tells what became of each, once. */
@Injectable()
export class MessageOutcomes {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly messages: MessageRepository,
    private readonly events: EventLog,
  ) {}

  async settle(message: Message, outcome: MessageOutcome): Promise<void> {
    await this.uow.run(async (tx) => {
      const isOurs = await this.messages.settle(tx, message, outcome);
      if (isOurs) this.tell(tx, { ...message, status: outcome.status });
    });
  }

  /** A new one, which is given up at once where nobody can get it. */
  async begin(tx: Tx, message: Message): Promise<void> {
    if (message.status === 'queued') this.messages.insert(tx, message);
    else if (await this.messages.insertSettled(tx, message)) this.tell(tx, message);
  }

  private tell(tx: Tx, message: Message): void {
    const { accountId, status } = message;
    if (status === 'queued') return;
    const by = { accountId, actor: OPERATOR };
    this.events.tell(tx, by, `message.${status}`, messageStep(message));
  }
}
