import type { MigrationInterface, QueryRunner } from 'typeorm';

const THEIRS = `kind ~ '^ext:[a-z][a-z0-9]{0,29}:[a-z][a-z0-9-]{0,39}$'`;
const ABOUT_DOCUMENTS = ['document', 'receipt', 'reminder', 'answer'];
const OF_THE_HOUSE = ['details_changed', 'endpoint_disabled'];
const MORE_ABOUT_DOCUMENTS = [
  'dunning',
  'quote_expiring',
  'quote_expiring_seller',
  'quote_waiting',
];
const MORE_OF_THE_HOUSE = ['statement', 'schedule_end_asked'];

/** Messages may dun, tell of quotes that expire or wait, bring a statement, and tell that a schedule is to end. */
export class LettersOfQuotesAndStatements1795723160000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await replaceRules(
      runner,
      [...ABOUT_DOCUMENTS, ...MORE_ABOUT_DOCUMENTS],
      [...OF_THE_HOUSE, ...MORE_OF_THE_HOUSE],
    );
    await comment(
      runner,
      'change',
      'What a message about no document tells: a change of the seller, with account numbers by their last four; an endpoint that was disabled; the customer and month of a statement; a schedule that is to end.',
    );
    await comment(
      runner,
      'document_id',
      'Document that the message is about; null: it says in `change` what it is about.',
    );
    await comment(
      runner,
      'fact',
      'What it is sent for: an event, a request, a day of the settings, a version of the seller, or a customer and month.',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DELETE FROM mail_messages WHERE kind IN (${quoted([...MORE_ABOUT_DOCUMENTS, ...MORE_OF_THE_HOUSE])})`,
    );
    await replaceRules(runner, ABOUT_DOCUMENTS, OF_THE_HOUSE);
    await comment(
      runner,
      'change',
      'What was changed of the seller, by whom and when; account numbers by their last four. Or the endpoint that was disabled.',
    );
    await comment(
      runner,
      'document_id',
      'Document that the message is about; null: it tells of a change of the seller, or of an endpoint.',
    );
    await comment(
      runner,
      'fact',
      'What it is sent for: an event, a request, a day of reminders, or a version of the seller.',
    );
  }
}

const quoted = (kinds: string[]) => kinds.map((kind) => `'${kind}'`).join(', ');

async function comment(runner: QueryRunner, column: string, text: string): Promise<void> {
  await runner.query(`COMMENT ON COLUMN mail_messages.${column} IS '${text}'`);
}

/** @param ofTheHouse kinds that are about no document, and have what they tell with them */
async function replaceRules(
  runner: QueryRunner,
  aboutDocuments: string[],
  ofTheHouse: string[],
): Promise<void> {
  await runner.query(
    `ALTER TABLE mail_messages DROP CONSTRAINT mail_messages_kind_known,
       DROP CONSTRAINT mail_messages_about_a_document_or_a_change,
       ADD CONSTRAINT mail_messages_kind_known
         CHECK (kind = ANY (ARRAY[${quoted([...aboutDocuments, ...ofTheHouse])}]) OR ${THEIRS}),
       ADD CONSTRAINT mail_messages_about_a_document_or_a_change
         CHECK ((document_id IS NULL) = (kind IN (${quoted(ofTheHouse)}))
           AND (change IS NOT NULL) = (document_id IS NULL))`,
  );
}
