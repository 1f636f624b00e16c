import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import { type Message, type MessageStatus } from '../domain/message.js';
import { MESSAGE_COLUMNS, type MessageColumns, toMessage } from './message.repository.js';
import { MailRefusal } from '../domain/refusals.js';

export interface MessageFilter {
  documentId?: Uuid | undefined;
  status?: MessageStatus | undefined;
}

const OF_TESTS = `EXISTS (SELECT FROM accounts a
    WHERE a.account_id = m.account_id AND a.mode = 'test')`;

const LIST = `SELECT ${MESSAGE_COLUMNS} FROM mail_messages m WHERE m.account_id = $1
    AND ($2::uuid IS NULL OR m.document_id = $2)
    AND ($3::text IS NULL OR m.status = $3)
    AND ($4::uuid IS NULL OR m.message_id < $4)
  ORDER BY m.message_id DESC LIMIT $5`;

/** Messages for reading: no locks. */
@Injectable()
export class MessagesQuery {
  constructor(private readonly database: Database) {}

  async find(accountId: Uuid, id: Uuid): Promise<Message> {
    const [row] = await this.database.query<MessageColumns>(
      `SELECT ${MESSAGE_COLUMNS} FROM mail_messages m WHERE account_id = $1 AND message_id = $2`,
      [accountId, id],
    );
    if (!row) throw MailRefusal.message_not_found.of();
    return toMessage(row);
  }

  /** At most `count` messages after a place in the list, newest first. */
  async list(
    accountId: Uuid,
    { documentId, status }: MessageFilter,
    after: Uuid | null,
    count: number,
  ): Promise<Message[]> {
    const values = [accountId, documentId, status, after, count];
    const rows = await this.database.list<MessageColumns>(LIST, values);
    return rows.map(toMessage);
  }

  /** How many there are, up to `most`. */
  async count(
    accountId: Uuid,
    { documentId, status }: MessageFilter,
    most: number,
  ): Promise<number> {
    return this.database.countRows(LIST, [accountId, documentId, status, undefined, most]);
  }

  /** The newest of each document, as many as `most` of one. */
  async ofDocuments(accountId: Uuid, documents: readonly Uuid[], most: number): Promise<Message[]> {
    const rows = await this.database.query<MessageColumns>(
      `SELECT m.* FROM unnest($2::uuid[]) AS asked (document_id) CROSS JOIN LATERAL (
         SELECT ${MESSAGE_COLUMNS} FROM mail_messages m
         WHERE m.account_id = $1 AND m.document_id = asked.document_id
         ORDER BY m.message_id DESC LIMIT $3
       ) m`,
      [accountId, documents, most],
    );
    return rows.map(toMessage);
  }

  /** The newest of all accounts made for trying, for the page of a demo. */
  async newest(count: number): Promise<Message[]> {
    const rows = await this.database.query<MessageColumns>(
      `SELECT ${MESSAGE_COLUMNS} FROM mail_messages m WHERE status = 'sent' AND ${OF_TESTS}
       ORDER BY message_id DESC LIMIT $1`,
      [count],
    );
    return rows.map(toMessage);
  }

  /** By its id alone, for the same page. */
  async findAny(id: Uuid): Promise<Message> {
    const [row] = await this.database.query<MessageColumns>(
      `SELECT ${MESSAGE_COLUMNS} FROM mail_messages m WHERE message_id = $1 AND ${OF_TESTS}`,
      [id],
    );
    if (!row) throw MailRefusal.message_not_found.of();
    return toMessage(row);
  }
}
