import { Injectable } from '@nestjs/common';
import { NO_ACCOUNT, type Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import type { Tx } from '../../../platform/database/tx.js';
import type { Row } from '../../../platform/database/row.js';
import type { Gateway } from '../../port/domain/gateway.js';
import type { MovedMoney } from '../../port/domain/provider-report.js';
import {
  subjectOf,
  type NewUnmatchedItem,
  type UnmatchedItem,
  type UnmatchedItemStatus,
} from '../domain/unmatched-item.js';
import { PaymentRefusal } from '../../port/domain/payment-refusals.js';

export interface ItemRow extends Omit<
  Row<'unmatched_items', { direction: MovedMoney['direction'] }>,
  'subject' | 'xact'
> {
  /** @derived */
  status: UnmatchedItemStatus;
  /** @derived */
  steps: number;
  /** @derived */
  reason: string | null;
}

/** Items with the last step of each; a condition on `i` follows. */
export const SELECT_ITEMS = `SELECT i.account_id, i.item_id, i.gateway, i.direction,
    i.provider_payment_id, i.link_reference, i.amount, i.currency, i.told, i.event_id,
    i.event_type, i.received_at, coalesce(s.status, 'open') AS status,
    coalesce(s.step, 0) AS steps, s.reason
  FROM unmatched_items i LEFT JOIN LATERAL (
    SELECT step, status, reason FROM unmatched_item_steps s
    WHERE (s.account_id, s.item_id) = (i.account_id, i.item_id) ORDER BY step DESC LIMIT 1
  ) s ON true`;

/** Steps that people make of unmatched items; they only grow. */
@Injectable()
export class UnmatchedItemRepository {
  /** Locks the item's steps, so that one step follows the other. @throws `item_not_found` */
  async getForUpdate(tx: Tx, accountId: Uuid, id: Uuid): Promise<UnmatchedItem> {
    const key = [accountId, id];
    await tx.read('SELECT pg_advisory_xact_lock(hashtextextended($1 || $2, 0))', key);
    const [row] = await tx.read<ItemRow>(
      `${SELECT_ITEMS} WHERE i.account_id = $1 AND i.item_id = $2`,
      key,
    );
    if (!row) throw PaymentRefusal.item_not_found.of();
    return toItem(row);
  }

  insertStep(
    tx: Tx,
    { accountId, id, steps }: UnmatchedItem,
    step: { status: UnmatchedItemStatus; reason: string; clientId: Uuid; at: Date },
  ): void {
    tx.insert('unmatched_item_steps', {
      account_id: accountId,
      item_id: id,
      step: steps + 1,
      status: step.status,
      reason: step.reason,
      client_id: step.clientId,
      at: step.at,
    });
  }
}

/**
 * Keeps an item, once a subject. It is of the account whose payment it is about, else of the only
 * account of its gateway, else of nobody, and for the operator.
 */
export function keepUnmatchedItem(
  tx: Tx,
  { name, accounts }: Gateway,
  item: NewUnmatchedItem,
  now: Date,
): void {
  const named = accounts instanceof Set ? [...accounts] : null;
  tx.write(
    `INSERT INTO unmatched_items (account_id, item_id, gateway, subject, direction,
       provider_payment_id, link_reference, amount, currency, told, event_id, event_type,
       received_at)
     SELECT coalesce(
         (SELECT r.account_id FROM provider_receipts r
          WHERE r.gateway = $2 AND r.provider_payment_id = $5),
         (SELECT min(a.account_id::text)::uuid FROM accounts a
          WHERE $13::uuid[] IS NULL OR a.account_id = ANY ($13) HAVING count(*) = 1),
         '${NO_ACCOUNT}'),
       $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12
     ON CONFLICT (account_id, gateway, subject) DO NOTHING`,
    [
      tx.newId(),
      name,
      item.subject,
      item.direction,
      item.providerPaymentId,
      item.linkReference,
      item.amount?.minor ?? null,
      item.amount?.currency ?? null,
      item.told,
      item.eventId,
      item.eventType,
      now,
      named,
    ],
  );
}

export function toItem(row: ItemRow): UnmatchedItem {
  return {
    id: row.item_id,
    accountId: row.account_id,
    gateway: row.gateway,
    direction: row.direction,
    providerPaymentId: row.provider_payment_id,
    linkReference: row.link_reference,
    amount: row.amount === null ? null : Money.of(row.amount, row.currency ?? ''),
    told: row.told,
    eventId: row.event_id,
    eventType: row.event_type,
    receivedAt: row.received_at,
    status: row.status,
    steps: row.steps,
    reason: row.reason,
  };
}

/** Money that went back of a payment and is in no books. */
interface WaitingRefunds {
  providerPaymentId: string;
  amount: Money;
  /** Null: as items of before say. */
  toldBy: Pick<NewUnmatchedItem, 'told' | 'eventId' | 'eventType'> | null;
}

const UNNAMED = {
  told: 'Money went back of a payment, and no event names the refund.',
  eventType: 'refund',
};

/**
 * Has items tell of just so much; what people have closed they have seen. The provider's payment is
 * locked.
 */
export async function tellWaiting(
  tx: Tx,
  gateway: Gateway,
  { providerPaymentId, amount, toldBy }: WaitingRefunds,
  now: Date,
): Promise<void> {
  const prefix = `out ${providerPaymentId} `;
  const items = await tx.read<{
    amount: bigint | null;
    told: string;
    event_id: string;
    event_type: string;
    /** @derived */
    is_open: boolean;
    /** @derived */
    is_seen: boolean;
  }>(
    `SELECT i.amount, i.told, i.event_id, i.event_type,
       coalesce(s.status, 'open') = 'open' AS is_open,
       coalesce(s.status = 'closed' AND s.client_id IS NOT NULL, false) AS is_seen
     FROM unmatched_items i LEFT JOIN LATERAL (
       SELECT status, client_id FROM unmatched_item_steps s
       WHERE (s.account_id, s.item_id) = (i.account_id, i.item_id) ORDER BY step DESC LIMIT 1
     ) s ON true
     WHERE i.gateway = $1 AND i.provider_payment_id = $2 AND starts_with(i.subject, $3)
       AND i.currency = $4
     ORDER BY i.item_id`,
    [gateway.name, providerPaymentId, prefix, amount.currency],
  );
  const sum = (some: typeof items) => some.reduce((total, item) => total + (item.amount ?? 0n), 0n);
  const seen = sum(items.filter((item) => item.is_seen));
  const open = sum(items.filter((item) => item.is_open));
  const wanted = amount.minor > seen ? amount.minor - seen : 0n;
  if (wanted === open) return;
  if (wanted < open) {
    const reason = 'Its money is in the books now, or has come back.';
    const values = [gateway.name, providerPaymentId, prefix, reason, now];
    close(tx, 'i.provider_payment_id = $2 AND starts_with(i.subject, $3)', values);
  }
  const missing = wanted < open ? wanted : wanted - open;
  const last = items.at(-1);
  const said = last && { told: last.told, eventId: last.event_id, eventType: last.event_type };
  const words = toldBy ?? said ?? { ...UNNAMED, eventId: providerPaymentId };
  if (missing === 0n) return;
  const subject = `${prefix}${amount} ${items.length}`;
  const of = { direction: 'out' as const, providerPaymentId, linkReference: null, subject };
  const item = { ...of, ...words, amount: Money.of(missing, amount.currency) };
  keepUnmatchedItem(tx, gateway, item, now);
}

/** Nobody has to see to money that is in the books now. */
export function closeItem(
  tx: Tx,
  gateway: string,
  { providerPaymentId, subject }: { providerPaymentId: string; subject: string },
  reason: string,
  at: Date,
): void {
  const values = [gateway, providerPaymentId, subject, reason, at];
  close(tx, 'i.provider_payment_id = $2 AND i.subject = $3', values);
}

/** Nobody has to see to a payout that is in the books of an account now. */
export function closePayoutItem(
  tx: Tx,
  of: { accountId: Uuid; gateway: string; providerPayoutId: string },
  at: Date,
): void {
  const owners = [of.accountId, NO_ACCOUNT];
  const subject = subjectOf.payout(of.providerPayoutId);
  const values = [of.gateway, owners, subject, 'The payout is in the books.', at];
  close(tx, 'i.account_id = ANY ($2::uuid[]) AND i.subject = $3', values);
}

function close(tx: Tx, which: string, values: unknown[]): void {
  tx.write(
    `INSERT INTO unmatched_item_steps (account_id, item_id, step, status, reason, at)
     SELECT i.account_id, i.item_id, i.steps + 1, 'closed', $4, $5
     FROM (${SELECT_ITEMS} WHERE i.gateway = $1 AND ${which}) i
     WHERE i.status = 'open'`,
    values,
  );
}
