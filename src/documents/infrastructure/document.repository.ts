import { Injectable } from '@nestjs/common';
import { Decimal } from '../../kernel/decimal.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import type { CreditedGroup, CreditedLine } from '../domain/credit-note.js';
import { Document } from '../domain/document.js';
import { documentNotFound } from '../domain/document-refusals.js';
import type { DocumentContent } from '../domain/document-view.js';
import { taxGroupKey } from '../domain/calculation/tax-group.js';
import { IS_OWED } from './status-sql.js';
import { contentColumns } from './content-columns.js';
import { insertLines } from './document-lines.js';
import {
  draftColumns,
  lifecycleColumns,
  movedColumns,
  STATE_COLUMNS,
  type StateColumns,
  sumColumns,
  toDocument,
} from './document-columns.js';

type DocumentId = { document_id: Uuid };

const BY_EXTERNAL_ID =
  'SELECT document_id FROM documents WHERE account_id = $1 AND external_id = $2';

const GET_FOR_UPDATE = `SELECT ${STATE_COLUMNS} FROM documents d
  WHERE d.account_id = $1 AND d.document_id = $2 FOR NO KEY UPDATE`;

/** SQL that leads to a document, and the ids that it asks with. */
export interface DocumentKey {
  text: string;
  values: readonly Uuid[];
}

/** Documents for writing. Plain SQL: every lock is here, every column beside it (decision 37). */
@Injectable()
export class DocumentRepository {
  /** Locks the document's row until the transaction ends. @throws `document_not_found` */
  async getForUpdate(tx: Tx, accountId: Uuid, id: Uuid): Promise<Document> {
    const [row] = await tx.load<StateColumns>({
      text: GET_FOR_UPDATE,
      withoutWaiting: `${GET_FOR_UPDATE} SKIP LOCKED`,
      types: ['uuid', 'uuid'],
      values: [accountId, id],
      claims: null,
      locks: [id],
    });
    if (!row) throw documentNotFound();
    return this.handedOn(tx, row);
  }

  /**
   * Locks the document and its origin, in ascending order of their ids: a step of the one may be a
   * step of the other. @throws `document_not_found`
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
       ORDER BY d.document_id FOR NO KEY UPDATE`,
      [accountId, id],
      [id],
    );
    const row = rows.find((one) => one.document_id === id);
    if (!row) throw documentNotFound();
    const origin = rows.find((one) => one.document_id !== id);
    const now = tx.now();
    return { document: toDocument(row, now), origin: origin ? toDocument(origin, now) : null };
  }

  /** Locks several, in ascending order of their ids. Those that do not exist are left out. */
  async findForUpdate(tx: Tx, accountId: Uuid, ids: readonly Uuid[]): Promise<Document[]> {
    if (ids.length === 0) return [];
    const rows = await tx.read<StateColumns>(
      `SELECT ${STATE_COLUMNS} FROM documents d
       WHERE d.account_id = $1 AND d.document_id = ANY ($2::uuid[])
       ORDER BY d.document_id FOR NO KEY UPDATE`,
      [accountId, [...ids]],
      ids,
    );
    return rows.map((row) => toDocument(row, tx.now()));
  }

  /**
   * Locks what a customer owes in one currency: the `count` invoices that are due first. If a
   * document changed while we waited for its lock, another one may be the oldest now: so they are
   * looked up again. Materialized: never found anew for each document, whatever the planner takes
   * for few.
   */
  async findOldestDueForUpdate(
    tx: Tx,
    accountId: Uuid,
    customerId: Uuid,
    currency: string,
    count: number,
  ): Promise<Document[]> {
    for (;;) {
      const rows = await tx.read<StateColumns & { seen_version: number }>(
        `WITH seen AS MATERIALIZED (
           SELECT d.document_id, d.version FROM documents d
           WHERE d.account_id = $1 AND d.customer_id = $2 AND d.currency = $3 AND ${IS_OWED}
           ORDER BY d.due_date, d.document_id LIMIT $4
         )
         SELECT ${STATE_COLUMNS}, seen.version AS seen_version FROM seen JOIN documents d ON d.account_id = $1 AND d.document_id = seen.document_id
         ORDER BY d.document_id FOR NO KEY UPDATE OF d`,
        [accountId, customerId, currency, count],
      );
      if (rows.every((row) => row.version === row.seen_version)) {
        return rows.map((row) => toDocument(row, tx.now())).sort(byDueDate);
      }
    }
  }

  /**
   * Locks the document that something else belongs to, in the same round trip.
   * @param key asks the table of that for `account_id, document_id`
   */
  async findForUpdateBy(tx: Tx, key: DocumentKey): Promise<Document | undefined> {
    const [row] = await tx.load<StateColumns>({
      text: `SELECT ${STATE_COLUMNS} FROM documents d
        WHERE (d.account_id, d.document_id) = (${key.text}) FOR NO KEY UPDATE`,
      withoutWaiting: `SELECT ${STATE_COLUMNS} FROM documents d
        WHERE (d.account_id, d.document_id) = (${key.text}) FOR NO KEY UPDATE SKIP LOCKED`,
      types: key.values.map(() => 'uuid'),
      values: [...key.values],
      claims: null,
      locks: key.values,
    });
    return row && this.handedOn(tx, row);
  }

  /** Locks the document; of several that are made with one external id at once, one stays. */
  async findByExternalIdForUpdate(tx: Tx, ...key: [accountId: Uuid, externalId: string]) {
    const [row] = await tx.read<DocumentId>(`${BY_EXTERNAL_ID} FOR NO KEY UPDATE`, key);
    return row?.document_id;
  }

  /** Takes no lock: of two that use one external id at once, one fails on its key and looks again. */
  async findByExternalId(tx: Tx, ...key: [accountId: Uuid, externalId: string]) {
    const [row] = await tx.read<DocumentId>(BY_EXTERNAL_ID, key);
    return row?.document_id;
  }

  insert(tx: Tx, document: Document, content: DocumentContent): void {
    const { state } = document;
    const columns = {
      ...keyOf(state),
      kind: state.kind,
      origin: state.origin?.relation ?? null,
      origin_document_id: state.origin?.documentId ?? null,
      revision: state.revision,
      created_at: state.createdAt,
      ...draftColumns(state, content),
    };
    tx.insert('documents', columns);
    const words = { ...keyOf(state), ...contentColumns(state, content) };
    const places = Object.keys(words).map((name, index) => placeOf(name, index + 1));
    tx.write(
      `INSERT INTO document_contents (${Object.keys(words).join(', ')}) VALUES (${places.join(', ')})`,
      Object.values(words),
    );
    insertLines(tx, keyOf(document.state), content);
  }

  /** Writes what a payment or a credit note changes; of a note, what moved. The row is locked. */
  updateSums(tx: Tx, { state, refunded }: Document): void {
    const undecided = refunded.hasMoved ? { amount_undecided: state.amountUndecided.minor } : {};
    const sums = state.kind === 'credit_note' ? movedColumns(state) : sumColumns(state);
    tx.update('documents', keyOf(state), { ...sums, ...undecided });
  }

  /** Writes what another change of an issued document changes. The row must be locked. */
  updateLifecycle(tx: Tx, { state }: Document): void {
    tx.update('documents', keyOf(state), lifecycleColumns(state));
  }

  /** Writes a draft, or what issuing fixes for good. Lines stay: see `replaceLines`. */
  updateDraft(tx: Tx, { state }: Document, content: DocumentContent): void {
    tx.update('documents', keyOf(state), draftColumns(state, content));
    const words = contentColumns(state, content);
    const assignments = Object.keys(words).map(
      (name, index) => `${name} = ${placeOf(name, index + 3)}`,
    );
    tx.write(
      `UPDATE document_contents SET ${assignments.join(', ')}
       WHERE account_id = $1 AND document_id = $2`,
      [state.accountId, state.id, ...Object.values(words)],
    );
  }

  /** Writes what may change of an issued document by an edit. */
  updateLabels(tx: Tx, { state }: Document, metadata: Record<string, string>): void {
    const { version, eventSequence: event_sequence, updatedAt: updated_at } = state;
    const collection_method = state.collectionMethod;
    const labels = { version, event_sequence, updated_at, collection_method };
    tx.update('documents', keyOf(state), labels);
    tx.update('document_contents', keyOf(state), { metadata });
  }

  /** Deletes at once and inserts at the commit: one statement cannot do both to a key. */
  async replaceLines(tx: Tx, document: Document, content: DocumentContent): Promise<void> {
    const { accountId, id } = document.state;
    const which = 'WHERE account_id = $1 AND document_id = $2';
    await Promise.all([
      tx.read(`DELETE FROM document_lines ${which}`, [accountId, id]),
      tx.read(`DELETE FROM document_tax_groups ${which}`, [accountId, id]),
    ]);
    insertLines(tx, keyOf(document.state), content);
  }

  /** A draft with its lines; the trigger refuses anything else. */
  delete(tx: Tx, { state }: Document): void {
    tx.write('DELETE FROM documents WHERE account_id = $1 AND document_id = $2', [
      state.accountId,
      state.id,
    ]);
  }

  /**
   * The parts that earlier credit notes took of each line of an invoice. The invoice must be
   * locked.
   */
  async creditedLines(tx: Tx, accountId: Uuid, invoiceId: Uuid) {
    const rows = await tx.read<{ position: number; amount: bigint; quantity: string }>(
      `SELECT c.position, sum(c.amount)::bigint AS amount,
         trim_scale(coalesce(sum(c.quantity), 0))::text AS quantity
       FROM credited_lines c JOIN documents d
         ON (d.account_id, d.document_id) = (c.account_id, c.credit_note_id)
       WHERE c.account_id = $1 AND c.invoice_id = $2 AND d.lifecycle = 'open' GROUP BY 1`,
      [accountId, invoiceId],
    );
    return {
      byLine: new Map(rows.map(({ position, amount }) => [position, amount])),
      byQuantity: new Map(
        rows.map(({ position, quantity }) => [position, Decimal.parse(quantity)]),
      ),
    };
  }

  /** The same by tax group: with what was credited as an amount. The invoice must be locked. */
  async creditedGroups(
    tx: Tx,
    accountId: Uuid,
    invoiceId: Uuid,
  ): Promise<Map<string, CreditedGroup>> {
    const rows = await tx.read<CreditedGroup & { category: string; rate: string }>(
      `SELECT g.tax_category AS category, trim_scale(g.tax_rate)::text AS rate,
         sum(g.base)::bigint AS base, sum(g.tax)::bigint AS tax
       FROM documents d JOIN document_tax_groups g USING (account_id, document_id)
       WHERE d.account_id = $1 AND d.origin_document_id = $2 AND d.origin = 'credit'
         AND d.lifecycle = 'open'
       GROUP BY 1, 2`,
      [accountId, invoiceId],
    );
    return new Map(rows.map((row) => [taxGroupKey(row), row]));
  }

  insertCreditedLines(
    tx: Tx,
    creditNote: Document,
    invoiceId: Uuid,
    lines: readonly CreditedLine[],
  ): void {
    const { accountId: account_id, id: credit_note_id } = creditNote.state;
    const key = { account_id, credit_note_id, invoice_id: invoiceId };
    const rows = lines.map(({ position, minor: amount, quantity }) => ({
      position,
      amount,
      quantity,
    }));
    tx.insertLists('credited_lines', key, rows);
  }

  private handedOn(tx: Tx, row: StateColumns): Document {
    return tx.handedOn(
      `document ${row.account_id} ${row.document_id}`,
      () => toDocument(row, tx.now()),
      ({ state }) => new Document({ ...state }, tx.now()),
    );
  }
}

/** Documents of one day stay in the order of their ids. */
function byDueDate({ state: a }: Document, { state: b }: Document): number {
  const [first, second] = [a.dueDate ?? '', b.dueDate ?? ''];
  return first < second ? -1 : first > second ? 1 : 0;
}

function keyOf({ accountId, id }: Document['state']) {
  return { account_id: accountId, document_id: id };
}

/** $1 is the account: its words are apart from those of others. */
function placeOf(column: string, index: number): string {
  return column === 'search' ? `array_to_tsvector(search_lexemes($1, $${index}))` : `$${index}`;
}
