import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import type { SnapshotRead } from '../../platform/database/snapshots.js';
import type { Row } from '../../platform/database/row.js';
import type { BankEntry } from '../domain/bank-entry.js';
import type { Candidate } from '../domain/bank-entry-match.js';
import { wordsOfName } from '../domain/names/name-likeness.js';
import type { NamesInText } from '../domain/names/names-in-text.js';
import { DUE, IS_OWED, PENDING_DOCUMENTS, TAKES_PAYMENTS } from '../../documents/sql.js';

interface CandidateColumns extends Pick<
  Row<'documents'>,
  'document_id' | 'customer_id' | 'number' | 'payment_reference' | 'currency' | 'due_date'
> {
  /** @derived */
  customer_name: string | null;
  /** @derived */
  due: bigint;
  /** @derived */
  takes_payments: boolean;
  /** @derived */
  is_known_payer: boolean;
  /** @notNull Issued ones only. */
  number: string;
  /** @notNull Asked for. */
  payment_reference: string;
}

/** Of each way to find documents; the likeliest of more are as good as any. */
const MOST_ALIKE = 50;
const MOST_OF_ONE = 10;

/** Of `documents d`. */
const COLUMNS = `d.document_id, d.customer_id, (SELECT c.customer->>'name' FROM document_contents c
    WHERE c.account_id = d.account_id AND c.document_id = d.document_id) AS customer_name, d.number,
  d.payment_reference, d.currency, d.due_date, ${DUE} AS due,
  ${TAKES_PAYMENTS} AS takes_payments`;

/** Of the two indexes of references that callers gave: others say the number of their invoice. */
const IS_NO_NUMBERS = `substr(d.payment_reference, 5) <> reference_key(d.number)`;

/** Invoices that a bank entry may be for. No locks: what is decided on is read again under one. */
@Injectable()
export class BankEntryCandidatesQuery {
  /** Those that the payer's words name. */
  async named(read: SnapshotRead, accountId: Uuid, names: NamesInText): Promise<Candidate[]> {
    const references = [...names.references, ...names.places.keys()];
    const keys = [...names.keys.keys()];
    if (references.length + names.written.size + keys.length === 0) return [];
    const rows = await read<CandidateColumns>(
      `SELECT ${COLUMNS}, false AS is_known_payer FROM documents d
       WHERE d.account_id = $1 AND d.kind = 'invoice' AND d.lifecycle <> 'draft'
         AND d.payment_reference = ANY ($2::text[])
       UNION
       SELECT ${COLUMNS}, false FROM documents d
       WHERE d.account_id = $1 AND d.kind = 'invoice' AND d.number = ANY ($3::text[])
         AND d.payment_reference IS NOT NULL
       UNION
       SELECT ${COLUMNS}, false FROM documents d
       WHERE d.account_id = $1 AND d.kind = 'invoice' AND ${IS_NO_NUMBERS}
         AND reference_key(d.payment_reference) = ANY ($4::text[])
         AND d.lifecycle NOT IN ('draft', 'void')
       UNION
       SELECT ${COLUMNS}, false FROM documents d
       WHERE d.account_id = $1 AND d.kind = 'invoice' AND ${IS_NO_NUMBERS}
         AND reference_key(d.number) = ANY ($4::text[])
       ORDER BY document_id LIMIT 100`,
      [accountId, references, [...names.written.keys()], keys],
    );
    return rows.map(toCandidate);
  }

  /** Those of the same amount, of a payer that is known, and of customers with the payer's name. */
  async alike(read: SnapshotRead, entry: BankEntry): Promise<Candidate[]> {
    const name = wordsOfName(entry.counterpartyName ?? '')
      .filter((word) => word.length > 2)
      .slice(0, 3)
      .join(' ');
    const rows = await read<CandidateColumns>(
      // Step by step, each from the few rows of the one before, whatever the planner knows of them.
      `WITH paid AS MATERIALIZED (
         SELECT payment_id FROM bank_entries
         WHERE account_id = $1 AND counterparty_iban = $4 AND payment_id IS NOT NULL
         ORDER BY entry_id DESC LIMIT 20),
       known AS MATERIALIZED (
         SELECT DISTINCT (SELECT p.customer_id FROM payments p
           WHERE p.account_id = $1 AND p.payment_id = paid.payment_id) AS customer_id FROM paid),
       named AS MATERIALIZED (
         SELECT c.customer_id FROM customers c
         WHERE $5 <> '' AND c.account_id = $1 AND c.search @@ (SELECT search_query($1, $5))
         LIMIT 10),
       found AS MATERIALIZED (
         (SELECT p.document_id FROM ${PENDING_DOCUMENTS}
          WHERE p.account_id = $1 AND p.currency = $2 AND p.total = $3 AND ${IS_OWED}
          ORDER BY p.document_id LIMIT ${MOST_ALIKE})
         UNION
         (SELECT d.document_id FROM (SELECT * FROM known UNION SELECT * FROM named) c
            CROSS JOIN LATERAL (
              SELECT d.document_id FROM documents d
              WHERE d.account_id = $1 AND d.customer_id = c.customer_id AND d.currency = $2
                AND ${IS_OWED}
              ORDER BY d.created_at DESC LIMIT ${MOST_OF_ONE}) d))
       SELECT ${COLUMNS}, d.customer_id IN (SELECT customer_id FROM known) AS is_known_payer
       FROM found CROSS JOIN LATERAL (
         SELECT * FROM documents d
         WHERE d.account_id = $1 AND d.document_id = found.document_id OFFSET 0) d`,
      [entry.accountId, entry.amount.currency, entry.amount.minor, entry.counterpartyIban, name],
    );
    return rows.map(toCandidate);
  }
}

function toCandidate(row: CandidateColumns): Candidate {
  const due = Money.of(row.due, row.currency);
  return {
    documentId: row.document_id,
    customerId: row.customer_id,
    customerName: row.customer_name ?? '',
    number: row.number,
    paymentReference: row.payment_reference,
    due,
    dueDate: row.due_date,
    isPayable: row.takes_payments && due.isPositive(),
    isKnownPayer: row.is_known_payer,
  };
}
