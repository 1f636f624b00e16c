import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Row } from '../../platform/database/row.js';
import { insertInto } from '../../platform/database/sql-statement.js';

type EInvoiceColumns = Omit<Row<'e_invoices'>, 'xact' | 'created_at'>;

/** An e-invoice as it was first given out. */
export type EInvoiceXml = {
  /** @notNull Only documents that were issued have one. */
  number: string;
  xml: Buffer;
  sha256: Buffer;
};

@Injectable()
export class EInvoiceRepository {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async find(accountId: Uuid, documentId: Uuid, profile: string): Promise<EInvoiceXml | undefined> {
    const [row] = await this.database.query<EInvoiceXml>(
      `SELECT d.number, e.xml, e.sha256
       FROM e_invoices e JOIN documents d USING (account_id, document_id)
       WHERE e.account_id = $1 AND e.document_id = $2 AND e.profile = $3`,
      [accountId, documentId, profile],
    );
    return row;
  }

  /**
   * Of several processes that wrote it, the first has its own stored.
   *
   * @returns whether this was the first
   */
  async insert(row: EInvoiceColumns): Promise<boolean> {
    const made = { ...row, created_at: this.clock.now() };
    const { text, values } = insertInto('e_invoices', [made]);
    const inserted = await this.database.query(
      `${text} ON CONFLICT DO NOTHING RETURNING document_id`,
      values,
    );
    return inserted.length > 0;
  }
}
