import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import type { Tx } from '../../platform/database/tx.js';
import type { LedgerEntry } from '../domain/ledger.js';
import { mayBeClosed } from '../domain/period.js';

/** The ledger for writing: it only ever grows (decision 20). */
@Injectable()
export class LedgerRepository {
  /** If its day is in a closed month, it is booked on the first open day. */
  insert(tx: Tx, { legs, effective, notBefore = null, ...entry }: LedgerEntry): void {
    const [first] = legs;
    if (!first) return;
    const { currency } = first.amount;
    const others = legs.filter(({ amount }) => amount.currency !== currency);
    if (others.length > 0) {
      const own = legs.filter(({ amount }) => amount.currency === currency);
      for (const part of [own, others]) {
        this.insert(tx, { ...entry, effective, notBefore, legs: part });
      }
      return;
    }
    const isInstant = effective instanceof Date;
    tx.queue({
      shape: TRANSFERS,
      rows: legs.map(({ debit, credit, amount, documentId }) => [
        entry.accountId,
        tx.newId(),
        entry.fact,
        entry.factId,
        `${debit}/${currency}`,
        `${credit}/${currency}`,
        amount.minor,
        currency,
        documentId,
        entry.customerId,
        entry.recordedAt,
        isInstant ? null : effective,
        isInstant ? effective : null,
        notBefore,
      ]),
    });
  }
}

/** The day on which a fact of `at` is booked, where its own is closed. */
export async function laterDay(
  tx: Tx,
  accountId: Uuid,
  at: Date | null,
  now: Date,
): Promise<IsoDate | null> {
  // Facts of this month, which is nearly every one, cost nothing.
  if (!at || !mayBeClosed(at, now)) return null;
  const [late] = await tx.load<{ day: IsoDate }>({
    text: `SELECT books_open_from AS day FROM accounts
      WHERE account_id = $1 AND ($2::timestamptz AT TIME ZONE time_zone)::date < books_open_from`,
    types: ['uuid', 'timestamptz'],
    values: [accountId, at],
    claims: null,
  });
  return late?.day ?? null;
}

/**
 * The day of an instant, and the one on which the books have it. Locks the account's row in share
 * mode: no month is closed until the transaction ends.
 */
export async function bookedDayOf(tx: Tx, accountId: Uuid, at: Date): Promise<BookedDay> {
  const [row] = await tx.read<{ own: IsoDate; booked: IsoDate }>(
    `SELECT ($2::timestamptz AT TIME ZONE time_zone)::date AS own,
       greatest(($2::timestamptz AT TIME ZONE time_zone)::date, books_open_from) AS booked
     FROM accounts WHERE account_id = $1 FOR SHARE`,
    [accountId, at],
  );
  if (!row) throw new Error(`there is no account ${accountId}`);
  return row;
}

/** The waived shortfalls that a fact took back, by document. */
export async function waiversTakenBack(
  tx: Tx,
  { accountId, customerId, fact, factId }: Pick<LedgerEntry, EntryKey>,
): Promise<Map<Uuid, Money>> {
  const rows = await tx.read<{ document_id: Uuid | null; amount: bigint; currency: string }>(
    `SELECT document_id, amount, currency FROM transfers
     WHERE account_id = $1 AND customer_id = $2 AND fact = $3 AND fact_id = $4
       AND credit = 'payment_differences/' || currency`,
    [accountId, customerId, fact, factId],
  );
  return new Map(
    rows.map((row) => [row.document_id ?? '', Money.of(row.amount, row.currency)] as const),
  );
}

/** The parts of documents that reversals took, less what came back, by the facts' ids. */
export async function takenOff(
  tx: Tx,
  { accountId, customerId }: Pick<LedgerEntry, 'accountId'> & { customerId: Uuid },
  factIds: readonly Uuid[],
): Promise<{ documentId: Uuid; amount: Money; waived: Money }[]> {
  const rows = await tx.read<{
    /** @notNull Asked for in the condition. */
    document_id: Uuid;
    currency: string;
    amount: bigint;
    waived: bigint;
  }>(
    `SELECT document_id, currency, coalesce(sum(CASE
         WHEN credit ~ '^(disputed_funds|gateway_clearing|payment_losses)/' THEN amount
         WHEN debit ~ '^(disputed_funds|gateway_clearing|payment_losses)/' THEN -amount END), 0)::bigint AS amount,
       coalesce(sum(CASE WHEN credit ~ '^payment_differences/' THEN amount
         WHEN debit ~ '^payment_differences/' THEN -amount END), 0)::bigint AS waived
     FROM transfers
     WHERE account_id = $1 AND customer_id = $2 AND fact_id = ANY ($3)
       AND fact IN ('dispute.lost', 'dispute.won', 'payment.reversed')
       AND document_id IS NOT NULL
     GROUP BY document_id, currency ORDER BY document_id`,
    [accountId, customerId, factIds],
  );
  return rows.map(({ document_id: documentId, currency, ...row }) => ({
    documentId,
    amount: Money.of(row.amount, currency),
    waived: Money.of(row.waived, currency),
  }));
}

export interface BookedDay {
  own: IsoDate;
  /** The first open day, where its own is closed. */
  booked: IsoDate;
}

type EntryKey = 'accountId' | 'customerId' | 'fact' | 'factId';

/** Rows, not lists as parameters, which cost the caller and the database more. */
const TRANSFERS = {
  head: `INSERT INTO transfers (account_id, transfer_id, fact, fact_id, debit, credit, amount,
      currency, document_id, customer_id, recorded_at, effective_on)
    SELECT account_id, l.transfer_id, l.fact, l.fact_id, l.debit, l.credit, l.amount, l.currency,
      l.document_id, l.customer_id, l.recorded_at,
      greatest(coalesce(l.day, (l.instant AT TIME ZONE a.time_zone)::date), l.not_before,
        a.books_open_from)
    FROM`,
  tail: `AS l (account_id, transfer_id, fact, fact_id, debit, credit, amount, currency, document_id,
      customer_id, recorded_at, day, instant, not_before)
    JOIN accounts a USING (account_id)`,
  types:
    'uuid uuid text uuid text text bigint text uuid uuid timestamptz date timestamptz date'.split(
      ' ',
    ),
};
