import type { MigrationInterface, QueryRunner } from 'typeorm';

const SOUND = 'document_money_is_sound';

/**
 * Gives the function that judges a document's money one argument more, or takes it away. All else is as the
 * migrations before have it. PostgreSQL parses the text of every CHECK for each update of a row, so the rule
 * is no CHECK of its own.
 */
function judging(changes: [from: string, to: string][]): string {
  const changed = (text: string) =>
    changes.reduce(
      (sql, [from, to]) => `replace(${sql}, '${quoted(from)}', '${quoted(to)}')`,
      text,
    );
  return `
    DO $$
    DECLARE
      judge oid := (SELECT oid FROM pg_proc
        WHERE proname = '${SOUND}' AND pronamespace = current_schema()::regnamespace);
      told text := pg_get_functiondef(judge);
      asked text := (SELECT pg_get_constraintdef(oid) FROM pg_constraint
        WHERE conname = 'documents_money' AND conrelid = 'documents'::regclass);
    BEGIN
      ALTER TABLE documents DROP CONSTRAINT documents_money;
      EXECUTE 'DROP FUNCTION ' || judge::regprocedure;
      EXECUTE ${changed('told')};
      EXECUTE 'ALTER TABLE documents ADD CONSTRAINT documents_money ' || ${changed('asked')};
    END $$;`;
}

function quoted(text: string): string {
  return text.replaceAll("'", "''");
}

const ARGUMENT: [string, string] = [
  'amount_disputed bigint,',
  'amount_disputed bigint, amount_processing bigint,',
];
const CALLED: [string, string] = [
  'amount_disputed, tax',
  'amount_disputed, amount_processing, tax',
];
const RULE: [string, string] = [
  "WHEN amount_disputed < 0 THEN 'documents_disputed_not_negative'",
  `WHEN amount_disputed < 0 THEN 'documents_disputed_not_negative'
          WHEN NOT (amount_processing = 0
            OR amount_processing > 0 AND kind = 'invoice' AND lifecycle <> 'draft')
            THEN 'documents_processing_of_an_issued_invoice'`,
];

/**
 * A document knows what providers have on its way for it. A link whose money came and could not be taken by its
 * document ends as unmatched.
 */
export class MoneyOnItsWay1764622010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE documents ADD COLUMN amount_processing bigint NOT NULL DEFAULT 0;
      COMMENT ON COLUMN documents.amount_processing IS
        'Sum of its payment links that are processing, in minor units: on its way, and not paid.';
      ${judging([ARGUMENT, CALLED, RULE])}

      ALTER TABLE payment_links
        DROP CONSTRAINT payment_links_status_known,
        ADD CONSTRAINT payment_links_status_known CHECK
          (status IN ('open', 'processing', 'paid', 'failed', 'canceled', 'unmatched')),
        ADD CONSTRAINT payment_links_unmatched_has_its_time
          CHECK (paid_at IS NOT NULL OR status <> 'unmatched');
      UPDATE payment_links l SET status = 'unmatched', paid_at = u.paid_at
        FROM unmatched_receipts u
        WHERE l.status = 'processing' AND u.account_id = l.account_id
          AND u.payment_link_id = l.payment_link_id AND u.reason <> 'payment_reversed'
          AND u.paid_at >= l.processing_at;
      UPDATE documents d SET amount_processing = p.amount
        FROM (
          SELECT account_id, document_id, sum(amount) AS amount FROM payment_links
          WHERE status = 'processing' GROUP BY 1, 2
        ) p
        WHERE (p.account_id, p.document_id) = (d.account_id, d.document_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE payment_links SET status = 'canceled', canceled_at = paid_at
        WHERE status = 'unmatched';
      ALTER TABLE payment_links
        DROP CONSTRAINT payment_links_unmatched_has_its_time,
        DROP CONSTRAINT payment_links_status_known,
        ADD CONSTRAINT payment_links_status_known CHECK
          (status IN ('open', 'processing', 'paid', 'failed', 'canceled'));
      ${judging([ARGUMENT, CALLED, RULE].map(([before, after]) => [after, before]))}
      ALTER TABLE documents DROP COLUMN amount_processing;
    `);
  }
}
