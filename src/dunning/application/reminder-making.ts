import { Injectable } from '@nestjs/common';
import { Accounts } from '../../auth/index.js';
import { addDays } from '../../kernel/clock.js';
import type { Tx } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { NextStep } from '../domain/next-step.js';
import type { DueDocument } from '../infrastructure/due-dunning.query.js';
import { type Debt, type Debts, DunningDebts } from './dunning-debts.js';
import { OutgoingReminders } from './outgoing-reminders.js';
import { ReminderCharges } from './reminder-charges.js';

type DueDebt = Debt & { next: NextStep & { why: null } };

/**
 * Makes the letter of a step, under the lock of its customer. The step is written with it: a document
 * has one letter for each, whoever makes it, and how often (decision 274).
 */
@Injectable()
export class ReminderMaking {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly accounts: Accounts,
    private readonly debts: DunningDebts,
    private readonly charges: ReminderCharges,
    private readonly outgoing: OutgoingReminders,
  ) {}

  /** @returns whether a letter was made */
  async consider(due: DueDocument): Promise<boolean> {
    const account = await this.accounts.find(due.accountId);
    return this.uow.run(async (tx) => {
      const debts = await this.debts.take(tx, account, due);
      const own = debts?.all.find(({ invoice }) => invoice.id === due.documentId);
      if (!debts || !own || !isDue(own)) return false;
      const isTogether = debts.terms.letters_by === 'customer' && own.next.step.days > 0;
      const listed = isTogether ? await this.debts.late(tx, debts) : [own];
      await this.make(tx, due, debts, listed);
      return true;
    });
  }

  private async make(
    tx: Tx,
    due: DueDocument,
    debts: Debts,
    listed: readonly Debt[],
  ): Promise<void> {
    const { accountId, customerId, currency } = due;
    const { today, steps } = debts;
    const going = listed.filter(isDue);
    const furthest = going.reduce((most, one) => (one.next.level > most.next.level ? one : most));
    const { step, level } = furthest.next;
    const stepped = going.map((debt) => ({ debt, step: debt.next.step }));
    const charges = await this.charges.of(tx, due, debts, step, stepped);
    for (const debt of going) this.debts.reminded(tx, accountId, debt, debt.next, today);
    await this.outgoing.begin(tx, {
      id: tx.newId(),
      accountId,
      customerId,
      currency,
      status: 'queued',
      reason: null,
      level,
      stepDays: step.days,
      lateStep: steps.slice(0, level).filter(({ days }) => days > 0).length,
      isLast: level === steps.length,
      words: step.words,
      madeOn: today,
      payBy: addDays(today, step.pay_within_days),
      documents: listed.map((debt) => ({
        documentId: debt.invoice.id,
        number: debt.invoice.number ?? '',
        dueDate: debt.invoice.dueDate,
        asked: debt.money.asked,
        ...(isDue(debt)
          ? { level: debt.next.level, days: debt.next.step.days }
          : { level: null, days: null }),
      })),
      charges,
      sentTo: [],
      problem: null,
      createdAt: tx.now(),
      settledAt: null,
    });
  }
}

function isDue(debt: Debt): debt is DueDebt {
  return debt.next.why === null;
}
