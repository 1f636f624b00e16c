-- What was given back.

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
  client_id           uuid,
  requested_at        timestamptz NOT NULL,
  settled_at          timestamptz,
  attempts            integer NOT NULL DEFAULT 0,
  next_look_at        timestamptz,
  xact                bigint NOT NULL DEFAULT book_xact(),
  settled_xact        bigint,
  paid_from           text NOT NULL,
  lost                bigint NOT NULL DEFAULT 0,
  booked_on           date,
  credit_kept         bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, refund_id),
  FOREIGN KEY (account_id, payment_id) REFERENCES payments,
  FOREIGN KEY (account_id, receipt_id) REFERENCES unmatched_receipts,
  CONSTRAINT refunds_amount_positive CHECK (amount > 0),
  CONSTRAINT refunds_status_known CHECK (status IN ('pending', 'unknown', 'succeeded', 'failed')),
  CONSTRAINT refunds_of_payment_or_receipt CHECK ((payment_id IS NULL) <> (receipt_id IS NULL)),
  CONSTRAINT refunds_customer_with_a_payment CHECK ((payment_id IS NULL) = (customer_id IS NULL)),
  CONSTRAINT refunds_settled_has_its_time
    CHECK ((status IN ('succeeded', 'failed')) = (settled_at IS NOT NULL)),
  CONSTRAINT refunds_unsettled_only_by_gateway
    CHECK (status IN ('succeeded', 'failed') OR gateway IS NOT NULL),
  CONSTRAINT refunds_no_failure_when_succeeded CHECK (failure IS NULL OR status <> 'succeeded'),
  CONSTRAINT refunds_looked_up_until_settled
    CHECK ((next_look_at IS NOT NULL) = (status IN ('pending', 'unknown'))),
  CONSTRAINT refunds_xact_when_settled CHECK ((settled_xact IS NULL) = (settled_at IS NULL)),
  CONSTRAINT refunds_paid_from_known CHECK (paid_from IN ('cash', 'gateway_clearing')),
  CONSTRAINT refunds_gateway_pays_its_own CHECK (gateway IS NULL OR paid_from = 'gateway_clearing'),
  CONSTRAINT refunds_credit_within_amount
    CHECK (from_credit >= 0 AND lost >= 0 AND from_credit + lost <= amount),
  CONSTRAINT refunds_asked_for_or_made_by_a_gateway
    CHECK (client_id IS NOT NULL OR gateway IS NOT NULL),
  CONSTRAINT refunds_lost_only_by_a_gateway CHECK (lost = 0 OR client_id IS NULL),
  CONSTRAINT refunds_credit_kept_of_documents
    CHECK (credit_kept >= 0 AND credit_kept <= amount - from_credit - lost)
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
COMMENT ON COLUMN refunds.client_id IS
  'Client that asked for it; null: the provider told of it first.';
COMMENT ON COLUMN refunds.requested_at IS 'When it was asked for.';
COMMENT ON COLUMN refunds.settled_at IS 'When it succeeded or failed.';
COMMENT ON COLUMN refunds.attempts IS 'How often the provider was asked.';
COMMENT ON COLUMN refunds.next_look_at IS 'When the provider is to be asked what became of it.';
COMMENT ON COLUMN refunds.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';
COMMENT ON COLUMN refunds.settled_xact IS 'Transaction that settled it.';
COMMENT ON COLUMN refunds.paid_from IS 'Account of the ledger that the money leaves.';
COMMENT ON COLUMN refunds.lost IS
  'Part of it that nobody can be asked for, since the money was not here any more, in minor units.';
COMMENT ON COLUMN refunds.booked_on IS
  'First open day, on which the ledger has it; null: the day of settled_at was open.';
COMMENT ON COLUMN refunds.credit_kept IS
  'Credit that notes of its documents gave, and that was kept for it while it was on its way, in '
  'minor units.';

CREATE INDEX refunds_of_payment ON refunds (account_id, payment_id);
CREATE INDEX refunds_of_receipt ON refunds (account_id, receipt_id) WHERE receipt_id IS NOT NULL;
CREATE INDEX refunds_to_look_up ON refunds (next_look_at) WHERE next_look_at IS NOT NULL;
CREATE INDEX refunds_xact ON refunds USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);
CREATE INDEX refunds_settled_xact ON refunds USING brin
  (settled_xact) WITH (pages_per_range = 128, autosummarize = on);
-- A provider names a refund by its id alone.
CREATE INDEX refunds_of_id ON refunds (refund_id);
CREATE UNIQUE INDEX refunds_once_of_provider ON refunds (account_id, gateway, provider_refund_id)
  WHERE provider_refund_id IS NOT NULL;
-- Lines name refunds by the provider's id.
CREATE INDEX refunds_of_provider ON refunds (account_id, provider_refund_id)
  WHERE provider_refund_id IS NOT NULL;

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
CREATE TRIGGER refunds_paid_from_stays BEFORE UPDATE OF paid_from ON refunds
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a refund is settled once');
CREATE TRIGGER refunds_lost_stays BEFORE UPDATE OF lost ON refunds
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a refund is settled once');
CREATE TRIGGER refunds_booked_on BEFORE INSERT OR UPDATE OF status ON refunds
  FOR EACH ROW WHEN (NEW.status = 'succeeded')
  EXECUTE FUNCTION mark_booked_on('settled_at');
CREATE TRIGGER refunds_credit_kept_stays BEFORE UPDATE OF credit_kept ON refunds
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a refund is settled once');

ALTER TABLE conversions ADD FOREIGN KEY (account_id, refund_id) REFERENCES refunds;

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

CREATE TABLE refund_names (
  account_id          uuid NOT NULL,
  gateway             text NOT NULL,
  provider_refund_id  text NOT NULL,
  refund_id           uuid NOT NULL,
  amount              bigint NOT NULL,
  named_at            timestamptz NOT NULL,
  xact                bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (account_id, gateway, provider_refund_id),
  FOREIGN KEY (account_id, refund_id) REFERENCES refunds,
  CONSTRAINT refund_names_amount_positive CHECK (amount > 0)
);
COMMENT ON TABLE refund_names IS
  'Refunds of providers that were recorded here before the provider named them: by hand, or by '
  'the sum that went back of a charge. Append-only.';
COMMENT ON COLUMN refund_names.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN refund_names.gateway IS 'Gateway that told of it.';
COMMENT ON COLUMN refund_names.provider_refund_id IS 'Id of the provider for the refund.';
COMMENT ON COLUMN refund_names.refund_id IS 'The refund here that it is, or is a part of.';
COMMENT ON COLUMN refund_names.amount IS 'What the provider gave back by it, in minor units.';
COMMENT ON COLUMN refund_names.named_at IS 'When it was told.';
COMMENT ON COLUMN refund_names.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

CREATE INDEX refund_names_of_refund ON refund_names (account_id, refund_id);
CREATE INDEX refund_names_xact ON refund_names USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER refund_names_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON refund_names
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('names of refunds are append-only');

CREATE TABLE refund_undoings (
  account_id  uuid NOT NULL,
  refund_id   uuid NOT NULL,
  kind        text NOT NULL,
  reason      text,
  client_id   uuid,
  undone_at   timestamptz NOT NULL,
  xact        bigint NOT NULL DEFAULT book_xact(),
  booked_on   date,
  PRIMARY KEY (account_id, refund_id),
  FOREIGN KEY (account_id, refund_id) REFERENCES refunds,
  CONSTRAINT refund_undoings_kind_known CHECK (kind IN ('returned', 'reversed')),
  CONSTRAINT refund_undoings_reversed_by_a_client
    CHECK ((kind = 'reversed') = (client_id IS NOT NULL))
);
COMMENT ON TABLE refund_undoings IS
  'Refunds that succeeded, and whose money is back, or never went. Append-only.';
COMMENT ON COLUMN refund_undoings.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN refund_undoings.refund_id IS 'The refund; it is undone once.';
COMMENT ON COLUMN refund_undoings.kind IS
  'returned: the provider has the money back; reversed: it was recorded wrongly.';
COMMENT ON COLUMN refund_undoings.reason IS 'Short code of the provider, or what the client said.';
COMMENT ON COLUMN refund_undoings.client_id IS
  'Client that reversed it; null: the provider told of it.';
COMMENT ON COLUMN refund_undoings.undone_at IS 'When it was undone here.';
COMMENT ON COLUMN refund_undoings.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';
COMMENT ON COLUMN refund_undoings.booked_on IS
  'First open day, on which the ledger has it; null: the day of undone_at was open.';

CREATE INDEX refund_undoings_xact ON refund_undoings USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER refund_undoings_append_only BEFORE UPDATE OR DELETE OR TRUNCATE
  ON refund_undoings
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('refund undoings are append-only');
CREATE TRIGGER refund_undoings_booked_on BEFORE INSERT ON refund_undoings
  FOR EACH ROW EXECUTE FUNCTION mark_booked_on('undone_at');

CREATE TABLE refund_meanings (
  account_id   uuid NOT NULL,
  refund_id    uuid NOT NULL,
  step         integer NOT NULL,
  meaning      text NOT NULL,
  said_by      text NOT NULL,
  credit_note  jsonb,
  problem      text,
  client_id    uuid,
  said_at      timestamptz NOT NULL,
  xact         bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (account_id, refund_id, step),
  FOREIGN KEY (account_id, refund_id) REFERENCES refunds,
  CONSTRAINT refund_meanings_step_from_one CHECK (step > 0),
  CONSTRAINT refund_meanings_meaning_known CHECK (meaning IN ('lowers_document', 'owed_again')),
  CONSTRAINT refund_meanings_said_by_known
    CHECK (said_by IN ('call', 'setting', 'default', 'later')),
  CONSTRAINT refund_meanings_default_is_owed_again
    CHECK (said_by <> 'default' OR meaning = 'owed_again'),
  CONSTRAINT refund_meanings_notes_only_lower
    CHECK (meaning = 'lowers_document' OR credit_note IS NULL AND problem IS NULL)
);
COMMENT ON TABLE refund_meanings IS
  'What refunds mean for the documents that gave them; the last step counts. Append-only.';
COMMENT ON COLUMN refund_meanings.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN refund_meanings.refund_id IS 'The refund.';
COMMENT ON COLUMN refund_meanings.step IS 'Counts what was said of the refund, from 1.';
COMMENT ON COLUMN refund_meanings.meaning IS
  'lowers_document: a credit note is made with it; owed_again: what went back is due again.';
COMMENT ON COLUMN refund_meanings.said_by IS
  'call: with the refund; setting: of the account; default: nobody; later: after the refund.';
COMMENT ON COLUMN refund_meanings.credit_note IS
  'The terms of the credit note, as they were asked for; null: over what goes back.';
COMMENT ON COLUMN refund_meanings.problem IS
  'Code with which a credit note was refused when the money had gone; null: none was.';
COMMENT ON COLUMN refund_meanings.client_id IS
  'Client that said it; null: nobody did, or a provider told of the refund.';
COMMENT ON COLUMN refund_meanings.said_at IS 'When it was said.';
COMMENT ON COLUMN refund_meanings.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

CREATE INDEX refund_meanings_xact ON refund_meanings USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER refund_meanings_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON refund_meanings
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('meanings of refunds are append-only');

CREATE TABLE refund_credit_notes (
  account_id      uuid NOT NULL,
  refund_id       uuid NOT NULL,
  document_id     uuid NOT NULL,
  credit_note_id  uuid NOT NULL,
  made_at         timestamptz NOT NULL,
  xact            bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (account_id, credit_note_id),
  FOREIGN KEY (account_id, refund_id, document_id) REFERENCES refund_parts,
  FOREIGN KEY (account_id, credit_note_id) REFERENCES documents (account_id, document_id)
);
COMMENT ON TABLE refund_credit_notes IS
  'Credit notes that lower documents by what refunds gave back of them. Append-only.';
COMMENT ON COLUMN refund_credit_notes.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN refund_credit_notes.refund_id IS 'The refund.';
COMMENT ON COLUMN refund_credit_notes.document_id IS 'The document that gave a part of it.';
COMMENT ON COLUMN refund_credit_notes.credit_note_id IS 'The credit note over that part.';
COMMENT ON COLUMN refund_credit_notes.made_at IS 'When it was made, or named.';
COMMENT ON COLUMN refund_credit_notes.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

CREATE INDEX refund_credit_notes_of_refund ON refund_credit_notes (account_id, refund_id);
CREATE INDEX refund_credit_notes_xact ON refund_credit_notes USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER refund_credit_notes_append_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON refund_credit_notes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('credit notes of refunds are append-only');

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
