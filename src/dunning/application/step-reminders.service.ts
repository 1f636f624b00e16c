import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type AuditedTx, AuditedWork } from '../../auth/index.js';
import { Documents } from '../../documents/index.js';
import { EventLog } from '../../events/index.js';
import type { By } from '../../kernel/actor.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import type { CommitGuard } from '../../platform/database/tx.js';
import { DunningRefusal } from '../domain/dunning-refusals.js';
import type { Charge, Reminder } from '../domain/reminder.js';
import { ReminderRepository } from '../infrastructure/reminder.repository.js';
import { RemindersQuery } from '../infrastructure/reminders.query.js';
import { reminderStep } from '../wire/reminder-events.js';
import { ReminderOutcomes } from './reminder-outcomes.js';
import { ReminderPaper } from './reminder-paper.js';

interface PrintedLetter {
  fileName: string;
  pdf: Buffer;
  sha256: Buffer;
}

type Guard = CommitGuard<Reminder>;

/** Steps that a person takes about a reminder. */
@Injectable()
export class StepReminders {
  constructor(
    private readonly audited: AuditedWork,
    private readonly repository: ReminderRepository,
    private readonly query: RemindersQuery,
    private readonly outcomes: ReminderOutcomes,
    private readonly documents: Documents,
    private readonly paper: ReminderPaper,
    private readonly events: EventLog,
  ) {}

  /** It went by post. @throws DomainError `reminder_not_found`, `reminder_not_failed` */
  async markSent(by: By, id: Uuid, guard?: Guard): Promise<Reminder> {
    return this.change(by, id, guard, 'reminder.marked_sent', async ({ tx, actor }, before) => {
      if (before.status !== 'failed') throw DunningRefusal.reminder_not_failed.of();
      return this.outcomes.sent(tx, before, actor, []);
    });
  }

  /** @throws DomainError `reminder_not_found`, `charges_not_open` */
  async waive(by: By, id: Uuid, guard?: Guard): Promise<Reminder> {
    return this.change(by, id, guard, 'reminder.charges_waived', async ({ tx }, before) => {
      if (!before.charges.some(isOpen)) throw DunningRefusal.charges_not_open.of();
      const charges = before.charges.map((one) =>
        isOpen(one) ? { ...one, status: 'waived' as const } : one,
      );
      const after = { ...before, charges, problem: null };
      this.repository.waive(tx, before);
      this.events.tell(tx, by, 'reminder.charges_waived', reminderStep(after));
      return after;
    });
  }

  /** The letter on paper. @throws DomainError `reminder_not_found` */
  async pdf(accountId: Uuid, id: Uuid): Promise<PrintedLetter> {
    const reminder = await this.query.get(accountId, id);
    const [oldest] = reminder.documents;
    const view = await this.documents.find(accountId, oldest?.documentId ?? '');
    const pdf = await this.paper.pdf(reminder, view);
    const sha256 = createHash('sha256').update(pdf).digest();
    return { fileName: this.paper.fileName(reminder), pdf, sha256 };
  }

  private async change(
    by: By,
    id: Uuid,
    guard: Guard | undefined,
    action: 'reminder.marked_sent' | 'reminder.charges_waived',
    step: (audited: AuditedTx, before: Reminder) => Promise<Reminder>,
  ): Promise<Reminder> {
    return this.audited.run(by, guard, async (audited) => {
      const { tx, accountId, record } = audited;
      const before = await this.repository.getForUpdate(tx, accountId, id);
      const after = await step(audited, before);
      record({
        action,
        subject: publicId('rem', id),
        before: saidOf(before),
        after: saidOf(after),
      });
      return after;
    });
  }
}

const isOpen = ({ status }: Charge) => status === 'proposed' || status === 'claimed';

const saidOf = ({ status, charges }: Reminder) => ({
  status,
  charges: charges.map((one) => one.status),
});
