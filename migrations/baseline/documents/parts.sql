-- What belongs to a document: lines, tax, PDFs, portal tokens.

CREATE TABLE document_lines (
  account_id        uuid NOT NULL,
  document_id       uuid NOT NULL,
  position          integer NOT NULL,
  description       text NOT NULL,
  quantity          numeric NOT NULL,
  unit              text NOT NULL DEFAULT 'C62',
  unit_amount       numeric NOT NULL,
  tax_category      text NOT NULL,
  tax_rate          numeric NOT NULL,
  exemption_reason  text,
  discounts         jsonb NOT NULL DEFAULT '[]',
  charges           jsonb NOT NULL DEFAULT '[]',
  amount            bigint NOT NULL,
  net               bigint NOT NULL,
  line_id           uuid NOT NULL,
  external_id       text,
  sku               text,
  metadata          jsonb NOT NULL DEFAULT '{}',
  credited_line_id  uuid,
  details           jsonb,
  tax_rate_id       uuid,
  item_id           uuid,
  PRIMARY KEY (account_id, document_id, position),
  FOREIGN KEY (account_id, document_id) REFERENCES documents ON DELETE CASCADE,
  FOREIGN KEY (account_id, credited_line_id) REFERENCES document_lines (account_id, line_id),
  FOREIGN KEY (account_id, tax_rate_id) REFERENCES tax_rates,
  FOREIGN KEY (account_id, item_id) REFERENCES items,
  CONSTRAINT document_lines_line_id_key UNIQUE (account_id, line_id),
  CONSTRAINT document_lines_position_from_one CHECK (position > 0),
  CONSTRAINT document_lines_unit_amount_not_negative CHECK (unit_amount >= 0),
  CONSTRAINT document_lines_tax_rate_is_a_percentage CHECK (tax_rate BETWEEN 0 AND 100),
  CONSTRAINT document_lines_external_id_not_empty CHECK (external_id <> ''),
  CONSTRAINT document_lines_sku_not_empty CHECK (sku <> ''),
  CONSTRAINT document_lines_signs_agree
    CHECK (CASE WHEN quantity < 0 THEN amount <= 0 AND net <= 0 ELSE amount >= 0 AND net >= 0 END)
);
COMMENT ON TABLE document_lines IS 'Lines of documents. Frozen with the document.';
COMMENT ON COLUMN document_lines.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN document_lines.document_id IS 'Document that the line is on.';
COMMENT ON COLUMN document_lines.position IS 'Place on the document, from 1.';
COMMENT ON COLUMN document_lines.description IS 'What is sold.';
COMMENT ON COLUMN document_lines.quantity IS 'How many units; below zero, as many are taken back.';
COMMENT ON COLUMN document_lines.unit IS 'Unit of measure (UN/ECE Recommendation 20); C62: one.';
COMMENT ON COLUMN document_lines.unit_amount IS
  'Price of one unit in minor units, fractions allowed.';
COMMENT ON COLUMN document_lines.tax_category IS 'Category of tax (EN 16931, UNCL 5305).';
COMMENT ON COLUMN document_lines.tax_rate IS 'Rate of tax in percent.';
COMMENT ON COLUMN document_lines.exemption_reason IS 'Why no tax is charged.';
COMMENT ON COLUMN document_lines.discounts IS 'Discounts on the line, as the API shows them.';
COMMENT ON COLUMN document_lines.charges IS 'Charges on the line, as the API shows them.';
COMMENT ON COLUMN document_lines.amount IS
  'Amount of the line as entered, in minor units; with tax where prices include it.';
COMMENT ON COLUMN document_lines.net IS 'Amount of the line without tax, in minor units.';
COMMENT ON COLUMN document_lines.line_id IS 'Id of the line; it stays while a draft changes.';
COMMENT ON COLUMN document_lines.external_id IS 'The line in the caller''s own books.';
COMMENT ON COLUMN document_lines.sku IS 'The seller''s number of what is sold.';
COMMENT ON COLUMN document_lines.metadata IS 'Values that the caller attached; never read.';
COMMENT ON COLUMN document_lines.credited_line_id IS
  'Line of the invoice that the line of a credit note takes from.';
COMMENT ON COLUMN document_lines.details IS
  'Period, item ids and classification of EN 16931 that the line has; null: none.';
COMMENT ON COLUMN document_lines.tax_rate_id IS
  'Tax rate that the line took its tax from; null: it said its own.';
COMMENT ON COLUMN document_lines.item_id IS
  'Item that the line copied what it did not say from; null: none.';

CREATE INDEX document_lines_credited ON document_lines (account_id, credited_line_id)
  WHERE credited_line_id IS NOT NULL;

CREATE TRIGGER document_lines_frozen BEFORE INSERT OR DELETE OR UPDATE ON document_lines
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_issued();
CREATE TRIGGER document_lines_stay BEFORE TRUNCATE ON document_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('issued documents are frozen');

CREATE TABLE document_tax_groups (
  account_id        uuid NOT NULL,
  document_id       uuid NOT NULL,
  tax_category      text NOT NULL,
  tax_rate          numeric NOT NULL,
  base              bigint NOT NULL,
  tax               bigint NOT NULL,
  exemption_code    text,
  exemption_reason  text,
  PRIMARY KEY (account_id, document_id, tax_category, tax_rate),
  FOREIGN KEY (account_id, document_id) REFERENCES documents ON DELETE CASCADE,
  CONSTRAINT document_tax_groups_base_not_negative CHECK (base >= 0),
  CONSTRAINT document_tax_groups_tax_not_negative CHECK (tax >= 0)
);
COMMENT ON TABLE document_tax_groups IS
  'Tax of documents by category and rate. Frozen with the document.';
COMMENT ON COLUMN document_tax_groups.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN document_tax_groups.document_id IS 'Document that the tax is on.';
COMMENT ON COLUMN document_tax_groups.tax_category IS 'Category of tax (EN 16931, UNCL 5305).';
COMMENT ON COLUMN document_tax_groups.tax_rate IS 'Rate of tax in percent.';
COMMENT ON COLUMN document_tax_groups.base IS 'Sum that the tax is on, in minor units.';
COMMENT ON COLUMN document_tax_groups.tax IS 'The tax, in minor units.';
COMMENT ON COLUMN document_tax_groups.exemption_code IS
  'Code of the reason why no tax is charged (VATEX).';
COMMENT ON COLUMN document_tax_groups.exemption_reason IS 'Why no tax is charged.';

CREATE TRIGGER document_tax_groups_frozen BEFORE INSERT OR DELETE OR UPDATE ON document_tax_groups
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_issued();
CREATE TRIGGER document_tax_groups_stay BEFORE TRUNCATE ON document_tax_groups
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('issued documents are frozen');

CREATE TABLE credited_lines (
  account_id      uuid NOT NULL,
  credit_note_id  uuid NOT NULL,
  invoice_id      uuid NOT NULL,
  position        integer NOT NULL,
  amount          bigint NOT NULL,
  quantity        numeric,
  PRIMARY KEY (account_id, credit_note_id, position),
  FOREIGN KEY (account_id, credit_note_id) REFERENCES documents,
  FOREIGN KEY (account_id, invoice_id, position) REFERENCES document_lines,
  CONSTRAINT credited_lines_position_from_one CHECK (position > 0),
  CONSTRAINT credited_lines_amount_not_zero CHECK (amount <> 0),
  CONSTRAINT credited_lines_signs_agree CHECK (quantity <> 0 AND (quantity < 0) = (amount < 0))
);
COMMENT ON TABLE credited_lines IS
  'Which part of which line of an invoice a credit note takes back. Append-only.';
COMMENT ON COLUMN credited_lines.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN credited_lines.credit_note_id IS 'The credit note.';
COMMENT ON COLUMN credited_lines.invoice_id IS 'The invoice.';
COMMENT ON COLUMN credited_lines.position IS 'Line of the invoice, and place on the credit note.';
COMMENT ON COLUMN credited_lines.amount IS
  'What is taken back of the line, with tax, in minor units; below zero where the line is.';
COMMENT ON COLUMN credited_lines.quantity IS
  'How many units are taken back, with the sign of the line; null: an amount only.';

CREATE INDEX credited_lines_of_invoice ON credited_lines (account_id, invoice_id);

CREATE TRIGGER credited_lines_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON credited_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('credited lines are append-only');

CREATE TABLE document_pdfs (
  account_id   uuid NOT NULL,
  document_id  uuid NOT NULL,
  language     text NOT NULL,
  pdf          bytea NOT NULL,
  sha256       bytea NOT NULL,
  created_at   timestamptz NOT NULL,
  xact         bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (account_id, document_id, language),
  FOREIGN KEY (account_id, document_id) REFERENCES documents,
  CONSTRAINT document_pdfs_sha256_is_a_digest CHECK (length(sha256) = 32)
);
ALTER TABLE document_pdfs ALTER COLUMN pdf SET STORAGE EXTERNAL;
COMMENT ON TABLE document_pdfs IS
  'Issued documents as bytes: rendered once for each language, never changed. Append-only.';
COMMENT ON COLUMN document_pdfs.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN document_pdfs.document_id IS 'Document that was rendered.';
COMMENT ON COLUMN document_pdfs.language IS 'BCP 47 tag of the language.';
COMMENT ON COLUMN document_pdfs.pdf IS 'The PDF.';
COMMENT ON COLUMN document_pdfs.sha256 IS 'SHA-256 of the PDF.';
COMMENT ON COLUMN document_pdfs.created_at IS 'When it was rendered.';
COMMENT ON COLUMN document_pdfs.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

CREATE INDEX document_pdfs_xact ON document_pdfs USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER document_pdfs_frozen BEFORE UPDATE OR DELETE OR TRUNCATE ON document_pdfs
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('an issued PDF is never changed');

CREATE TABLE portal_tokens (
  token_sha256     bytea PRIMARY KEY,
  portal_token_id  uuid NOT NULL,
  account_id       uuid NOT NULL,
  document_id      uuid NOT NULL,
  created_at       timestamptz NOT NULL,
  expires_at       timestamptz NOT NULL,
  revoked_at       timestamptz,
  first_viewed_at  timestamptz,
  last_viewed_at   timestamptz,
  FOREIGN KEY (account_id, document_id) REFERENCES documents,
  CONSTRAINT portal_tokens_token_is_a_digest CHECK (length(token_sha256) = 32),
  CONSTRAINT portal_tokens_views_in_order CHECK (
    (first_viewed_at IS NULL) = (last_viewed_at IS NULL)
    AND first_viewed_at <= last_viewed_at)
);
COMMENT ON TABLE portal_tokens IS
  'Tokens that open a document for its customer. Global, because a token comes before its account '
  'is known.';
COMMENT ON COLUMN portal_tokens.token_sha256 IS 'SHA-256 of the token.';
COMMENT ON COLUMN portal_tokens.portal_token_id IS 'Identifies the token to the account.';
COMMENT ON COLUMN portal_tokens.account_id IS 'Account of the document.';
COMMENT ON COLUMN portal_tokens.document_id IS 'Document that the token opens.';
COMMENT ON COLUMN portal_tokens.created_at IS 'When the token was made.';
COMMENT ON COLUMN portal_tokens.expires_at IS 'When the token is refused.';
COMMENT ON COLUMN portal_tokens.revoked_at IS 'When the token was revoked; null: it is good.';
COMMENT ON COLUMN portal_tokens.first_viewed_at IS
  'When a person first opened the page; null: nobody has.';
COMMENT ON COLUMN portal_tokens.last_viewed_at IS
  'When a person last opened the page, to the hour.';

CREATE INDEX portal_tokens_document ON portal_tokens (account_id, document_id);
