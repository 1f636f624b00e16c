-- The ledger.

-- The chart of accounts, each with its currency. Domains, because the text of a CHECK is parsed for
-- every insert, and lists in it cost more than the rest of the row. Lists, because PostgreSQL builds
-- the states of a pattern anew for each value.
CREATE DOMAIN ledger_account AS text CONSTRAINT ledger_account_of_the_chart CHECK (
  left(VALUE, -4) IN ('receivables', 'rejected_receivables', 'cash', 'gateway_clearing',
    'payouts_in_transit', 'disputed_funds', 'customer_credit', 'unmatched_receipts',
    'credit_notes', 'revenue', 'tax_payable', 'rounding', 'bad_debt', 'payment_differences',
    'gateway_fees', 'payment_losses', 'bank_fees', 'other_expenses', 'other_income',
    'opening_balances', 'currency_exchange', 'exchange_gains', 'exchange_losses')
  AND right(VALUE, 4) ~ '^/[A-Z]{3}$');

CREATE DOMAIN ledger_fact AS text CONSTRAINT ledger_fact_known CHECK (
  VALUE IN ('document.issued', 'document.rejected', 'document.voided', 'document.written_off',
    'document.write_off_reversed', 'document.tax_relieved', 'credit_note.issued',
    'credit_note.voided', 'payment.recorded', 'payment.moved', 'payment.reversed',
    'payment.refunded', 'refund.returned', 'refund.reversed', 'receipt.unmatched',
    'receipt.refunded', 'receipt.closed', 'dispute.opened', 'dispute.won', 'dispute.lost',
    'payout.sent', 'payout.failed', 'payout.reversed', 'bank_entry.booked', 'bank_entry.unbooked',
    'credit_note.moved'));

-- As a function, which is parsed once, and not with each transfer.
CREATE FUNCTION transfer_is_sound(debit text, credit text, amount bigint, currency text)
RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  broken text := CASE
    WHEN amount <= 0 THEN 'transfers_amount_positive'
    WHEN debit = credit THEN 'transfers_between_two_accounts'
    WHEN right(debit, 4) <> '/' || currency OR right(credit, 4) <> '/' || currency
      THEN 'transfers_in_the_currency_of_both_accounts'
  END;
BEGIN
  IF broken IS NOT NULL THEN PERFORM refuse_row('transfers', broken); END IF;
  RETURN true;
END $$;

-- STABLE: it sees what the statement sees, which writes the transfers, too.
CREATE FUNCTION mark_booked_on() RETURNS trigger LANGUAGE plpgsql STABLE AS $$
      BEGIN
        NEW.booked_on := (SELECT a.books_open_from FROM accounts a
          WHERE a.account_id = NEW.account_id AND a.books_open_from >
            ((to_jsonb(NEW)->>TG_ARGV[0])::timestamptz AT TIME ZONE a.time_zone)::date);
        RETURN NEW;
      END $$;

CREATE TABLE transfers (
  account_id    uuid NOT NULL,
  transfer_id   uuid NOT NULL,
  fact          ledger_fact NOT NULL,
  fact_id       uuid NOT NULL,
  debit         ledger_account NOT NULL,
  credit        ledger_account NOT NULL,
  amount        bigint NOT NULL,
  currency      text NOT NULL,
  document_id   uuid,
  customer_id   uuid,
  effective_on  date NOT NULL,
  recorded_at   timestamptz NOT NULL,
  xact          bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (account_id, transfer_id),
  CONSTRAINT transfers_sound CHECK (transfer_is_sound(debit, credit, amount, currency))
);
COMMENT ON TABLE transfers IS
  'The ledger: double entry, balanced by construction, because one amount leaves one account and '
  'enters another. Append-only. It references nothing, so that no writer waits for another; '
  '`integrity` proves what it says.';
COMMENT ON COLUMN transfers.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN transfers.transfer_id IS 'Identifies the transfer; sorts by time.';
COMMENT ON COLUMN transfers.fact IS 'What happened, such as `payment.recorded`.';
COMMENT ON COLUMN transfers.fact_id IS
  'Document, payment, allocation, refund or unmatched receipt that it happened to.';
COMMENT ON COLUMN transfers.debit IS
  'Ledger account that is debited, with its currency, such as `cash/EUR`.';
COMMENT ON COLUMN transfers.credit IS 'Ledger account that is credited, with its currency.';
COMMENT ON COLUMN transfers.amount IS 'The amount, in minor units.';
COMMENT ON COLUMN transfers.currency IS 'ISO 4217 code of the amount.';
COMMENT ON COLUMN transfers.document_id IS 'Document that it counts for.';
COMMENT ON COLUMN transfers.customer_id IS 'Customer that it counts for.';
COMMENT ON COLUMN transfers.effective_on IS 'Day it counts for, in the time zone of the account.';
COMMENT ON COLUMN transfers.recorded_at IS 'When it was booked.';
COMMENT ON COLUMN transfers.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

CREATE INDEX transfers_of_customer ON transfers (account_id, customer_id, transfer_id);
CREATE INDEX transfers_xact ON transfers USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER transfers_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON transfers
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('the ledger is append-only');
