-- Documents, their contents, and those that are not settled yet.

-- Part of each page stays free for the next state of its rows.
CREATE TABLE documents (
  account_id          uuid NOT NULL REFERENCES accounts,
  document_id         uuid NOT NULL,
  kind                text NOT NULL,
  lifecycle           text NOT NULL,
  proforma            boolean NOT NULL DEFAULT false,
  number              text,
  number_series       text,
  number_period       text,
  number_sequence     bigint,
  external_id         text,
  payment_reference   text,
  purchase_order      text,
  currency            text NOT NULL,
  language            text,
  customer_id         uuid NOT NULL,
  issue_date          date,
  due_date            date,
  payment_terms_days  integer,
  prices_include_tax  boolean NOT NULL DEFAULT false,
  cash_rounding       integer,
  subtotal            bigint NOT NULL,
  discount_total      bigint NOT NULL DEFAULT 0,
  charge_total        bigint NOT NULL DEFAULT 0,
  net_total           bigint NOT NULL,
  tax_total           bigint NOT NULL,
  rounding            bigint NOT NULL DEFAULT 0,
  total               bigint NOT NULL,
  amount_paid         bigint NOT NULL DEFAULT 0,
  amount_refunded     bigint NOT NULL DEFAULT 0,
  amount_credited     bigint NOT NULL DEFAULT 0,
  amount_waived       bigint NOT NULL DEFAULT 0,
  credit_notes_total  bigint NOT NULL DEFAULT 0,
  amount_applied      bigint NOT NULL DEFAULT 0,
  origin              text,
  origin_document_id  uuid,
  revision            integer NOT NULL DEFAULT 1,
  accepted_at         timestamptz,
  rejection_reason    text,
  rejected_at         timestamptz,
  rejected_version    integer,
  converted_at        timestamptz,
  written_off_at      timestamptz,
  voided_at           timestamptz,
  settled_at          timestamptz,
  lapses_at           timestamptz,
  version             integer NOT NULL,
  event_sequence      integer NOT NULL,
  created_at          timestamptz NOT NULL,
  issued_at           timestamptz,
  issued_xact         bigint,
  amount_disputed     bigint NOT NULL DEFAULT 0,
  tax_relief          jsonb,
  updated_at          timestamptz NOT NULL,
  cash_discounts      jsonb,
  accepted_by         text,
  collection_method   text,
  amount_processing   bigint NOT NULL DEFAULT 0,
  amount_undecided    bigint NOT NULL DEFAULT 0,
  amount_moved        bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, document_id),
  FOREIGN KEY (account_id, customer_id) REFERENCES customers,
  CONSTRAINT documents_number_counter
    FOREIGN KEY (account_id, number_series, number_period) REFERENCES number_counters,
  FOREIGN KEY (account_id, origin_document_id) REFERENCES documents,
  CONSTRAINT documents_number UNIQUE (account_id, kind, number),
  CONSTRAINT documents_currency UNIQUE (account_id, document_id, currency),
  CONSTRAINT documents_number_sequence
    UNIQUE (account_id, number_series, number_period, number_sequence),
  CONSTRAINT documents_external_id UNIQUE (account_id, external_id),
  CONSTRAINT documents_version_from_one CHECK (version > 0),
  CONSTRAINT documents_event_sequence_not_negative CHECK (event_sequence >= 0),
  CONSTRAINT documents_money CHECK (
    document_money_is_sound(kind, lifecycle, origin, subtotal, discount_total, charge_total,
    net_total, tax_total, rounding, total, amount_paid, amount_refunded, amount_waived,
    amount_credited, credit_notes_total, amount_applied, amount_disputed, amount_processing,
    tax_relief, settled_at))
) WITH (fillfactor = 70);
COMMENT ON TABLE documents IS
  'Invoices, quotes and credit notes. An issued document is frozen; only its state and what was '
  'paid go on.';
COMMENT ON COLUMN documents.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN documents.document_id IS 'Identifies the document.';
COMMENT ON COLUMN documents.kind IS 'Kind of document.';
COMMENT ON COLUMN documents.lifecycle IS
  'State of the document itself; what was paid stands in the sums.';
COMMENT ON COLUMN documents.proforma IS 'Whether a quote is printed as a proforma invoice.';
COMMENT ON COLUMN documents.number IS 'Number of the issued document; null on a draft.';
COMMENT ON COLUMN documents.number_series IS
  'Series of the number; null: given elsewhere. A draft may say which series it wants.';
COMMENT ON COLUMN documents.number_period IS 'Period of the series that the number was counted in.';
COMMENT ON COLUMN documents.number_sequence IS 'Place of the number in its period.';
COMMENT ON COLUMN documents.external_id IS 'Id that the caller gave, unique in the account.';
COMMENT ON COLUMN documents.payment_reference IS
  'Reference that a bank transfer names the invoice by (ISO 11649 where the number allows).';
COMMENT ON COLUMN documents.purchase_order IS 'Purchase order of the customer.';
COMMENT ON COLUMN documents.currency IS 'ISO 4217 code of all amounts of the document.';
COMMENT ON COLUMN documents.language IS
  'BCP 47 tag of the language it is printed in; null: as the account says.';
COMMENT ON COLUMN documents.customer_id IS 'Customer that the document is addressed to.';
COMMENT ON COLUMN documents.issue_date IS 'Day of issue in the time zone of the account.';
COMMENT ON COLUMN documents.due_date IS
  'Day by which it is to be paid, or until which a quote stands.';
COMMENT ON COLUMN documents.payment_terms_days IS
  'Days between issue date and due date, where they were given so.';
COMMENT ON COLUMN documents.prices_include_tax IS 'Whether the amounts of the lines include tax.';
COMMENT ON COLUMN documents.cash_rounding IS
  'Multiple that the total is rounded to, in minor units; null: not rounded.';
COMMENT ON COLUMN documents.subtotal IS 'Sum of the lines without tax, in minor units.';
COMMENT ON COLUMN documents.discount_total IS
  'Sum of the discounts on the document without tax, in minor units.';
COMMENT ON COLUMN documents.charge_total IS
  'Sum of the charges on the document without tax, in minor units.';
COMMENT ON COLUMN documents.net_total IS
  'Sum without tax, in minor units: subtotal - discounts + charges.';
COMMENT ON COLUMN documents.tax_total IS 'Sum of the tax, in minor units.';
COMMENT ON COLUMN documents.rounding IS
  'What cash rounding added, in minor units; below zero: took off.';
COMMENT ON COLUMN documents.total IS
  'What the document asks for, in minor units: net + tax + rounding.';
COMMENT ON COLUMN documents.amount_paid IS
  'What payments paid, in minor units, refunds not taken off.';
COMMENT ON COLUMN documents.amount_refunded IS 'What was paid and went back, in minor units.';
COMMENT ON COLUMN documents.amount_credited IS
  'What credit notes took off the amount due, in minor units.';
COMMENT ON COLUMN documents.amount_waived IS
  'What an underpayment within the tolerance or a cash discount left, in minor units.';
COMMENT ON COLUMN documents.credit_notes_total IS
  'Sum of the totals of the credit notes that stand against it, in minor units.';
COMMENT ON COLUMN documents.amount_applied IS
  'Of a credit note: what it took off its invoice, in minor units. The rest is credit.';
COMMENT ON COLUMN documents.origin IS 'Why the document was made of another.';
COMMENT ON COLUMN documents.origin_document_id IS 'The document that it was made of.';
COMMENT ON COLUMN documents.revision IS 'Goes up by one with each revision of a quote.';
COMMENT ON COLUMN documents.accepted_at IS 'When the client accepted the quote.';
COMMENT ON COLUMN documents.rejection_reason IS 'What the client said against it.';
COMMENT ON COLUMN documents.rejected_at IS 'When the client rejected it.';
COMMENT ON COLUMN documents.rejected_version IS 'Version that the client had before its eyes.';
COMMENT ON COLUMN documents.converted_at IS 'When the quote became an invoice.';
COMMENT ON COLUMN documents.written_off_at IS 'When the invoice was given up as uncollectible.';
COMMENT ON COLUMN documents.voided_at IS 'When the document was voided.';
COMMENT ON COLUMN documents.settled_at IS
  'When nothing was due any more; null: something is, or never was.';
COMMENT ON COLUMN documents.lapses_at IS
  'End of the due date in the time zone of the account: afterwards it is overdue, a quote expired.';
COMMENT ON COLUMN documents.version IS 'Goes up by one with each change; the ETag.';
COMMENT ON COLUMN documents.event_sequence IS 'Sequence of the last event of the document.';
COMMENT ON COLUMN documents.created_at IS 'When the draft was made.';
COMMENT ON COLUMN documents.issued_at IS 'When it was issued.';
COMMENT ON COLUMN documents.issued_xact IS
  'Transaction that issued it, by which seals cover what was frozen.';
COMMENT ON COLUMN documents.amount_disputed IS
  'Part of what was paid that payers dispute at providers, in minor units.';
COMMENT ON COLUMN documents.tax_relief IS
  'Taxes of what is not credited, while the tax of what was let go is claimed back; null: it is '
  'not.';
COMMENT ON COLUMN documents.updated_at IS 'When the last event happened to it.';
COMMENT ON COLUMN documents.cash_discounts IS
  'Reductions for those who pay early: percent, days and, once issued, their ends; null: none.';
COMMENT ON COLUMN documents.accepted_by IS
  'Name that the client gave when it accepted; null: none.';
COMMENT ON COLUMN documents.collection_method IS
  'Whether it is debited by a mandate, or left to the client; null: as the mandate says.';
COMMENT ON COLUMN documents.amount_processing IS
  'Sum of its payment links that are processing, in minor units: on its way, and not paid.';
COMMENT ON COLUMN documents.amount_undecided IS
  'Part of what was refunded of which nobody has said whether it is owed again, in minor units.';
COMMENT ON COLUMN documents.amount_moved IS
  'Of a credit note: credit that went onto its invoice after its issue, in minor units; below '
  'zero: came off again.';

CREATE INDEX documents_of_origin ON documents
  (account_id, origin_document_id) WHERE origin_document_id IS NOT NULL;
-- One for each order of a list. None of them holds what a payment changes, so that its update stays
-- on its page (heap-only tuple); only the last payment, which sets settled_at, has to write them.
-- Dates that a draft does not have yet come last.
CREATE INDEX documents_created ON documents (account_id, created_at, document_id);
CREATE INDEX documents_issue_date ON documents
  (account_id, coalesce(issue_date, '9999-12-31'), document_id);
CREATE INDEX documents_due_date ON documents
  (account_id, coalesce(due_date, '9999-12-31'), document_id);
CREATE INDEX documents_number_order ON documents
  (account_id, number_order(number) COLLATE "C", document_id);
CREATE INDEX documents_total ON documents (account_id, total, document_id);
-- A customer's documents, newest first; and the foreign key when a customer is deleted.
CREATE INDEX documents_customer ON documents (account_id, customer_id, created_at, document_id);
-- Every other status but paid, which is what most documents come to.
CREATE INDEX documents_lifecycle ON documents
  (account_id, lifecycle, created_at, document_id) WHERE lifecycle <> 'open';
-- Not unique: a match asks for exactly one.
CREATE INDEX documents_payment_reference ON documents
  (account_id, payment_reference) WHERE payment_reference IS NOT NULL;
CREATE INDEX documents_issued_xact ON documents USING brin
  (issued_xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER documents_issued_stay BEFORE DELETE ON documents
  FOR EACH ROW
  WHEN (OLD.lifecycle <> 'draft')
  EXECUTE FUNCTION refuse_change('an issued document is never deleted');
CREATE TRIGGER documents_reference_frozen_when_issued
  BEFORE UPDATE OF payment_reference ON documents
  FOR EACH ROW
  WHEN (OLD.lifecycle <> 'draft' AND OLD.payment_reference IS DISTINCT FROM NEW.payment_reference)
  EXECUTE FUNCTION refuse_change('an issued document is frozen');
CREATE TRIGGER documents_issued_xact_stays BEFORE UPDATE OF issued_xact ON documents
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a row stays in its transaction');
CREATE TRIGGER documents_issued_in BEFORE INSERT OR UPDATE OF issued_at ON documents
  FOR EACH ROW
  WHEN ((NEW.issued_at IS NULL) <> (NEW.issued_xact IS NULL))
  EXECUTE FUNCTION mark_issued_xact();
CREATE TRIGGER documents_state BEFORE INSERT OR UPDATE OF kind, lifecycle, proforma, currency,
  number, number_series, number_period, number_sequence, payment_terms_days, cash_rounding, origin,
  origin_document_id, revision, issue_date, due_date, lapses_at, issued_at, issued_xact,
  payment_reference, accepted_at, rejected_at, rejection_reason, rejected_version, converted_at,
  written_off_at, voided_at ON documents
  FOR EACH ROW EXECUTE FUNCTION check_document_state();
CREATE TRIGGER documents_lifecycle BEFORE UPDATE OF lifecycle, accepted_at, rejected_at,
  rejection_reason, rejected_version ON documents
  FOR EACH ROW EXECUTE FUNCTION check_document_step();
CREATE TRIGGER documents_cash_discounts_frozen_when_issued
  BEFORE UPDATE OF cash_discounts ON documents FOR EACH ROW
  WHEN (OLD.lifecycle <> 'draft' AND OLD.cash_discounts IS DISTINCT FROM NEW.cash_discounts)
  EXECUTE FUNCTION refuse_change('an issued document is frozen');
CREATE TRIGGER documents_accepted_by_stays BEFORE UPDATE OF accepted_by ON documents
  FOR EACH ROW
  WHEN (OLD.accepted_at IS NOT NULL AND OLD.accepted_by IS DISTINCT FROM NEW.accepted_by)
  EXECUTE FUNCTION refuse_change('documents only move forward');
CREATE TRIGGER documents_issued_pending AFTER INSERT ON documents
  FOR EACH ROW WHEN (NEW.lifecycle = 'open' AND NEW.settled_at IS NULL)
  EXECUTE FUNCTION follow_pending_document();
CREATE TRIGGER documents_pending AFTER UPDATE OF lifecycle, settled_at ON documents
  FOR EACH ROW
  WHEN ((OLD.lifecycle = 'open' AND OLD.settled_at IS NULL)
    <> (NEW.lifecycle = 'open' AND NEW.settled_at IS NULL))
  EXECUTE FUNCTION follow_pending_document();
CREATE TRIGGER documents_frozen_when_issued
  BEFORE UPDATE OF kind, number, currency, customer_id, issue_date, due_date, purchase_order,
    net_total, tax_total, total, issued_at, proforma, language, external_id,
    prices_include_tax, cash_rounding, subtotal, discount_total, charge_total, rounding,
    amount_applied, origin, origin_document_id, revision, lapses_at, number_series,
    number_period, number_sequence ON documents
  FOR EACH ROW EXECUTE FUNCTION keep_issued_document();
CREATE TRIGGER documents_undecided BEFORE UPDATE OF amount_undecided ON documents
  FOR EACH ROW EXECUTE FUNCTION check_document_undecided();
CREATE TRIGGER documents_particulars
  BEFORE INSERT OR UPDATE OF accepted_by, accepted_at, cash_discounts, collection_method,
    amount_moved
  ON documents FOR EACH ROW EXECUTE FUNCTION check_document_particulars();

-- Apart from documents, whose rows each payment copies. Lines and taxes are JSON as readers want it,
-- because making that of rows was half of each read.
CREATE TABLE document_contents (
  account_id   uuid NOT NULL,
  document_id  uuid NOT NULL,
  seller       jsonb NOT NULL,
  customer     jsonb NOT NULL,
  notes        text,
  metadata     jsonb NOT NULL,
  details      jsonb,
  discounts    jsonb NOT NULL,
  charges      jsonb NOT NULL,
  lines        json NOT NULL,
  tax_groups   json NOT NULL,
  search       tsvector NOT NULL,
  PRIMARY KEY (account_id, document_id),
  FOREIGN KEY (account_id, document_id) REFERENCES documents ON DELETE CASCADE
);
COMMENT ON TABLE document_contents IS
  'Words and lines of documents, one row each. Frozen with the document, but for metadata.';
COMMENT ON COLUMN document_contents.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN document_contents.document_id IS 'The document.';
COMMENT ON COLUMN document_contents.seller IS
  'The seller as printed: a copy that was frozen at issue.';
COMMENT ON COLUMN document_contents.customer IS
  'The customer as printed: a copy that was frozen at issue.';
COMMENT ON COLUMN document_contents.notes IS 'Text that is printed below the lines.';
COMMENT ON COLUMN document_contents.metadata IS
  'Values that the caller attached; only a filter reads them.';
COMMENT ON COLUMN document_contents.details IS
  'Dates, references, delivery and parties of EN 16931 that the document has; null: none.';
COMMENT ON COLUMN document_contents.discounts IS
  'Discounts on the whole document, as the API shows them.';
COMMENT ON COLUMN document_contents.charges IS
  'Charges on the whole document, as the API shows them.';
COMMENT ON COLUMN document_contents.lines IS 'The rows of document_lines, for readers.';
COMMENT ON COLUMN document_contents.tax_groups IS 'The rows of document_tax_groups, for readers.';
COMMENT ON COLUMN document_contents.search IS
  'Words that a search finds, each beginning with the end of the account id. Written with the '
  'document.';

CREATE INDEX document_contents_metadata ON document_contents
  USING gin (metadata_pairs(account_id, metadata)) WITH (fastupdate = off)
  WHERE metadata <> '{}';
CREATE INDEX document_contents_search ON document_contents
  USING gin (search) WITH (fastupdate = off);

CREATE TRIGGER document_contents_frozen
  BEFORE INSERT OR DELETE OR UPDATE OF account_id, document_id, seller, customer, notes,
    details, discounts, charges, lines, tax_groups ON document_contents
  FOR EACH ROW EXECUTE FUNCTION keep_issued_content();
CREATE TRIGGER document_contents_stay BEFORE TRUNCATE ON document_contents
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('issued documents are frozen');

-- As indexes of documents, these orders made a payment in full write all of its indexes anew.
CREATE TABLE pending_documents (
  account_id   uuid NOT NULL,
  document_id  uuid NOT NULL,
  created_at   timestamptz NOT NULL,
  due_date     date NOT NULL,
  currency     text NOT NULL,
  total        bigint NOT NULL,
  PRIMARY KEY (account_id, document_id),
  FOREIGN KEY (account_id, document_id) REFERENCES documents ON DELETE CASCADE
);
COMMENT ON TABLE pending_documents IS
  'Documents that are open and not settled, for lists of them. Follows documents by itself.';
COMMENT ON COLUMN pending_documents.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN pending_documents.document_id IS 'The document.';
COMMENT ON COLUMN pending_documents.created_at IS 'When its draft was made.';
COMMENT ON COLUMN pending_documents.due_date IS 'Its due date; 9999-12-31: it has none.';
COMMENT ON COLUMN pending_documents.currency IS 'ISO 4217 code of its amounts.';
COMMENT ON COLUMN pending_documents.total IS 'What it asks for, in minor units.';

CREATE INDEX pending_documents_created
  ON pending_documents (account_id, created_at, document_id);
CREATE INDEX pending_documents_due_date
  ON pending_documents (account_id, due_date, document_id);
CREATE INDEX pending_documents_total
  ON pending_documents (account_id, currency, total, document_id);

CREATE TRIGGER pending_documents_follow
  BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON pending_documents
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_change('pending documents follow documents');
