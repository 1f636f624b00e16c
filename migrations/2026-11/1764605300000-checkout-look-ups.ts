import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Pay pages are looked up at their providers, and closed there when their link is. */
export class CheckoutLookUps1764605300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE checkout_look_ups (
        account_id       uuid NOT NULL,
        payment_link_id  uuid NOT NULL,
        next_look_at     timestamptz NOT NULL,
        PRIMARY KEY (account_id, payment_link_id),
        FOREIGN KEY (account_id, payment_link_id) REFERENCES payment_links
      );
      COMMENT ON TABLE checkout_look_ups IS
        'Pay pages of which a provider is still asked what became of them.';
      COMMENT ON COLUMN checkout_look_ups.account_id IS 'Account that the row belongs to.';
      COMMENT ON COLUMN checkout_look_ups.payment_link_id IS 'The link whose page it is.';
      COMMENT ON COLUMN checkout_look_ups.next_look_at IS 'When the provider is asked next.';
      CREATE INDEX checkout_look_ups_due ON checkout_look_ups (next_look_at);

      CREATE TABLE payment_list_reads (
        gateway       text PRIMARY KEY,
        read_to       timestamptz NOT NULL,
        next_read_at  timestamptz NOT NULL
      );
      COMMENT ON TABLE payment_list_reads IS
        'How far the lists of payments that providers keep were read.';
      COMMENT ON COLUMN payment_list_reads.gateway IS 'Gateway whose list it is.';
      COMMENT ON COLUMN payment_list_reads.read_to IS 'Payments before this instant were read.';
      COMMENT ON COLUMN payment_list_reads.next_read_at IS 'When the list is read next.';

      INSERT INTO checkout_look_ups (account_id, payment_link_id, next_look_at)
        SELECT account_id, payment_link_id, now() FROM payment_links
        WHERE provider_object_id IS NOT NULL AND created_at > now() - interval '180 days'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payment_list_reads; DROP TABLE checkout_look_ups');
  }
}
