import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import { waitingRows } from '../../platform/observability/waiting-rows.js';
import type { WaitingThings } from '../../platform/observability/figures.js';
import { DunningRefusal } from '../domain/dunning-refusals.js';
import type { Reminder, ReminderStatus } from '../domain/reminder.js';
import { REMINDER_COLUMNS, type ReminderColumns, toReminder } from './reminder-columns.js';

export interface ReminderFilter {
  status?: ReminderStatus | undefined;
  customerId?: Uuid | undefined;
  documentId?: Uuid | undefined;
}

const LIST = `SELECT ${REMINDER_COLUMNS} FROM reminders r WHERE r.account_id = $1
    AND ($2::text IS NULL OR r.status = $2) AND ($3::uuid IS NULL OR r.customer_id = $3)
    AND ($4::uuid IS NULL OR r.reminder_id IN (SELECT rd.reminder_id FROM reminder_documents rd
      WHERE rd.account_id = $1 AND rd.document_id = $4))
    AND ($5::uuid IS NULL OR r.reminder_id < $5)
  ORDER BY r.reminder_id DESC LIMIT $6`;

/** Reminders for reading: no locks. */
@Injectable()
export class RemindersQuery {
  constructor(private readonly database: Database) {}

  async get(accountId: Uuid, id: Uuid): Promise<Reminder> {
    const [row] = await this.database.query<ReminderColumns>(
      `SELECT ${REMINDER_COLUMNS} FROM reminders r WHERE r.account_id = $1 AND r.reminder_id = $2`,
      [accountId, id],
    );
    if (!row) throw DunningRefusal.reminder_not_found.of();
    return toReminder(row);
  }

  /** Newest first, behind the reminder `after`. */
  async list(
    accountId: Uuid,
    filter: ReminderFilter,
    after: Uuid | null,
    count: number,
  ): Promise<Reminder[]> {
    const values = [...valuesOf(accountId, filter), after, count];
    return (await this.database.list<ReminderColumns>(LIST, values)).map(toReminder);
  }

  /** Of all accounts, for those who watch the service. */
  async failed(): Promise<WaitingThings> {
    return waitingRows(this.database, 'created_at', "FROM reminders WHERE status = 'failed'");
  }

  /** How many there are, up to `most`. */
  async count(accountId: Uuid, filter: ReminderFilter, most: number): Promise<number> {
    return this.database.countRows(LIST, [...valuesOf(accountId, filter), null, most]);
  }
}

const valuesOf = (accountId: Uuid, { status, customerId, documentId }: ReminderFilter) => [
  accountId,
  status,
  customerId,
  documentId,
];
