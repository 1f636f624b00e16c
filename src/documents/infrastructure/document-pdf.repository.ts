import type { Uuid } from '../../kernel/ids.js';
import type { Database } from '../../platform/database/database.js';
import type { Row } from '../../platform/database/row.js';
import { insertInto } from '../../platform/database/sql-statement.js';

type PdfColumns = Omit<Row<'document_pdfs'>, 'xact'>;

/** An issued document, and its PDF if it is stored. */
type IssuedPdf = {
  /** @notNull Only documents that were issued are read. */
  number: string;
  /** Of the seller. */
  time_zone: string;
  /** Its copies are marked: it asks for nothing any more. */
  is_marked: boolean;
  pdf: Buffer | null;
  sha256: Buffer | null;
};

/** Nothing for a draft, and for a document that does not exist. */
export async function findIssuedPdf(
  database: Database,
  accountId: Uuid,
  documentId: Uuid,
): Promise<IssuedPdf | undefined> {
  const [row] = await database.query<IssuedPdf>(
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
 * Of several processes that rendered it, the first has its own stored.
 *
 * @returns whether this was the first
 */
export async function insertPdf(database: Database, row: PdfColumns): Promise<boolean> {
  const { text, values } = insertInto('document_pdfs', [{ ...row }]);
  const inserted = await database.query(
    `${text} ON CONFLICT DO NOTHING RETURNING document_id`,
    values,
  );
  return inserted.length > 0;
}
