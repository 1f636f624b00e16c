import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Row } from '../../platform/database/row.js';
import { insertInto } from '../../platform/database/sql-statement.js';
import { FileStore } from '../../platform/file-store/file-store.js';
import { keptElsewhere } from './stored-files/removed-files.js';

type PrintedColumns = Omit<Row<'document_pdfs'>, 'xact' | 'pdf'> & { pdf: Buffer };

/** An issued document, and its PDF if it is stored. */
type IssuedPdf = {
  /** @notNull Only documents that were issued are read. */
  number: string;
  /** Of the seller. */
  time_zone: string;
  /** Its copies are marked: it asks for nothing any more. */
  is_marked: boolean;
  /** Null where it is in the store of files, too. */
  pdf: Buffer | null;
  /** Null: it was never printed. */
  sha256: Buffer | null;
};

/** The PDFs of issued documents: their rows, and their bytes wherever they are. */
@Injectable()
export class IssuedPdfs {
  constructor(
    private readonly database: Database,
    private readonly files: FileStore,
  ) {}

  /** Nothing for a draft, and for a document that does not exist. */
  async find(accountId: Uuid, documentId: Uuid): Promise<IssuedPdf | undefined> {
    const [row] = await this.database.query<IssuedPdf>(
      `SELECT d.number, a.time_zone, p.pdf, p.sha256,
         (coalesce(d.voided_at, d.rejected_at, d.converted_at) IS NOT NULL
           OR d.kind = 'invoice' AND d.total > 0
             AND (d.settled_at IS NOT NULL OR d.amount_undecided > 0)) AS is_marked
       FROM documents d JOIN accounts a USING (account_id)
       LEFT JOIN document_pdfs p USING (account_id, document_id)
       WHERE d.account_id = $1 AND d.document_id = $2 AND d.lifecycle <> 'draft'`,
      [accountId, documentId],
    );
    return row;
  }

  /**
   * The PDF of the issue, null where none was printed. One whose bytes are lost is not printed
   * again: another print has another SHA-256 than the sealed one.
   * @throws DomainError `file_store_unavailable`, `file_unreadable`
   */
  async bytesOf(
    accountId: Uuid,
    issued: Pick<IssuedPdf, 'pdf' | 'sha256'> | undefined,
  ): Promise<{ pdf: Buffer; sha256: Buffer } | null> {
    if (!issued?.sha256) return null;
    const { pdf: content, sha256 } = issued;
    const name = { accountId, sha256: sha256.toString('hex') };
    return { pdf: await this.files.bytesOf({ ...name, content }), sha256 };
  }

  /**
   * Of several processes that rendered it, the first has its own stored. The bytes are in the store
   * before the row says so; nobody needs those of the others.
   *
   * @returns whether this was the first
   */
  async insert({ pdf, ...columns }: PrintedColumns): Promise<boolean> {
    const name = { accountId: columns.account_id, sha256: columns.sha256.toString('hex') };
    const row = { ...columns, pdf: await keptElsewhere(this.database, this.files, name, pdf) };
    const { text, values } = insertInto('document_pdfs', [row]);
    const inserted = await this.database.query(
      `${text} ON CONFLICT DO NOTHING RETURNING document_id`,
      values,
    );
    return inserted.length > 0;
  }
}
