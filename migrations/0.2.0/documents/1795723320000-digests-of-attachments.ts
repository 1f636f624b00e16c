import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Apart from the migration that added the rule, so that no writer waits for the look at all rows. */
export class DigestsOfAttachments1795723320000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE attachment_files VALIDATE CONSTRAINT attachment_files_sha256_is_a_digest',
    );
  }

  async down(): Promise<void> {}
}
