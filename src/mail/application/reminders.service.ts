import { Injectable } from '@nestjs/common';
import { DueWork } from '../../clocks/index.js';
import type { Uuid } from '../../kernel/ids.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { MailSender } from '../domain/mail-sender.js';
import { MailFactsRepository } from '../infrastructure/mail-facts.repository.js';
import { WantedMessages } from './wanted-messages.js';

const LATE_DAYS = 3;
const MOST_REMINDERS = 1000;

/** Messages to customers whose invoices are due, or were: once for each day of the settings. */
@Injectable()
export class Reminders {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly facts: MailFactsRepository,
    private readonly wanted: WantedMessages,
    private readonly sender: MailSender,
    dueWork: DueWork,
  ) {
    dueWork.add('reminders', (accountId) => this.round(accountId));
  }

  private async round(accountId: Uuid | null): Promise<number> {
    if (!this.sender.isConfigured) return 0;
    return this.uow.run(async (tx) => {
      const due = await this.facts.dueReminders(tx, accountId, tx.now(), {
        lateDays: LATE_DAYS,
        most: MOST_REMINDERS,
      });
      // Of several days that were missed, one message is enough: the list has the last day first.
      const newest = new Map(due.toReversed().map((one) => [one.documentId, one]));
      const wanted = [...newest.values()].map((one) => ({
        accountId: one.accountId,
        documentId: one.documentId,
        kind: 'reminder' as const,
        fact: `reminder:${one.day}`,
      }));
      await this.wanted.queue(tx, wanted);
      return wanted.length;
    });
  }
}
