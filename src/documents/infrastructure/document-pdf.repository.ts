import type { Uuid } from '../../kernel/ids.js';
import type { Database } from '../../platform/database/database.js';
import { insertInto } from '../../platform/database/sql-statement.js';

/** @table document_pdfs */
interface PdfColumns {
  account_id: Uuid;
  document_id: Uuid;
  language: string;
  pdf: Buffer;
  sha256: Buffer;
  created_at: Date;
}

type NumberedPdf = Pick<PdfColumns, 'pdf' | 'sha256'> & {
  /** @notNull Only issued documents have one. */
  number: string;
};

/** With the number of its document. */
export async function findPdf(
  database: Database,
  accountId: Uuid,
  documentId: Uuid,
): Promise<NumberedPdf | undefined> {
  const [row] = await database.query<NumberedPdf>(
    `SELECT p.pdf, p.sha256, d.number FROM document_pdfs p
     JOIN documents d USING (account_id, document_id)
     WHERE p.account_id = $1 AND p.document_id = $2`,
    [accountId, documentId],
  );
  return row;
}

/** Of several processes that rendered it, the first has its own stored. */
export async function insertPdf(database: Database, row: PdfColumns): Promise<void> {
  const { text, values } = insertInto('document_pdfs', [{ ...row }]);
  await database.query(`${text} ON CONFLICT DO NOTHING`, values);
}
