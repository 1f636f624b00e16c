-- Money that came in and goes back: payments, links, credit, refunds, and what providers reported.

CREATE TABLE payment_settings (
  account_id              uuid PRIMARY KEY REFERENCES accounts,
  underpayment_tolerance  jsonb NOT NULL,
  version                 integer NOT NULL,
  updated_at              timestamptz NOT NULL,
  CONSTRAINT payment_settings_tolerance_is_an_object
    CHECK (jsonb_typeof(underpayment_tolerance) = 'object'),
  CONSTRAINT payment_settings_version_from_one CHECK (version > 0)
);
COMMENT ON TABLE payment_settings IS 'What an account waives of a document that was paid short.';
COMMENT ON COLUMN payment_settings.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN payment_settings.underpayment_tolerance IS
  'By ISO 4217 code, the most that is waived, in minor units.';
COMMENT ON COLUMN payment_settings.version IS 'Goes up by one with each change; the ETag.';
COMMENT ON COLUMN payment_settings.updated_at IS 'When it was changed last.';

CREATE FUNCTION mark_opened_xact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.opened_xact := CASE WHEN NEW.url IS NOT NULL THEN book_xact() END;
  RETURN NEW;
END $$;

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
  PRIMARY KEY (account_id, payment_link_id),
  CONSTRAINT payment_links_document UNIQUE (account_id, payment_link_id, document_id),
  FOREIGN KEY (account_id, document_id, currency) REFERENCES documents (account_id, document_id,
    currency),
  CONSTRAINT payment_links_amount_positive CHECK (amount > 0),
  CONSTRAINT payment_links_status_known CHECK (status IN ('open', 'paid', 'canceled')),
  CONSTRAINT payment_links_paid_has_its_time CHECK ((status = 'paid') = (paid_at IS NOT NULL)),
  CONSTRAINT payment_links_canceled_has_its_time
    CHECK ((status = 'canceled') = (canceled_at IS NOT NULL)),
  CONSTRAINT payment_links_xact_when_opened CHECK ((opened_xact IS NULL) = (url IS NULL))
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
CREATE TRIGGER payment_links_opened_once BEFORE UPDATE OF url, provider_object_id ON payment_links
  FOR EACH ROW
  WHEN (OLD.url IS NOT NULL AND (OLD.url, OLD.provider_object_id)
    IS DISTINCT FROM (NEW.url, NEW.provider_object_id))
  EXECUTE FUNCTION refuse_change('a link keeps its pay page');
CREATE TRIGGER payment_links_opened_in BEFORE INSERT OR UPDATE OF url ON payment_links
  FOR EACH ROW WHEN ((NEW.url IS NULL) <> (NEW.opened_xact IS NULL))
  EXECUTE FUNCTION mark_opened_xact();

CREATE TABLE unmatched_receipts (
  account_id           uuid NOT NULL,
  receipt_id           uuid NOT NULL,
  gateway              text NOT NULL,
  provider_payment_id  text NOT NULL,
  amount               bigint NOT NULL,
  currency             text NOT NULL,
  fee                  bigint,
  reason               text NOT NULL,
  document_id          uuid,
  payment_link_id      uuid,
  link_reference       text,
  settled              bigint NOT NULL DEFAULT 0,
  paid_at              timestamptz NOT NULL,
  received_at          timestamptz NOT NULL,
  xact                 bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (account_id, receipt_id),
  CONSTRAINT unmatched_receipts_provider UNIQUE (account_id, gateway, provider_payment_id),
  FOREIGN KEY (account_id, payment_link_id) REFERENCES payment_links,
  FOREIGN KEY (account_id, document_id) REFERENCES documents,
  CONSTRAINT unmatched_receipts_amount_positive CHECK (amount > 0),
  CONSTRAINT unmatched_receipts_settled_within_amount CHECK (settled BETWEEN 0 AND amount),
  CONSTRAINT unmatched_receipts_fee_within_amount CHECK (fee BETWEEN 1 AND amount),
  CONSTRAINT unmatched_receipts_reason_known
    CHECK (reason IN ('unknown_link', 'currency_mismatch', 'document_not_payable',
      'amount_too_large', 'unconfirmed', 'foreign_gateway'))
);
COMMENT ON TABLE unmatched_receipts IS
  'Money that a provider took and no document could take. Only settled changes.';
COMMENT ON COLUMN unmatched_receipts.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN unmatched_receipts.receipt_id IS 'Identifies the money.';
COMMENT ON COLUMN unmatched_receipts.gateway IS 'Gateway that it came by.';
COMMENT ON COLUMN unmatched_receipts.provider_payment_id IS 'Id of the provider for the payment.';
COMMENT ON COLUMN unmatched_receipts.amount IS 'What came in, in minor units.';
COMMENT ON COLUMN unmatched_receipts.currency IS 'ISO 4217 code of the amount.';
COMMENT ON COLUMN unmatched_receipts.fee IS
  'What the gateway kept, in minor units; null: it does not say.';
COMMENT ON COLUMN unmatched_receipts.reason IS 'Why no document could take it.';
COMMENT ON COLUMN unmatched_receipts.document_id IS 'Document that it was meant for, if known.';
COMMENT ON COLUMN unmatched_receipts.payment_link_id IS 'Link that it came by, if known.';
COMMENT ON COLUMN unmatched_receipts.link_reference IS 'What the provider said of the link.';
COMMENT ON COLUMN unmatched_receipts.settled IS
  'What was assigned or refunded, or is on its way back, in minor units.';
COMMENT ON COLUMN unmatched_receipts.paid_at IS 'When it was paid.';
COMMENT ON COLUMN unmatched_receipts.received_at IS 'When the provider reported it.';
COMMENT ON COLUMN unmatched_receipts.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

CREATE INDEX unmatched_receipts_open ON unmatched_receipts
  (account_id, receipt_id) WHERE settled < amount;
CREATE INDEX unmatched_receipts_xact ON unmatched_receipts USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);
CREATE INDEX unmatched_receipts_of_provider ON unmatched_receipts (gateway, provider_payment_id);

CREATE TRIGGER unmatched_receipts_append_only BEFORE DELETE OR UPDATE OF account_id, receipt_id,
  gateway, provider_payment_id, amount, currency, reason, document_id, payment_link_id,
  link_reference, paid_at, received_at OR TRUNCATE ON unmatched_receipts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('receipts are append-only');
CREATE TRIGGER unmatched_receipts_xact_stays BEFORE UPDATE OF xact ON unmatched_receipts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a row stays in its transaction');
CREATE TRIGGER unmatched_receipts_fee_stays BEFORE UPDATE OF fee ON unmatched_receipts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('receipts are append-only');

-- As a function, which is parsed once, and not with each payment.
CREATE FUNCTION payment_is_sound(amount bigint, applied bigint, returned bigint, fee bigint,
  document_id uuid, gateway text, provider_payment_id text, client_id uuid, bank_entry_id uuid)
RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  broken text := CASE
    WHEN amount NOT BETWEEN 1 AND 10000000000000 THEN 'payments_amount_from_1_to_10_to_the_13'
    WHEN applied NOT BETWEEN 0 AND amount THEN 'payments_applied_within_amount'
    WHEN returned NOT BETWEEN 0 AND amount THEN 'payments_returned_within_amount'
    WHEN fee NOT BETWEEN 1 AND amount THEN 'payments_fee_within_amount'
    WHEN document_id IS NULL AND applied <> 0 THEN 'payments_applied_to_a_document'
    WHEN (gateway IS NULL) <> (provider_payment_id IS NULL) THEN 'payments_gateway_gives_an_id'
    WHEN num_nonnulls(client_id, gateway, bank_entry_id) = 0 THEN 'payments_source'
  END;
BEGIN
  IF broken IS NOT NULL THEN PERFORM refuse_row('payments', broken); END IF;
  RETURN true;
END $$;

CREATE TABLE payments (
  account_id           uuid NOT NULL,
  payment_id           uuid NOT NULL,
  document_id          uuid,
  customer_id          uuid NOT NULL,
  currency             text NOT NULL,
  amount               bigint NOT NULL,
  applied              bigint NOT NULL,
  returned             bigint NOT NULL DEFAULT 0,
  fee                  bigint,
  method               text NOT NULL,
  reference            text,
  note                 text,
  metadata             jsonb NOT NULL,
  client_id            uuid,
  gateway              text,
  provider_payment_id  text,
  payment_link_id      uuid,
  receipt_id           uuid,
  bank_entry_id        uuid,
  paid_at              timestamptz NOT NULL,
  recorded_at          timestamptz NOT NULL,
  xact                 bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (account_id, payment_id),
  FOREIGN KEY (account_id, document_id, currency) REFERENCES documents (account_id, document_id,
    currency),
  FOREIGN KEY (account_id, payment_link_id, document_id) REFERENCES payment_links (account_id,
    payment_link_id, document_id),
  FOREIGN KEY (account_id, receipt_id) REFERENCES unmatched_receipts,
  CONSTRAINT payments_sound
    CHECK (payment_is_sound(amount, applied, returned, fee, document_id, gateway,
      provider_payment_id, client_id, bank_entry_id))
);
COMMENT ON TABLE payments IS
  'Money that came in. The rest of amount, beside applied and the allocations, is credit of the '
  'customer. Append-only but for returned and receipt_id.';
COMMENT ON COLUMN payments.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN payments.payment_id IS 'Identifies the payment.';
COMMENT ON COLUMN payments.document_id IS 'Document that it pays; null: its allocations say which.';
COMMENT ON COLUMN payments.customer_id IS 'Customer who paid.';
COMMENT ON COLUMN payments.currency IS 'ISO 4217 code of the amounts.';
COMMENT ON COLUMN payments.amount IS 'What came in, in minor units.';
COMMENT ON COLUMN payments.applied IS 'What the document took when it came, in minor units.';
COMMENT ON COLUMN payments.returned IS
  'What went back of it, or is on its way back, in minor units: the last guard against two '
  'refunds at once.';
COMMENT ON COLUMN payments.fee IS 'What the gateway kept, in minor units; null: it does not say.';
COMMENT ON COLUMN payments.method IS 'How it was paid.';
COMMENT ON COLUMN payments.reference IS 'Reference that the caller gave.';
COMMENT ON COLUMN payments.note IS 'Note that the caller gave.';
COMMENT ON COLUMN payments.metadata IS 'Values that the caller attached; never read.';
COMMENT ON COLUMN payments.client_id IS 'Client that recorded it; null: a provider reported it.';
COMMENT ON COLUMN payments.gateway IS 'Gateway that it came by.';
COMMENT ON COLUMN payments.provider_payment_id IS 'Id of the provider for the payment.';
COMMENT ON COLUMN payments.payment_link_id IS 'Link that it came by.';
COMMENT ON COLUMN payments.receipt_id IS 'Unmatched receipt that it was assigned from.';
COMMENT ON COLUMN payments.bank_entry_id IS 'Bank entry that it was booked from.';
COMMENT ON COLUMN payments.paid_at IS 'When it was paid.';
COMMENT ON COLUMN payments.recorded_at IS 'When it was recorded.';
COMMENT ON COLUMN payments.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

CREATE UNIQUE INDEX payments_provider ON payments
  (account_id, gateway, provider_payment_id) WHERE gateway IS NOT NULL;
CREATE INDEX payments_of_document ON payments (account_id, document_id, recorded_at);
CREATE INDEX payments_of_customer ON payments
  (account_id, customer_id, payment_id) WHERE document_id IS NULL;
-- Partial, because nearly every payment has none.
CREATE UNIQUE INDEX payments_receipt ON payments
  (account_id, receipt_id) WHERE receipt_id IS NOT NULL;
CREATE UNIQUE INDEX payments_bank_entry ON payments
  (account_id, bank_entry_id) WHERE bank_entry_id IS NOT NULL;
CREATE INDEX payments_xact ON payments USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER payments_append_only BEFORE DELETE OR UPDATE OF account_id, payment_id, document_id,
  customer_id, currency, amount, applied, method, reference, note, metadata, paid_at, recorded_at,
  client_id, gateway, provider_payment_id, payment_link_id, fee, bank_entry_id OR TRUNCATE ON
  payments
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('payments are append-only');
CREATE TRIGGER payments_xact_stays BEFORE UPDATE OF xact ON payments
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a row stays in its transaction');

CREATE TABLE allocations (
  account_id     uuid NOT NULL,
  allocation_id  uuid NOT NULL,
  payment_id     uuid NOT NULL,
  document_id    uuid NOT NULL,
  currency       text NOT NULL,
  amount         bigint NOT NULL,
  reason         text NOT NULL,
  created_at     timestamptz NOT NULL,
  xact           bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (account_id, allocation_id),
  FOREIGN KEY (account_id, payment_id) REFERENCES payments,
  FOREIGN KEY (account_id, document_id, currency) REFERENCES documents (account_id, document_id,
    currency),
  CONSTRAINT allocations_amount_not_zero CHECK (amount <> 0),
  CONSTRAINT allocations_reason_known CHECK (reason IN ('receipt', 'move', 'reversal'))
);
COMMENT ON TABLE allocations IS
  'What a payment pays beside, or instead of, the document that its own row names. Append-only. '
  'The sum of both is what it pays there, refunds apart.';
COMMENT ON COLUMN allocations.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN allocations.allocation_id IS 'Identifies the allocation.';
COMMENT ON COLUMN allocations.payment_id IS 'The payment.';
COMMENT ON COLUMN allocations.document_id IS 'The document.';
COMMENT ON COLUMN allocations.currency IS 'ISO 4217 code of the amount.';
COMMENT ON COLUMN allocations.amount IS
  'What the document takes, in minor units; below zero: taken off it again.';
COMMENT ON COLUMN allocations.reason IS 'Why it is here.';
COMMENT ON COLUMN allocations.created_at IS 'When it was written.';
COMMENT ON COLUMN allocations.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

CREATE INDEX allocations_of_payment ON allocations (account_id, payment_id);
CREATE INDEX allocations_of_document ON allocations (account_id, document_id);
CREATE INDEX allocations_xact ON allocations USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER allocations_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON allocations
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('allocations are append-only');

CREATE TABLE payment_reversals (
  account_id   uuid NOT NULL,
  payment_id   uuid NOT NULL,
  reason       text,
  client_id    uuid NOT NULL,
  reversed_at  timestamptz NOT NULL,
  xact         bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (account_id, payment_id),
  FOREIGN KEY (account_id, payment_id) REFERENCES payments
);
COMMENT ON TABLE payment_reversals IS 'Payments that were recorded by mistake. Append-only.';
COMMENT ON COLUMN payment_reversals.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN payment_reversals.payment_id IS 'The payment.';
COMMENT ON COLUMN payment_reversals.reason IS 'What the client said.';
COMMENT ON COLUMN payment_reversals.client_id IS 'Client that reversed it.';
COMMENT ON COLUMN payment_reversals.reversed_at IS 'When it was reversed.';
COMMENT ON COLUMN payment_reversals.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

CREATE INDEX payment_reversals_xact ON payment_reversals USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER payment_reversals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON
  payment_reversals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('reversals are append-only');

CREATE TABLE customer_credits (
  account_id      uuid NOT NULL,
  credit_id       uuid NOT NULL,
  customer_id     uuid NOT NULL,
  payment_id      uuid,
  credit_note_id  uuid,
  currency        text NOT NULL,
  amount          bigint NOT NULL,
  created_at      timestamptz NOT NULL,
  xact            bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (account_id, credit_id),
  FOREIGN KEY (account_id, customer_id) REFERENCES customers,
  FOREIGN KEY (account_id, payment_id) REFERENCES payments,
  FOREIGN KEY (account_id, credit_note_id) REFERENCES documents,
  CONSTRAINT customer_credits_amount_not_zero CHECK (amount <> 0),
  CONSTRAINT customer_credits_from_payment_or_credit_note
    CHECK ((payment_id IS NULL) <> (credit_note_id IS NULL))
);
COMMENT ON TABLE customer_credits IS 'Movements of a customer''s credit. Append-only.';
COMMENT ON COLUMN customer_credits.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN customer_credits.credit_id IS 'Identifies the movement.';
COMMENT ON COLUMN customer_credits.customer_id IS 'Customer whose credit it is.';
COMMENT ON COLUMN customer_credits.payment_id IS 'Payment that it came from, or that spent it.';
COMMENT ON COLUMN customer_credits.credit_note_id IS 'Credit note that it came from.';
COMMENT ON COLUMN customer_credits.currency IS 'ISO 4217 code of the amount.';
COMMENT ON COLUMN customer_credits.amount IS
  'Credit that was given, in minor units; below zero: spent.';
COMMENT ON COLUMN customer_credits.created_at IS 'When it was written.';
COMMENT ON COLUMN customer_credits.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

CREATE INDEX customer_credits_of_customer ON customer_credits (account_id, customer_id);
CREATE INDEX customer_credits_of_credit_note ON customer_credits
  (account_id, credit_note_id) WHERE credit_note_id IS NOT NULL;
CREATE INDEX customer_credits_of_payment ON customer_credits
  (account_id, payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX customer_credits_xact ON customer_credits USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER customer_credits_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON customer_credits
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('customer credits are append-only');

CREATE TABLE customer_balances (
  account_id   uuid NOT NULL,
  customer_id  uuid NOT NULL,
  currency     text NOT NULL,
  credit       bigint NOT NULL,
  reserved     bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, customer_id, currency),
  FOREIGN KEY (account_id, customer_id) REFERENCES customers,
  CONSTRAINT customer_balances_reserved_not_negative CHECK (reserved >= 0),
  CONSTRAINT customer_balances_not_negative CHECK (credit >= reserved)
);
COMMENT ON TABLE customer_balances IS
  'The credit of a customer. Stored, so that it cannot fall below zero whoever writes.';
COMMENT ON COLUMN customer_balances.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN customer_balances.customer_id IS 'Customer whose credit it is.';
COMMENT ON COLUMN customer_balances.currency IS 'ISO 4217 code of the amounts.';
COMMENT ON COLUMN customer_balances.credit IS 'Sum of the movements, in minor units.';
COMMENT ON COLUMN customer_balances.reserved IS
  'Credit that is on its way back to the customer, in minor units: it may not be spent.';

CREATE FUNCTION mark_settled_xact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.settled_xact := CASE WHEN NEW.settled_at IS NOT NULL THEN book_xact() END;
  RETURN NEW;
END $$;

CREATE TABLE refunds (
  account_id          uuid NOT NULL,
  refund_id           uuid NOT NULL,
  payment_id          uuid,
  receipt_id          uuid,
  customer_id         uuid,
  currency            text NOT NULL,
  amount              bigint NOT NULL,
  from_credit         bigint NOT NULL DEFAULT 0,
  method              text NOT NULL,
  gateway             text,
  status              text NOT NULL,
  provider_refund_id  text,
  failure             text,
  reference           text,
  reason              text,
  client_id           uuid NOT NULL,
  requested_at        timestamptz NOT NULL,
  settled_at          timestamptz,
  attempts            integer NOT NULL DEFAULT 0,
  next_look_at        timestamptz,
  xact                bigint NOT NULL DEFAULT book_xact(),
  settled_xact        bigint,
  PRIMARY KEY (account_id, refund_id),
  FOREIGN KEY (account_id, payment_id) REFERENCES payments,
  FOREIGN KEY (account_id, receipt_id) REFERENCES unmatched_receipts,
  CONSTRAINT refunds_amount_positive CHECK (amount > 0),
  CONSTRAINT refunds_status_known CHECK (status IN ('pending', 'unknown', 'succeeded', 'failed')),
  CONSTRAINT refunds_of_payment_or_receipt CHECK ((payment_id IS NULL) <> (receipt_id IS NULL)),
  CONSTRAINT refunds_customer_with_a_payment CHECK ((payment_id IS NULL) = (customer_id IS NULL)),
  CONSTRAINT refunds_credit_within_amount CHECK (from_credit BETWEEN 0 AND amount),
  CONSTRAINT refunds_settled_has_its_time
    CHECK ((status IN ('succeeded', 'failed')) = (settled_at IS NOT NULL)),
  CONSTRAINT refunds_unsettled_only_by_gateway
    CHECK (status IN ('succeeded', 'failed') OR gateway IS NOT NULL),
  CONSTRAINT refunds_no_failure_when_succeeded CHECK (failure IS NULL OR status <> 'succeeded'),
  CONSTRAINT refunds_looked_up_until_settled
    CHECK ((next_look_at IS NOT NULL) = (status IN ('pending', 'unknown'))),
  CONSTRAINT refunds_xact_when_settled CHECK ((settled_xact IS NULL) = (settled_at IS NULL))
);
COMMENT ON TABLE refunds IS
  'Money on its way back. A refund is asked for in one transaction and settled in another, with '
  'the call of the provider between them.';
COMMENT ON COLUMN refunds.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN refunds.refund_id IS 'Identifies the refund; providers name it.';
COMMENT ON COLUMN refunds.payment_id IS 'Payment that goes back; null: an unmatched receipt does.';
COMMENT ON COLUMN refunds.receipt_id IS 'Unmatched receipt that goes back; null: a payment does.';
COMMENT ON COLUMN refunds.customer_id IS 'Customer who gets it; null with an unmatched receipt.';
COMMENT ON COLUMN refunds.currency IS 'ISO 4217 code of the amounts.';
COMMENT ON COLUMN refunds.amount IS 'What goes back, in minor units.';
COMMENT ON COLUMN refunds.from_credit IS
  'Part of it that the credit of the customer gives, in minor units. What documents give stands '
  'in refund_parts.';
COMMENT ON COLUMN refunds.method IS 'How it goes back.';
COMMENT ON COLUMN refunds.gateway IS 'Gateway that is asked; null: paid by hand.';
COMMENT ON COLUMN refunds.status IS
  'State of the refund; unknown: the provider did not answer, and is asked again.';
COMMENT ON COLUMN refunds.provider_refund_id IS 'Id of the provider for the refund.';
COMMENT ON COLUMN refunds.failure IS 'Why it failed.';
COMMENT ON COLUMN refunds.reference IS 'Reference that the client gave.';
COMMENT ON COLUMN refunds.reason IS 'What the client said.';
COMMENT ON COLUMN refunds.client_id IS 'Client that asked for it.';
COMMENT ON COLUMN refunds.requested_at IS 'When it was asked for.';
COMMENT ON COLUMN refunds.settled_at IS 'When it succeeded or failed.';
COMMENT ON COLUMN refunds.attempts IS 'How often the provider was asked.';
COMMENT ON COLUMN refunds.next_look_at IS 'When the provider is to be asked what became of it.';
COMMENT ON COLUMN refunds.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';
COMMENT ON COLUMN refunds.settled_xact IS 'Transaction that settled it.';

CREATE INDEX refunds_of_payment ON refunds (account_id, payment_id);
CREATE INDEX refunds_of_receipt ON refunds (account_id, receipt_id) WHERE receipt_id IS NOT NULL;
CREATE INDEX refunds_to_look_up ON refunds (next_look_at) WHERE next_look_at IS NOT NULL;
CREATE INDEX refunds_xact ON refunds USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);
CREATE INDEX refunds_settled_xact ON refunds USING brin
  (settled_xact) WITH (pages_per_range = 128, autosummarize = on);
-- A provider names a refund by its id alone.
CREATE INDEX refunds_of_id ON refunds (refund_id);

CREATE TRIGGER refunds_stay BEFORE DELETE OR TRUNCATE ON refunds
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('refunds are never deleted');
CREATE TRIGGER refunds_xact_stays BEFORE UPDATE OF xact ON refunds
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a row stays in its transaction');
CREATE TRIGGER refunds_settled_xact_stays BEFORE UPDATE OF settled_xact ON refunds
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a row stays in its transaction');
CREATE TRIGGER refunds_settled_in BEFORE INSERT OR UPDATE OF settled_at ON refunds
  FOR EACH ROW
  WHEN ((NEW.settled_at IS NULL) <> (NEW.settled_xact IS NULL))
  EXECUTE FUNCTION mark_settled_xact();
-- Column by column, as PostgreSQL prints it: made of a dump, it stays as it is.
CREATE TRIGGER refunds_settle_once BEFORE UPDATE ON refunds
  FOR EACH ROW
  WHEN (OLD.status IN ('succeeded', 'failed')
    OR OLD.account_id IS DISTINCT FROM NEW.account_id
    OR OLD.refund_id IS DISTINCT FROM NEW.refund_id
    OR OLD.payment_id IS DISTINCT FROM NEW.payment_id
    OR OLD.receipt_id IS DISTINCT FROM NEW.receipt_id
    OR OLD.customer_id IS DISTINCT FROM NEW.customer_id
    OR OLD.currency IS DISTINCT FROM NEW.currency
    OR OLD.amount IS DISTINCT FROM NEW.amount
    OR OLD.from_credit IS DISTINCT FROM NEW.from_credit
    OR OLD.method IS DISTINCT FROM NEW.method
    OR OLD.gateway IS DISTINCT FROM NEW.gateway
    OR OLD.reference IS DISTINCT FROM NEW.reference
    OR OLD.reason IS DISTINCT FROM NEW.reason
    OR OLD.client_id IS DISTINCT FROM NEW.client_id
    OR OLD.requested_at IS DISTINCT FROM NEW.requested_at)
  EXECUTE FUNCTION refuse_change('a refund is settled once');

CREATE TABLE refund_parts (
  account_id   uuid NOT NULL,
  refund_id    uuid NOT NULL,
  document_id  uuid NOT NULL,
  amount       bigint NOT NULL,
  xact         bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (account_id, refund_id, document_id),
  FOREIGN KEY (account_id, refund_id) REFERENCES refunds,
  FOREIGN KEY (account_id, document_id) REFERENCES documents,
  CONSTRAINT refund_parts_amount_positive CHECK (amount > 0)
);
COMMENT ON TABLE refund_parts IS 'What documents give of a refund. Append-only.';
COMMENT ON COLUMN refund_parts.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN refund_parts.refund_id IS 'The refund.';
COMMENT ON COLUMN refund_parts.document_id IS 'The document.';
COMMENT ON COLUMN refund_parts.amount IS 'What the document gives, in minor units.';
COMMENT ON COLUMN refund_parts.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

CREATE INDEX refund_parts_of_document ON refund_parts (account_id, document_id);
CREATE INDEX refund_parts_xact ON refund_parts USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER refund_parts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON refund_parts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('refund parts are append-only');

CREATE TABLE refund_requests (
  account_id      uuid NOT NULL REFERENCES accounts,
  scope           bytea NOT NULL,
  request_sha256  bytea NOT NULL,
  refund_id       uuid NOT NULL,
  requested_at    timestamptz NOT NULL,
  PRIMARY KEY (account_id, scope)
);
COMMENT ON TABLE refund_requests IS
  'Idempotency-Keys of refunds. Taken before the provider is called, so that a repeat finds the '
  'refund that is under way. Deleted when too old.';
COMMENT ON COLUMN refund_requests.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN refund_requests.scope IS 'Digest of client, route and key.';
COMMENT ON COLUMN refund_requests.request_sha256 IS
  'Digest of the request: the same key with another request is refused.';
COMMENT ON COLUMN refund_requests.refund_id IS 'Refund that the key made.';
COMMENT ON COLUMN refund_requests.requested_at IS 'When it was asked for.';

CREATE INDEX refund_requests_age ON refund_requests USING brin (requested_at);

CREATE TABLE provider_events (
  gateway      text NOT NULL,
  event_id     text NOT NULL,
  event_type   text NOT NULL,
  fingerprint  text,
  outcome      text NOT NULL,
  review       text,
  received_at  timestamptz NOT NULL,
  xact         bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (gateway, event_id),
  CONSTRAINT provider_events_outcome_known CHECK (outcome IN ('ok', 'ignored', 'no_link_id'))
);
COMMENT ON TABLE provider_events IS
  'Events that providers delivered: the first guard against doubles. Append-only. Global, '
  'because an event comes before its account is known.';
COMMENT ON COLUMN provider_events.gateway IS 'Gateway that delivered it.';
COMMENT ON COLUMN provider_events.event_id IS 'Id of the provider for the event.';
COMMENT ON COLUMN provider_events.event_type IS 'Type that the provider gives it.';
COMMENT ON COLUMN provider_events.fingerprint IS
  'What the gateway tells repeats of the event by, where an id is not enough.';
COMMENT ON COLUMN provider_events.outcome IS 'What became of it.';
COMMENT ON COLUMN provider_events.review IS
  'Why an operator should look: money moved, and it could not be booked.';
COMMENT ON COLUMN provider_events.received_at IS 'When it was delivered.';
COMMENT ON COLUMN provider_events.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

CREATE INDEX provider_events_review ON provider_events (received_at) WHERE review IS NOT NULL;
CREATE INDEX provider_events_xact ON provider_events USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER provider_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON provider_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('provider events are append-only');

CREATE TABLE provider_receipts (
  gateway              text NOT NULL,
  provider_payment_id  text NOT NULL,
  account_id           uuid REFERENCES accounts,
  payment_link_id      uuid,
  payment_id           uuid,
  amount               bigint NOT NULL,
  currency             text NOT NULL,
  unmatched_reason     text,
  event_id             text NOT NULL,
  link_reference       text,
  paid_at              timestamptz NOT NULL,
  received_at          timestamptz NOT NULL,
  xact                 bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (gateway, provider_payment_id),
  FOREIGN KEY (account_id, payment_id) REFERENCES payments,
  CONSTRAINT provider_receipts_amount_positive CHECK (amount > 0),
  CONSTRAINT provider_receipts_payment_or_reason
    CHECK ((payment_id IS NULL) = (unmatched_reason IS NOT NULL)),
  CONSTRAINT provider_receipts_reason_known
    CHECK (unmatched_reason IN ('unknown_link', 'currency_mismatch', 'document_not_payable',
      'amount_too_large', 'unconfirmed', 'foreign_gateway'))
);
COMMENT ON TABLE provider_receipts IS
  'Money that providers took, once each, whatever became of it: the second guard against '
  'doubles. Append-only. Global, as provider_events are.';
COMMENT ON COLUMN provider_receipts.gateway IS 'Gateway that took it.';
COMMENT ON COLUMN provider_receipts.provider_payment_id IS 'Id of the provider for the payment.';
COMMENT ON COLUMN provider_receipts.account_id IS 'Account that it belongs to; null: unknown.';
COMMENT ON COLUMN provider_receipts.payment_link_id IS 'Link that it came by, if known.';
COMMENT ON COLUMN provider_receipts.payment_id IS
  'Payment that it became; null: see unmatched_reason.';
COMMENT ON COLUMN provider_receipts.amount IS 'What came in, in minor units.';
COMMENT ON COLUMN provider_receipts.currency IS 'ISO 4217 code of the amount.';
COMMENT ON COLUMN provider_receipts.unmatched_reason IS
  'Why no document could take it; null: one did.';
COMMENT ON COLUMN provider_receipts.event_id IS 'Event of the provider that reported it.';
COMMENT ON COLUMN provider_receipts.link_reference IS 'What the provider said of the link.';
COMMENT ON COLUMN provider_receipts.paid_at IS 'When it was paid.';
COMMENT ON COLUMN provider_receipts.received_at IS 'When it was reported.';
COMMENT ON COLUMN provider_receipts.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

CREATE INDEX provider_receipts_unmatched ON provider_receipts
  (account_id, received_at) WHERE unmatched_reason IS NOT NULL;
CREATE INDEX provider_receipts_xact ON provider_receipts USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER provider_receipts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON
  provider_receipts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('provider receipts are append-only');
