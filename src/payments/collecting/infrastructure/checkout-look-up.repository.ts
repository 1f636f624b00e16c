import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import { Database } from '../../../platform/database/database.js';
import type { Row } from '../../../platform/database/row.js';
import type { Tx } from '../../../platform/database/tx.js';
import type { PaymentLink } from '../domain/payment-link.js';

type LookUpColumns = Pick<Row<'checkout_look_ups'>, 'payment_link_id'>;

/** The pay pages that are still asked about, and when. */
@Injectable()
export class CheckoutLookUpRepository {
  constructor(private readonly database: Database) {}

  insert(tx: Tx, link: PaymentLink, at: Date): void {
    tx.insert('checkout_look_ups', {
      account_id: link.accountId,
      payment_link_id: link.id,
      next_look_at: at,
    });
  }

  /** A page that is looked up already is looked up then instead. The link's document is locked. */
  again(tx: Tx, link: PaymentLink, at: Date): void {
    tx.write(
      `INSERT INTO checkout_look_ups (account_id, payment_link_id, next_look_at)
       VALUES ($1, $2, $3)
       ON CONFLICT (account_id, payment_link_id) DO UPDATE SET next_look_at = $3`,
      [link.accountId, link.id, at],
    );
  }

  /** Takes a page whose time has come. Others pass it over until `again`, should we die. */
  async takeDue(now: Date, again: Date): Promise<Uuid | undefined> {
    const [row] = await this.database.query<LookUpColumns>(
      `UPDATE checkout_look_ups l SET next_look_at = $2
       FROM (SELECT account_id, payment_link_id FROM checkout_look_ups WHERE next_look_at <= $1
             ORDER BY next_look_at LIMIT 1 FOR UPDATE SKIP LOCKED) AS due
       WHERE (l.account_id, l.payment_link_id) = (due.account_id, due.payment_link_id)
       RETURNING l.payment_link_id`,
      [now, again],
    );
    return row?.payment_link_id;
  }

  /** @param at null: it is asked about no more */
  async plan(link: PaymentLink, at: Date | null): Promise<void> {
    const key = [link.accountId, link.id];
    await (at === null
      ? this.database.query(
          'DELETE FROM checkout_look_ups WHERE account_id = $1 AND payment_link_id = $2',
          key,
        )
      : this.database.query(
          `UPDATE checkout_look_ups SET next_look_at = $3
           WHERE account_id = $1 AND payment_link_id = $2`,
          [...key, at],
        ));
  }
}
