import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Losses have accounts by rate, as revenue has. */
export class AccountsOfLosses1764642000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE chart_settings ADD COLUMN losses jsonb NOT NULL DEFAULT '[]';
      COMMENT ON COLUMN chart_settings.losses IS
        'Accounts of losses by category and rate of tax, before those of the template.';

      ALTER TABLE tax_reliefs ADD COLUMN loss text
        CONSTRAINT tax_reliefs_loss_known CHECK (loss IN ('write_off', 'waiver'));
      COMMENT ON COLUMN tax_reliefs.loss IS
        'How the claim was let go; null: from before this was kept, and its transfers tell.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE tax_reliefs DROP COLUMN loss;
      ALTER TABLE chart_settings DROP COLUMN losses;
    `);
  }
}
