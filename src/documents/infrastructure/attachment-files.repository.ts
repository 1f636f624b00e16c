import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Tx } from '../../platform/database/tx.js';
import { ATTACHMENT_LIMITS } from '../../kernel/attachment-limits.js';
import { FileStore } from '../../platform/file-store/file-store.js';
import { keptElsewhere } from './stored-files/removed-files.js';

interface OfDocument {
  accountId: Uuid;
  id: Uuid;
}

/**
 * The bytes of attachments, by document and SHA-256 (hexadecimal), wherever they are. All else about
 * them stands in the details of their document.
 */
@Injectable()
export class AttachmentFiles {
  constructor(
    private readonly database: Database,
    private readonly files: FileStore,
  ) {}

  get areElsewhere(): boolean {
    return this.files.isElsewhere;
  }

  /** Before the transaction that inserts it. @returns what the row keeps of it */
  async keep(accountId: Uuid, sha256: string, content: Buffer): Promise<Buffer | null> {
    return keptElsewhere(this.database, this.files, { accountId, sha256 }, content);
  }

  /** @throws DomainError `file_store_unavailable`, `file_unreadable` */
  async find({ accountId, id }: OfDocument, sha256: string): Promise<Buffer | undefined> {
    const [row] = await this.database.query<{ content: Buffer | null }>(
      `SELECT content FROM attachment_files
       WHERE account_id = $1 AND document_id = $2 AND sha256 = $3`,
      [accountId, id, Buffer.from(sha256, 'hex')],
    );
    return row && this.files.bytesOf({ accountId, sha256, ...row }, ATTACHMENT_LIMITS.fileBytes);
  }

  insert(tx: Tx, { accountId, id }: OfDocument, sha256: string, content: Buffer | null): void {
    tx.write(
      `INSERT INTO attachment_files (account_id, document_id, sha256, content)
       VALUES ($1, $2, $3, $4)`,
      [accountId, id, Buffer.from(sha256, 'hex'), content],
    );
  }

  /** For a document that is made of another one: both name one object where the store has it. */
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
