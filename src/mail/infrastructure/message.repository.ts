import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Row } from '../../platform/database/row.js';
import type { Tx } from '../../platform/database/tx.js';
import {
  BEING_SENT,
  HELD_SINCE_RESTORE,
  type Message,
  type MessageKind,
  type MessageStatus,
} from '../domain/message.js';
import { MailRefusal } from '../domain/refusals.js';

export type MessageColumns = Row<
  'mail_messages',
  { kind: MessageKind; change: NonNullable<Message['change']>; status: MessageStatus }
>;

interface TakenColumns extends MessageColumns {
  /** @derived */
  reason_before: MessageColumns['reason'];
}

export const MESSAGE_COLUMNS = `m.account_id, m.message_id, m.document_id, m.kind, m.fact, m.recipients,
  m.note, m.amount, m.change, m.status, m.reason, m.attempts, m.counted_at, m.next_attempt_at,
  m.created_at, m.settled_at`;

export type QueueEnd = 'oldest' | 'newest';

const INSERT = `INSERT INTO mail_messages (account_id, message_id, document_id, kind, fact, recipients,
    note, amount, change, status, reason, next_attempt_at, created_at, settled_at, counted_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
  ON CONFLICT (account_id, document_id, fact) DO NOTHING`;

/** Messages as they are decided on and settled. */
@Injectable()
export class MessageRepository {
  constructor(private readonly database: Database) {}

  /** Nothing is written if there is one for that fact. */
  insert(tx: Tx, message: Message): void {
    tx.write(INSERT, valuesOf(message));
  }

  /** One that is settled from the beginning. @returns whether there was none for that fact */
  async insertSettled(tx: Tx, message: Message): Promise<boolean> {
    const rows = await tx.read(`${INSERT} RETURNING 1`, valuesOf(message));
    return rows.length > 0;
  }

  /** Locks it until the transaction ends. */
  async getForUpdate(tx: Tx, accountId: Uuid, id: Uuid): Promise<Message> {
    const [row] = await tx.read<MessageColumns>(
      `SELECT ${MESSAGE_COLUMNS} FROM mail_messages m
       WHERE account_id = $1 AND message_id = $2 FOR NO KEY UPDATE`,
      [accountId, id],
    );
    if (!row) throw MailRefusal.message_not_found.of();
    return toMessage(row);
  }

  /** One that failed or was canceled is tried once more, from the beginning. */
  queueAgain(tx: Tx, { accountId, id, countedAt }: Message, now: Date): void {
    tx.write(
      `UPDATE mail_messages SET status = 'queued', reason = NULL, attempts = 0, settled_at = NULL,
         next_attempt_at = $3, counted_at = $4
       WHERE account_id = $1 AND message_id = $2`,
      [accountId, id, now, countedAt],
    );
  }

  /** It has a place from now on. */
  saveCounted(tx: Tx, { accountId, id, countedAt }: Message): void {
    tx.write('UPDATE mail_messages SET counted_at = $3 WHERE account_id = $1 AND message_id = $2', [
      accountId,
      id,
      countedAt,
    ]);
  }

  /**
   * The message that has waited longest, or shortest. Nobody else takes it until `again`, when whoever
   * has it now is taken for dead. Its reason is that of before: `BEING_SENT` where whoever had it died.
   */
  async takeDue(now: Date, again: Date, end: QueueEnd): Promise<Message | undefined> {
    const [row] = await this.database.query<TakenColumns>(
      `WITH due AS (
         SELECT account_id, message_id, reason FROM mail_messages
         WHERE next_attempt_at <= $1 AND reason IS DISTINCT FROM '${HELD_SINCE_RESTORE}'
         ORDER BY next_attempt_at ${end === 'oldest' ? 'ASC' : 'DESC'} LIMIT 1 FOR UPDATE SKIP LOCKED
       )
       UPDATE mail_messages m SET attempts = m.attempts + 1, next_attempt_at = $2,
         reason = '${BEING_SENT}' FROM due
       WHERE (m.account_id, m.message_id) = (due.account_id, due.message_id)
       RETURNING ${MESSAGE_COLUMNS}, due.reason AS reason_before`,
      [now, again],
    );
    return row && toMessage({ ...row, reason: row.reason_before });
  }

  /**
   * Keeps the outcome of an attempt. A message that another attempt has settled stays as it is.
   * @returns whether it was this one
   */
  async settle(
    tx: Tx,
    { accountId, id, attempts }: Message,
    { status, reason, at }: { status: MessageStatus; reason: string | null; at: Date },
  ): Promise<boolean> {
    const [next, settled] = status === 'queued' ? [at, null] : [null, at];
    const rows = await tx.read(
      `UPDATE mail_messages SET status = $3, reason = $4, next_attempt_at = $5, settled_at = $6,
         attempts = $7
       WHERE account_id = $1 AND message_id = $2 AND status = 'queued' RETURNING 1`,
      [accountId, id, status, reason, next, settled, attempts],
    );
    return rows.length > 0;
  }
}

function valuesOf(message: Message): unknown[] {
  return [
    message.accountId,
    message.id,
    message.documentId,
    message.kind,
    message.fact,
    message.recipients,
    message.note,
    message.amount,
    message.change,
    message.status,
    message.reason,
    message.nextAttemptAt,
    message.createdAt,
    message.settledAt,
    message.countedAt,
  ];
}

export function toMessage(row: MessageColumns): Message {
  return {
    id: row.message_id,
    accountId: row.account_id,
    documentId: row.document_id,
    kind: row.kind,
    fact: row.fact,
    recipients: row.recipients,
    note: row.note,
    amount: row.amount,
    change: row.change,
    status: row.status,
    reason: row.reason,
    attempts: row.attempts,
    countedAt: row.counted_at,
    nextAttemptAt: row.next_attempt_at,
    createdAt: row.created_at,
    settledAt: row.settled_at,
  };
}
