import { Injectable } from '@nestjs/common';
import { Accounts } from '../../auth/index.js';
import { EventLog } from '../../events/index.js';
import { type Actor, OPERATOR } from '../../kernel/actor.js';
import { addDays, dateIn, type IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { MailRefusal, type MessageOutcome } from '../../mail/index.js';
import type { Tx } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { Reminder, ReminderStatus } from '../domain/reminder.js';
import { DunningPlanRepository } from '../infrastructure/dunning-plan.repository.js';
import { DunningStateRepository } from '../infrastructure/dunning-state.repository.js';
import { ReminderRepository } from '../infrastructure/reminder.repository.js';
import { reminderStep } from '../wire/reminder-events.js';
import { DunningDebts } from './dunning-debts.js';

/** A letter that waited longer says days that are over. */
const MOST_DAYS_LATE = 3;
/** Something else is true by now than what it asks. */
const OVERTAKEN = 'overtaken';

/** Ends letters: each once, and one that was overtaken gives its steps back. */
@Injectable()
export class ReminderOutcomes {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly accounts: Accounts,
    private readonly plans: DunningPlanRepository,
    private readonly states: DunningStateRepository,
    private readonly repository: ReminderRepository,
    private readonly debts: DunningDebts,
    private readonly events: EventLog,
  ) {}

  /** Why it must not leave, as a code; null: all that it says is still so. */
  async overtaken(reminder: Reminder): Promise<string | null> {
    const { accountId, status, madeOn } = reminder;
    if (status === 'sent' || status === 'canceled') return OVERTAKEN;
    const account = await this.accounts.find(accountId);
    return this.uow.run(async (tx) => {
      const today = dateIn(account.timeZone, tx.now());
      if (today > addDays(madeOn, MOST_DAYS_LATE)) return OVERTAKEN;
      return (await this.debts.isAsStated(tx, reminder, today)) ? null : OVERTAKEN;
    });
  }

  /** Nothing happens where it has ended before. */
  async settle(
    tx: Tx,
    accountId: Uuid,
    id: Uuid,
    outcome: MessageOutcome,
    recipients: readonly string[],
  ): Promise<void> {
    const reminder = await this.repository.getForUpdate(tx, accountId, id);
    if (reminder.status !== 'queued' && reminder.status !== 'failed') return;
    const isRefused = outcome.reason === MailRefusal.reminders_refused.code;
    if (outcome.status === 'sent') {
      await this.sent(tx, reminder, OPERATOR, recipients);
    } else if (outcome.status === 'canceled' && !isRefused) {
      await this.end(tx, { ...reminder, reason: outcome.reason }, 'canceled', OPERATOR);
    } else if (outcome.status !== 'queued') {
      await this.end(tx, { ...reminder, reason: outcome.reason }, 'failed', OPERATOR);
    }
  }

  /** @param sentTo empty: by other means */
  async sent(
    tx: Tx,
    reminder: Reminder,
    actor: Actor,
    sentTo: readonly string[],
  ): Promise<Reminder> {
    return this.end(tx, { ...reminder, reason: null, sentTo: [...sentTo] }, 'sent', actor);
  }

  private async end(
    tx: Tx,
    reminder: Reminder,
    status: Exclude<ReminderStatus, 'queued'>,
    actor: Actor,
  ): Promise<Reminder> {
    const { accountId } = reminder;
    const ended = { ...reminder, status, settledAt: tx.now() };
    const { timeZone } = await this.accounts.findWithin(tx, accountId);
    const today = dateIn(timeZone, tx.now());
    const { terms } = await this.plans.within(tx, accountId);
    const isBilled = status === 'sent' && terms.charges_on === 'own_document';
    const hasOpen = reminder.charges.some((one) => one.status === 'proposed');
    this.repository.settle(tx, ended, isBilled && hasOpen ? today : null);
    await this.moveStates(tx, ended, today);
    this.events.tell(tx, { accountId, actor }, `reminder.${status}`, reminderStep(ended));
    return ended;
  }

  /** The next step is counted from the day on which this one left; what did not leave may come again. */
  private async moveStates(
    tx: Tx,
    { accountId, documents, status, madeOn }: Reminder,
    today: IsoDate,
  ): Promise<void> {
    // A clock that was set back does not bring the next step nearer.
    const leftOn = today > madeOn ? today : madeOn;
    const stepped = documents.filter(({ level }) => level !== null);
    const ids = stepped.map(({ documentId }) => documentId);
    const states = await this.states.getForUpdate(tx, accountId, ids);
    for (const { documentId, level } of stepped) {
      const state = states.get(documentId);
      if (!state || level === null) continue;
      if (status === 'sent') {
        const nextOn = addDays(today, 1);
        this.states.save(tx, accountId, { ...state, lastOn: leftOn, nextOn, waitsFor: 'not_yet' });
      } else if (status === 'canceled') {
        const before = await this.repository.lastStep(tx, accountId, documentId, level);
        const nextOn = state.isPaused ? null : today;
        this.states.save(tx, accountId, { ...state, ...before, nextOn, waitsFor: 'not_yet' });
      } else {
        this.states.save(tx, accountId, { ...state, waitsFor: 'letter_failed' });
      }
    }
  }
}
