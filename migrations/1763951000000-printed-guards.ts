import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A dump holds what PostgreSQL prints of a trigger. Of these two it prints something else when they
 * were made of that: a comparison of rows becomes one long chain, with other brackets. `integrity`
 * took each restored database for a changed one. Made of their printed form, they stay as they are.
 */
export class PrintedGuards1763951000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DO $$ DECLARE guard record; BEGIN
      FOR guard IN SELECT tgname, tgrelid::regclass AS of, pg_get_triggerdef(oid) AS printed
        FROM pg_trigger WHERE (tgname, tgrelid) IN (
          ('number_counters_only_count', 'number_counters'::regclass),
          ('refunds_settle_once', 'refunds'::regclass))
      LOOP
        EXECUTE format('DROP TRIGGER %I ON %s', guard.tgname, guard.of);
        EXECUTE guard.printed;
      END LOOP;
    END $$`);
  }

  /** What they refuse is the same. */
  async down(): Promise<void> {}
}
