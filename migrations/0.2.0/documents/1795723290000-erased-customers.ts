import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A customer whose personal data are erased: the row stays for its documents, and never comes back. */
export class ErasedCustomers1795723290000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE customers ADD COLUMN erased_at timestamptz');
    await runner.query(
      `COMMENT ON COLUMN customers.erased_at IS 'When its personal data were erased; null: they are there.'`,
    );
    await runner.query(`CREATE TRIGGER customers_stay_erased BEFORE UPDATE ON customers
      FOR EACH ROW WHEN (OLD.erased_at IS NOT NULL)
      EXECUTE FUNCTION refuse_change('a customer who is erased stays so')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER customers_stay_erased ON customers');
    await runner.query('ALTER TABLE customers DROP COLUMN erased_at');
  }
}
