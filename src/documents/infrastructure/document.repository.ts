import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import type { Tx } from '../../platform/database/unit-of-work.js';
import { Document, documentNotFound } from '../domain/document.js';
import type { DocumentContent } from '../domain/document-view.js';
import type { DocumentKind, Lifecycle } from '../domain/lifecycle.js';
import type { TakenNumber } from './number-series.repository.js';

/** Columns of a document's state, as PostgreSQL returns them. */
export interface StateColumns {
  account_id: Uuid;
  document_id: Uuid;
  kind: DocumentKind;
  lifecycle: Lifecycle;
  number: string | null;
  currency: string;
  customer_id: Uuid;
  issue_date: IsoDate | null;
  due_date: IsoDate | null;
  payment_terms_days: number | null;
  total: bigint;
  amount_paid: bigint;
  accepted_at: Date | null;
  rejection_reason: string | null;
  rejected_at: Date | null;
  rejected_version: number | null;
  version: number;
  event_sequence: number;
  created_at: Date;
  issued_at: Date | null;
  voided_at: Date | null;
}

export const STATE_COLUMNS = `d.account_id, d.document_id, d.kind, d.lifecycle, d.number, d.currency,
  d.customer_id, d.issue_date, d.due_date, d.payment_terms_days, d.total, d.amount_paid,
  d.accepted_at, d.rejection_reason, d.rejected_at, d.rejected_version, d.version, d.event_sequence,
  d.created_at, d.issued_at, d.voided_at`;

export function toDocument(row: StateColumns): Document {
  const rejection =
    row.rejected_at && row.rejection_reason !== null && row.rejected_version !== null
      ? { reason: row.rejection_reason, at: row.rejected_at, version: row.rejected_version }
      : null;
  return new Document({
    accountId: row.account_id,
    id: row.document_id,
    kind: row.kind,
    lifecycle: row.lifecycle,
    number: row.number,
    currency: row.currency,
    customerId: row.customer_id,
    issueDate: row.issue_date,
    dueDate: row.due_date,
    paymentTermsDays: row.payment_terms_days,
    total: Money.of(row.total, row.currency),
    amountPaid: Money.of(row.amount_paid, row.currency),
    acceptedAt: row.accepted_at,
    rejection,
    version: row.version,
    eventSequence: row.event_sequence,
    createdAt: row.created_at,
    issuedAt: row.issued_at,
    voidedAt: row.voided_at,
  });
}

/** Documents for writing. Plain SQL: every lock and every column written is on this page. */
@Injectable()
export class DocumentRepository {
  /** Locks the document's row until the transaction ends. @throws `document_not_found` */
  async getForUpdate(tx: Tx, accountId: Uuid, id: Uuid): Promise<Document> {
    const [row] = await tx.read<StateColumns>(
      `SELECT ${STATE_COLUMNS} FROM documents d
       WHERE d.account_id = $1 AND d.document_id = $2 FOR UPDATE`,
      [accountId, id],
    );
    if (!row) throw documentNotFound();
    return toDocument(row);
  }

  /**
   * Locks the document that a payment link belongs to. A provider knows no account: the link's id
   * alone leads to it.
   */
  async findByPaymentLinkForUpdate(tx: Tx, paymentLinkId: Uuid): Promise<Document | undefined> {
    const [row] = await tx.read<StateColumns>(
      `SELECT ${STATE_COLUMNS} FROM documents d
       WHERE (d.account_id, d.document_id) = (
         SELECT l.account_id, l.document_id FROM payment_links l WHERE l.payment_link_id = $1)
       FOR UPDATE`,
      [paymentLinkId],
    );
    return row && toDocument(row);
  }

  insert(tx: Tx, document: Document, content: DocumentContent, taken?: TakenNumber): void {
    const { state } = document;
    tx.write(
      `INSERT INTO documents (account_id, document_id, kind, lifecycle, number, currency,
         customer_id, seller, customer, issue_date, due_date, payment_terms_days, purchase_order,
         notes, metadata, net_total, tax_total, total, version, event_sequence, created_at,
         issued_at, number_series, number_period, number_sequence)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
         $20, $21, $22, $23, $24, $25)`,
      [
        state.accountId,
        state.id,
        state.kind,
        state.lifecycle,
        state.number,
        state.currency,
        state.customerId,
        content.seller,
        content.customer,
        state.issueDate,
        state.dueDate,
        state.paymentTermsDays,
        content.purchaseOrder,
        content.notes,
        content.metadata,
        content.netTotal.minor,
        content.taxTotal.minor,
        state.total.minor,
        state.version,
        state.eventSequence,
        state.createdAt,
        state.issuedAt,
        taken?.series ?? null,
        taken?.period ?? null,
        taken?.sequence ?? null,
      ],
    );
    this.insertLines(tx, document, content);
  }

  /** Writes what a payment changes. The row must be locked. */
  updateSums(tx: Tx, { state }: Document): void {
    tx.write(
      `UPDATE documents SET amount_paid = $3, version = $4, event_sequence = $5
       WHERE account_id = $1 AND document_id = $2`,
      [state.accountId, state.id, state.amountPaid.minor, state.version, state.eventSequence],
    );
  }

  /** Writes what a rejection or a void changes. The row must be locked. */
  updateLifecycle(tx: Tx, { state }: Document): void {
    tx.write(
      `UPDATE documents SET lifecycle = $3, rejection_reason = $4, rejected_at = $5,
         rejected_version = $6, version = $7, event_sequence = $8, voided_at = $9,
         accepted_at = $10
       WHERE account_id = $1 AND document_id = $2`,
      [
        state.accountId,
        state.id,
        state.lifecycle,
        state.rejection?.reason ?? null,
        state.rejection?.at ?? null,
        state.rejection?.version ?? null,
        state.version,
        state.eventSequence,
        state.voidedAt,
        state.acceptedAt,
      ],
    );
  }

  /** Writes what issuing fixes for good: number, dates, and seller and customer of this moment. */
  updateIssued(tx: Tx, { state }: Document, content: DocumentContent, taken: TakenNumber): void {
    tx.write(
      `UPDATE documents SET lifecycle = $3, number = $4, issue_date = $5, due_date = $6,
         issued_at = $7, version = $8, event_sequence = $9, seller = $10, customer = $11,
         number_series = $12, number_period = $13, number_sequence = $14
       WHERE account_id = $1 AND document_id = $2`,
      [
        state.accountId,
        state.id,
        state.lifecycle,
        state.number,
        state.issueDate,
        state.dueDate,
        state.issuedAt,
        state.version,
        state.eventSequence,
        content.seller,
        content.customer,
        taken.series,
        taken.period,
        taken.sequence,
      ],
    );
  }

  private insertLines(tx: Tx, { state }: Document, { lines, taxGroups }: DocumentContent): void {
    tx.write(
      `INSERT INTO document_lines (account_id, document_id, position, description, quantity,
         unit_amount, tax_category, tax_rate, net)
       SELECT $1, $2, * FROM unnest($3::int[], $4::text[], $5::numeric[], $6::numeric[],
         $7::text[], $8::numeric[], $9::bigint[])`,
      [
        state.accountId,
        state.id,
        lines.map((line) => line.position),
        lines.map((line) => line.description),
        lines.map((line) => line.quantity),
        lines.map((line) => line.unitAmountDecimal),
        lines.map((line) => line.taxCategory),
        lines.map((line) => line.taxRate),
        lines.map((line) => line.net.minor),
      ],
    );
    tx.write(
      `INSERT INTO document_tax_groups (account_id, document_id, tax_category, tax_rate, base, tax)
       SELECT $1, $2, * FROM unnest($3::text[], $4::numeric[], $5::bigint[], $6::bigint[])`,
      [
        state.accountId,
        state.id,
        taxGroups.map((group) => group.category),
        taxGroups.map((group) => group.rate),
        taxGroups.map((group) => group.base.minor),
        taxGroups.map((group) => group.tax.minor),
      ],
    );
  }
}
