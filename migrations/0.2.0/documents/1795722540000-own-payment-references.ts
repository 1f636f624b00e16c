import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Documents carry payment references that their callers gave (EN 16931 BT-83), and banks name them. */
export class OwnPaymentReferences1795722540000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE FUNCTION reference_key(reference text) RETURNS text
         LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
         RETURN upper(regexp_replace(reference COLLATE "C", '[ -/:-@[-\`{-~]', '', 'g'))`,
    );
    await runner.query(
      `COMMENT ON FUNCTION reference_key IS
         'Form in which references are compared: without marks, in capitals; of ASCII alone.'`,
    );
    // A reference that is made of the number is found as it is.
    for (const column of ['payment_reference', 'number']) {
      await runner.query(
        `CREATE INDEX documents_own_${column} ON documents (account_id, reference_key(${column}))
           WHERE substr(payment_reference, 5) <> reference_key(number)`,
      );
    }
    await runner.query(
      `COMMENT ON COLUMN documents.payment_reference IS
         'Reference that a bank transfer names it by: the caller''s own, else that of an issued invoice.'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX documents_own_payment_reference, documents_own_number');
    await runner.query('DROP FUNCTION reference_key');
  }
}
