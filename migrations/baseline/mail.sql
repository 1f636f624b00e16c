-- Messages by e-mail.

CREATE TABLE mail_settings (
  account_id       uuid PRIMARY KEY REFERENCES accounts,
  documents_since  timestamptz,
  receipts_since   timestamptz,
  answers_since    timestamptz,
  reminders_since  timestamptz,
  reminder_days    smallint[] NOT NULL,
  version          integer NOT NULL,
  updated_at       timestamptz NOT NULL,
  CONSTRAINT mail_settings_reminders_have_days
    CHECK ((reminders_since IS NULL) = (cardinality(reminder_days) = 0)),
  CONSTRAINT mail_settings_version_from_one CHECK (version > 0)
);
COMMENT ON TABLE mail_settings IS 'What an account sends without being asked each time.';
COMMENT ON COLUMN mail_settings.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN mail_settings.documents_since IS
  'Since when issued documents go to their customers; null: they do not.';
COMMENT ON COLUMN mail_settings.receipts_since IS
  'Since when payments are confirmed to customers; null: they are not.';
COMMENT ON COLUMN mail_settings.answers_since IS
  'Since when the seller is told what clients answer; null: it is not.';
COMMENT ON COLUMN mail_settings.reminders_since IS
  'Since when customers are reminded; null: they are not.';
COMMENT ON COLUMN mail_settings.reminder_days IS
  'Days after the due date on which they are reminded; below zero: before it.';
COMMENT ON COLUMN mail_settings.version IS 'Goes up by one with each change; the ETag.';
COMMENT ON COLUMN mail_settings.updated_at IS 'When they were changed last.';

CREATE TABLE mail_messages (
  account_id       uuid NOT NULL REFERENCES accounts,
  message_id       uuid NOT NULL,
  document_id      uuid,
  kind             text NOT NULL,
  fact             text NOT NULL,
  recipients       text[] NOT NULL,
  note             text,
  amount           bigint,
  status           text NOT NULL,
  reason           text,
  attempts         integer NOT NULL DEFAULT 0,
  next_attempt_at  timestamptz,
  created_at       timestamptz NOT NULL,
  settled_at       timestamptz,
  counted_at       timestamptz,
  change           jsonb,
  PRIMARY KEY (account_id, message_id),
  FOREIGN KEY (account_id, document_id) REFERENCES documents,
  CONSTRAINT mail_messages_one_for_each_fact
    UNIQUE NULLS NOT DISTINCT (account_id, document_id, fact),
  CONSTRAINT mail_messages_status_known CHECK (status IN ('queued', 'sent', 'failed', 'canceled')),
  CONSTRAINT mail_messages_queued_has_next
    CHECK ((status = 'queued') = (next_attempt_at IS NOT NULL)),
  CONSTRAINT mail_messages_settled_when_not_queued
    CHECK ((status = 'queued') = (settled_at IS NULL)),
  CONSTRAINT mail_messages_attempts_not_negative CHECK (attempts >= 0),
  CONSTRAINT mail_messages_kind_known
    CHECK (kind IN ('document', 'receipt', 'reminder', 'answer', 'details_changed')),
  CONSTRAINT mail_messages_about_a_document_or_a_change CHECK (
    (document_id IS NULL) = (kind = 'details_changed')
    AND (change IS NOT NULL) = (kind = 'details_changed'))
);
COMMENT ON TABLE mail_messages IS 'Messages by e-mail, one for each fact, and what became of them.';
COMMENT ON COLUMN mail_messages.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN mail_messages.message_id IS 'Identifies the message; sorts by time.';
COMMENT ON COLUMN mail_messages.document_id IS
  'Document that the message is about; null: it tells of a change of the seller.';
COMMENT ON COLUMN mail_messages.kind IS 'What it says.';
COMMENT ON COLUMN mail_messages.fact IS
  'What it is sent for: an event, a request, a day of reminders, or a version of the seller.';
COMMENT ON COLUMN mail_messages.recipients IS 'Addresses that it goes to.';
COMMENT ON COLUMN mail_messages.note IS 'Words of the seller, or of the client who answered.';
COMMENT ON COLUMN mail_messages.amount IS 'Money that a receipt confirms, in minor units.';
COMMENT ON COLUMN mail_messages.status IS 'Whether it is still to be sent.';
COMMENT ON COLUMN mail_messages.reason IS
  'Why it waits, failed or was canceled: a code, or the words of the mail server.';
COMMENT ON COLUMN mail_messages.attempts IS 'How often it was tried.';
COMMENT ON COLUMN mail_messages.next_attempt_at IS
  'When it is tried next; while it is tried, when it is given up for lost.';
COMMENT ON COLUMN mail_messages.created_at IS 'When it was asked for.';
COMMENT ON COLUMN mail_messages.settled_at IS 'When it was sent, given up or canceled.';
COMMENT ON COLUMN mail_messages.counted_at IS
  'When it took its place among those of 24 hours; null: it has none yet.';
COMMENT ON COLUMN mail_messages.change IS
  'What was changed of the seller, by whom and when; account numbers by their last four.';

CREATE INDEX mail_messages_due ON mail_messages (next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;
CREATE INDEX mail_messages_status ON mail_messages (account_id, status, message_id);

CREATE TRIGGER mail_messages_settled_once BEFORE UPDATE OF status ON mail_messages
  FOR EACH ROW WHEN (OLD.status = 'sent')
  EXECUTE FUNCTION refuse_change('a message that was sent stays sent');

CREATE TABLE mail_letters (
  account_id  uuid NOT NULL REFERENCES accounts,
  message_id  uuid NOT NULL,
  counted_at  timestamptz NOT NULL,
  position    smallint NOT NULL,
  mailbox     text NOT NULL,
  PRIMARY KEY (account_id, message_id, counted_at, position),
  FOREIGN KEY (account_id, message_id) REFERENCES mail_messages,
  CONSTRAINT mail_letters_mailbox_not_empty CHECK (mailbox <> ''),
  CONSTRAINT mail_letters_position_from_one CHECK (position > 0)
);
COMMENT ON TABLE mail_letters IS
  'Letters as limits count them: one for each address of a message, when it took its place.';
COMMENT ON COLUMN mail_letters.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN mail_letters.message_id IS 'Message that it is one copy of.';
COMMENT ON COLUMN mail_letters.counted_at IS 'When it was counted; from then on for 24 hours.';
COMMENT ON COLUMN mail_letters.position IS 'Place of the address in its message.';
COMMENT ON COLUMN mail_letters.mailbox IS
  'The address in small letters, its domain in ASCII, without a tag: v+shop@ is v@.';

CREATE INDEX mail_letters_mailbox ON mail_letters (account_id, mailbox, counted_at);
CREATE INDEX mail_letters_counted ON mail_letters (account_id, counted_at);

CREATE TRIGGER mail_letters_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON mail_letters
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('letters that were counted are append-only');

CREATE TABLE mail_refusals (
  account_id  uuid NOT NULL REFERENCES accounts,
  address     text NOT NULL,
  refused_at  timestamptz NOT NULL,
  PRIMARY KEY (account_id, address)
);
COMMENT ON TABLE mail_refusals IS 'Addresses that want no reminders of an account.';
COMMENT ON COLUMN mail_refusals.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN mail_refusals.address IS 'The address, in small letters.';
COMMENT ON COLUMN mail_refusals.refused_at IS 'When its reader said so.';

CREATE TABLE mail_progress (
  only_row      boolean PRIMARY KEY DEFAULT true,
  through_xact  bigint NOT NULL,
  reminded_at   timestamptz NOT NULL,
  CONSTRAINT mail_progress_one_row CHECK (only_row)
);
COMMENT ON TABLE mail_progress IS 'How far events have been read for messages.';
COMMENT ON COLUMN mail_progress.only_row IS 'There is one row.';
COMMENT ON COLUMN mail_progress.through_xact IS
  'Events of transactions before this one have their messages.';
COMMENT ON COLUMN mail_progress.reminded_at IS 'When due invoices were last looked for.';

INSERT INTO mail_progress (through_xact, reminded_at) VALUES (book_xact(), now());
