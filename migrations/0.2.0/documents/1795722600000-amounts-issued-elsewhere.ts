import type { MigrationInterface, QueryRunner } from 'typeorm';

const withSigns = (signs: string) =>
  `ALTER TABLE document_lines DROP CONSTRAINT document_lines_signs_agree,
     ADD CONSTRAINT document_lines_signs_agree CHECK (${signs})`;

const OF_QUANTITY = `CASE WHEN quantity < 0 THEN amount <= 0 AND net <= 0
  ELSE amount >= 0 AND net >= 0 END`;

/** A line that was issued elsewhere may take back with a quantity above zero. */
export class AmountsIssuedElsewhere1795722600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      withSigns(`CASE WHEN details ->> 'issued_net_amount_decimal' IS NOT NULL THEN sign(amount) * sign(net) >= 0
        ELSE ${OF_QUANTITY} END`),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(withSigns(OF_QUANTITY));
  }
}
