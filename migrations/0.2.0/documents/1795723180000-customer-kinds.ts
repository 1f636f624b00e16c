import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a customer is a business or a consumer: the law lets less be asked of the latter. */
export class CustomerKinds1795723180000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE customers ADD COLUMN kind text
      CONSTRAINT customers_kind_known CHECK (kind IN ('business', 'consumer'))`);
    await runner.query(
      `COMMENT ON COLUMN customers.kind IS 'Business or consumer; null: nobody has said.'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE customers DROP COLUMN kind');
  }
}
