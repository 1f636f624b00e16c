import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { Message } from '../domain/message.js';
import { MESSAGE_COLUMNS, type MessageColumns, toMessage } from './message.repository.js';

/** Queued messages of all accounts that wait for a word since a restore, by their reason. */
@Injectable()
export class HeldMessagesRepository {
  constructor(private readonly database: Database) {}

  async hold(reason: string): Promise<void> {
    await this.database.query(`UPDATE mail_messages SET reason = $1 WHERE status = 'queued'`, [
      reason,
    ]);
  }

  async survey(reason: string): Promise<{ held: number; oldest: Date | null }> {
    const [row] = await this.database.query<{ held: number; oldest: Date | null }>(
      `SELECT count(*)::int AS held, min(created_at) AS oldest FROM mail_messages
       WHERE status = 'queued' AND next_attempt_at IS NOT NULL AND reason = $1`,
      [reason],
    );
    return row ?? { held: 0, oldest: null };
  }

  async find(reason: string, most: number): Promise<Message[]> {
    const rows = await this.database.query<MessageColumns>(
      `SELECT ${MESSAGE_COLUMNS} FROM mail_messages m
       WHERE next_attempt_at IS NOT NULL AND status = 'queued' AND reason = $1
       ORDER BY next_attempt_at LIMIT $2`,
      [reason, most],
    );
    return rows.map(toMessage);
  }

  /** @returns how many */
  async release(reason: string, now: Date): Promise<number> {
    const [row] = await this.database.query<{ released: number }>(
      `WITH released AS (
         UPDATE mail_messages SET reason = NULL, next_attempt_at = $2
         WHERE next_attempt_at IS NOT NULL AND status = 'queued' AND reason = $1 RETURNING 1
       )
       SELECT count(*)::int AS released FROM released`,
      [reason, now],
    );
    return row?.released ?? 0;
  }
}
