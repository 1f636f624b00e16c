import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A count goes on behind numbers that were given and whose documents a server lost. The audit log tells
 * which, and only then is there a gap.
 */
export class SkippedNumbers1795723270000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX audit_entries_of_skipped_numbers
      ON audit_entries (account_id, subject) WHERE action = 'numbering.skipped'`);
    await runner.query(SKIP_TOLD_NUMBERS);
    await runner.query('DROP TRIGGER number_counters_only_count ON number_counters');
    await runner.query(onlyCount('NEW.last_sequence < OLD.last_sequence'));
    await runner.query(`CREATE TRIGGER number_counters_skip_what_is_told
      BEFORE UPDATE OF last_sequence ON number_counters FOR EACH ROW
      WHEN (OLD.last_sequence >= OLD.first_sequence AND NEW.last_sequence > OLD.last_sequence + 1)
      EXECUTE FUNCTION skip_told_numbers()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER number_counters_skip_what_is_told ON number_counters');
    await runner.query('DROP TRIGGER number_counters_only_count ON number_counters');
    await runner.query(
      onlyCount(
        'NEW.last_sequence <> OLD.last_sequence AND NEW.last_sequence <> OLD.last_sequence + 1',
      ),
    );
    await runner.query('DROP FUNCTION skip_told_numbers()');
    await runner.query('DROP INDEX audit_entries_of_skipped_numbers');
  }
}

const SKIP_TOLD_NUMBERS = `CREATE FUNCTION skip_told_numbers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM audit_entries
    WHERE account_id = NEW.account_id AND subject = NEW.series AND action = 'numbering.skipped'
      AND after = jsonb_build_object(
        'period', NEW.period, 'from', OLD.last_sequence + 1, 'to', NEW.last_sequence))
  THEN
    RAISE EXCEPTION '% on % is refused', TG_OP, TG_TABLE_NAME
      USING ERRCODE = 'integrity_constraint_violation', HINT = 'a count goes on without a gap';
  END IF;
  RETURN NEW;
END $$`;

function onlyCount(isRefused: string): string {
  return `CREATE TRIGGER number_counters_only_count BEFORE UPDATE ON number_counters
    FOR EACH ROW
    WHEN (OLD.last_sequence >= OLD.first_sequence AND (
      OLD.account_id IS DISTINCT FROM NEW.account_id
      OR OLD.series IS DISTINCT FROM NEW.series
      OR OLD.period IS DISTINCT FROM NEW.period
      OR OLD.first_sequence IS DISTINCT FROM NEW.first_sequence
      OR ${isRefused}))
    EXECUTE FUNCTION refuse_change('a count goes on without a gap')`;
}
