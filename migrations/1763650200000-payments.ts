import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Money that came in: payments, customer credit, payment links, and what providers reported. */
export class Payments1763650200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE payment_links (
        account_id          uuid NOT NULL,
        payment_link_id     uuid NOT NULL,
        document_id         uuid NOT NULL,
        gateway             text NOT NULL,
        amount              bigint NOT NULL CHECK (amount > 0),
        currency            text NOT NULL,
        status              text NOT NULL CHECK (status IN ('open', 'paid', 'canceled')),
        url                 text,
        provider_object_id  text,
        created_at          timestamptz NOT NULL,
        expires_at          timestamptz NOT NULL,
        paid_at             timestamptz,
        canceled_at         timestamptz,
        PRIMARY KEY (account_id, payment_link_id),
        CONSTRAINT payment_links_document UNIQUE (account_id, payment_link_id, document_id),
        FOREIGN KEY (account_id, document_id, currency)
          REFERENCES documents (account_id, document_id, currency),
        CHECK ((status = 'paid') = (paid_at IS NOT NULL)),
        CHECK ((status = 'canceled') = (canceled_at IS NOT NULL))
      ) WITH (fillfactor = 90);
      CREATE INDEX payment_links_of_document ON payment_links (account_id, document_id);
      -- A provider names a link by id, or by the object it made, and knows no account.
      CREATE INDEX payment_links_id ON payment_links (payment_link_id);
      CREATE INDEX payment_links_provider_object ON payment_links (gateway, provider_object_id)
        WHERE provider_object_id IS NOT NULL;

      -- amount is what came in; applied went to the document, the rest is customer credit.
      CREATE TABLE payments (
        account_id           uuid NOT NULL,
        payment_id           uuid NOT NULL,
        document_id          uuid NOT NULL,
        currency             text NOT NULL,
        amount               bigint NOT NULL CHECK (amount BETWEEN 1 AND 10000000000000),
        applied              bigint NOT NULL,
        method               text NOT NULL,
        reference            text,
        note                 text,
        metadata             jsonb NOT NULL,
        paid_at              timestamptz NOT NULL,
        recorded_at          timestamptz NOT NULL,
        client_id            uuid,
        gateway              text,
        provider_payment_id  text,
        payment_link_id      uuid,
        PRIMARY KEY (account_id, payment_id),
        CONSTRAINT payments_applied_within_amount CHECK (applied BETWEEN 0 AND amount),
        CHECK ((gateway IS NULL) = (provider_payment_id IS NULL)),
        CHECK (client_id IS NOT NULL OR gateway IS NOT NULL),
        FOREIGN KEY (account_id, document_id, currency)
          REFERENCES documents (account_id, document_id, currency),
        FOREIGN KEY (account_id, payment_link_id, document_id)
          REFERENCES payment_links (account_id, payment_link_id, document_id)
      );
      CREATE UNIQUE INDEX payments_provider ON payments (account_id, gateway, provider_payment_id)
        WHERE gateway IS NOT NULL;
      CREATE INDEX payments_of_document ON payments (account_id, document_id, recorded_at);
      CREATE TRIGGER payments_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON payments
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('payments are append-only');

      -- In the currency of its payment. Above zero: an overpayment's rest; below: credit spent.
      CREATE TABLE customer_credits (
        account_id   uuid NOT NULL,
        credit_id    uuid NOT NULL,
        customer_id  uuid NOT NULL,
        payment_id   uuid NOT NULL,
        amount       bigint NOT NULL CHECK (amount <> 0),
        created_at   timestamptz NOT NULL,
        PRIMARY KEY (account_id, credit_id),
        CONSTRAINT customer_credits_payment UNIQUE (account_id, payment_id),
        FOREIGN KEY (account_id, customer_id) REFERENCES customers,
        FOREIGN KEY (account_id, payment_id) REFERENCES payments
      );
      CREATE INDEX customer_credits_of_customer ON customer_credits (account_id, customer_id);
      CREATE TRIGGER customer_credits_append_only
        BEFORE UPDATE OR DELETE OR TRUNCATE ON customer_credits
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('customer credits are append-only');

      -- Global: a provider's event arrives before its account is known. First key against doubles.
      CREATE TABLE provider_events (
        gateway      text NOT NULL,
        event_id     text NOT NULL,
        event_type   text NOT NULL,
        fingerprint  text,
        outcome      text NOT NULL CHECK (outcome IN ('ok', 'ignored', 'no_link_id')),
        -- Why an operator should look: money moved, and it could not be booked.
        review       text,
        received_at  timestamptz NOT NULL,
        PRIMARY KEY (gateway, event_id)
      );
      CREATE INDEX provider_events_review ON provider_events (received_at)
        WHERE review IS NOT NULL;
      CREATE TRIGGER provider_events_append_only
        BEFORE UPDATE OR DELETE OR TRUNCATE ON provider_events
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('provider events are append-only');

      -- Global: money a provider took, once each, whatever became of it. Second key against doubles.
      CREATE TABLE provider_receipts (
        gateway              text NOT NULL,
        provider_payment_id  text NOT NULL,
        account_id           uuid REFERENCES accounts,
        payment_link_id      uuid,
        payment_id           uuid,
        amount               bigint NOT NULL CHECK (amount > 0),
        currency             text NOT NULL,
        unmatched_reason     text CHECK (unmatched_reason IN
          ('unknown_link', 'currency_mismatch', 'document_not_payable', 'amount_too_large')),
        event_id             text NOT NULL,
        link_reference       text,
        paid_at              timestamptz NOT NULL,
        received_at          timestamptz NOT NULL,
        PRIMARY KEY (gateway, provider_payment_id),
        FOREIGN KEY (account_id, payment_id) REFERENCES payments,
        CHECK ((payment_id IS NULL) = (unmatched_reason IS NOT NULL))
      );
      CREATE INDEX provider_receipts_unmatched ON provider_receipts (account_id, received_at)
        WHERE unmatched_reason IS NOT NULL;
      CREATE TRIGGER provider_receipts_append_only
        BEFORE UPDATE OR DELETE OR TRUNCATE ON provider_receipts
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('provider receipts are append-only');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE provider_receipts, provider_events, customer_credits, payments, payment_links;
    `);
  }
}
