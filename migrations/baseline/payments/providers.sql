-- What providers tell.

CREATE TABLE gateway_deliveries (
  account_id       uuid NOT NULL,
  delivery_id      uuid NOT NULL,
  gateway          text NOT NULL,
  received_at      timestamptz NOT NULL,
  sealed_delivery  bytea NOT NULL,
  names            jsonb NOT NULL,
  event_types      text[] NOT NULL,
  reports          integer NOT NULL,
  outcome          text NOT NULL,
  problem          text,
  replays          integer NOT NULL DEFAULT 0,
  replayed_at      timestamptz,
  is_unfinished    boolean NOT NULL DEFAULT false,
  left_over        integer[],
  attempts         integer NOT NULL DEFAULT 0,
  next_try_at      timestamptz,
  PRIMARY KEY (account_id, delivery_id),
  CONSTRAINT gateway_deliveries_outcome_known
    CHECK (outcome IN ('ok', 'ignored', 'no_link_id', 'accepted', 'failed')),
  CONSTRAINT gateway_deliveries_failed_has_its_problem
    CHECK (outcome <> 'failed' OR problem IS NOT NULL),
  CONSTRAINT gateway_deliveries_accepted_is_due
    CHECK ((outcome = 'accepted') = (next_try_at IS NOT NULL)),
  CONSTRAINT gateway_deliveries_due_is_unfinished CHECK (is_unfinished OR next_try_at IS NULL),
  CONSTRAINT gateway_deliveries_counts_not_negative
    CHECK (reports >= 0 AND replays >= 0 AND attempts >= 0),
  CONSTRAINT gateway_deliveries_replayed_has_its_time
    CHECK ((replays > 0) = (replayed_at IS NOT NULL))
);
-- Random bytes: to compress them is work for nothing.
ALTER TABLE gateway_deliveries ALTER COLUMN sealed_delivery SET STORAGE EXTERNAL;
COMMENT ON TABLE gateway_deliveries IS
  'Verified calls of providers, kept for days. They can be applied again.';
COMMENT ON COLUMN gateway_deliveries.account_id IS
  'Account that all of it is about; the account of zeros: several, or unknown.';
COMMENT ON COLUMN gateway_deliveries.delivery_id IS 'Identifies the delivery; sorts by time.';
COMMENT ON COLUMN gateway_deliveries.gateway IS 'Gateway that was called.';
COMMENT ON COLUMN gateway_deliveries.received_at IS 'When it was called.';
COMMENT ON COLUMN gateway_deliveries.sealed_delivery IS 'Headers and body as they came, encrypted.';
COMMENT ON COLUMN gateway_deliveries.names IS
  'Ids of events, payments, links, refunds and disputes that its reports name.';
COMMENT ON COLUMN gateway_deliveries.event_types IS 'Types that the provider gives them.';
COMMENT ON COLUMN gateway_deliveries.reports IS 'How many things it reports.';
COMMENT ON COLUMN gateway_deliveries.outcome IS
  'What became of it; accepted: it is still to be worked off.';
COMMENT ON COLUMN gateway_deliveries.problem IS 'Code of what it failed with last.';
COMMENT ON COLUMN gateway_deliveries.replays IS 'How often somebody had it applied again.';
COMMENT ON COLUMN gateway_deliveries.replayed_at IS 'When that was, at the last time.';
COMMENT ON COLUMN gateway_deliveries.is_unfinished IS
  'It was stored first, and its provider does not send it again: a part is not applied.';
COMMENT ON COLUMN gateway_deliveries.left_over IS
  'Places of the reports of that part, from 0; null: all of them.';
COMMENT ON COLUMN gateway_deliveries.attempts IS 'How often it was worked off.';
COMMENT ON COLUMN gateway_deliveries.next_try_at IS
  'When it is worked off next; while that goes on, when it is given up for lost.';

CREATE INDEX gateway_deliveries_received ON gateway_deliveries (received_at);
CREATE INDEX gateway_deliveries_due ON gateway_deliveries (next_try_at)
  WHERE next_try_at IS NOT NULL;
CREATE INDEX gateway_deliveries_failed ON gateway_deliveries (account_id, delivery_id)
  WHERE outcome = 'failed';

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
  'Events that providers delivered: the first guard against doubles. Append-only. Global, because '
  'an event comes before its account is known.';
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
  capture_reference    text,
  PRIMARY KEY (gateway, provider_payment_id),
  FOREIGN KEY (account_id, payment_id) REFERENCES payments,
  CONSTRAINT provider_receipts_amount_positive CHECK (amount > 0),
  CONSTRAINT provider_receipts_payment_or_reason
    CHECK ((payment_id IS NULL) = (unmatched_reason IS NOT NULL)),
  CONSTRAINT provider_receipts_reason_known CHECK (
    unmatched_reason IN ('unknown_link', 'currency_mismatch', 'document_not_payable',
    'amount_too_large', 'unconfirmed', 'foreign_gateway'))
);
COMMENT ON TABLE provider_receipts IS
  'Money that providers took, once each, whatever became of it: the second guard against doubles. '
  'Append-only. Global, as provider_events are.';
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
COMMENT ON COLUMN provider_receipts.capture_reference IS
  'Id of the provider for the capture, where a payment may be captured in parts; null: all of it.';

CREATE INDEX provider_receipts_unmatched ON provider_receipts
  (account_id, received_at) WHERE unmatched_reason IS NOT NULL;
CREATE INDEX provider_receipts_xact ON provider_receipts USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER provider_receipts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON
  provider_receipts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('provider receipts are append-only');

CREATE TABLE provider_failures (
  gateway              text NOT NULL,
  event_id             text NOT NULL,
  provider_payment_id  text NOT NULL,
  kind                 text NOT NULL,
  amount               bigint,
  currency             text,
  reference            text,
  reason               text NOT NULL,
  failed_at            timestamptz NOT NULL,
  received_at          timestamptz NOT NULL,
  xact                 bigint NOT NULL DEFAULT book_xact(),
  dispute_status       text,
  withdrawn            bigint,
  fee                  bigint,
  evidence_due_by      timestamptz,
  PRIMARY KEY (gateway, event_id),
  CONSTRAINT provider_failures_amount_positive CHECK (amount > 0),
  CONSTRAINT provider_failures_amount_has_a_currency CHECK ((amount IS NULL) = (currency IS NULL)),
  CONSTRAINT provider_failures_dispute_is_whole CHECK (
    CASE kind WHEN 'dispute' THEN num_nulls(dispute_status, amount, reference) = 0 ELSE
    num_nonnulls(dispute_status, withdrawn, fee, evidence_due_by) = 0 END),
  CONSTRAINT provider_failures_dispute_status_known
    CHECK (dispute_status IN ('inquiry', 'open', 'won', 'lost', 'closed')),
  CONSTRAINT provider_failures_kind_known CHECK (
    kind IN ('failed', 'unpaid_again', 'dispute', 'refund_pending', 'refund_succeeded',
    'refund_failed', 'refunded_in_all')),
  CONSTRAINT provider_failures_refund_has_an_amount
    CHECK (amount IS NOT NULL OR kind IN ('failed', 'unpaid_again'))
);
COMMENT ON TABLE provider_failures IS
  'What providers told of a payment before they told that it was paid: that it failed, was taken '
  'back, disputed or refunded. The report of the payment meets it. Append-only. Global, as '
  'provider_events are.';
COMMENT ON COLUMN provider_failures.gateway IS 'Gateway that told it.';
COMMENT ON COLUMN provider_failures.event_id IS 'Event of the provider that reported it.';
COMMENT ON COLUMN provider_failures.provider_payment_id IS 'Id of the provider for the payment.';
COMMENT ON COLUMN provider_failures.kind IS
  'failed: it counts against a payment before it; unpaid_again: against any; dispute: the payer '
  'disputes it; else a refund, or what went back in all.';
COMMENT ON COLUMN provider_failures.amount IS
  'What was taken back or refunded, in minor units; null: all of it.';
COMMENT ON COLUMN provider_failures.currency IS 'ISO 4217 code of the amount.';
COMMENT ON COLUMN provider_failures.reference IS
  'Id of the provider for the reversal or the refund, if it has one, or for the dispute.';
COMMENT ON COLUMN provider_failures.reason IS 'Why, as the provider says.';
COMMENT ON COLUMN provider_failures.failed_at IS 'When, at the word of the provider.';
COMMENT ON COLUMN provider_failures.received_at IS 'When it was reported.';
COMMENT ON COLUMN provider_failures.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';
COMMENT ON COLUMN provider_failures.dispute_status IS 'State of the dispute.';
COMMENT ON COLUMN provider_failures.withdrawn IS
  'What the provider holds for the dispute, in minor units; null: it does not say.';
COMMENT ON COLUMN provider_failures.fee IS
  'What the provider charges for the dispute, in minor units; null: it does not say.';
COMMENT ON COLUMN provider_failures.evidence_due_by IS 'Until when the provider takes evidence.';

CREATE INDEX provider_failures_of_payment ON provider_failures (gateway, provider_payment_id);
CREATE INDEX provider_failures_xact ON provider_failures USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER provider_failures_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON
  provider_failures
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('provider failures are append-only');

CREATE TABLE provider_payouts (
  gateway             text NOT NULL,
  event_id            text NOT NULL,
  event_type          text NOT NULL,
  provider_payout_id  text NOT NULL,
  status              text NOT NULL,
  amount              bigint NOT NULL,
  fee                 bigint NOT NULL,
  currency            text NOT NULL,
  sent_on             date NOT NULL,
  arrives_on          date,
  descriptor          text,
  reason              text,
  told_at             timestamptz NOT NULL,
  lines               jsonb NOT NULL,
  received_at         timestamptz NOT NULL,
  xact                bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (gateway, event_id),
  CONSTRAINT provider_payouts_status_known CHECK (status IN ('sent', 'failed')),
  CONSTRAINT provider_payouts_lines_are_a_list CHECK (jsonb_typeof(lines) = 'array')
);
COMMENT ON TABLE provider_payouts IS
  'Payouts of a gateway of several accounts, told before it is sure whose they are. Append-only. '
  'Global, as provider_events are.';
COMMENT ON COLUMN provider_payouts.gateway IS 'Gateway that told it.';
COMMENT ON COLUMN provider_payouts.event_id IS 'Event of the provider that told it.';
COMMENT ON COLUMN provider_payouts.event_type IS 'Type that the provider gives the event.';
COMMENT ON COLUMN provider_payouts.provider_payout_id IS 'Id of the provider for the payout.';
COMMENT ON COLUMN provider_payouts.status IS 'Whether it was sent, or came back.';
COMMENT ON COLUMN provider_payouts.amount IS 'What arrives at the bank, in minor units.';
COMMENT ON COLUMN provider_payouts.fee IS 'What the provider takes for it, in minor units.';
COMMENT ON COLUMN provider_payouts.currency IS 'ISO 4217 code of the amounts.';
COMMENT ON COLUMN provider_payouts.sent_on IS 'Day on which it left the provider.';
COMMENT ON COLUMN provider_payouts.arrives_on IS 'Day on which the bank should have it, if told.';
COMMENT ON COLUMN provider_payouts.descriptor IS 'Text that comes with it at the bank, if told.';
COMMENT ON COLUMN provider_payouts.reason IS 'Why it came back, as the provider says.';
COMMENT ON COLUMN provider_payouts.told_at IS 'When, at the word of the provider.';
COMMENT ON COLUMN provider_payouts.lines IS
  'What is in it: kind, provider_id, amount and fee of each, in minor units as text.';
COMMENT ON COLUMN provider_payouts.received_at IS 'When it was reported.';
COMMENT ON COLUMN provider_payouts.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

CREATE INDEX provider_payouts_of_payout ON provider_payouts (gateway, provider_payout_id);
CREATE INDEX provider_payouts_xact ON provider_payouts USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER provider_payouts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON provider_payouts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('told payouts are append-only');

CREATE TABLE provider_payout_waits (
  gateway             text NOT NULL,
  provider_id         text NOT NULL,
  kind                text NOT NULL,
  provider_payout_id  text NOT NULL,
  since               timestamptz NOT NULL,
  xact                bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (gateway, provider_id, kind, provider_payout_id),
  CONSTRAINT provider_payout_waits_kind_known CHECK (kind IN ('payment', 'refund'))
);
COMMENT ON TABLE provider_payout_waits IS
  'Payments and refunds that a payout named before they were told: with them it is gone on with. '
  'Append-only. Global, as provider_events are.';
COMMENT ON COLUMN provider_payout_waits.gateway IS 'Gateway of the payout.';
COMMENT ON COLUMN provider_payout_waits.provider_id IS
  'Id of the provider for the payment or refund.';
COMMENT ON COLUMN provider_payout_waits.kind IS 'Which of the two it is.';
COMMENT ON COLUMN provider_payout_waits.provider_payout_id IS 'Id of the provider for the payout.';
COMMENT ON COLUMN provider_payout_waits.since IS 'When the payout was told.';
COMMENT ON COLUMN provider_payout_waits.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

CREATE INDEX provider_payout_waits_xact ON provider_payout_waits USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER provider_payout_waits_append_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON provider_payout_waits
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('waits of payouts are append-only');
