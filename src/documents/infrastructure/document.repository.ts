import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/unit-of-work.js';
import { groupKey } from '../domain/credit-note.js';
import { type Document, documentNotFound } from '../domain/document.js';
import type { DocumentContent } from '../domain/document-view.js';
import type { DocumentKind, Lifecycle } from '../domain/lifecycle.js';
import type { TakenNumber } from './number-series.repository.js';

/** Documents for writing. Plain SQL: every lock is on this page, every column beside it. */
@Injectable()
export class DocumentRepository {
  constructor(private readonly clock: Clock) {}

  /** Locks the document's row until the transaction ends. @throws `document_not_found` */
  async getForUpdate(tx: Tx, accountId: Uuid, id: Uuid): Promise<Document> {
    const [row] = await tx.read<StateColumns>(
      `SELECT ${STATE_COLUMNS} FROM documents d
       WHERE d.account_id = $1 AND d.document_id = $2 FOR UPDATE`,
      [accountId, id],
    );
    if (!row) throw documentNotFound();
    return toDocument(row, this.clock.now());
  }

  /**
   * Locks the document and the one it came from, in ascending order of their ids, where a step of
   * the one may be a step of the other, too. @throws `document_not_found`
   */
  async getWithOriginForUpdate(
    tx: Tx,
    accountId: Uuid,
    id: Uuid,
  ): Promise<{ document: Document; origin: Document | null }> {
    const rows = await tx.read<StateColumns>(
      `SELECT ${STATE_COLUMNS} FROM documents d
       WHERE d.account_id = $1 AND d.document_id IN ($2, (
         SELECT o.origin_document_id FROM documents o
         WHERE o.account_id = $1 AND o.document_id = $2 AND o.origin <> 'duplicate'))
       ORDER BY d.document_id FOR UPDATE`,
      [accountId, id],
    );
    const row = rows.find((one) => one.document_id === id);
    if (!row) throw documentNotFound();
    const origin = rows.find((one) => one.document_id !== id);
    const now = this.clock.now();
    return { document: toDocument(row, now), origin: origin ? toDocument(origin, now) : null };
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
    return row && toDocument(row, this.clock.now());
  }

  insert(tx: Tx, document: Document, content: DocumentContent, taken?: TakenNumber): void {
    const { state } = document;
    const columns = {
      account_id: state.accountId,
      document_id: state.id,
      kind: state.kind,
      origin: state.origin?.relation ?? null,
      origin_document_id: state.origin?.documentId ?? null,
      revision: state.revision,
      created_at: state.createdAt,
      ...draftColumns(state, content),
    };
    const names = Object.keys(columns);
    const places = names.map((name, index) => placeOf(name, index + 1));
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

  /** Writes what a payment or a credit note changes. The row must be locked. */
  updateSums(tx: Tx, { state }: Document): void {
    update(tx, state, sumColumns(state));
  }

  /** Writes what another change of an issued document changes. The row must be locked. */
  updateLifecycle(tx: Tx, { state }: Document): void {
    update(tx, state, lifecycleColumns(state));
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
    const json = (adjustments: Parameters<typeof storedAdjustment>[0][]) =>
      JSON.stringify(adjustments.map(storedAdjustment));
    tx.write(
      `INSERT INTO document_lines (account_id, document_id, position, description, quantity, unit,
         unit_amount, tax_category, tax_rate, exemption_reason, discounts, charges, amount, net)
       SELECT $1, $2, * FROM unnest($3::int[], $4::text[], $5::numeric[], $6::text[],
         $7::numeric[], $8::text[], $9::numeric[], $10::text[], $11::jsonb[], $12::jsonb[],
         $13::bigint[], $14::bigint[])`,
      [
        state.accountId,
        state.id,
        lines.map((line) => line.position),
        lines.map((line) => line.description),
        lines.map((line) => line.quantity),
        lines.map((line) => line.unit),
        lines.map((line) => line.unitAmountDecimal),
        lines.map((line) => line.taxCategory),
        lines.map((line) => line.taxRate),
        lines.map((line) => line.exemptionReason),
        lines.map((line) => json(line.discounts)),
        lines.map((line) => json(line.charges)),
        lines.map((line) => line.amount.minor),
        lines.map((line) => line.net.minor),
      ],
    );
    tx.write(
      `INSERT INTO document_tax_groups (account_id, document_id, tax_category, tax_rate, base, tax,
         exemption_code, exemption_reason)
       SELECT $1, $2, * FROM unnest($3::text[], $4::numeric[], $5::bigint[], $6::bigint[],
         $7::text[], $8::text[])`,
      [
        state.accountId,
        state.id,
        taxGroups.map((group) => group.category),
        taxGroups.map((group) => group.rate),
        taxGroups.map((group) => group.base.minor),
        taxGroups.map((group) => group.tax.minor),
        taxGroups.map((group) => group.exemptionCode),
        taxGroups.map((group) => group.exemptionReason),
      ],
    );
  }
}

/** The names come from code, so that each set of columns is one constant text. */
function update(tx: Tx, key: { accountId: Uuid; id: Uuid }, columns: object): void {
  const assignments = Object.keys(columns).map(
    (name, index) => `${name} = ${placeOf(name, index + 3)}`,
  );
  tx.write(
    `UPDATE documents SET ${assignments.join(', ')} WHERE account_id = $1 AND document_id = $2`,
    [key.accountId, key.id, ...Object.values(columns)],
  );
}

function placeOf(column: string, index: number): string {
  return column === 'search' ? `to_tsvector('simple', $${index})` : `$${index}`;
}
