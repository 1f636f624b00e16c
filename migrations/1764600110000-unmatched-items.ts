import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Money that moved at a provider and is in no books: what a person has to look at. */
export class UnmatchedItems1764600110000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE unmatched_items (
        account_id           uuid NOT NULL,
        item_id              uuid NOT NULL,
        gateway              text NOT NULL,
        subject              text NOT NULL,
        direction            text NOT NULL,
        provider_payment_id  text,
        link_reference       text,
        amount               bigint,
        currency             text,
        told                 text NOT NULL,
        event_id             text NOT NULL,
        event_type           text NOT NULL,
        received_at          timestamptz NOT NULL,
        xact                 bigint NOT NULL DEFAULT book_xact(),
        PRIMARY KEY (account_id, item_id),
        CONSTRAINT unmatched_items_subject UNIQUE (account_id, gateway, subject),
        CONSTRAINT unmatched_items_direction_known CHECK (direction IN ('in', 'out')),
        CONSTRAINT unmatched_items_amount_positive CHECK (amount > 0),
        CONSTRAINT unmatched_items_amount_has_a_currency
          CHECK ((amount IS NULL) = (currency IS NULL))
      );
      COMMENT ON TABLE unmatched_items IS
        'Money that moved at a provider and could not be booked. Append-only.';
      COMMENT ON COLUMN unmatched_items.account_id IS
        'Account that the gateway belongs to; the account of zeros: unknown.';
      COMMENT ON COLUMN unmatched_items.item_id IS 'Identifies the item.';
      COMMENT ON COLUMN unmatched_items.gateway IS 'Gateway that told it.';
      COMMENT ON COLUMN unmatched_items.subject IS
        'What it is about, so that several events about it make one item.';
      COMMENT ON COLUMN unmatched_items.direction IS 'Whether money came in or went out.';
      COMMENT ON COLUMN unmatched_items.provider_payment_id IS 'Id of the provider for the payment.';
      COMMENT ON COLUMN unmatched_items.link_reference IS 'What the provider said of the link.';
      COMMENT ON COLUMN unmatched_items.amount IS
        'What moved, in minor units; null: it cannot be said exactly.';
      COMMENT ON COLUMN unmatched_items.currency IS 'ISO 4217 code of the amount.';
      COMMENT ON COLUMN unmatched_items.told IS 'What happened, in a sentence.';
      COMMENT ON COLUMN unmatched_items.event_id IS 'Event of the provider that told it first.';
      COMMENT ON COLUMN unmatched_items.event_type IS 'Type that the provider gives the event.';
      COMMENT ON COLUMN unmatched_items.received_at IS 'When it was told.';
      COMMENT ON COLUMN unmatched_items.xact IS
        'Transaction that wrote the row: the order in which seals cover the books.';
      CREATE INDEX unmatched_items_xact ON unmatched_items USING brin
        (xact) WITH (pages_per_range = 128, autosummarize = on);
      CREATE TRIGGER unmatched_items_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON
        unmatched_items
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('unmatched items are append-only');

      CREATE TABLE unmatched_item_steps (
        account_id  uuid NOT NULL,
        item_id     uuid NOT NULL,
        step        integer NOT NULL,
        status      text NOT NULL,
        reason      text NOT NULL,
        client_id   uuid NOT NULL,
        at          timestamptz NOT NULL,
        xact        bigint NOT NULL DEFAULT book_xact(),
        PRIMARY KEY (account_id, item_id, step),
        FOREIGN KEY (account_id, item_id) REFERENCES unmatched_items,
        CONSTRAINT unmatched_item_steps_from_one CHECK (step > 0),
        CONSTRAINT unmatched_item_steps_status_known CHECK (status IN ('open', 'closed'))
      );
      COMMENT ON TABLE unmatched_item_steps IS
        'Who marked an item as done, or opened it again, and why. Append-only.';
      COMMENT ON COLUMN unmatched_item_steps.account_id IS 'Account that the row belongs to.';
      COMMENT ON COLUMN unmatched_item_steps.item_id IS 'The item.';
      COMMENT ON COLUMN unmatched_item_steps.step IS 'Place among the steps of the item, from 1.';
      COMMENT ON COLUMN unmatched_item_steps.status IS 'State of the item since.';
      COMMENT ON COLUMN unmatched_item_steps.reason IS 'What the client said.';
      COMMENT ON COLUMN unmatched_item_steps.client_id IS 'Client that did it.';
      COMMENT ON COLUMN unmatched_item_steps.at IS 'When.';
      COMMENT ON COLUMN unmatched_item_steps.xact IS
        'Transaction that wrote the row: the order in which seals cover the books.';
      CREATE INDEX unmatched_item_steps_xact ON unmatched_item_steps USING brin
        (xact) WITH (pages_per_range = 128, autosummarize = on);
      CREATE TRIGGER unmatched_item_steps_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON
        unmatched_item_steps
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('steps of items are append-only');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE unmatched_item_steps; DROP TABLE unmatched_items;');
  }
}
