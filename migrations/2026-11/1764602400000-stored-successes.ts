import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A refusal is judged anew with its key. Those that were stored are forgotten. */
export class StoredSuccesses1764602400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM idempotency_keys WHERE status >= 300;
      ALTER TABLE idempotency_keys
        DROP CONSTRAINT idempotency_keys_no_server_error,
        ADD CONSTRAINT idempotency_keys_only_successes CHECK (status BETWEEN 200 AND 299);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE idempotency_keys
        DROP CONSTRAINT idempotency_keys_only_successes,
        ADD CONSTRAINT idempotency_keys_no_server_error CHECK (status BETWEEN 200 AND 499);
    `);
  }
}
