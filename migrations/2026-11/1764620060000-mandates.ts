import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mandates of customers, and the payment links that are collected by them. */
export class Mandates1764620060000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(MANDATES);
    await runner.query(COLLECTIONS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE collections; DROP TABLE mandates');
  }
}

const MANDATES = `
  CREATE TABLE mandates (
    account_id          uuid NOT NULL,
    mandate_id          uuid NOT NULL,
    customer_id         uuid NOT NULL,
    gateway             text NOT NULL,
    currency            text NOT NULL,
    status              text NOT NULL,
    url                 text,
    provider_request_id text,
    provider_mandate_id text,
    scheme              text,
    account_ending      text,
    automatic_since     timestamptz,
    failure             text,
    version             integer NOT NULL,
    created_at          timestamptz NOT NULL,
    asked_at            timestamptz,
    activated_at        timestamptz,
    ended_at            timestamptz,
    next_look_at        timestamptz,
    PRIMARY KEY (account_id, mandate_id),
    FOREIGN KEY (account_id, customer_id) REFERENCES customers (account_id, customer_id),
    CONSTRAINT mandates_provider_mandate UNIQUE (account_id, gateway, provider_mandate_id),
    CONSTRAINT mandates_status_known
      CHECK (status IN ('pending', 'active', 'suspended', 'failed', 'canceled', 'expired')),
    CONSTRAINT mandates_ended_has_its_time
      CHECK ((status IN ('failed', 'canceled', 'expired')) = (ended_at IS NOT NULL)),
    CONSTRAINT mandates_active_has_its_name
      CHECK (provider_mandate_id IS NOT NULL OR status NOT IN ('active', 'suspended')),
    CONSTRAINT mandates_account_ending_is_short CHECK (length(account_ending) <= 8),
    CONSTRAINT mandates_currency_is_a_code CHECK (currency ~ '^[A-Z]{3}$'),
    CONSTRAINT mandates_version_from_one CHECK (version > 0)
  );
  CREATE INDEX mandates_by_id ON mandates (mandate_id);
  CREATE INDEX mandates_of_customer ON mandates (account_id, customer_id, mandate_id);
  CREATE INDEX mandates_due ON mandates (next_look_at) WHERE next_look_at IS NOT NULL;
  CREATE INDEX mandates_automatic ON mandates (account_id, customer_id)
    WHERE status = 'active' AND automatic_since IS NOT NULL;
  CREATE TRIGGER mandates_stay
    BEFORE DELETE OR UPDATE OF account_id, mandate_id, customer_id, gateway, currency, created_at
      OR TRUNCATE
    ON mandates FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('a mandate stays whose it is, and ends, but is never deleted');
  COMMENT ON TABLE mandates IS
    'What customers agreed to at providers: to be debited. A provider keeps the bank account.';
  COMMENT ON COLUMN mandates.account_id IS 'Account that the row belongs to.';
  COMMENT ON COLUMN mandates.mandate_id IS 'Identifies the mandate; the provider gets it, too.';
  COMMENT ON COLUMN mandates.customer_id IS 'Customer who gave it.';
  COMMENT ON COLUMN mandates.gateway IS 'Gateway whose provider keeps it.';
  COMMENT ON COLUMN mandates.currency IS 'ISO 4217 code of what may be collected by it.';
  COMMENT ON COLUMN mandates.status IS 'How it stands, as the provider told last.';
  COMMENT ON COLUMN mandates.url IS 'Page where the customer gives it; null: there is none.';
  COMMENT ON COLUMN mandates.provider_request_id IS 'The name that the provider gave that page.';
  COMMENT ON COLUMN mandates.provider_mandate_id IS
    'The name that the provider gave the mandate; null until the customer has agreed.';
  COMMENT ON COLUMN mandates.scheme IS 'Scheme of the debits, in the words of the provider.';
  COMMENT ON COLUMN mandates.account_ending IS
    'Last characters of the number of the bank account, as the provider masks it.';
  COMMENT ON COLUMN mandates.automatic_since IS
    'Since when invoices are collected by themselves; null: they are not.';
  COMMENT ON COLUMN mandates.failure IS 'Why it ended, in the short code of the provider.';
  COMMENT ON COLUMN mandates.version IS 'Goes up by one with each change; the ETag.';
  COMMENT ON COLUMN mandates.created_at IS 'When the customer was asked for it.';
  COMMENT ON COLUMN mandates.asked_at IS
    'When the provider was asked how it stands, of the answer that counts.';
  COMMENT ON COLUMN mandates.activated_at IS 'When it was first known to be active.';
  COMMENT ON COLUMN mandates.ended_at IS 'When it was known to be over.';
  COMMENT ON COLUMN mandates.next_look_at IS
    'When the provider is asked next; null: nothing more comes of it.'`;

const COLLECTIONS = `
  CREATE TABLE collections (
    account_id      uuid NOT NULL,
    payment_link_id uuid NOT NULL,
    document_id     uuid NOT NULL,
    mandate_id      uuid NOT NULL,
    charge_on       date NOT NULL,
    automatic       boolean NOT NULL,
    withdrawn_at    timestamptz,
    PRIMARY KEY (account_id, payment_link_id),
    FOREIGN KEY (account_id, payment_link_id, document_id)
      REFERENCES payment_links (account_id, payment_link_id, document_id),
    FOREIGN KEY (account_id, mandate_id) REFERENCES mandates (account_id, mandate_id)
  );
  CREATE INDEX collections_of_mandate ON collections (account_id, mandate_id);
  CREATE UNIQUE INDEX collections_automatic_once ON collections (account_id, document_id)
    WHERE automatic AND withdrawn_at IS NULL;
  CREATE TRIGGER collections_stay
    BEFORE DELETE OR TRUNCATE OR UPDATE OF account_id, payment_link_id, document_id, mandate_id,
      charge_on, automatic
    ON collections FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('a collection stays what it is');
  COMMENT ON TABLE collections IS
    'Payment links that are collected by a mandate, instead of paid at a page.';
  COMMENT ON COLUMN collections.account_id IS 'Account that the row belongs to.';
  COMMENT ON COLUMN collections.payment_link_id IS
    'The link, which has amount and state; its id is the key of the call to the provider.';
  COMMENT ON COLUMN collections.document_id IS 'Document that is paid by it, as the link says.';
  COMMENT ON COLUMN collections.mandate_id IS 'Mandate by which it is collected.';
  COMMENT ON COLUMN collections.charge_on IS 'Day on which the customer is to be debited.';
  COMMENT ON COLUMN collections.automatic IS 'Whether it began by itself, without a call.';
  COMMENT ON COLUMN collections.withdrawn_at IS
    'When it was given up because less was due than it asks for; null: it stands.'`;
