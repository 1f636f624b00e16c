-- How a client can pay: gateways, links and mandates.

CREATE FUNCTION mark_opened_xact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.opened_xact := CASE WHEN NEW.url IS NOT NULL THEN book_xact() END;
  RETURN NEW;
END $$;

CREATE TABLE payment_settings (
  account_id              uuid PRIMARY KEY REFERENCES accounts,
  underpayment_tolerance  jsonb NOT NULL,
  version                 integer NOT NULL,
  updated_at              timestamptz NOT NULL,
  refund_meaning          text,
  CONSTRAINT payment_settings_tolerance_is_an_object
    CHECK (jsonb_typeof(underpayment_tolerance) = 'object'),
  CONSTRAINT payment_settings_version_from_one CHECK (version > 0),
  CONSTRAINT payment_settings_refund_meaning_known
    CHECK (refund_meaning IN ('lowers_document', 'owed_again'))
);
COMMENT ON TABLE payment_settings IS 'What an account waives of a document that was paid short.';
COMMENT ON COLUMN payment_settings.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN payment_settings.underpayment_tolerance IS
  'By ISO 4217 code, the most that is waived, in minor units.';
COMMENT ON COLUMN payment_settings.version IS 'Goes up by one with each change; the ETag.';
COMMENT ON COLUMN payment_settings.updated_at IS 'When it was changed last.';
COMMENT ON COLUMN payment_settings.refund_meaning IS
  'What a refund means that does not say it; null: nobody has said, and it is due and not asked '
  'for.';

CREATE TABLE gateways (
  account_id               uuid NOT NULL REFERENCES accounts,
  gateway_id               uuid NOT NULL,
  name                     text NOT NULL,
  provider                 text NOT NULL,
  sealed_settings          bytea NOT NULL,
  previous_secret_ends_at  timestamptz,
  status                   text NOT NULL,
  version                  integer NOT NULL,
  created_at               timestamptz NOT NULL,
  updated_at               timestamptz NOT NULL,
  PRIMARY KEY (account_id, gateway_id),
  CONSTRAINT gateways_name UNIQUE (account_id, name),
  CONSTRAINT gateways_name_form CHECK (name ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  CONSTRAINT gateways_status_known CHECK (status IN ('enabled', 'disabled')),
  CONSTRAINT gateways_version_from_one CHECK (version > 0)
);
COMMENT ON TABLE gateways IS 'Gateways that accounts configure themselves.';
COMMENT ON COLUMN gateways.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN gateways.gateway_id IS
  'Identifies the gateway: with its prefix it is the gateway of links and payments.';
COMMENT ON COLUMN gateways.name IS 'What the account calls it.';
COMMENT ON COLUMN gateways.provider IS 'Provider that it is an account at.';
COMMENT ON COLUMN gateways.sealed_settings IS
  'Settings and secrets, encrypted for this account and gateway (AES-256-GCM).';
COMMENT ON COLUMN gateways.previous_secret_ends_at IS
  'Until when the webhook secret before the last counts; null: there is one.';
COMMENT ON COLUMN gateways.status IS 'A disabled one makes no new links.';
COMMENT ON COLUMN gateways.version IS 'Goes up by one with each change; the ETag.';
COMMENT ON COLUMN gateways.created_at IS 'When the gateway was made.';
COMMENT ON COLUMN gateways.updated_at IS 'When it was changed last.';

CREATE INDEX gateways_by_id ON gateways (gateway_id);

CREATE TRIGGER gateways_stay
  BEFORE DELETE OR UPDATE OF account_id, gateway_id, provider, created_at OR TRUNCATE
  ON gateways FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_change('a gateway stays what it is, and is disabled, never deleted');

CREATE TABLE payment_links (
  account_id          uuid NOT NULL,
  payment_link_id     uuid NOT NULL,
  document_id         uuid NOT NULL,
  gateway             text NOT NULL,
  amount              bigint NOT NULL,
  currency            text NOT NULL,
  status              text NOT NULL,
  url                 text,
  provider_object_id  text,
  created_at          timestamptz NOT NULL,
  expires_at          timestamptz NOT NULL,
  paid_at             timestamptz,
  canceled_at         timestamptz,
  xact                bigint NOT NULL DEFAULT book_xact(),
  opened_xact         bigint,
  processing_at       timestamptz,
  failed_at           timestamptz,
  failure             text,
  page_expires_at     timestamptz,
  PRIMARY KEY (account_id, payment_link_id),
  FOREIGN KEY (account_id, document_id, currency)
    REFERENCES documents (account_id, document_id, currency),
  CONSTRAINT payment_links_document UNIQUE (account_id, payment_link_id, document_id),
  CONSTRAINT payment_links_amount_positive CHECK (amount > 0),
  CONSTRAINT payment_links_canceled_has_its_time
    CHECK ((status = 'canceled') = (canceled_at IS NOT NULL)),
  CONSTRAINT payment_links_xact_when_opened CHECK ((opened_xact IS NULL) = (url IS NULL)),
  CONSTRAINT payment_links_paid_has_its_time CHECK (paid_at IS NOT NULL OR status <> 'paid'),
  CONSTRAINT payment_links_processing_has_its_time
    CHECK (processing_at IS NOT NULL OR status <> 'processing'),
  CONSTRAINT payment_links_failed_has_its_time CHECK (failed_at IS NOT NULL OR status <> 'failed'),
  CONSTRAINT payment_links_failed_has_its_reason CHECK ((failed_at IS NULL) = (failure IS NULL)),
  CONSTRAINT payment_links_only_a_page_ends CHECK (page_expires_at IS NULL OR url IS NOT NULL),
  CONSTRAINT payment_links_status_known
    CHECK (status IN ('open', 'processing', 'paid', 'failed', 'canceled', 'unmatched')),
  CONSTRAINT payment_links_unmatched_has_its_time
    CHECK (paid_at IS NOT NULL OR status <> 'unmatched')
) WITH (fillfactor = 90);
COMMENT ON TABLE payment_links IS
  'Pages of a provider on which a document can be paid. A link is made in one transaction, and '
  'gets its page in another, when the provider has it.';
COMMENT ON COLUMN payment_links.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN payment_links.payment_link_id IS 'Identifies the link; providers name it.';
COMMENT ON COLUMN payment_links.document_id IS 'Document that is paid.';
COMMENT ON COLUMN payment_links.gateway IS 'Gateway that has the page.';
COMMENT ON COLUMN payment_links.amount IS 'What is asked for, in minor units.';
COMMENT ON COLUMN payment_links.currency IS 'ISO 4217 code of the amount.';
COMMENT ON COLUMN payment_links.status IS 'State of the link.';
COMMENT ON COLUMN payment_links.url IS 'Address of the page; null until the provider has it.';
COMMENT ON COLUMN payment_links.provider_object_id IS 'Id of the provider for the page.';
COMMENT ON COLUMN payment_links.created_at IS 'When the link was made.';
COMMENT ON COLUMN payment_links.expires_at IS 'When the link is offered no longer.';
COMMENT ON COLUMN payment_links.paid_at IS 'When it was paid.';
COMMENT ON COLUMN payment_links.canceled_at IS 'When it was canceled.';
COMMENT ON COLUMN payment_links.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';
COMMENT ON COLUMN payment_links.opened_xact IS 'Transaction that wrote the address of the page.';
COMMENT ON COLUMN payment_links.processing_at IS
  'Since when the provider has money on its way, at its word.';
COMMENT ON COLUMN payment_links.failed_at IS
  'When the money did not come, or was taken back, at the last time.';
COMMENT ON COLUMN payment_links.failure IS 'Why, as the provider says.';
COMMENT ON COLUMN payment_links.page_expires_at IS
  'When the page ends, as the provider said when it made it; null if it did not.';

CREATE INDEX payment_links_of_document ON payment_links (account_id, document_id);
-- A provider names a link by id, or by the object it made, and knows no account.
CREATE INDEX payment_links_id ON payment_links (payment_link_id);
CREATE INDEX payment_links_provider_object ON payment_links
  (gateway, provider_object_id) WHERE provider_object_id IS NOT NULL;
CREATE INDEX payment_links_xact ON payment_links USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);
CREATE INDEX payment_links_opened_xact ON payment_links USING brin
  (opened_xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER payment_links_xact_stays BEFORE UPDATE OF xact ON payment_links
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a row stays in its transaction');
CREATE TRIGGER payment_links_opened_xact_stays BEFORE UPDATE OF opened_xact ON payment_links
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a row stays in its transaction');
CREATE TRIGGER payment_links_opened_in BEFORE INSERT OR UPDATE OF url ON payment_links
  FOR EACH ROW WHEN ((NEW.url IS NULL) <> (NEW.opened_xact IS NULL))
  EXECUTE FUNCTION mark_opened_xact();
CREATE TRIGGER payment_links_opened_once
  BEFORE UPDATE OF url, provider_object_id, page_expires_at ON payment_links
  FOR EACH ROW
  WHEN (OLD.url IS NOT NULL AND (OLD.url IS DISTINCT FROM NEW.url
    OR OLD.provider_object_id IS DISTINCT FROM NEW.provider_object_id
    OR OLD.page_expires_at IS DISTINCT FROM NEW.page_expires_at))
  EXECUTE FUNCTION refuse_change('a link keeps its pay page');

CREATE TABLE checkout_look_ups (
  account_id       uuid NOT NULL,
  payment_link_id  uuid NOT NULL,
  next_look_at     timestamptz NOT NULL,
  PRIMARY KEY (account_id, payment_link_id),
  FOREIGN KEY (account_id, payment_link_id) REFERENCES payment_links
);
COMMENT ON TABLE checkout_look_ups IS
  'Pay pages of which a provider is still asked what became of them.';
COMMENT ON COLUMN checkout_look_ups.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN checkout_look_ups.payment_link_id IS 'The link whose page it is.';
COMMENT ON COLUMN checkout_look_ups.next_look_at IS 'When the provider is asked next.';

CREATE INDEX checkout_look_ups_due ON checkout_look_ups (next_look_at);

CREATE TABLE payment_list_reads (
  gateway       text PRIMARY KEY,
  read_to       timestamptz NOT NULL,
  next_read_at  timestamptz NOT NULL
);
COMMENT ON TABLE payment_list_reads IS
  'How far the lists of payments that providers keep were read.';
COMMENT ON COLUMN payment_list_reads.gateway IS 'Gateway whose list it is.';
COMMENT ON COLUMN payment_list_reads.read_to IS 'Payments before this instant were read.';
COMMENT ON COLUMN payment_list_reads.next_read_at IS 'When the list is read next.';

CREATE TABLE mandates (
  account_id           uuid NOT NULL,
  mandate_id           uuid NOT NULL,
  customer_id          uuid NOT NULL,
  gateway              text NOT NULL,
  currency             text NOT NULL,
  status               text NOT NULL,
  url                  text,
  provider_request_id  text,
  provider_mandate_id  text,
  scheme               text,
  account_ending       text,
  automatic_since      timestamptz,
  failure              text,
  version              integer NOT NULL,
  created_at           timestamptz NOT NULL,
  asked_at             timestamptz,
  activated_at         timestamptz,
  ended_at             timestamptz,
  next_look_at         timestamptz,
  reference            text,
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
  CONSTRAINT mandates_version_from_one CHECK (version > 0),
  CONSTRAINT mandates_reference_is_short CHECK (length(reference) <= 64)
);
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
  'When the provider is asked next; null: nothing more comes of it.';
COMMENT ON COLUMN mandates.reference IS
  'What the customer reads on the bank statement; null: the provider has not said.';

CREATE INDEX mandates_by_id ON mandates (mandate_id);
CREATE INDEX mandates_of_customer ON mandates (account_id, customer_id, mandate_id);
CREATE INDEX mandates_due ON mandates (next_look_at) WHERE next_look_at IS NOT NULL;
CREATE INDEX mandates_active ON mandates (account_id, customer_id, currency)
  WHERE status = 'active';

CREATE TRIGGER mandates_stay
  BEFORE DELETE OR UPDATE OF account_id, mandate_id, customer_id, gateway, currency, created_at
    OR TRUNCATE
  ON mandates FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_change('a mandate stays whose it is, and ends, but is never deleted');

CREATE TABLE collections (
  account_id       uuid NOT NULL,
  payment_link_id  uuid NOT NULL,
  document_id      uuid NOT NULL,
  mandate_id       uuid NOT NULL,
  charge_on        date NOT NULL,
  automatic        boolean NOT NULL,
  withdrawn_at     timestamptz,
  PRIMARY KEY (account_id, payment_link_id),
  FOREIGN KEY (account_id, payment_link_id, document_id)
    REFERENCES payment_links (account_id, payment_link_id, document_id),
  FOREIGN KEY (account_id, mandate_id) REFERENCES mandates (account_id, mandate_id)
);
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
  'When it was given up because less was due than it asks for; null: it stands.';

CREATE INDEX collections_of_mandate ON collections (account_id, mandate_id);
CREATE UNIQUE INDEX collections_automatic_once ON collections (account_id, document_id)
  WHERE automatic AND withdrawn_at IS NULL;

CREATE TRIGGER collections_stay
  BEFORE DELETE OR TRUNCATE OR UPDATE OF account_id, payment_link_id, document_id, mandate_id,
    charge_on, automatic
  ON collections FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_change('a collection stays what it is');
