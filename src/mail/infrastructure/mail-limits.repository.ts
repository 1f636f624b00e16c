import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Config } from '../../platform/config/config.js';
import type { MailLimits } from '../../platform/config/mail-config.js';
import type { Tx } from '../../platform/database/tx.js';
import { countedKind, type FullLimit } from '../domain/mail-limits.js';
import type { Message } from '../domain/message.js';

/**
 * A limit of n is full while the nth newest is within the window; where several are, the one that
 * has room last counts. A message of the house to the seller has the first limit alone, by its kind; a statement has the others.
 */
const FULL = `SELECT "limit", counted_at AS "countedAt" FROM (
    (SELECT 'document' AS "limit", counted_at FROM mail_messages
      WHERE account_id = $1 AND counted_at > $3
        AND (document_id = $2 OR $2::uuid IS NULL AND document_id IS NULL AND kind = $8)
      ORDER BY counted_at DESC OFFSET $5::int - 1 LIMIT 1)
    UNION ALL
    (SELECT 'recipient', newest.counted_at
      FROM (SELECT mailbox, count(*) AS letters FROM unnest($4::text[]) AS mailbox GROUP BY mailbox) asked
        CROSS JOIN LATERAL (SELECT counted_at FROM mail_letters l
          WHERE l.account_id = $1 AND l.mailbox = asked.mailbox AND l.counted_at > $3
          ORDER BY counted_at DESC OFFSET $6::int - letters LIMIT 1) newest)
    UNION ALL
    (SELECT 'account', counted_at FROM mail_letters
      WHERE account_id = $1 AND counted_at > $3 AND cardinality($4::text[]) > 0
      ORDER BY counted_at DESC OFFSET $7::int - cardinality($4::text[]) LIMIT 1)
  ) AS full_limits ORDER BY counted_at DESC LIMIT 1`;

/** How much an account has written to whom (decision 216). */
@Injectable()
export class MailLimitsRepository {
  private readonly limits: MailLimits;

  constructor({ mailLimits }: Config) {
    this.limits = mailLimits;
  }

  /** One at a time counts for an account. Nothing that moves money takes this lock. */
  async lock(tx: Tx, accountId: Uuid): Promise<void> {
    const key = `mail ${accountId}`;
    await tx.read('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [key], [key]);
  }

  /** The limit that has no room for it; undefined: all have. The account must be locked. */
  async full(
    tx: Tx,
    message: Message,
    mailboxes: readonly string[],
    since: Date,
  ): Promise<FullLimit | undefined> {
    const { document, recipient, account } = this.limits;
    const [row] = await tx.read<Omit<FullLimit, 'most'>>(FULL, [
      message.accountId,
      message.documentId,
      since,
      mailboxes,
      document,
      recipient,
      account,
      countedKind(message),
    ]);
    return row && { ...row, most: this.limits[row.limit] };
  }

  /** Letters, from now on for 24 hours. */
  count(tx: Tx, { accountId, id, countedAt }: Message, mailboxes: readonly string[]): void {
    if (mailboxes.length === 0) return;
    tx.write(
      `INSERT INTO mail_letters (account_id, message_id, counted_at, position, mailbox)
       SELECT $1, $2, $3, position, mailbox
       FROM unnest($4::text[]) WITH ORDINALITY AS letters (mailbox, position)`,
      [accountId, id, countedAt, mailboxes],
    );
  }
}
