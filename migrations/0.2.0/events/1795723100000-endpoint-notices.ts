import type { MigrationInterface, QueryRunner } from 'typeorm';

const THEIRS = `kind ~ '^ext:[a-z][a-z0-9]{0,29}:[a-z][a-z0-9-]{0,39}$'`;

/** A message may tell the seller of an endpoint that was disabled. */
export class EndpointNotices1795723100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await replaceRules(runner, ['details_changed', 'endpoint_disabled']);
    await runner.query(
      `COMMENT ON COLUMN mail_messages.change IS
         'What was changed of the seller, by whom and when; account numbers by their last four. Or the endpoint that was disabled.'`,
    );
    await runner.query(
      `COMMENT ON COLUMN mail_messages.document_id IS
         'Document that the message is about; null: it tells of a change of the seller, or of an endpoint.'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM mail_messages WHERE kind = 'endpoint_disabled'`);
    await replaceRules(runner, ['details_changed']);
    await runner.query(
      `COMMENT ON COLUMN mail_messages.change IS
         'What was changed of the seller, by whom and when; account numbers by their last four.'`,
    );
    await runner.query(
      `COMMENT ON COLUMN mail_messages.document_id IS
         'Document that the message is about; null: it tells of a change of the seller.'`,
    );
  }
}

const quoted = (kinds: string[]) => kinds.map((kind) => `'${kind}'`).join(', ');

/** @param toSeller kinds that are about no document, and have what they tell with them */
async function replaceRules(runner: QueryRunner, toSeller: string[]): Promise<void> {
  const ours = ['document', 'receipt', 'reminder', 'answer', ...toSeller];
  const isToSeller =
    toSeller.length === 1 ? `kind = ${quoted(toSeller)}` : `kind IN (${quoted(toSeller)})`;
  await runner.query(
    `ALTER TABLE mail_messages DROP CONSTRAINT mail_messages_kind_known,
       DROP CONSTRAINT mail_messages_about_a_document_or_a_change,
       ADD CONSTRAINT mail_messages_kind_known
         CHECK (kind = ANY (ARRAY[${quoted(ours)}]) OR ${THEIRS}),
       ADD CONSTRAINT mail_messages_about_a_document_or_a_change
         CHECK ((document_id IS NULL) = (${isToSeller})
           AND (change IS NOT NULL) = (document_id IS NULL))`,
  );
}
