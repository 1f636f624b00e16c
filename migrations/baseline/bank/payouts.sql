-- Payouts of providers to the bank.

CREATE TABLE payouts (
  account_id          uuid NOT NULL,
  payout_id           uuid NOT NULL,
  gateway             text NOT NULL,
  provider_payout_id  text NOT NULL,
  amount              bigint NOT NULL,
  fee                 bigint NOT NULL,
  booked_fee          bigint NOT NULL,
  currency            text NOT NULL,
  sent_on             date NOT NULL,
  arrives_on          date,
  descriptor          text,
  lines               integer NOT NULL,
  status              text NOT NULL,
  client_id           uuid,
  recorded_at         timestamptz NOT NULL,
  xact                bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (account_id, payout_id),
  FOREIGN KEY (account_id) REFERENCES accounts,
  CONSTRAINT payouts_amount_not_zero CHECK (amount <> 0),
  CONSTRAINT payouts_fee_not_negative CHECK (fee >= 0),
  CONSTRAINT payouts_lines_not_negative CHECK (lines >= 0),
  CONSTRAINT payouts_currency_is_a_code CHECK (currency ~ '^[A-Z]{3}$'),
  CONSTRAINT payouts_arrives_after_sent CHECK (arrives_on >= sent_on),
  CONSTRAINT payouts_status_known CHECK (status IN ('sent', 'paid', 'failed', 'reversed'))
);
COMMENT ON TABLE payouts IS
  'What a provider sent to the bank, or took from it. Only status changes.';
COMMENT ON COLUMN payouts.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN payouts.payout_id IS 'Identifies the payout.';
COMMENT ON COLUMN payouts.gateway IS 'Gateway whose provider sent it.';
COMMENT ON COLUMN payouts.provider_payout_id IS 'Id of the provider for the payout.';
COMMENT ON COLUMN payouts.amount IS
  'What arrives at the bank, in minor units; below zero: the provider takes it from there.';
COMMENT ON COLUMN payouts.fee IS 'What the provider takes for the payout, in minor units.';
COMMENT ON COLUMN payouts.booked_fee IS
  'All fees that are booked with it, in minor units: its own, and those of its lines that no '
  'payment booked.';
COMMENT ON COLUMN payouts.currency IS 'ISO 4217 code of the amounts.';
COMMENT ON COLUMN payouts.sent_on IS 'Day on which it left the provider.';
COMMENT ON COLUMN payouts.arrives_on IS 'Day on which the bank should have it, if told.';
COMMENT ON COLUMN payouts.descriptor IS 'Text that comes with it at the bank, if told.';
COMMENT ON COLUMN payouts.lines IS 'How many lines the provider told of it.';
COMMENT ON COLUMN payouts.status IS
  'sent: on its way; paid: a bank entry is it; failed, reversed: see payout_undoings.';
COMMENT ON COLUMN payouts.client_id IS 'Client that recorded it; null: its provider told it.';
COMMENT ON COLUMN payouts.recorded_at IS 'When it was recorded.';
COMMENT ON COLUMN payouts.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

-- A payout that was recorded wrongly may be recorded again.
CREATE UNIQUE INDEX payouts_once ON payouts (account_id, gateway, provider_payout_id)
  WHERE status <> 'reversed';
CREATE INDEX payouts_in_transit ON payouts (account_id, currency, amount)
  WHERE status = 'sent';
CREATE INDEX payouts_xact ON payouts USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);
CREATE INDEX payouts_named ON payouts (gateway, provider_payout_id)
  WHERE status <> 'reversed';

CREATE TRIGGER payouts_append_only BEFORE DELETE OR UPDATE OF account_id, payout_id, gateway,
  provider_payout_id, amount, fee, booked_fee, currency, sent_on, arrives_on, descriptor,
  lines, client_id, recorded_at OR TRUNCATE ON payouts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('payouts are append-only');
CREATE TRIGGER payouts_xact_stays BEFORE UPDATE OF xact ON payouts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a row stays in its transaction');
CREATE TRIGGER payouts_undone_once BEFORE UPDATE ON payouts
  FOR EACH ROW WHEN (OLD.status = 'reversed'
    OR OLD.status = 'failed' AND NEW.status <> 'reversed'
    OR OLD.status = 'paid' AND NEW.status <> 'sent')
  EXECUTE FUNCTION refuse_change('a payout is undone once, and not while a bank entry is it');

ALTER TABLE bank_entries ADD FOREIGN KEY (account_id, payout_id) REFERENCES payouts;

CREATE TABLE payout_lines (
  account_id   uuid NOT NULL,
  payout_id    uuid NOT NULL,
  position     integer NOT NULL,
  kind         text NOT NULL,
  amount       bigint NOT NULL,
  fee          bigint NOT NULL,
  booked_fee   bigint NOT NULL,
  provider_id  text,
  payment_id   uuid,
  receipt_id   uuid,
  refund_id    uuid,
  is_reversed  boolean NOT NULL DEFAULT false,
  xact         bigint NOT NULL DEFAULT book_xact(),
  completes    integer,
  PRIMARY KEY (account_id, payout_id, position),
  FOREIGN KEY (account_id, payout_id) REFERENCES payouts,
  FOREIGN KEY (account_id, payment_id) REFERENCES payments,
  FOREIGN KEY (account_id, receipt_id) REFERENCES unmatched_receipts,
  FOREIGN KEY (account_id, refund_id) REFERENCES refunds,
  CONSTRAINT payout_lines_position_from_one CHECK (position > 0),
  CONSTRAINT payout_lines_kind_known
    CHECK (kind IN ('payment', 'refund', 'dispute', 'fee', 'adjustment')),
  CONSTRAINT payout_lines_of_one_thing CHECK (num_nonnulls(payment_id, receipt_id, refund_id) <= 1),
  CONSTRAINT payout_lines_completes_an_unknown_one CHECK (
    completes IS NULL OR (completes < position AND amount = 0 AND fee = 0 AND kind IN ('payment',
    'refund') AND num_nonnulls(payment_id, receipt_id, refund_id) = 1))
);
COMMENT ON TABLE payout_lines IS
  'What a payout is made of, as the provider tells it. Only is_reversed changes.';
COMMENT ON COLUMN payout_lines.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN payout_lines.payout_id IS 'The payout.';
COMMENT ON COLUMN payout_lines.position IS 'Place among the lines of the payout, from 1.';
COMMENT ON COLUMN payout_lines.kind IS 'What it is.';
COMMENT ON COLUMN payout_lines.amount IS
  'What it added to the payout before its fee, in minor units; below zero: took off.';
COMMENT ON COLUMN payout_lines.fee IS
  'What the provider kept of it, in minor units; below zero: gave back.';
COMMENT ON COLUMN payout_lines.booked_fee IS
  'The fee that is booked with the payout, as nothing else has booked it; in minor units.';
COMMENT ON COLUMN payout_lines.provider_id IS
  'Id of the provider for the payment, refund or entry.';
COMMENT ON COLUMN payout_lines.payment_id IS 'Our payment, where that is known.';
COMMENT ON COLUMN payout_lines.receipt_id IS 'Our unmatched receipt, where that is known.';
COMMENT ON COLUMN payout_lines.refund_id IS 'Our refund, where that is known.';
COMMENT ON COLUMN payout_lines.is_reversed IS
  'Whether its payout is reversed: unique keys cannot look there.';
COMMENT ON COLUMN payout_lines.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';
COMMENT ON COLUMN payout_lines.completes IS
  'Line of the payout whose payment or refund is told since: this row names it, and books its fee.';

-- No fee is booked twice, whichever payouts name its payment.
CREATE UNIQUE INDEX payout_lines_fee_of_payment ON payout_lines (account_id, payment_id)
  WHERE payment_id IS NOT NULL AND booked_fee <> 0 AND NOT is_reversed;
CREATE UNIQUE INDEX payout_lines_fee_of_receipt ON payout_lines (account_id, receipt_id)
  WHERE receipt_id IS NOT NULL AND booked_fee <> 0 AND NOT is_reversed;
CREATE UNIQUE INDEX payout_lines_fee_of_refund ON payout_lines (account_id, refund_id)
  WHERE refund_id IS NOT NULL AND booked_fee <> 0 AND NOT is_reversed;
CREATE INDEX payout_lines_xact ON payout_lines USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);
CREATE UNIQUE INDEX payout_lines_completed_once ON payout_lines (account_id, payout_id, completes)
  WHERE completes IS NOT NULL;

CREATE TRIGGER payout_lines_xact_stays BEFORE UPDATE OF xact ON payout_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a row stays in its transaction');
CREATE TRIGGER payout_lines_stay_reversed BEFORE UPDATE OF is_reversed ON payout_lines
  FOR EACH ROW WHEN (OLD.is_reversed)
  EXECUTE FUNCTION refuse_change('a line that is reversed stays so');
CREATE TRIGGER payout_lines_append_only BEFORE UPDATE OF account_id, payout_id, position, kind,
  amount, fee, booked_fee, provider_id, payment_id, receipt_id, refund_id, completes
  OR DELETE OR TRUNCATE
  ON payout_lines FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_change('lines of payouts are append-only');

CREATE TABLE payout_undoings (
  account_id   uuid NOT NULL,
  payout_id    uuid NOT NULL,
  kind         text NOT NULL,
  undone_on    date NOT NULL,
  reason       text,
  client_id    uuid,
  recorded_at  timestamptz NOT NULL,
  xact         bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (account_id, payout_id, kind),
  FOREIGN KEY (account_id, payout_id) REFERENCES payouts,
  CONSTRAINT payout_undoings_kind_known CHECK (kind IN ('failed', 'reversed'))
);
COMMENT ON TABLE payout_undoings IS
  'Payouts that came back to the provider, or were recorded wrongly. Append-only.';
COMMENT ON COLUMN payout_undoings.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN payout_undoings.payout_id IS 'The payout.';
COMMENT ON COLUMN payout_undoings.kind IS
  'failed: the provider has the money back; reversed: it was recorded wrongly.';
COMMENT ON COLUMN payout_undoings.undone_on IS 'Day for which it counts.';
COMMENT ON COLUMN payout_undoings.reason IS 'What the client said.';
COMMENT ON COLUMN payout_undoings.client_id IS
  'Client that recorded it; null: its provider told it.';
COMMENT ON COLUMN payout_undoings.recorded_at IS 'When it was recorded.';
COMMENT ON COLUMN payout_undoings.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

CREATE INDEX payout_undoings_xact ON payout_undoings USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER payout_undoings_append_only BEFORE UPDATE OR DELETE OR TRUNCATE
  ON payout_undoings
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('payout undoings are append-only');
