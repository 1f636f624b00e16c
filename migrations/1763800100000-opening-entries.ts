import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What happened before there was a ledger, from the facts. Ids sort by the time of the fact. */
export class OpeningEntries1763800100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(OPENING_ENTRIES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE transfers DISABLE TRIGGER USER;
      DELETE FROM transfers;
      ALTER TABLE transfers ENABLE TRIGGER USER;
    `);
  }
}

const OPENING_ENTRIES = `
  WITH local AS (SELECT account_id, time_zone FROM accounts),
  issued AS (
    SELECT d.account_id, d.document_id, d.customer_id, d.currency, d.kind, d.net_total,
      d.tax_total, d.rounding, d.total, d.amount_applied, d.origin_document_id, d.issue_date,
      d.issued_at, d.voided_at, d.written_off_at
    FROM documents d WHERE d.issued_at IS NOT NULL AND d.kind IN ('invoice', 'credit_note')
  ),
  -- What an invoice asks for, and what a credit note takes back, leg by leg.
  asked (part, document_id, account_id, other, amount) AS (
    SELECT 1, document_id, account_id, 'revenue', net_total FROM issued
    UNION ALL SELECT 2, document_id, account_id, 'tax_payable', tax_total FROM issued
    UNION ALL SELECT 3, document_id, account_id, 'rounding', rounding FROM issued
  ),
  legs (account_id, at, effective_on, fact, fact_id, debit, credit, amount, currency, document_id,
      customer_id) AS (
    SELECT i.account_id, i.issued_at, i.issue_date, 'document.issued', i.document_id,
      'receivables', a.other, a.amount, i.currency, i.document_id, i.customer_id
    FROM issued i JOIN asked a USING (account_id, document_id) WHERE i.kind = 'invoice'
    UNION ALL
    SELECT i.account_id, i.voided_at, NULL, 'document.voided', i.document_id,
      a.other, 'receivables', a.amount, i.currency, i.document_id, i.customer_id
    FROM issued i JOIN asked a USING (account_id, document_id)
    WHERE i.kind = 'invoice' AND i.voided_at IS NOT NULL
    UNION ALL
    SELECT i.account_id, i.voided_at, NULL, 'document.voided', i.document_id,
      'receivables', 'bad_debt', i.total, i.currency, i.document_id, i.customer_id
    FROM issued i WHERE i.voided_at IS NOT NULL AND i.written_off_at IS NOT NULL
    UNION ALL
    SELECT i.account_id, i.written_off_at, NULL, 'document.written_off', i.document_id,
      'bad_debt', 'receivables', i.total
        - coalesce((SELECT sum(p.applied) FROM payments p WHERE p.account_id = i.account_id
            AND p.document_id = i.document_id AND p.recorded_at < i.written_off_at), 0)
        - coalesce((SELECT sum(n.amount_applied) FROM issued n WHERE n.account_id = i.account_id
            AND n.origin_document_id = i.document_id AND n.kind = 'credit_note'
            AND n.issued_at < i.written_off_at
            AND (n.voided_at IS NULL OR n.voided_at >= i.written_off_at)), 0),
      i.currency, i.document_id, i.customer_id
    FROM issued i WHERE i.written_off_at IS NOT NULL
    UNION ALL
    SELECT n.account_id, n.issued_at, n.issue_date, 'credit_note.issued', n.document_id,
      a.other, 'credit_notes', a.amount, n.currency, n.document_id, n.customer_id
    FROM issued n JOIN asked a USING (account_id, document_id) WHERE n.kind = 'credit_note'
    UNION ALL
    SELECT n.account_id, n.issued_at, n.issue_date, 'credit_note.issued', n.document_id,
      'credit_notes', 'receivables', n.amount_applied, n.currency, n.origin_document_id,
      n.customer_id
    FROM issued n WHERE n.kind = 'credit_note'
    UNION ALL
    SELECT n.account_id, n.issued_at, n.issue_date, 'credit_note.issued', n.document_id,
      'credit_notes', 'customer_credit', n.total - n.amount_applied, n.currency, NULL,
      n.customer_id
    FROM issued n WHERE n.kind = 'credit_note'
    UNION ALL
    SELECT n.account_id, n.voided_at, NULL, 'credit_note.voided', n.document_id,
      'credit_notes', a.other, a.amount, n.currency, n.document_id, n.customer_id
    FROM issued n JOIN asked a USING (account_id, document_id)
    WHERE n.kind = 'credit_note' AND n.voided_at IS NOT NULL
    UNION ALL
    SELECT n.account_id, n.voided_at, NULL, 'credit_note.voided', n.document_id,
      CASE WHEN i.written_off_at <= n.voided_at THEN 'bad_debt' ELSE 'receivables' END,
      'credit_notes', n.amount_applied, n.currency, n.origin_document_id, n.customer_id
    FROM issued n JOIN issued i
      ON (i.account_id, i.document_id) = (n.account_id, n.origin_document_id)
    WHERE n.kind = 'credit_note' AND n.voided_at IS NOT NULL
    UNION ALL
    SELECT n.account_id, n.voided_at, NULL, 'credit_note.voided', n.document_id,
      'customer_credit', 'credit_notes', n.total - n.amount_applied, n.currency, NULL,
      n.customer_id
    FROM issued n WHERE n.kind = 'credit_note' AND n.voided_at IS NOT NULL
    UNION ALL
    SELECT p.account_id, p.recorded_at, (p.paid_at AT TIME ZONE l.time_zone)::date,
      'payment.recorded', p.payment_id,
      CASE WHEN p.gateway IS NOT NULL THEN 'gateway_clearing'
        WHEN p.method = 'credit_balance' THEN 'customer_credit' ELSE 'cash' END,
      CASE WHEN i.written_off_at <= p.recorded_at THEN 'bad_debt' ELSE 'receivables' END,
      p.applied, p.currency, p.document_id, p.customer_id
    FROM payments p JOIN local l USING (account_id) JOIN issued i USING (account_id, document_id)
    UNION ALL
    SELECT p.account_id, p.recorded_at, (p.paid_at AT TIME ZONE l.time_zone)::date,
      'payment.recorded', p.payment_id,
      CASE WHEN p.gateway IS NOT NULL THEN 'gateway_clearing' ELSE 'cash' END,
      'customer_credit', p.amount - p.applied, p.currency, NULL, p.customer_id
    FROM payments p JOIN local l USING (account_id)
    UNION ALL
    SELECT r.account_id, r.received_at, (r.paid_at AT TIME ZONE l.time_zone)::date,
      'receipt.unmatched', r.receipt_id, 'gateway_clearing', 'unmatched_receipts', r.amount,
      r.currency, NULL, NULL
    FROM unmatched_receipts r JOIN local l USING (account_id)
  )
  INSERT INTO transfers (account_id, transfer_id, fact, fact_id, debit, credit, amount, currency,
    document_id, customer_id, effective_on, recorded_at)
  SELECT account_id,
    (lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7'
      || left(md5(random()::text), 3) || '8' || left(md5(random()::text), 15))::uuid,
    fact, fact_id,
    CASE WHEN amount > 0 THEN debit ELSE credit END || '/' || currency,
    CASE WHEN amount > 0 THEN credit ELSE debit END || '/' || currency,
    abs(amount), currency, document_id, customer_id,
    coalesce(effective_on, (at AT TIME ZONE local.time_zone)::date), at
  FROM legs JOIN local USING (account_id) WHERE amount <> 0`;
