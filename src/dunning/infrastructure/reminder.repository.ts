import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import { DunningRefusal } from '../domain/dunning-refusals.js';
import type { DunningState } from '../domain/next-step.js';
import type { Reminder } from '../domain/reminder.js';
import {
  REMINDER_COLUMNS,
  type ReminderColumns,
  storedParts,
  toReminder,
} from './reminder-columns.js';

const FIND = `SELECT ${REMINDER_COLUMNS} FROM reminders r
  WHERE r.account_id = $1 AND r.reminder_id = $2`;

const LOCK = `SELECT 1 FROM reminders WHERE account_id = $1 AND reminder_id = $2
  FOR NO KEY UPDATE`;

/** Those of a customer whose charges wait, or are on the document $3. */
const WAITING = `FROM reminders r
  WHERE r.account_id = $1 AND r.customer_id = $2 AND r.status = 'sent' AND r.bill_on IS NULL
    AND EXISTS (SELECT FROM dunning_charges c
      WHERE (c.account_id, c.reminder_id) = (r.account_id, r.reminder_id)
        AND c.status = 'claimed' AND (c.billed_by IS NULL OR c.billed_by = $3))
  ORDER BY r.reminder_id`;

/** A step of a document whose letter stands. */
interface LastStep {
  /** @notNull */
  level: number;
  lastOn: IsoDate;
  /** @notNull */
  lastDays: number;
}

/** Letters as they are decided on and settled. */
@Injectable()
export class ReminderRepository {
  async getForUpdate(tx: Tx, accountId: Uuid, id: Uuid): Promise<Reminder> {
    // A statement that waits for a lock still reads charges as they were when it began.
    await tx.read(LOCK, [accountId, id]);
    const [row] = await tx.read<ReminderColumns>(FIND, [accountId, id]);
    if (!row) throw DunningRefusal.reminder_not_found.of();
    return toReminder(row);
  }

  insert(tx: Tx, reminder: Reminder): void {
    const { accountId: account_id, id: reminder_id } = reminder;
    tx.insert('reminders', {
      account_id,
      reminder_id,
      customer_id: reminder.customerId,
      currency: reminder.currency,
      status: reminder.status,
      reason: reminder.reason,
      level: reminder.level,
      step_days: reminder.stepDays,
      late_step: reminder.lateStep,
      is_last: reminder.isLast,
      words: JSON.stringify(reminder.words),
      made_on: reminder.madeOn,
      pay_by: reminder.payBy,
      sent_to: JSON.stringify(reminder.sentTo),
      created_at: reminder.createdAt,
      settled_at: reminder.settledAt,
    });
    tx.insert(
      'reminder_documents',
      ...reminder.documents.map(({ documentId, dueDate, asked, level, days }) => ({
        account_id,
        reminder_id,
        document_id: documentId,
        due_date: dueDate,
        asked,
        level,
        days,
        withdrawn: false,
      })),
    );
    if (reminder.charges.length === 0) return;
    tx.insert(
      'dunning_charges',
      ...reminder.charges.map(({ id, kind, documentId, amount, parts, status }) => ({
        account_id,
        charge_id: id,
        reminder_id,
        document_id: documentId,
        kind,
        amount,
        parts: storedParts(parts),
        status,
      })),
    );
  }

  /**
   * Writes its end. It must be locked.
   * @param billOn when its charges are to be billed; null: not by themselves
   */
  settle(tx: Tx, reminder: Reminder, billOn: IsoDate | null): void {
    const { accountId, id, status } = reminder;
    tx.update(
      'reminders',
      { account_id: accountId, reminder_id: id },
      {
        status,
        reason: reminder.reason,
        sent_to: JSON.stringify(reminder.sentTo),
        settled_at: reminder.settledAt,
        bill_on: billOn,
      },
    );
    if (status === 'failed') return;
    const isCanceled = status === 'canceled';
    if (isCanceled) {
      tx.write(
        'UPDATE reminder_documents SET withdrawn = true WHERE account_id = $1 AND reminder_id = $2',
        [accountId, id],
      );
    }
    tx.write(
      `UPDATE dunning_charges SET status = $3
       WHERE account_id = $1 AND reminder_id = $2 AND status = 'proposed'`,
      [accountId, id, isCanceled ? 'withdrawn' : 'claimed'],
    );
  }

  /** All that is open of it is given up. */
  waive(tx: Tx, { accountId, id }: Reminder): void {
    tx.write(
      `UPDATE dunning_charges SET status = 'waived' WHERE account_id = $1 AND reminder_id = $2
         AND status IN ('proposed', 'claimed') AND billed_by IS NULL`,
      [accountId, id],
    );
    this.billLater(tx, { accountId, id }, null, null);
  }

  /** When they are tried again. @param problem why they could not be billed, as a code */
  billLater(
    tx: Tx,
    { accountId, id }: Pick<Reminder, 'accountId' | 'id'>,
    billOn: IsoDate | null,
    problem: string | null,
  ): void {
    const key = { account_id: accountId, reminder_id: id };
    tx.update('reminders', key, { bill_on: billOn, problem });
  }

  /** The charges are on that invoice. */
  bill(tx: Tx, accountId: Uuid, chargeIds: readonly Uuid[], documentId: Uuid): void {
    tx.write(
      'UPDATE dunning_charges SET billed_by = $3 WHERE account_id = $1 AND charge_id = ANY ($2)',
      [accountId, chargeIds, documentId],
    );
  }

  /**
   * Letters to a customer whose charges wait for the next invoice, or are on a certain one. Locked.
   * @param replaced a draft that is written anew
   */
  async waitingFor(
    tx: Tx,
    accountId: Uuid,
    customerId: Uuid,
    replaced: Uuid | null,
  ): Promise<Reminder[]> {
    const values = [accountId, customerId, replaced];
    await tx.read(`SELECT 1 ${WAITING} FOR NO KEY UPDATE`, values);
    // Of those that another invoice has taken meanwhile, nothing waits any more.
    const rows = await tx.read<ReminderColumns>(`SELECT ${REMINDER_COLUMNS} ${WAITING}`, values);
    return rows.map(toReminder);
  }

  /** How far a document was before a step: its last letter that stands. */
  async lastStep(
    tx: Tx,
    accountId: Uuid,
    documentId: Uuid,
    before: number,
  ): Promise<Pick<DunningState, 'level' | 'lastOn' | 'lastDays'>> {
    const [row] = await tx.read<LastStep>(
      `SELECT rd.level, r.made_on AS "lastOn", rd.days AS "lastDays"
       FROM reminder_documents rd JOIN reminders r USING (account_id, reminder_id)
       WHERE rd.account_id = $1 AND rd.document_id = $2 AND NOT rd.withdrawn AND rd.level < $3
       ORDER BY rd.level DESC LIMIT 1`,
      [accountId, documentId, before],
    );
    return row ?? { level: 0, lastOn: null, lastDays: null };
  }
}
