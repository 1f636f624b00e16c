import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A closed month keeps the chart that it was closed with: each change of the chart is a row of its own. */
export class ChartsOfClosedMonths1764642200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE chart_settings DROP CONSTRAINT chart_settings_pkey;
      ALTER TABLE chart_settings ADD PRIMARY KEY (account_id, version);
      COMMENT ON TABLE chart_settings IS
        'The numbers by which an accountant knows the accounts of the ledger; the last version counts. Append-only.';
      COMMENT ON COLUMN chart_settings.updated_at IS 'When it was decided.';
      CREATE TRIGGER chart_settings_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON chart_settings
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('closed months keep their chart');

      ALTER TABLE period_closings ADD COLUMN chart_version integer
        CONSTRAINT period_closings_chart_of_closed
        CHECK (chart_version IS NULL OR action = 'closed' AND chart_version > 0);
      COMMENT ON COLUMN period_closings.chart_version IS
        'Chart that the closed months keep; null: from before this was kept, or reopened.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE period_closings DROP COLUMN chart_version;
      DROP TRIGGER chart_settings_append_only ON chart_settings;
      DELETE FROM chart_settings s WHERE EXISTS (SELECT FROM chart_settings n
        WHERE n.account_id = s.account_id AND n.version > s.version);
      ALTER TABLE chart_settings DROP CONSTRAINT chart_settings_pkey;
      ALTER TABLE chart_settings ADD PRIMARY KEY (account_id);
    `);
  }
}
