import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The ledger, and the money movements that it needs: refunds, reversals, moves, receipts. */
export class Books1763800000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(DOCUMENT_SUMS);
    await runner.query(PAYMENTS);
    await runner.query(RECEIPTS);
    await runner.query(LEDGER);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE transfers, refund_parts, refunds, payment_reversals, allocations, payment_settings;
      DROP DOMAIN ledger_account, ledger_fact;
      ALTER TABLE payments DROP COLUMN receipt_id;
      DROP TABLE unmatched_receipts;
      DROP TRIGGER payments_append_only ON payments;
      ALTER TABLE payments
        DROP COLUMN customer_id, DROP COLUMN returned, DROP COLUMN fee, DROP COLUMN bank_entry_id,
        ALTER COLUMN document_id SET NOT NULL,
        ADD CONSTRAINT payments_check1 CHECK (client_id IS NOT NULL OR gateway IS NOT NULL);
      CREATE TRIGGER payments_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON payments
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('payments are append-only');
      ALTER TABLE customer_credits
        ADD CONSTRAINT customer_credits_payment UNIQUE (account_id, payment_id);
      DROP INDEX customer_credits_of_payment;
      ALTER TABLE customer_balances
        DROP CONSTRAINT customer_balances_not_negative,
        DROP COLUMN reserved,
        ADD CONSTRAINT customer_balances_not_negative CHECK (credit >= 0);
      ALTER TABLE documents
        DROP CONSTRAINT documents_settled_when_nothing_is_due,
        DROP CONSTRAINT documents_money_only_on_open_invoices,
        DROP CONSTRAINT documents_only_invoices_take_money,
        DROP CONSTRAINT documents_paid_within_total,
        DROP COLUMN amount_refunded, DROP COLUMN amount_waived;
      ALTER TABLE documents
        ADD CONSTRAINT documents_paid_within_total CHECK (
          amount_paid >= 0 AND amount_credited >= 0 AND amount_paid + amount_credited <= total),
        ADD CONSTRAINT documents_money_only_on_open_invoices CHECK (
          amount_paid = 0 AND credit_notes_total = 0
          OR lifecycle IN ('open', 'uncollectible') AND kind = 'invoice'),
        ADD CONSTRAINT documents_settled_when_nothing_is_due CHECK (
          (settled_at IS NOT NULL) = (kind = 'invoice' AND lifecycle IN ('open', 'uncollectible')
            AND amount_paid + amount_credited = total));
    `);
  }
}

const DOCUMENT_SUMS = `
  ALTER TABLE documents
    DROP CONSTRAINT documents_paid_within_total,
    DROP CONSTRAINT documents_money_only_on_open_invoices,
    DROP CONSTRAINT documents_settled_when_nothing_is_due,
    -- What was paid and went back, and what an underpayment within the tolerance left.
    ADD COLUMN amount_refunded bigint NOT NULL DEFAULT 0,
    ADD COLUMN amount_waived bigint NOT NULL DEFAULT 0,
    ADD CONSTRAINT documents_paid_within_total CHECK (
      amount_paid >= 0 AND amount_refunded BETWEEN 0 AND amount_paid AND amount_credited >= 0
      AND amount_waived >= 0
      AND amount_paid - amount_refunded + amount_credited + amount_waived <= total),
    ADD CONSTRAINT documents_money_only_on_open_invoices CHECK (
      amount_paid = amount_refunded AND amount_waived = 0 AND credit_notes_total = 0
      OR lifecycle IN ('open', 'uncollectible')),
    ADD CONSTRAINT documents_only_invoices_take_money CHECK (
      kind = 'invoice' OR amount_paid = 0 AND amount_waived = 0 AND credit_notes_total = 0),
    ADD CONSTRAINT documents_settled_when_nothing_is_due CHECK (
      (settled_at IS NOT NULL) = (kind = 'invoice' AND lifecycle IN ('open', 'uncollectible')
        AND amount_paid - amount_refunded + amount_credited + amount_waived = total));`;

const PAYMENTS = `
  -- What an account waives of a document that was paid short, by currency, in minor units.
  CREATE TABLE payment_settings (
    account_id              uuid PRIMARY KEY REFERENCES accounts,
    underpayment_tolerance  jsonb NOT NULL CHECK (jsonb_typeof(underpayment_tolerance) = 'object'),
    version                 integer NOT NULL CHECK (version > 0),
    updated_at              timestamptz NOT NULL
  );

  DROP TRIGGER payments_append_only ON payments;
  ALTER TABLE payments
    ADD COLUMN customer_id uuid,
    -- What went back of it, or is on its way back: the last guard against two refunds at once.
    ADD COLUMN returned bigint NOT NULL DEFAULT 0,
    -- What the gateway kept, where it says so.
    ADD COLUMN fee bigint CHECK (fee BETWEEN 1 AND amount),
    ADD COLUMN bank_entry_id uuid,
    ADD CONSTRAINT payments_returned_within_amount CHECK (returned BETWEEN 0 AND amount),
    ALTER COLUMN document_id DROP NOT NULL,
    DROP CONSTRAINT payments_check1,
    ADD CONSTRAINT payments_source CHECK (
      num_nonnulls(client_id, gateway, bank_entry_id) > 0),
    -- A receipt over several documents has its allocations beside it.
    ADD CONSTRAINT payments_applied_to_a_document CHECK (document_id IS NOT NULL OR applied = 0);
  UPDATE payments p SET customer_id = d.customer_id FROM documents d
    WHERE (d.account_id, d.document_id) = (p.account_id, p.document_id);
  ALTER TABLE payments ALTER COLUMN customer_id SET NOT NULL;
  CREATE INDEX payments_of_customer ON payments (account_id, customer_id, payment_id)
    WHERE document_id IS NULL;
  CREATE TRIGGER payments_append_only BEFORE DELETE OR TRUNCATE OR UPDATE OF account_id, payment_id,
    document_id, customer_id, currency, amount, applied, method, reference, note, metadata, paid_at,
    recorded_at, client_id, gateway, provider_payment_id, payment_link_id, fee, bank_entry_id
    ON payments FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('payments are append-only');

  -- What a payment pays beside, or instead of, the document that its own row names. Below zero:
  -- taken off a document again. The sum over both is what the payment pays there, refunds apart.
  CREATE TABLE allocations (
    account_id     uuid NOT NULL,
    allocation_id  uuid NOT NULL,
    payment_id     uuid NOT NULL,
    document_id    uuid NOT NULL,
    currency       text NOT NULL,
    amount         bigint NOT NULL CHECK (amount <> 0),
    reason         text NOT NULL CHECK (reason IN ('receipt', 'move', 'reversal')),
    created_at     timestamptz NOT NULL,
    PRIMARY KEY (account_id, allocation_id),
    FOREIGN KEY (account_id, payment_id) REFERENCES payments,
    FOREIGN KEY (account_id, document_id, currency)
      REFERENCES documents (account_id, document_id, currency)
  );
  CREATE INDEX allocations_of_payment ON allocations (account_id, payment_id);
  CREATE INDEX allocations_of_document ON allocations (account_id, document_id);
  CREATE TRIGGER allocations_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON allocations
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('allocations are append-only');

  CREATE TABLE payment_reversals (
    account_id   uuid NOT NULL,
    payment_id   uuid NOT NULL,
    reason       text,
    client_id    uuid NOT NULL,
    reversed_at  timestamptz NOT NULL,
    PRIMARY KEY (account_id, payment_id),
    FOREIGN KEY (account_id, payment_id) REFERENCES payments
  );
  CREATE TRIGGER payment_reversals_append_only
    BEFORE UPDATE OR DELETE OR TRUNCATE ON payment_reversals
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('reversals are append-only');

  -- A payment's rest may come and go: refunded, moved to a document, reversed.
  ALTER TABLE customer_credits DROP CONSTRAINT customer_credits_payment;
  CREATE INDEX customer_credits_of_payment ON customer_credits (account_id, payment_id)
    WHERE payment_id IS NOT NULL;
  -- Reserved: credit that is on its way back to the customer, and may not be spent meanwhile.
  ALTER TABLE customer_balances
    ADD COLUMN reserved bigint NOT NULL DEFAULT 0,
    ADD CONSTRAINT customer_balances_reserved CHECK (reserved >= 0);
  ALTER TABLE customer_balances
    DROP CONSTRAINT customer_balances_not_negative,
    ADD CONSTRAINT customer_balances_not_negative CHECK (credit >= reserved);`;

const RECEIPTS = `
  -- Money that a provider took and no document could take. settled: assigned, refunded, or on its
  -- way back.
  CREATE TABLE unmatched_receipts (
    account_id           uuid NOT NULL,
    receipt_id           uuid NOT NULL,
    gateway              text NOT NULL,
    provider_payment_id  text NOT NULL,
    amount               bigint NOT NULL CHECK (amount > 0),
    currency             text NOT NULL,
    reason               text NOT NULL CHECK (reason IN
      ('unknown_link', 'currency_mismatch', 'document_not_payable', 'amount_too_large')),
    document_id          uuid,
    payment_link_id      uuid,
    link_reference       text,
    settled              bigint NOT NULL DEFAULT 0,
    paid_at              timestamptz NOT NULL,
    received_at          timestamptz NOT NULL,
    PRIMARY KEY (account_id, receipt_id),
    CONSTRAINT unmatched_receipts_provider UNIQUE (account_id, gateway, provider_payment_id),
    CONSTRAINT unmatched_receipts_settled_within_amount CHECK (settled BETWEEN 0 AND amount),
    FOREIGN KEY (account_id, payment_link_id) REFERENCES payment_links,
    FOREIGN KEY (account_id, document_id) REFERENCES documents
  );
  CREATE INDEX unmatched_receipts_open ON unmatched_receipts (account_id, receipt_id)
    WHERE settled < amount;
  CREATE TRIGGER unmatched_receipts_append_only BEFORE DELETE OR TRUNCATE OR UPDATE OF account_id,
    receipt_id, gateway, provider_payment_id, amount, currency, reason, document_id,
    payment_link_id, link_reference, paid_at, received_at ON unmatched_receipts
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('receipts are append-only');

  INSERT INTO unmatched_receipts (account_id, receipt_id, gateway, provider_payment_id, amount,
      currency, reason, document_id, payment_link_id, link_reference, paid_at, received_at)
    SELECT r.account_id, gen_random_uuid(), r.gateway, r.provider_payment_id, r.amount, r.currency,
      r.unmatched_reason, l.document_id, r.payment_link_id, r.link_reference, r.paid_at,
      r.received_at
    FROM provider_receipts r LEFT JOIN payment_links l USING (account_id, payment_link_id)
    WHERE r.unmatched_reason IS NOT NULL AND r.account_id IS NOT NULL;

  ALTER TABLE payments
    ADD COLUMN receipt_id uuid,
    ADD FOREIGN KEY (account_id, receipt_id) REFERENCES unmatched_receipts;
  -- Partial, because nearly every payment has none.
  CREATE UNIQUE INDEX payments_receipt ON payments (account_id, receipt_id)
    WHERE receipt_id IS NOT NULL;

  -- Money on its way back. from_credit is the part that the customer's credit gives; what documents
  -- give stands in refund_parts. unknown: the provider did not answer, and is asked again.
  CREATE TABLE refunds (
    account_id          uuid NOT NULL,
    refund_id           uuid NOT NULL,
    payment_id          uuid,
    receipt_id          uuid,
    customer_id         uuid,
    currency            text NOT NULL,
    amount              bigint NOT NULL CHECK (amount > 0),
    from_credit         bigint NOT NULL DEFAULT 0,
    method              text NOT NULL,
    gateway             text,
    status              text NOT NULL CHECK (status IN ('pending', 'unknown', 'succeeded', 'failed')),
    provider_refund_id  text,
    failure             text,
    reference           text,
    reason              text,
    client_id           uuid NOT NULL,
    requested_at        timestamptz NOT NULL,
    settled_at          timestamptz,
    attempts            integer NOT NULL DEFAULT 0,
    -- When the provider is to be asked what became of it.
    next_look_at        timestamptz,
    PRIMARY KEY (account_id, refund_id),
    FOREIGN KEY (account_id, payment_id) REFERENCES payments,
    FOREIGN KEY (account_id, receipt_id) REFERENCES unmatched_receipts,
    CHECK ((payment_id IS NULL) <> (receipt_id IS NULL)),
    CHECK ((payment_id IS NULL) = (customer_id IS NULL)),
    CHECK (from_credit BETWEEN 0 AND amount),
    CHECK ((status IN ('succeeded', 'failed')) = (settled_at IS NOT NULL)),
    CHECK (status IN ('succeeded', 'failed') OR gateway IS NOT NULL),
    CHECK (failure IS NULL OR status <> 'succeeded'),
    CHECK ((next_look_at IS NOT NULL) = (status IN ('pending', 'unknown')))
  );
  CREATE INDEX refunds_of_payment ON refunds (account_id, payment_id);
  CREATE INDEX refunds_of_receipt ON refunds (account_id, receipt_id) WHERE receipt_id IS NOT NULL;
  CREATE INDEX refunds_to_look_up ON refunds (next_look_at) WHERE next_look_at IS NOT NULL;
  CREATE TRIGGER refunds_settle_once BEFORE UPDATE ON refunds FOR EACH ROW
    WHEN (OLD.status IN ('succeeded', 'failed')
      OR (OLD.account_id, OLD.refund_id, OLD.payment_id, OLD.receipt_id, OLD.customer_id,
          OLD.currency, OLD.amount, OLD.from_credit, OLD.method, OLD.gateway, OLD.reference,
          OLD.reason, OLD.client_id, OLD.requested_at)
        IS DISTINCT FROM
         (NEW.account_id, NEW.refund_id, NEW.payment_id, NEW.receipt_id, NEW.customer_id,
          NEW.currency, NEW.amount, NEW.from_credit, NEW.method, NEW.gateway, NEW.reference,
          NEW.reason, NEW.client_id, NEW.requested_at))
    EXECUTE FUNCTION refuse_change('a refund is settled once');
  CREATE TRIGGER refunds_stay BEFORE DELETE OR TRUNCATE ON refunds
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('refunds are never deleted');

  CREATE TABLE refund_parts (
    account_id   uuid NOT NULL,
    refund_id    uuid NOT NULL,
    document_id  uuid NOT NULL,
    amount       bigint NOT NULL CHECK (amount > 0),
    PRIMARY KEY (account_id, refund_id, document_id),
    FOREIGN KEY (account_id, refund_id) REFERENCES refunds,
    FOREIGN KEY (account_id, document_id) REFERENCES documents
  );
  CREATE INDEX refund_parts_of_document ON refund_parts (account_id, document_id);
  CREATE TRIGGER refund_parts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON refund_parts
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('refund parts are append-only');`;

const LEDGER = `
  -- The chart of accounts, each with its currency. Domains, because the text of a CHECK is parsed for
  -- every insert, and lists in it cost more than the rest of the row.
  CREATE DOMAIN ledger_account AS text CONSTRAINT ledger_account_of_the_chart CHECK (VALUE ~
    '^(receivables|cash|gateway_clearing|customer_credit|unmatched_receipts|credit_notes|revenue|tax_payable|rounding|bad_debt|payment_differences|gateway_fees)/[A-Z]{3}$');
  CREATE DOMAIN ledger_fact AS text CONSTRAINT ledger_fact_known CHECK (VALUE ~
    '^(document\\.(issued|voided|written_off)|credit_note\\.(issued|voided)|payment\\.(recorded|moved|reversed|refunded)|receipt\\.(unmatched|refunded))$');

  -- Double entry, balanced by construction: one amount leaves one account and enters another. An
  -- account is a name and its currency; a transfer references nothing, so that no writer waits for
  -- another, and cross-checks prove what it says. See docs/books.md.
  CREATE TABLE transfers (
    account_id    uuid NOT NULL,
    transfer_id   uuid NOT NULL,
    fact          ledger_fact NOT NULL,
    -- The document, payment, allocation, refund or receipt.
    fact_id       uuid NOT NULL,
    debit         ledger_account NOT NULL,
    credit        ledger_account NOT NULL,
    amount        bigint NOT NULL CHECK (amount > 0),
    currency      text NOT NULL,
    document_id   uuid,
    customer_id   uuid,
    -- The day it counts for, in the account's time zone: a payment's paid_at, an issue date.
    effective_on  date NOT NULL,
    recorded_at   timestamptz NOT NULL,
    PRIMARY KEY (account_id, transfer_id),
    CONSTRAINT transfers_between_two_accounts CHECK (debit <> credit),
    CONSTRAINT transfers_in_the_currency_of_both_accounts CHECK (
      right(debit, 4) = '/' || currency AND right(credit, 4) = '/' || currency)
  );
  CREATE INDEX transfers_of_customer ON transfers (account_id, customer_id, transfer_id);
  CREATE TRIGGER transfers_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON transfers
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('the ledger is append-only');`;
