import { Injectable } from '@nestjs/common';
import type { PublicId, Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Tx } from '../../platform/database/tx.js';
import { type Message, WRITTEN_TO_SELLER } from '../domain/message.js';
import { MESSAGE_COLUMNS, type MessageColumns, toMessage } from './message.repository.js';

/** A customer, and its schedules: messages name them by their public ids. */
export interface Reader {
  accountId: Uuid;
  customerId: Uuid;
  customer: PublicId;
  schedules: readonly PublicId[];
}

/** About its documents, a month of it, or one of its schedules. */
const OF_READER = `m.account_id = $1 AND (
    m.document_id IN (SELECT document_id FROM documents
      WHERE account_id = $1 AND customer_id = $2)
    OR m.document_id IS NULL
      AND (m.change->>'customer' = $3 OR m.change->>'schedule' = ANY ($4::text[])))`;

const TO_SELLER = 'm.kind = ANY ($5::text[])';

/** Messages to and about a customer who is erased. That something was sent, and when, stays. */
@Injectable()
export class ErasedReadersRepository {
  constructor(private readonly database: Database) {}

  async waiting(tx: Tx, reader: Reader): Promise<Message[]> {
    const rows = await this.database.queryIn<MessageColumns>(
      tx,
      `SELECT ${MESSAGE_COLUMNS} FROM mail_messages m
       WHERE ${OF_READER} AND m.status = 'queued' ORDER BY m.message_id FOR NO KEY UPDATE`,
      valuesOf(reader),
    );
    return rows.map(toMessage);
  }

  /** All that it was written to. */
  async addresses(tx: Tx, reader: Reader): Promise<string[]> {
    const rows = await tx.read<{ address: string }>(
      `SELECT DISTINCT address FROM (
         SELECT unnest(m.recipients) AS address FROM mail_messages m
         WHERE ${OF_READER} AND NOT ${TO_SELLER}) recipients`,
      [...valuesOf(reader), WRITTEN_TO_SELLER],
    );
    return rows.map(({ address }) => address);
  }

  /** @param names mailboxes that may have refused reminders, and that no other customer has */
  async erase(tx: Tx, reader: Reader, names: readonly string[]): Promise<void> {
    const values = [...valuesOf(reader), WRITTEN_TO_SELLER];
    await tx.read(
      `UPDATE mail_letters l SET mailbox = 'erased' FROM mail_messages m
       WHERE ${OF_READER} AND NOT ${TO_SELLER}
         AND (l.account_id, l.message_id) = (m.account_id, m.message_id)`,
      values,
    );
    await tx.read(
      `UPDATE mail_messages m SET note = NULL,
         recipients = CASE WHEN ${TO_SELLER} THEN m.recipients ELSE '{}' END,
         reason = CASE WHEN m.reason ~ '^[a-z_]+$' THEN m.reason
           WHEN m.reason IS NOT NULL THEN 'erased' END,
         change = CASE WHEN m.kind = 'schedule_end_asked'
           THEN m.change || '{"name": "erased", "client": "erased", "email": null}' ELSE m.change END
       WHERE ${OF_READER}`,
      values,
    );
    await tx.read(
      `DELETE FROM mail_refusals r WHERE r.account_id = $1 AND r.address = ANY ($2::text[])
         AND NOT EXISTS (SELECT FROM customers c WHERE c.account_id = $1
           AND lower(c.profile->>'email') = r.address AND c.customer_id <> $3)`,
      [reader.accountId, names, reader.customerId],
    );
  }
}

const valuesOf = ({ accountId, customerId, customer, schedules }: Reader) => [
  accountId,
  customerId,
  customer,
  schedules,
];
