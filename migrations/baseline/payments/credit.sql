-- What the seller owes its customers.

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
