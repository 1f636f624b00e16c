import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import { Database } from '../../../platform/database/database.js';
import { type Dispute } from '../domain/dispute.js';
import { type DisputeStatus } from '../../port/domain/told-dispute.js';
import { type DisputeColumns, SELECT_DISPUTES, toDispute } from './dispute-columns.js';
import { PaymentRefusal } from '../../port/domain/payment-refusals.js';

/** The filters of a list of disputes. */
export interface DisputeFilter {
  status?: DisputeStatus;
  gateway?: string;
  paymentId?: Uuid;
  documentId?: Uuid;
}

// One that held nothing, such as an inquiry or one that was lost at once, has no parts.
const OF_DOCUMENT = `EXISTS (SELECT FROM dispute_parts p
      WHERE (p.account_id, p.dispute_id) = (d.account_id, d.dispute_id) AND p.document_id = $5)
    OR EXISTS (SELECT FROM payments p
      WHERE (p.account_id, p.payment_id) = (d.account_id, l.payment_id) AND p.document_id = $5)
    OR EXISTS (SELECT FROM allocations a
      WHERE (a.account_id, a.payment_id) = (d.account_id, l.payment_id) AND a.document_id = $5)`;

const LIST = `${SELECT_DISPUTES} WHERE d.account_id = $1 AND ($2::text IS NULL OR l.status = $2)
    AND ($3::text IS NULL OR d.gateway = $3) AND ($4::uuid IS NULL OR l.payment_id = $4)
    AND ($5::uuid IS NULL OR ${OF_DOCUMENT})
    AND ($6::uuid IS NULL OR d.dispute_id < $6)
  ORDER BY d.dispute_id DESC LIMIT $7`;

function valuesOf(accountId: Uuid, filter: DisputeFilter, after: Uuid | null, count: number) {
  const { status, gateway, paymentId, documentId } = filter;
  return [accountId, status, gateway, paymentId, documentId, after, count];
}

/** Disputes for reading: no locks. */
@Injectable()
export class DisputesQuery {
  constructor(private readonly database: Database) {}

  async get(accountId: Uuid, id: Uuid): Promise<Dispute> {
    const [row] = await this.database.query<DisputeColumns>(
      `${SELECT_DISPUTES} WHERE d.account_id = $1 AND d.dispute_id = $2`,
      [accountId, id],
    );
    if (!row) throw PaymentRefusal.dispute_not_found.of();
    return toDispute(row);
  }

  /** Newest first, behind the dispute `after`. */
  async list(
    accountId: Uuid,
    filter: DisputeFilter,
    after: Uuid | null,
    count: number,
  ): Promise<Dispute[]> {
    const values = valuesOf(accountId, filter, after, count);
    const rows = await this.database.list<DisputeColumns>(LIST, values);
    return rows.map(toDispute);
  }

  /** How many there are, up to `most`. */
  async count(accountId: Uuid, filter: DisputeFilter, most: number): Promise<number> {
    return this.database.countRows(LIST, valuesOf(accountId, filter, null, most));
  }
}
