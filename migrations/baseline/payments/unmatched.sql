-- Money that belongs to no document yet, or to none at all.

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
  booked_fee           bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, receipt_id),
  FOREIGN KEY (account_id, payment_link_id) REFERENCES payment_links,
  FOREIGN KEY (account_id, document_id) REFERENCES documents,
  CONSTRAINT unmatched_receipts_provider UNIQUE (account_id, gateway, provider_payment_id),
  CONSTRAINT unmatched_receipts_amount_positive CHECK (amount > 0),
  CONSTRAINT unmatched_receipts_settled_within_amount CHECK (settled BETWEEN 0 AND amount),
  CONSTRAINT unmatched_receipts_fee_within_amount CHECK (fee BETWEEN 1 AND amount),
  CONSTRAINT unmatched_receipts_books_its_fee
    CHECK (booked_fee = 0 OR booked_fee IS NOT DISTINCT FROM fee),
  CONSTRAINT unmatched_receipts_reason_known CHECK (
    reason IN ('unknown_link', 'currency_mismatch', 'document_not_payable', 'amount_too_large',
    'unconfirmed', 'foreign_gateway', 'payment_reversed'))
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
COMMENT ON COLUMN unmatched_receipts.booked_fee IS
  'Fee that was booked when it arrived, in minor units; 0: its payment books it.';

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
CREATE TRIGGER unmatched_receipts_fee_stays BEFORE UPDATE OF fee, booked_fee
  ON unmatched_receipts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('receipts are append-only');

CREATE TABLE unmatched_items (
  account_id           uuid NOT NULL,
  item_id              uuid NOT NULL,
  gateway              text NOT NULL,
  subject              text NOT NULL,
  direction            text NOT NULL,
  provider_payment_id  text,
  link_reference       text,
  amount               bigint,
  currency             text,
  told                 text NOT NULL,
  event_id             text NOT NULL,
  event_type           text NOT NULL,
  received_at          timestamptz NOT NULL,
  xact                 bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (account_id, item_id),
  CONSTRAINT unmatched_items_subject UNIQUE (account_id, gateway, subject),
  CONSTRAINT unmatched_items_direction_known CHECK (direction IN ('in', 'out')),
  CONSTRAINT unmatched_items_amount_positive CHECK (amount > 0),
  CONSTRAINT unmatched_items_amount_has_a_currency CHECK ((amount IS NULL) = (currency IS NULL))
);
COMMENT ON TABLE unmatched_items IS
  'Money that moved at a provider and could not be booked. Append-only.';
COMMENT ON COLUMN unmatched_items.account_id IS
  'Account that the gateway belongs to; the account of zeros: unknown.';
COMMENT ON COLUMN unmatched_items.item_id IS 'Identifies the item.';
COMMENT ON COLUMN unmatched_items.gateway IS 'Gateway that told it.';
COMMENT ON COLUMN unmatched_items.subject IS
  'What it is about, so that several events about it make one item.';
COMMENT ON COLUMN unmatched_items.direction IS 'Whether money came in or went out.';
COMMENT ON COLUMN unmatched_items.provider_payment_id IS 'Id of the provider for the payment.';
COMMENT ON COLUMN unmatched_items.link_reference IS 'What the provider said of the link.';
COMMENT ON COLUMN unmatched_items.amount IS
  'What moved, in minor units; null: it cannot be said exactly.';
COMMENT ON COLUMN unmatched_items.currency IS 'ISO 4217 code of the amount.';
COMMENT ON COLUMN unmatched_items.told IS 'What happened, in a sentence.';
COMMENT ON COLUMN unmatched_items.event_id IS 'Event of the provider that told it first.';
COMMENT ON COLUMN unmatched_items.event_type IS 'Type that the provider gives the event.';
COMMENT ON COLUMN unmatched_items.received_at IS 'When it was told.';
COMMENT ON COLUMN unmatched_items.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

CREATE INDEX unmatched_items_xact ON unmatched_items USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);
CREATE INDEX unmatched_items_payment ON unmatched_items (gateway, provider_payment_id)
  WHERE provider_payment_id IS NOT NULL;

CREATE TRIGGER unmatched_items_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON
  unmatched_items
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('unmatched items are append-only');

CREATE TABLE unmatched_item_steps (
  account_id  uuid NOT NULL,
  item_id     uuid NOT NULL,
  step        integer NOT NULL,
  status      text NOT NULL,
  reason      text NOT NULL,
  client_id   uuid,
  at          timestamptz NOT NULL,
  xact        bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (account_id, item_id, step),
  FOREIGN KEY (account_id, item_id) REFERENCES unmatched_items,
  CONSTRAINT unmatched_item_steps_from_one CHECK (step > 0),
  CONSTRAINT unmatched_item_steps_status_known CHECK (status IN ('open', 'closed'))
);
COMMENT ON TABLE unmatched_item_steps IS
  'Who marked an item as done, or opened it again, and why. Append-only.';
COMMENT ON COLUMN unmatched_item_steps.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN unmatched_item_steps.item_id IS 'The item.';
COMMENT ON COLUMN unmatched_item_steps.step IS 'Place among the steps of the item, from 1.';
COMMENT ON COLUMN unmatched_item_steps.status IS 'State of the item since.';
COMMENT ON COLUMN unmatched_item_steps.reason IS 'What the client said.';
COMMENT ON COLUMN unmatched_item_steps.client_id IS
  'Client that did it; null: the money was told later, and is in the books.';
COMMENT ON COLUMN unmatched_item_steps.at IS 'When.';
COMMENT ON COLUMN unmatched_item_steps.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

CREATE INDEX unmatched_item_steps_xact ON unmatched_item_steps USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER unmatched_item_steps_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON
  unmatched_item_steps
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('steps of items are append-only');
