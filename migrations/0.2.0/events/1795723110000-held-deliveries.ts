import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deliveries that wait for the operator's word are counted each time that metrics are read. */
export class HeldDeliveries1795723110000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX webhook_deliveries_held ON webhook_deliveries (created_at) WHERE status = 'held'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX webhook_deliveries_held');
  }
}
