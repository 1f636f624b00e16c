-- What happened.

CREATE TABLE events (
  account_id   uuid NOT NULL,
  event_id     uuid NOT NULL,
  type         text NOT NULL,
  document_id  uuid,
  sequence     integer,
  data         jsonb NOT NULL,
  actor_type   text,
  actor_id     text,
  occurred_at  timestamptz NOT NULL,
  xact         bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (account_id, event_id),
  CONSTRAINT events_document_sequence UNIQUE (account_id, document_id, sequence),
  CONSTRAINT events_sequence_from_one CHECK (sequence > 0),
  CONSTRAINT events_sequence_only_with_a_document
    CHECK ((document_id IS NULL) = (sequence IS NULL)),
  CONSTRAINT events_actor_type_known
    CHECK (actor_type IN ('client', 'portal', 'gateway', 'operator'))
);
COMMENT ON TABLE events IS
  'What happened, in the order of each document; webhooks and the events route read it. '
  'Append-only. It references nothing, so that no writer waits for a row that others share.';
COMMENT ON COLUMN events.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN events.event_id IS 'Identifies the event; sorts by time.';
COMMENT ON COLUMN events.type IS 'Type of the event, such as `document.paid`.';
COMMENT ON COLUMN events.document_id IS 'Document that the event is about; null: none.';
COMMENT ON COLUMN events.sequence IS
  'Place among the events of the document, from 1 without a gap.';
COMMENT ON COLUMN events.data IS 'The event as clients see it.';
COMMENT ON COLUMN events.actor_type IS 'Kind of actor.';
COMMENT ON COLUMN events.actor_id IS 'Public id of the actor.';
COMMENT ON COLUMN events.occurred_at IS 'When it happened.';
COMMENT ON COLUMN events.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

CREATE INDEX events_xact ON events USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('events are append-only');
