import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Customers have numbers in the accountant's program, for good. */
export class Debtors1764642100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE debtors (
        account_id   uuid NOT NULL,
        customer_id  uuid NOT NULL,
        place        integer NOT NULL,
        numbered_at  timestamptz NOT NULL,
        PRIMARY KEY (account_id, customer_id),
        UNIQUE (account_id, place),
        FOREIGN KEY (account_id, customer_id) REFERENCES customers (account_id, customer_id),
        CONSTRAINT debtors_begin_with_one CHECK (place > 0)
      );
      COMMENT ON TABLE debtors IS
        'Customers in the order in which a file for the accountant had them first. Append-only.';
      COMMENT ON COLUMN debtors.account_id IS 'Account that the row belongs to.';
      COMMENT ON COLUMN debtors.customer_id IS 'The customer.';
      COMMENT ON COLUMN debtors.place IS 'Counts from 1; the number of the debtor follows from it.';
      COMMENT ON COLUMN debtors.numbered_at IS 'When a file had the customer first.';
      CREATE TRIGGER debtors_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON debtors
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('debtors keep their numbers');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE debtors');
  }
}
