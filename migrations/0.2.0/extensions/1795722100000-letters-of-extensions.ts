import type { MigrationInterface, QueryRunner } from 'typeorm';

const OURS = `kind = ANY (ARRAY['document', 'receipt', 'reminder', 'answer', 'details_changed'])`;
const THEIRS = `kind ~ '^ext:[a-z][a-z0-9]{0,29}:[a-z][a-z0-9-]{0,39}$'`;

/** A message may be a letter of an extension, whose name is in its kind. */
export class LettersOfExtensions1795722100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await replaceKinds(runner, `${OURS} OR ${THEIRS}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await replaceKinds(runner, OURS);
  }
}

async function replaceKinds(runner: QueryRunner, rule: string): Promise<void> {
  await runner.query(
    `ALTER TABLE mail_messages DROP CONSTRAINT mail_messages_kind_known,
       ADD CONSTRAINT mail_messages_kind_known CHECK (${rule})`,
  );
}
