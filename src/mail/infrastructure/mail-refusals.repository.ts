import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
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
      [accountId, addresses.map((address) => address.toLowerCase())],
    );
    const refusing = new Set(rows.map(({ address }) => address));
    return addresses.filter((address) => !refusing.has(address.toLowerCase()));
  }

  /** All who were reminded of a document, and its customer. */
  refuse(tx: Tx, accountId: Uuid, documentId: Uuid, now: Date): void {
    tx.write(
      `INSERT INTO mail_refusals (account_id, address, refused_at)
       SELECT DISTINCT $1::uuid, lower(address), $3::timestamptz FROM (
         SELECT unnest(recipients) AS address FROM mail_messages
         WHERE account_id = $1 AND document_id = $2 AND kind = 'reminder'
       ) reminded
       ON CONFLICT DO NOTHING`,
      [accountId, documentId, now],
    );
  }
}
