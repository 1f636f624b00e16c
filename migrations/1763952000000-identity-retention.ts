import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Families of tokens are found, and deleted, by the end of their last token, which nobody used. */
export class IdentityRetention1763952000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX refresh_tokens_unused ON refresh_tokens (expires_at) WHERE used_at IS NULL;
      DROP INDEX refresh_tokens_expiry, token_families_end;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX token_families_end ON token_families (ends_at);
      CREATE INDEX refresh_tokens_expiry ON refresh_tokens (expires_at);
      DROP INDEX refresh_tokens_unused;
    `);
  }
}
