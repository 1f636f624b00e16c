import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A line may take something back: then all that it says is below zero, but for its price. */
export class LinesBelowZero1764602100001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE document_lines
        DROP CONSTRAINT document_lines_quantity_not_negative,
        DROP CONSTRAINT document_lines_amount_not_negative,
        DROP CONSTRAINT document_lines_net_not_negative,
        ADD CONSTRAINT document_lines_signs_agree CHECK (
          CASE WHEN quantity < 0 THEN amount <= 0 AND net <= 0 ELSE amount >= 0 AND net >= 0 END);
      ALTER TABLE credited_lines
        DROP CONSTRAINT credited_lines_amount_positive,
        DROP CONSTRAINT credited_lines_quantity_positive,
        ADD CONSTRAINT credited_lines_amount_not_zero CHECK (amount <> 0),
        ADD CONSTRAINT credited_lines_signs_agree CHECK (
          quantity <> 0 AND (quantity < 0) = (amount < 0));
      COMMENT ON COLUMN document_lines.quantity IS
        'How many units; below zero, as many are taken back.';
      COMMENT ON COLUMN credited_lines.amount IS
        'What is taken back of the line, with tax, in minor units; below zero where the line is.';
      COMMENT ON COLUMN credited_lines.quantity IS
        'How many units are taken back, with the sign of the line; null: an amount only.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE document_lines
        DROP CONSTRAINT document_lines_signs_agree,
        ADD CONSTRAINT document_lines_quantity_not_negative CHECK (quantity >= 0),
        ADD CONSTRAINT document_lines_amount_not_negative CHECK (amount >= 0),
        ADD CONSTRAINT document_lines_net_not_negative CHECK (net >= 0);
      ALTER TABLE credited_lines
        DROP CONSTRAINT credited_lines_amount_not_zero,
        DROP CONSTRAINT credited_lines_signs_agree,
        ADD CONSTRAINT credited_lines_amount_positive CHECK (amount > 0),
        ADD CONSTRAINT credited_lines_quantity_positive CHECK (quantity > 0);
      COMMENT ON COLUMN document_lines.quantity IS 'How many units.';
      COMMENT ON COLUMN credited_lines.amount IS
        'What is taken back of the line, with tax, in minor units.';
      COMMENT ON COLUMN credited_lines.quantity IS
        'How many units are taken back; null: an amount only.';
    `);
  }
}
