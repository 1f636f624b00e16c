import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Debits that failed are tried again by a plan: each try has one row, and so has its debit. */
export class DebitRetries1795723170000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STEPS) await runner.query(statement);
    for (const [place, comment] of COMMENTS)
      await runner.query(`COMMENT ON ${place} IS '${comment}'`);
    await runner.query('DROP TRIGGER collections_stay ON collections');
    await runner.query(collectionsStay(', automatic, retry'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER collections_stay ON collections');
    await runner.query('ALTER TABLE collections DROP COLUMN retry');
    await runner.query(collectionsStay(', automatic'));
    await runner.query('DROP TABLE debit_retries');
    await runner.query('ALTER TABLE payment_settings DROP COLUMN debit_retry_days');
  }
}

const collectionsStay = (more: string) => `CREATE TRIGGER collections_stay
  BEFORE DELETE OR TRUNCATE OR UPDATE OF account_id, payment_link_id, document_id, mandate_id,
    charge_on${more}
  ON collections FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_change('a collection stays what it is')`;

const STEPS = [
  `ALTER TABLE payment_settings ADD COLUMN debit_retry_days integer[] NOT NULL DEFAULT '{}'
     CONSTRAINT payment_settings_debit_retry_days_in_range
       CHECK (cardinality(debit_retry_days) <= 5 AND array_position(debit_retry_days, NULL) IS NULL
         AND 1 <= ALL (debit_retry_days) AND 60 >= ALL (debit_retry_days))`,
  `CREATE TABLE debit_retries (
     account_id uuid NOT NULL,
     document_id uuid NOT NULL,
     number integer NOT NULL CONSTRAINT debit_retries_number_from_one CHECK (number > 0),
     payment_link_id uuid NOT NULL,
     mandate_id uuid NOT NULL,
     try_on date NOT NULL,
     status text NOT NULL CONSTRAINT debit_retries_status_known
       CHECK (status IN ('planned', 'begun', 'dropped')),
     planned_at timestamptz NOT NULL,
     settled_at timestamptz,
     PRIMARY KEY (account_id, document_id, number),
     FOREIGN KEY (account_id, payment_link_id, document_id)
       REFERENCES payment_links (account_id, payment_link_id, document_id),
     FOREIGN KEY (account_id, mandate_id) REFERENCES mandates (account_id, mandate_id),
     CONSTRAINT debit_retries_settled_has_its_time
       CHECK ((status = 'planned') = (settled_at IS NULL))
   )`,
  `CREATE UNIQUE INDEX debit_retries_planned_once ON debit_retries (account_id, document_id)
     WHERE status = 'planned'`,
  `CREATE TRIGGER debit_retries_stay
     BEFORE DELETE OR TRUNCATE OR UPDATE OF account_id, document_id, number, payment_link_id,
       mandate_id, planned_at
     ON debit_retries FOR EACH STATEMENT
     EXECUTE FUNCTION refuse_change('a try of a debit stays what it is')`,
  `ALTER TABLE collections ADD COLUMN retry integer,
     ADD CONSTRAINT collections_retry_was_planned FOREIGN KEY (account_id, document_id, retry)
       REFERENCES debit_retries (account_id, document_id, number)`,
  `CREATE UNIQUE INDEX collections_retry_once ON collections (account_id, document_id, retry)
     WHERE retry IS NOT NULL AND withdrawn_at IS NULL`,
];

const COMMENTS = [
  [
    'COLUMN payment_settings.debit_retry_days',
    'Days after which debits that failed are tried again, each counted from the failure before it.',
  ],
  ['TABLE debit_retries', 'Debits that failed and are to be tried again, each once.'],
  ['COLUMN debit_retries.account_id', 'Account that the row belongs to.'],
  ['COLUMN debit_retries.document_id', 'Document that is debited.'],
  ['COLUMN debit_retries.number', 'Number of the try among those of the document.'],
  ['COLUMN debit_retries.payment_link_id', 'Link of the debit that failed before it.'],
  ['COLUMN debit_retries.mandate_id', 'Mandate by which it is tried.'],
  ['COLUMN debit_retries.try_on', 'Day of the try, in the zone of the account.'],
  [
    'COLUMN debit_retries.status',
    'Whether it is to come, has begun, or was dropped as nothing is to be debited any more.',
  ],
  ['COLUMN debit_retries.planned_at', 'When the debit before it was known to have failed.'],
  ['COLUMN debit_retries.settled_at', 'When it began or was dropped; null: it is to come.'],
  [
    'COLUMN collections.retry',
    'Number of the try, where a debit before it had failed; null: none was planned.',
  ],
];
