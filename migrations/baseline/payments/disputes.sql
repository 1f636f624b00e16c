-- Disputes, and money that providers took back.

CREATE TABLE disputes (
  account_id           uuid NOT NULL,
  dispute_id           uuid NOT NULL,
  gateway              text NOT NULL,
  provider_dispute_id  text NOT NULL,
  provider_payment_id  text NOT NULL,
  currency             text NOT NULL,
  recorded_at          timestamptz NOT NULL,
  xact                 bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (account_id, dispute_id),
  CONSTRAINT disputes_of_provider UNIQUE (account_id, gateway, provider_dispute_id)
);
COMMENT ON TABLE disputes IS
  'Payments that their payers dispute at a provider. What became of them stands in dispute_steps. '
  'Append-only.';
COMMENT ON COLUMN disputes.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN disputes.dispute_id IS 'Identifies the dispute.';
COMMENT ON COLUMN disputes.gateway IS 'Gateway that told it.';
COMMENT ON COLUMN disputes.provider_dispute_id IS 'Id of the provider for the dispute.';
COMMENT ON COLUMN disputes.provider_payment_id IS 'Id of the provider for the payment.';
COMMENT ON COLUMN disputes.currency IS 'ISO 4217 code of the amounts.';
COMMENT ON COLUMN disputes.recorded_at IS 'When it was recorded.';
COMMENT ON COLUMN disputes.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

CREATE INDEX disputes_of_payment ON disputes (gateway, provider_payment_id);
CREATE INDEX disputes_xact ON disputes USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER disputes_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON disputes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('disputes are append-only');

CREATE TABLE dispute_steps (
  account_id       uuid NOT NULL,
  dispute_id       uuid NOT NULL,
  step             integer NOT NULL,
  payment_id       uuid,
  receipt_id       uuid,
  status           text NOT NULL,
  amount           bigint NOT NULL,
  reason           text NOT NULL,
  evidence_due_by  timestamptz,
  said_at          timestamptz NOT NULL,
  disputed         bigint NOT NULL,
  withdrawn        bigint NOT NULL,
  adopted          bigint NOT NULL,
  fee              bigint NOT NULL,
  reference        text,
  recorded_at      timestamptz NOT NULL,
  xact             bigint NOT NULL DEFAULT book_xact(),
  booked_on        date,
  PRIMARY KEY (account_id, dispute_id, step),
  FOREIGN KEY (account_id, dispute_id) REFERENCES disputes,
  FOREIGN KEY (account_id, payment_id) REFERENCES payments,
  FOREIGN KEY (account_id, receipt_id) REFERENCES unmatched_receipts,
  CONSTRAINT dispute_steps_from_one CHECK (step > 0),
  CONSTRAINT dispute_steps_of_payment_or_receipt
    CHECK ((payment_id IS NULL) <> (receipt_id IS NULL)),
  CONSTRAINT dispute_steps_status_known
    CHECK (status IN ('inquiry', 'open', 'won', 'lost', 'closed')),
  CONSTRAINT dispute_steps_amount_positive CHECK (amount > 0),
  CONSTRAINT dispute_steps_adopted_not_negative CHECK (adopted >= 0)
);
COMMENT ON TABLE dispute_steps IS
  'What a provider told of a dispute, one change after the other; amounts are changes, and their '
  'sums are the state. Append-only.';
COMMENT ON COLUMN dispute_steps.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN dispute_steps.dispute_id IS 'The dispute.';
COMMENT ON COLUMN dispute_steps.step IS 'Place among the steps of the dispute, from 1.';
COMMENT ON COLUMN dispute_steps.payment_id IS
  'Payment that is disputed; null: an unmatched receipt is.';
COMMENT ON COLUMN dispute_steps.receipt_id IS
  'Unmatched receipt that is disputed; null: a payment is.';
COMMENT ON COLUMN dispute_steps.status IS 'State since; closed: an inquiry that came to nothing.';
COMMENT ON COLUMN dispute_steps.amount IS 'What the payer disputes since, in minor units.';
COMMENT ON COLUMN dispute_steps.reason IS 'Why, as the provider says.';
COMMENT ON COLUMN dispute_steps.evidence_due_by IS 'Until when the provider takes evidence.';
COMMENT ON COLUMN dispute_steps.said_at IS 'When, at the word of the provider.';
COMMENT ON COLUMN dispute_steps.disputed IS
  'Change of what may not be refunded or moved, in minor units.';
COMMENT ON COLUMN dispute_steps.withdrawn IS
  'What the provider took out of its balance, in minor units; below zero: what it put back.';
COMMENT ON COLUMN dispute_steps.adopted IS
  'What a reversal had taken for this dispute before it was told of, in minor units.';
COMMENT ON COLUMN dispute_steps.fee IS
  'What the provider charged for it, in minor units; below zero: what it returned.';
COMMENT ON COLUMN dispute_steps.reference IS
  'Id of the provider for a reversal that is the money of this dispute.';
COMMENT ON COLUMN dispute_steps.recorded_at IS 'When it was recorded.';
COMMENT ON COLUMN dispute_steps.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';
COMMENT ON COLUMN dispute_steps.booked_on IS
  'First open day, on which the ledger has what it moved; null: the day of said_at was open, or '
  'nothing moved.';

CREATE INDEX dispute_steps_of_payment ON dispute_steps (account_id, payment_id)
  WHERE payment_id IS NOT NULL;
CREATE INDEX dispute_steps_of_receipt ON dispute_steps (account_id, receipt_id)
  WHERE receipt_id IS NOT NULL;
CREATE INDEX dispute_steps_xact ON dispute_steps USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER dispute_steps_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON dispute_steps
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('steps of disputes are append-only');

CREATE TABLE dispute_parts (
  account_id   uuid NOT NULL,
  dispute_id   uuid NOT NULL,
  step         integer NOT NULL,
  document_id  uuid NOT NULL,
  payment_id   uuid NOT NULL,
  amount       bigint NOT NULL,
  xact         bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (account_id, dispute_id, step, document_id),
  FOREIGN KEY (account_id, dispute_id, step) REFERENCES dispute_steps,
  FOREIGN KEY (account_id, document_id) REFERENCES documents,
  FOREIGN KEY (account_id, payment_id) REFERENCES payments,
  CONSTRAINT dispute_parts_amount_not_zero CHECK (amount <> 0)
);
COMMENT ON TABLE dispute_parts IS
  'Documents that disputed money has paid: changes, by the step of the dispute. Append-only.';
COMMENT ON COLUMN dispute_parts.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN dispute_parts.dispute_id IS 'The dispute.';
COMMENT ON COLUMN dispute_parts.step IS 'Its step.';
COMMENT ON COLUMN dispute_parts.document_id IS 'The document.';
COMMENT ON COLUMN dispute_parts.payment_id IS 'The payment.';
COMMENT ON COLUMN dispute_parts.amount IS
  'What is disputed of the payment on the document, in minor units; below zero: no longer.';
COMMENT ON COLUMN dispute_parts.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

CREATE INDEX dispute_parts_of_document ON dispute_parts (account_id, document_id);
CREATE INDEX dispute_parts_of_payment ON dispute_parts (account_id, payment_id);
CREATE INDEX dispute_parts_xact ON dispute_parts USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER dispute_parts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON dispute_parts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('parts of disputes are append-only');

CREATE TABLE provider_reversals (
  account_id           uuid NOT NULL,
  reversal_id          uuid NOT NULL,
  payment_id           uuid,
  receipt_id           uuid,
  gateway              text NOT NULL,
  provider_payment_id  text NOT NULL,
  reference            text,
  currency             text NOT NULL,
  amount               bigint NOT NULL,
  from_credit          bigint NOT NULL,
  lost                 bigint NOT NULL,
  reason               text NOT NULL,
  failed_at            timestamptz NOT NULL,
  recorded_at          timestamptz NOT NULL,
  xact                 bigint NOT NULL DEFAULT book_xact(),
  dispute_id           uuid,
  PRIMARY KEY (account_id, reversal_id),
  FOREIGN KEY (account_id, payment_id) REFERENCES payments,
  FOREIGN KEY (account_id, receipt_id) REFERENCES unmatched_receipts,
  FOREIGN KEY (account_id, dispute_id) REFERENCES disputes,
  CONSTRAINT provider_reversals_once UNIQUE (account_id, gateway, provider_payment_id, reference),
  CONSTRAINT provider_reversals_of_payment_or_receipt
    CHECK ((payment_id IS NULL) <> (receipt_id IS NULL)),
  CONSTRAINT provider_reversals_amount_sound
    CHECK (amount > 0 OR amount < 0 AND dispute_id IS NOT NULL OR amount = 0 AND lost <> 0),
  CONSTRAINT provider_reversals_parts_within_amount CHECK (
    from_credit * sign(amount) >= 0 AND lost * sign(amount) >= 0 AND CASE WHEN amount < 0 THEN
    from_credit + lost >= amount WHEN amount > 0 THEN from_credit + lost <= amount ELSE from_credit
    * sign(lost) <= 0 AND abs(from_credit) <= abs(lost) END)
);
COMMENT ON TABLE provider_reversals IS
  'Money that a provider took back after it was paid: a debit that failed, a chargeback. What '
  'documents gave stands in allocations. Append-only.';
COMMENT ON COLUMN provider_reversals.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN provider_reversals.reversal_id IS 'Identifies the reversal.';
COMMENT ON COLUMN provider_reversals.payment_id IS
  'Payment that is taken back; null: an unmatched receipt is.';
COMMENT ON COLUMN provider_reversals.receipt_id IS
  'Unmatched receipt that is taken back; null: a payment is.';
COMMENT ON COLUMN provider_reversals.gateway IS 'Gateway that took it back.';
COMMENT ON COLUMN provider_reversals.provider_payment_id IS 'Id of the provider for the payment.';
COMMENT ON COLUMN provider_reversals.reference IS
  'Id of the provider for the reversal, if it has one.';
COMMENT ON COLUMN provider_reversals.currency IS 'ISO 4217 code of the amounts.';
COMMENT ON COLUMN provider_reversals.amount IS
  'What was taken back, in minor units; below zero: a dispute gave it again; zero: what had been '
  'lost is asked for, or lost for a refund.';
COMMENT ON COLUMN provider_reversals.from_credit IS
  'Part of it that the credit of the customer gave, in minor units.';
COMMENT ON COLUMN provider_reversals.lost IS
  'Part of it that nobody can be asked for, since it had gone back already, in minor units.';
COMMENT ON COLUMN provider_reversals.reason IS 'Why, as the provider says.';
COMMENT ON COLUMN provider_reversals.failed_at IS 'When, at the word of the provider.';
COMMENT ON COLUMN provider_reversals.recorded_at IS 'When it was recorded.';
COMMENT ON COLUMN provider_reversals.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';
COMMENT ON COLUMN provider_reversals.dispute_id IS
  'Dispute that it comes of; null: the provider took the money back without one.';

CREATE INDEX provider_reversals_of_payment ON provider_reversals (account_id, payment_id);
CREATE INDEX provider_reversals_of_provider ON provider_reversals
  (gateway, provider_payment_id);
CREATE INDEX provider_reversals_of_receipt ON provider_reversals
  (account_id, receipt_id) WHERE receipt_id IS NOT NULL;
CREATE INDEX provider_reversals_xact ON provider_reversals USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);
CREATE INDEX provider_reversals_of_dispute ON provider_reversals (account_id, dispute_id)
  WHERE dispute_id IS NOT NULL;

CREATE TRIGGER provider_reversals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON
  provider_reversals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('provider reversals are append-only');
