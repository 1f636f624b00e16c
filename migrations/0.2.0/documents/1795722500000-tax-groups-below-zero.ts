import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A rate may come to less than zero, where the document does not (EN 16931 BT-116, BT-117). */
export class TaxGroupsBelowZero1795722500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE document_tax_groups
         DROP CONSTRAINT document_tax_groups_base_not_negative,
         DROP CONSTRAINT document_tax_groups_tax_not_negative`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE document_tax_groups
         ADD CONSTRAINT document_tax_groups_base_not_negative CHECK (base >= 0),
         ADD CONSTRAINT document_tax_groups_tax_not_negative CHECK (tax >= 0)`,
    );
  }
}
