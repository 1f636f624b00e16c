import { Injectable } from '@nestjs/common';
import type { CustomerKind } from '../../documents/index.js';
import { DUE, IS_OWED } from '../../documents/sql.js';
import type { IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Tx } from '../../platform/database/tx.js';
import type { OwedFrom } from '../domain/late-interest.js';

/** An invoice that is owed, with its money in minor units. */
export interface OwedInvoice {
  id: Uuid;
  number: string | null;
  isInvoice: boolean;
  currency: Currency;
  /** Null: it has none, and nobody is late. */
  dueDate: IsoDate | null;
  due: bigint;
  undecided: bigint;
  processing: bigint;
  disputed: bigint;
  letter: 'queued' | 'failed' | null;
}

/** The same, and whose it is. */
export interface InvoiceOfCustomer extends OwedInvoice {
  customerId: Uuid;
}

/** The one who owes it. */
export interface DunnedCustomer {
  customerId: Uuid;
  kind: CustomerKind | null;
  /** Credit that may be spent. */
  credit: bigint;
}

/** Charges of a document, by letters that stand. */
export interface ChargedBefore {
  remindedOn: IsoDate | null;
  interestAsked: bigint;
  hasLumpSum: boolean;
  isOfCharges: boolean;
}

const INVOICE = `d.document_id AS id, d.number, d.kind = 'invoice' AS "isInvoice", d.currency, d.due_date AS "dueDate",
  ${DUE} AS due, d.amount_undecided AS undecided,
  d.amount_processing AS processing, d.amount_disputed AS disputed,
  (SELECT r.status FROM reminder_documents rd JOIN reminders r USING (account_id, reminder_id)
   WHERE (rd.account_id, rd.document_id) = (d.account_id, d.document_id)
     AND rd.level IS NOT NULL AND r.status IN ('queued', 'failed') LIMIT 1) AS letter`;

const DEBTOR = `SELECT c.customer_id AS "customerId", c.kind,
    coalesce((SELECT credit - reserved FROM customer_balances b
      WHERE (b.account_id, b.customer_id, b.currency) = (c.account_id, c.customer_id, $3)), 0
    )::bigint AS credit
  FROM customers c WHERE c.account_id = $1 AND c.customer_id = $2`;

const OF_CUSTOMER = `SELECT ${INVOICE} FROM documents d
  WHERE d.account_id = $1 AND d.customer_id = $2 AND d.currency = $3 AND ${IS_OWED}
  ORDER BY d.due_date, d.document_id`;

const OWED_BY_DAY = `SELECT effective_on AS "from", sum(sum(
    CASE 'receivables/' || currency WHEN debit THEN amount WHEN credit THEN -amount ELSE 0 END
  )) OVER (ORDER BY effective_on)::bigint AS amount
  FROM transfers WHERE account_id = $1 AND customer_id = $2 AND document_id = $3
  GROUP BY effective_on ORDER BY effective_on`;

const CHARGED_BEFORE = `SELECT
  (SELECT min(r.made_on) FROM reminder_documents rd JOIN reminders r USING (account_id, reminder_id)
   WHERE rd.account_id = $1 AND rd.document_id = $2 AND r.status = 'sent' AND r.step_days > 0
  ) AS "remindedOn",
  coalesce((SELECT sum(amount) FROM dunning_charges WHERE account_id = $1 AND document_id = $2
    AND kind = 'interest' AND status <> 'withdrawn'), 0)::bigint AS "interestAsked",
  EXISTS (SELECT FROM dunning_charges WHERE account_id = $1 AND document_id = $2
    AND kind = 'lump_sum' AND status <> 'withdrawn') AS "hasLumpSum",
  EXISTS (SELECT FROM dunning_charges WHERE account_id = $1 AND billed_by = $2) AS "isOfCharges"`;

/** Invoices and their money, as reminders have to know them. */
@Injectable()
export class DunnedDocumentsQuery {
  constructor(private readonly database: Database) {}

  /** Undefined: there is no such document. */
  async find(accountId: Uuid, id: Uuid): Promise<InvoiceOfCustomer | undefined> {
    const [row] = await this.database.query<InvoiceOfCustomer>(
      `SELECT ${INVOICE}, d.customer_id AS "customerId" FROM documents d
       WHERE d.account_id = $1 AND d.document_id = $2`,
      [accountId, id],
    );
    return row;
  }

  /** Takes the customer's lock, so that one letter is made at a time. Undefined: another is. */
  async takeFree(
    tx: Tx,
    accountId: Uuid,
    customerId: Uuid,
    currency: Currency,
  ): Promise<DunnedCustomer | undefined> {
    const values = [accountId, customerId, currency];
    const [row] = await tx.read<DunnedCustomer>(`${DEBTOR} FOR NO KEY UPDATE SKIP LOCKED`, values);
    return row;
  }

  /** The same without the lock. */
  async debtor(
    tx: Tx,
    accountId: Uuid,
    customerId: Uuid,
    currency: Currency,
  ): Promise<DunnedCustomer> {
    const [row] = await tx.read<DunnedCustomer>(DEBTOR, [accountId, customerId, currency]);
    return row!;
  }

  /** All that a customer owes in a currency, the oldest first. */
  async ofCustomer(
    tx: Tx,
    accountId: Uuid,
    customerId: Uuid,
    currency: Currency,
  ): Promise<OwedInvoice[]> {
    return tx.read<OwedInvoice>(OF_CUSTOMER, [accountId, customerId, currency]);
  }

  /** Debts of a document, by the days from which they stood. */
  async owedByDay(
    tx: Tx,
    accountId: Uuid,
    customerId: Uuid,
    documentId: Uuid,
  ): Promise<OwedFrom[]> {
    return tx.read<OwedFrom>(OWED_BY_DAY, [accountId, customerId, documentId]);
  }

  async chargedBefore(tx: Tx, accountId: Uuid, documentId: Uuid): Promise<ChargedBefore> {
    const [row] = await tx.read<ChargedBefore>(CHARGED_BEFORE, [accountId, documentId]);
    return row!;
  }
}
