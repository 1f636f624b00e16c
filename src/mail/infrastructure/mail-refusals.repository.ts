import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { spellingsOf, storedMailboxOf } from '../../kernel/mailbox.js';
import { Database } from '../../platform/database/database.js';
import type { Tx } from '../../platform/database/tx.js';

/** Addresses that want no reminders. */
@Injectable()
export class MailRefusalsRepository {
  constructor(private readonly database: Database) {}

  /** Those of the addresses that do not refuse. */
  async willing(accountId: Uuid, addresses: readonly string[]): Promise<string[]> {
    const rows = await this.database.query<{ address: string }>(
      'SELECT address FROM mail_refusals WHERE account_id = $1 AND address = ANY ($2)',
      [accountId, addresses.flatMap(spellingsOf)],
    );
    const refusing = new Set(rows.map(({ address }) => address));
    return addresses.filter((one) => !spellingsOf(one).some((spelling) => refusing.has(spelling)));
  }

  /** All who were reminded of a document. */
  async refuse(tx: Tx, accountId: Uuid, documentId: Uuid, now: Date): Promise<void> {
    const reminded = await tx.read<{ address: string }>(
      `SELECT DISTINCT unnest(recipients) AS address FROM mail_messages
       WHERE account_id = $1 AND document_id = $2 AND kind IN ('reminder', 'quote_expiring')`,
      [accountId, documentId],
    );
    const names = reminded.map(
      ({ address }) => storedMailboxOf(address)?.name ?? address.toLowerCase(),
    );
    tx.write(
      `INSERT INTO mail_refusals (account_id, address, refused_at)
       SELECT DISTINCT $1::uuid, name, $3::timestamptz FROM unnest($2::text[]) AS name
       ON CONFLICT DO NOTHING`,
      [accountId, names, now],
    );
  }
}
