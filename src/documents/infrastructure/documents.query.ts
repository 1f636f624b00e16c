import { Injectable } from '@nestjs/common';
import { Clock, dateIn } from '../../kernel/clock.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import { Database } from '../../platform/database/database.js';
import type { Tx } from '../../platform/database/unit-of-work.js';
import type { Document } from '../domain/document.js';
import type { DocumentContent, DocumentView } from '../domain/document-view.js';
import type { DocumentKind, DocumentStatus } from '../domain/lifecycle.js';
import { type Buyer, buyerOf, type Seller, sellerOf } from '../domain/party.js';
import { STATE_COLUMNS, type StateColumns, toDocument } from './document.repository.js';

interface ContentColumns {
  seller: Partial<Seller>;
  customer: Partial<Buyer>;
  purchase_order: string | null;
  notes: string | null;
  metadata: Record<string, string>;
  net_total: bigint;
  tax_total: bigint;
  currency: string;
  time_zone: string;
  lines: [number, string, string, string, string, string, string][] | null;
  tax_groups: [string, string, string, string][] | null;
}

// Numbers travel as text inside the JSON: a sum of minor units is never a float on its way.
const CONTENT_COLUMNS = `d.seller, d.customer, d.purchase_order, d.notes, d.metadata, d.net_total,
  d.tax_total, d.currency,
  (SELECT a.time_zone FROM accounts a WHERE a.account_id = d.account_id) AS time_zone,
  (SELECT json_agg(json_build_array(l.position, l.description, trim_scale(l.quantity)::text,
      trim_scale(l.unit_amount)::text, trim_scale(l.tax_rate)::text, l.tax_category, l.net::text)
      ORDER BY l.position)
    FROM document_lines l
    WHERE (l.account_id, l.document_id) = (d.account_id, d.document_id)) AS lines,
  (SELECT json_agg(json_build_array(g.tax_category, trim_scale(g.tax_rate)::text, g.base::text,
      g.tax::text) ORDER BY g.tax_rate DESC, g.tax_category)
    FROM document_tax_groups g
    WHERE (g.account_id, g.document_id) = (d.account_id, d.document_id)) AS tax_groups`;

export interface DocumentFilter {
  kind?: DocumentKind;
  status?: DocumentStatus;
  customerId?: Uuid;
  number?: string;
  currency?: string;
}

/** The public statuses as conditions on what is stored; `lifecycle.ts` derives the same. */
const STATUS_SQL: Record<DocumentStatus, string> = {
  draft: `d.lifecycle = 'draft'`,
  accepted: `d.lifecycle = 'accepted'`,
  rejected: `d.lifecycle = 'rejected'`,
  void: `d.lifecycle = 'void'`,
  open: `d.lifecycle = 'open' AND (d.kind = 'quote' OR d.amount_paid = 0 AND d.total > 0)`,
  partially_paid: `d.lifecycle = 'open' AND d.amount_paid > 0 AND d.amount_paid < d.total`,
  paid: `d.lifecycle = 'open' AND d.kind = 'invoice' AND d.amount_paid = d.total`,
};

/** Documents for reading: one statement each, no locks. */
@Injectable()
export class DocumentsQuery {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async find(accountId: Uuid, id: Uuid): Promise<DocumentView | undefined> {
    const [row] = await this.database.query<StateColumns & ContentColumns>(
      `SELECT ${STATE_COLUMNS}, ${CONTENT_COLUMNS} FROM documents d
       WHERE d.account_id = $1 AND d.document_id = $2`,
      [accountId, id],
    );
    return row && this.view(row);
  }

  /** The content of a document inside a transaction, with the account's time zone. */
  async content(
    tx: Tx,
    accountId: Uuid,
    id: Uuid,
  ): Promise<{ content: DocumentContent; timeZone: string } | undefined> {
    const [row] = await tx.read<ContentColumns>(
      `SELECT ${CONTENT_COLUMNS} FROM documents d WHERE d.account_id = $1 AND d.document_id = $2`,
      [accountId, id],
    );
    return row && { content: toContent(row), timeZone: row.time_zone };
  }

  /** Newest first; ids sort by time. Returns up to `limit + 1` documents. */
  async list(
    accountId: Uuid,
    filter: DocumentFilter,
    after: Uuid | null,
    limit: number,
  ): Promise<DocumentView[]> {
    const rows = await this.database.query<StateColumns & ContentColumns>(
      `SELECT ${STATE_COLUMNS}, ${CONTENT_COLUMNS} FROM documents d
       WHERE d.account_id = $1 AND ($2::uuid IS NULL OR d.document_id < $2)
         AND ($3::text IS NULL OR d.kind = $3) AND ($4::uuid IS NULL OR d.customer_id = $4)
         AND ($5::text IS NULL OR d.number = $5) AND ($6::text IS NULL OR d.currency = $6)
         AND ${filter.status ? STATUS_SQL[filter.status] : 'true'}
       ORDER BY d.document_id DESC LIMIT $7`,
      [
        accountId,
        after,
        filter.kind ?? null,
        filter.customerId ?? null,
        filter.number ?? null,
        filter.currency ?? null,
        limit + 1,
      ],
    );
    return rows.map((row) => this.view(row));
  }

  /** Only the currency: for the example in an error about amounts. */
  async currencyOf(accountId: Uuid, id: Uuid): Promise<string | undefined> {
    const [row] = await this.database.query<{ currency: string }>(
      'SELECT currency FROM documents WHERE account_id = $1 AND document_id = $2',
      [accountId, id],
    );
    return row?.currency;
  }

  private view(row: StateColumns & ContentColumns): DocumentView {
    const today = dateIn(row.time_zone, this.clock.now());
    return documentView(toDocument(row), toContent(row), today);
  }
}

export function documentView(
  document: Document,
  content: DocumentContent,
  today: string,
): DocumentView {
  const { state } = document;
  return {
    ...content,
    id: publicId('doc', state.id),
    kind: state.kind,
    status: document.status,
    number: state.number,
    version: state.version,
    currency: state.currency,
    customerId: publicId('cus', state.customerId),
    issueDate: state.issueDate,
    dueDate: state.dueDate,
    isOverdue: document.isOverdue(today),
    total: state.total,
    amountPaid: state.amountPaid,
    amountDue: document.amountDue,
    acceptedAt: state.acceptedAt,
    rejection: state.rejection,
    createdAt: state.createdAt,
    issuedAt: state.issuedAt,
    voidedAt: state.voidedAt,
  };
}

function toContent(row: ContentColumns): DocumentContent {
  const money = (minor: string | bigint) => Money.of(BigInt(minor), row.currency);
  return {
    seller: sellerOf(row.seller),
    customer: buyerOf(row.customer),
    purchaseOrder: row.purchase_order,
    notes: row.notes,
    metadata: row.metadata,
    lines: (row.lines ?? []).map(
      ([position, description, quantity, unitAmountDecimal, taxRate, taxCategory, net]) => ({
        position,
        description,
        quantity,
        unitAmountDecimal,
        taxRate,
        taxCategory,
        net: money(net),
      }),
    ),
    taxGroups: (row.tax_groups ?? []).map(([category, rate, base, tax]) => ({
      category,
      rate,
      base: money(base),
      tax: money(tax),
    })),
    netTotal: money(row.net_total),
    taxTotal: money(row.tax_total),
  };
}
