import { Injectable } from '@nestjs/common';
import { EventLog } from '../../events/index.js';
import { OPERATOR } from '../../kernel/actor.js';
import { publicId } from '../../kernel/ids.js';
import { WantedMessages } from '../../mail/index.js';
import type { Tx } from '../../platform/database/tx.js';
import type { Reminder } from '../domain/reminder.js';
import { ReminderRepository } from '../infrastructure/reminder.repository.js';
import { reminderStep } from '../wire/reminder-events.js';

/** The fact that a message is sent for. */
const factOfReminder = ({ id }: Pick<Reminder, 'id'>): string => `dunning:${publicId('rem', id)}`;

/** Writes letters down, and hands them to the mail. */
@Injectable()
export class OutgoingReminders {
  constructor(
    private readonly repository: ReminderRepository,
    private readonly events: EventLog,
    private readonly wanted: WantedMessages,
  ) {}

  async begin(tx: Tx, reminder: Reminder): Promise<void> {
    const { accountId, documents } = reminder;
    const [oldest] = documents;
    if (!oldest) return;
    this.repository.insert(tx, reminder);
    const by = { accountId, actor: OPERATOR };
    this.events.tell(tx, by, 'reminder.made', reminderStep(reminder));
    // One that nobody can get is given up at once, and its end is written behind its beginning.
    await tx.flush();
    const { documentId } = oldest;
    await this.wanted.queue(tx, [
      { accountId, documentId, kind: 'dunning', fact: factOfReminder(reminder) },
    ]);
  }
}
