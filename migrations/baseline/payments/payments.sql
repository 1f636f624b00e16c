-- What was paid, and where it went.

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

-- Of a payment that is told as it happens, no day is closed. The condition is not the trigger's WHEN,
-- whose text PostgreSQL parses for each insert.
CREATE FUNCTION mark_payment_booked_on() RETURNS trigger LANGUAGE plpgsql STABLE AS $$
      BEGIN
        IF NEW.paid_at < NEW.recorded_at THEN
          NEW.booked_on := (SELECT a.books_open_from FROM accounts a
            WHERE a.account_id = NEW.account_id
              AND a.books_open_from > (NEW.paid_at AT TIME ZONE a.time_zone)::date);
        END IF;
        RETURN NEW;
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
  is_reversed          boolean NOT NULL DEFAULT false,
  booked_on            date,
  PRIMARY KEY (account_id, payment_id),
  FOREIGN KEY (account_id, document_id, currency)
    REFERENCES documents (account_id, document_id, currency),
  FOREIGN KEY (account_id, payment_link_id, document_id)
    REFERENCES payment_links (account_id, payment_link_id, document_id),
  FOREIGN KEY (account_id, receipt_id) REFERENCES unmatched_receipts,
  CONSTRAINT payments_sound CHECK (
    payment_is_sound(amount, applied, returned, fee, document_id, gateway, provider_payment_id,
    client_id, bank_entry_id))
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
COMMENT ON COLUMN payments.is_reversed IS
  'Whether it stands in payment_reversals: unique keys cannot look there.';
COMMENT ON COLUMN payments.booked_on IS
  'First open day, on which the ledger has it; null: the day of paid_at was open.';

CREATE INDEX payments_of_document ON payments (account_id, document_id, recorded_at);
CREATE INDEX payments_of_customer ON payments
  (account_id, customer_id, payment_id) WHERE document_id IS NULL;
CREATE INDEX payments_xact ON payments USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);
CREATE UNIQUE INDEX payments_provider ON payments (account_id, gateway, provider_payment_id)
  WHERE gateway IS NOT NULL AND NOT is_reversed;
CREATE UNIQUE INDEX payments_receipt ON payments (account_id, receipt_id)
  WHERE receipt_id IS NOT NULL AND NOT is_reversed;
CREATE UNIQUE INDEX payments_bank_entry ON payments (account_id, bank_entry_id)
  WHERE bank_entry_id IS NOT NULL AND NOT is_reversed;

CREATE TRIGGER payments_append_only BEFORE DELETE OR UPDATE OF account_id, payment_id, document_id,
  customer_id, currency, amount, applied, method, reference, note, metadata, paid_at, recorded_at,
  client_id, gateway, provider_payment_id, payment_link_id, fee, bank_entry_id OR TRUNCATE ON
  payments
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('payments are append-only');
CREATE TRIGGER payments_xact_stays BEFORE UPDATE OF xact ON payments
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a row stays in its transaction');
CREATE TRIGGER payments_stay_reversed BEFORE UPDATE OF is_reversed ON payments
  FOR EACH ROW WHEN (OLD.is_reversed)
  EXECUTE FUNCTION refuse_change('a payment that is reversed stays so');
CREATE TRIGGER payments_booked_on_stays BEFORE UPDATE OF booked_on ON payments
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('payments are append-only');
CREATE TRIGGER payments_booked_on BEFORE INSERT ON payments
  FOR EACH ROW EXECUTE FUNCTION mark_payment_booked_on();

CREATE TABLE conversions (
  account_id      uuid NOT NULL,
  conversion_id   uuid NOT NULL,
  payment_id      uuid,
  refund_id       uuid,
  amount          bigint NOT NULL,
  currency        text NOT NULL,
  exchange_rate   numeric NOT NULL,
  worth           bigint NOT NULL,
  worth_currency  text NOT NULL,
  rate_from       text NOT NULL,
  rate_source     text,
  rate_day        date,
  xact            bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (account_id, conversion_id),
  FOREIGN KEY (account_id, payment_id) REFERENCES payments,
  CONSTRAINT conversions_of_a_payment_or_a_refund CHECK (
    num_nonnulls(payment_id, refund_id) = 1
    AND conversion_id = coalesce(payment_id, refund_id)),
  CONSTRAINT conversions_amount_within_limits CHECK (amount BETWEEN 1 AND 10000000000000),
  CONSTRAINT conversions_worth_within_limits CHECK (worth BETWEEN 1 AND 10000000000000),
  CONSTRAINT conversions_rate_above_zero CHECK (exchange_rate > 0),
  CONSTRAINT conversions_currency_is_a_code CHECK (currency ~ '^[A-Z]{3}$'),
  CONSTRAINT conversions_worth_currency_is_a_code CHECK (worth_currency ~ '^[A-Z]{3}$'),
  CONSTRAINT conversions_two_currencies CHECK (currency <> worth_currency),
  CONSTRAINT conversions_rate_from_known CHECK (rate_from IN ('stated', 'table')),
  CONSTRAINT conversions_rate_of_the_table_has_its_day
    CHECK ((rate_from = 'table') = (rate_day IS NOT NULL)),
  CONSTRAINT conversions_rate_of_the_table_has_its_source
    CHECK (rate_from = 'stated' OR rate_source IS NOT NULL),
  CONSTRAINT conversions_rate_source_not_too_long CHECK (length(rate_source) <= 250)
);
COMMENT ON TABLE conversions IS
  'Money of a payment or a refund that moved in another currency than it counts in. Append-only.';
COMMENT ON COLUMN conversions.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN conversions.conversion_id IS 'The payment or the refund: each has at most one.';
COMMENT ON COLUMN conversions.payment_id IS 'Payment that came in so.';
COMMENT ON COLUMN conversions.refund_id IS 'Refund that was paid out so.';
COMMENT ON COLUMN conversions.amount IS 'What moved, in minor units.';
COMMENT ON COLUMN conversions.currency IS 'ISO 4217 code of what moved.';
COMMENT ON COLUMN conversions.exchange_rate IS 'Worth of one unit of it in the other currency.';
COMMENT ON COLUMN conversions.worth IS 'Worth of all of it, in minor units.';
COMMENT ON COLUMN conversions.worth_currency IS
  'ISO 4217 code of the worth: the currency of the payment.';
COMMENT ON COLUMN conversions.rate_from IS
  'stated: the caller sent the rate; table: it is from the exchange rates.';
COMMENT ON COLUMN conversions.rate_source IS 'Who says so, such as ECB; null: nobody was named.';
COMMENT ON COLUMN conversions.rate_day IS 'Day that the rate of the table is of.';
COMMENT ON COLUMN conversions.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

CREATE INDEX conversions_xact ON conversions USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER conversions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON conversions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('conversions are append-only');

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
  counts_on      date,
  PRIMARY KEY (account_id, allocation_id),
  FOREIGN KEY (account_id, payment_id) REFERENCES payments,
  FOREIGN KEY (account_id, document_id, currency)
    REFERENCES documents (account_id, document_id, currency),
  CONSTRAINT allocations_amount_not_zero CHECK (amount <> 0),
  CONSTRAINT allocations_reason_known CHECK (reason IN ('receipt', 'move', 'reversal')),
  CONSTRAINT allocations_only_moves_are_dated CHECK (counts_on IS NULL OR reason = 'move')
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
COMMENT ON COLUMN allocations.counts_on IS
  'Day of a move in the ledger; null: the day of created_at.';

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
