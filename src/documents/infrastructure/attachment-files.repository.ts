import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Tx } from '../../platform/database/tx.js';

interface OfDocument {
  accountId: Uuid;
  id: Uuid;
}

/**
 * The bytes of attachments, by document and SHA-256 (hexadecimal). All else about them stands in the
 * details of their document.
 */
@Injectable()
export class AttachmentFiles {
  constructor(private readonly database: Database) {}

  async find({ accountId, id }: OfDocument, sha256: string): Promise<Buffer | undefined> {
    const [row] = await this.database.query<{ content: Buffer }>(
      `SELECT content FROM attachment_files
       WHERE account_id = $1 AND document_id = $2 AND sha256 = $3`,
      [accountId, id, Buffer.from(sha256, 'hex')],
    );
    return row?.content;
  }

  insert(tx: Tx, { accountId, id }: OfDocument, sha256: string, content: Buffer): void {
    tx.write(
      `INSERT INTO attachment_files (account_id, document_id, sha256, content)
       VALUES ($1, $2, $3, $4)`,
      [accountId, id, Buffer.from(sha256, 'hex'), content],
    );
  }

  /** For a document that is made of another one. */
  copy(tx: Tx, from: OfDocument, to: OfDocument): void {
    tx.write(
      `INSERT INTO attachment_files (account_id, document_id, sha256, content)
       SELECT account_id, $3, sha256, content FROM attachment_files
       WHERE account_id = $1 AND document_id = $2`,
      [from.accountId, from.id, to.id],
    );
  }

  delete(tx: Tx, { accountId, id }: OfDocument, sha256: string): void {
    tx.write(
      'DELETE FROM attachment_files WHERE account_id = $1 AND document_id = $2 AND sha256 = $3',
      [accountId, id, Buffer.from(sha256, 'hex')],
    );
  }
}
