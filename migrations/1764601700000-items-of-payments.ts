import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Items are looked up by their payment. Those whose money is in the books need nobody. */
export class ItemsOfPayments1764601700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX unmatched_items_payment ON unmatched_items (gateway, provider_payment_id)
        WHERE provider_payment_id IS NOT NULL;
      INSERT INTO unmatched_item_steps (account_id, item_id, step, status, reason, at)
        SELECT i.account_id, i.item_id, 1, 'closed', 'Its money came into the books later.', now()
        FROM unmatched_items i LEFT JOIN unmatched_item_steps s USING (account_id, item_id)
        WHERE s.step IS NULL AND (
          EXISTS (SELECT FROM disputes d WHERE d.xact > i.xact
            AND i.subject = 'out ' || d.provider_dispute_id
            AND (d.gateway, d.provider_payment_id) = (i.gateway, i.provider_payment_id))
          OR EXISTS (SELECT FROM provider_reversals v WHERE v.xact > i.xact AND v.amount > 0
            AND v.dispute_id IS NULL
            AND i.subject = 'out ' || coalesce(v.reference, v.provider_payment_id)
            AND (v.gateway, v.provider_payment_id) = (i.gateway, i.provider_payment_id))
          OR i.direction = 'in' AND EXISTS (
            SELECT FROM provider_receipts r
              JOIN unmatched_receipts u USING (gateway, provider_payment_id)
            WHERE r.account_id IS NULL
              AND (gateway, provider_payment_id) = (i.gateway, i.provider_payment_id)));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX unmatched_items_payment');
  }
}
