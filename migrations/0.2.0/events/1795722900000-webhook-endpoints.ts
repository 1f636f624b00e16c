import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Addresses that accounts want their events at, and how each of those got there. */
export class WebhookEndpoints1795722900000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE webhook_endpoints (
         account_id uuid NOT NULL REFERENCES accounts,
         endpoint_id uuid NOT NULL,
         url text NOT NULL,
         types text[],
         scopes text[] NOT NULL,
         description text,
         metadata jsonb NOT NULL DEFAULT '{}',
         payload text NOT NULL
           CONSTRAINT webhook_endpoints_payload_known CHECK (payload IN ('full', 'thin')),
         signing text NOT NULL
           CONSTRAINT webhook_endpoints_signing_known CHECK (signing IN ('hmac', 'ed25519')),
         public_key text,
         sealed_secret bytea NOT NULL,
         previous_sealed_secret bytea,
         previous_secret_ends_at timestamptz,
         status text NOT NULL
           CONSTRAINT webhook_endpoints_status_known CHECK (status IN ('enabled', 'disabled')),
         disabled_reason text CONSTRAINT webhook_endpoints_disabled_reason_known
           CHECK (disabled_reason IN ('asked', 'gone', 'failing')),
         from_xact bigint NOT NULL DEFAULT book_xact(),
         version int NOT NULL,
         created_at timestamptz NOT NULL,
         updated_at timestamptz NOT NULL,
         deleted_at timestamptz,
         PRIMARY KEY (account_id, endpoint_id),
         CONSTRAINT webhook_endpoints_disabled_for_a_reason
           CHECK ((status = 'disabled') = (disabled_reason IS NOT NULL)),
         CONSTRAINT webhook_endpoints_key_pair CHECK ((signing = 'ed25519') = (public_key IS NOT NULL)),
         CONSTRAINT webhook_endpoints_previous_secret_ends
           CHECK ((previous_sealed_secret IS NULL) = (previous_secret_ends_at IS NULL))
       )`,
    );
    await runner.query(
      `CREATE TABLE webhook_queues (
         account_id uuid NOT NULL,
         endpoint_id uuid NOT NULL,
         due_at timestamptz NOT NULL,
         round bigint NOT NULL DEFAULT 0,
         leased_by uuid,
         leased_until timestamptz,
         paused_until timestamptz,
         failing_since timestamptz,
         PRIMARY KEY (account_id, endpoint_id),
         FOREIGN KEY (account_id, endpoint_id) REFERENCES webhook_endpoints ON DELETE CASCADE
       ) WITH (fillfactor = 50)`,
    );
    await runner.query('CREATE INDEX webhook_queues_due ON webhook_queues (due_at)');
    await runner.query(
      `CREATE TABLE webhook_deliveries (
         account_id uuid NOT NULL,
         endpoint_id uuid NOT NULL,
         event_id uuid NOT NULL,
         event_xact bigint NOT NULL DEFAULT book_xact(),
         status text NOT NULL CONSTRAINT webhook_deliveries_status_known
           CHECK (status IN ('pending', 'held', 'delivered', 'failed')),
         next_try_at timestamptz,
         round_tries smallint NOT NULL DEFAULT 0,
         tries jsonb NOT NULL DEFAULT '[]',
         answer text,
         created_at timestamptz NOT NULL,
         PRIMARY KEY (account_id, endpoint_id, event_id),
         FOREIGN KEY (account_id, endpoint_id) REFERENCES webhook_endpoints,
         CONSTRAINT webhook_deliveries_next_try CHECK (status = 'pending' OR next_try_at IS NULL)
       ) WITH (fillfactor = 80)`,
    );
    await runner.query(
      `CREATE INDEX webhook_deliveries_fresh ON webhook_deliveries
         (account_id, endpoint_id, event_xact, event_id) WHERE status = 'pending' AND next_try_at IS NULL`,
    );
    await runner.query(
      `CREATE INDEX webhook_deliveries_again ON webhook_deliveries
         (account_id, endpoint_id, next_try_at) WHERE status = 'pending' AND next_try_at IS NOT NULL`,
    );
    // The start of the service looks for the newest transaction of each table.
    await runner.query(
      `CREATE INDEX webhook_deliveries_xact ON webhook_deliveries USING brin (event_xact)
         WITH (pages_per_range = 128, autosummarize = on)`,
    );
    await runner.query(
      'CREATE INDEX webhook_deliveries_created ON webhook_deliveries (created_at)',
    );
    await runner.query(
      `CREATE FUNCTION book_history() RETURNS text LANGUAGE sql STABLE RETURN ''::text`,
    );
    await runner.query('ALTER TABLE event_marks ADD COLUMN history text');
    await runner.query(
      `INSERT INTO event_marks (consumer, through_xact)
       SELECT 'deliveries', pg_snapshot_xmin(pg_current_snapshot())::text::bigint + book_xact_offset()`,
    );
    for (const [place, comment] of COMMENTS)
      await runner.query(`COMMENT ON ${place} IS '${comment.replaceAll("'", "''")}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM event_marks WHERE consumer = 'deliveries'`);
    await runner.query('ALTER TABLE event_marks DROP COLUMN history');
    await runner.query('DROP FUNCTION book_history()');
    for (const table of ['webhook_deliveries', 'webhook_queues', 'webhook_endpoints'])
      await runner.query(`DROP TABLE ${table}`);
  }
}

const COMMENTS = [
  [
    'COLUMN event_marks.history',
    'The history in which the mark stands, for those who must not repeat after a restore.',
  ],
  ['TABLE webhook_endpoints', 'Where accounts want their events.'],
  ['COLUMN webhook_endpoints.account_id', 'Account.'],
  ['COLUMN webhook_endpoints.endpoint_id', 'Endpoint.'],
  ['COLUMN webhook_endpoints.url', 'Gets a POST for each event.'],
  ['COLUMN webhook_endpoints.types', 'Types of events, and families; null: all.'],
  ['COLUMN webhook_endpoints.scopes', 'What it may be told.'],
  ['COLUMN webhook_endpoints.description', 'Words of the account.'],
  ['COLUMN webhook_endpoints.metadata', 'Data of the account.'],
  ['COLUMN webhook_endpoints.payload', 'full, or thin: without the data of the event.'],
  ['COLUMN webhook_endpoints.signing', 'hmac or ed25519.'],
  ['COLUMN webhook_endpoints.public_key', 'Of ed25519.'],
  ['COLUMN webhook_endpoints.sealed_secret', 'Encrypted, for this endpoint alone.'],
  ['COLUMN webhook_endpoints.previous_sealed_secret', 'It signs, too, for a while.'],
  ['COLUMN webhook_endpoints.previous_secret_ends_at', 'End of the secret before.'],
  ['COLUMN webhook_endpoints.status', 'enabled or disabled.'],
  ['COLUMN webhook_endpoints.disabled_reason', 'asked, gone or failing.'],
  ['COLUMN webhook_endpoints.from_xact', 'Events of transactions before are not sent.'],
  ['COLUMN webhook_endpoints.version', 'Goes up by one with each change.'],
  ['COLUMN webhook_endpoints.created_at', 'When it was made.'],
  ['COLUMN webhook_endpoints.updated_at', 'When it was last changed.'],
  ['COLUMN webhook_endpoints.deleted_at', 'When it was deleted; its deliveries go later.'],
  ['TABLE webhook_queues', 'Who works on the deliveries of an endpoint, and when to look again.'],
  ['COLUMN webhook_queues.account_id', 'Account.'],
  ['COLUMN webhook_queues.endpoint_id', 'Endpoint.'],
  ['COLUMN webhook_queues.due_at', 'When there is something to send.'],
  ['COLUMN webhook_queues.round', 'Goes up when something is added.'],
  ['COLUMN webhook_queues.leased_by', 'The process that sends.'],
  ['COLUMN webhook_queues.leased_until', 'Until then, if it does not renew it.'],
  ['COLUMN webhook_queues.paused_until', 'The endpoint has too much to do until then.'],
  ['COLUMN webhook_queues.failing_since', 'Since then every try has failed.'],
  ['TABLE webhook_deliveries', 'Events on their way to endpoints, and those of the last 30 days.'],
  ['COLUMN webhook_deliveries.account_id', 'Account.'],
  ['COLUMN webhook_deliveries.endpoint_id', 'Endpoint.'],
  ['COLUMN webhook_deliveries.event_id', 'Event.'],
  [
    'COLUMN webhook_deliveries.event_xact',
    'Transaction of the event: the order in which they leave.',
  ],
  ['COLUMN webhook_deliveries.status', 'pending, held, delivered or failed.'],
  ['COLUMN webhook_deliveries.next_try_at', 'Of one that failed; null: at once.'],
  ['COLUMN webhook_deliveries.round_tries', 'Tries since it was last asked for.'],
  ['COLUMN webhook_deliveries.tries', 'The newest tries: when, how long, code, failure.'],
  ['COLUMN webhook_deliveries.answer', 'The begin of what the last try was answered.'],
  ['COLUMN webhook_deliveries.created_at', 'When it was queued.'],
] as const;
