import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { ENDED_XACT, HISTORY } from '../../platform/database/ended-transactions.js';
import type { Tx } from '../../platform/database/tx.js';

/** Those who make something of events, or of transfers, each with a mark of its own. */
export type EventConsumer = 'mail' | 'deliveries' | 'sums';

/** Transactions that have ended, and before which all have. */
export interface EventWindow {
  consumer: EventConsumer;
  from: bigint;
  through: bigint;
  /** It was cut: behind it are others. */
  hasMore: boolean;
}

/** As many transactions as one round reads: what it holds in memory is bounded. */
const LARGEST_WINDOW = 20_000;
const LONG_WINDOW = 1000n;

const NEXT_WINDOW = `SELECT consumer, through_xact AS from,
    least(through_xact + ${LARGEST_WINDOW}, ended) AS through,
    ended > through_xact + ${LARGEST_WINDOW} AS "hasMore"
  FROM event_marks, (SELECT ${ENDED_XACT} AS ended) now
  WHERE consumer = $1 FOR UPDATE OF event_marks SKIP LOCKED`;

/**
 * How far events were read. A consumer takes its window, reads `events` by `xact`, and finishes it in
 * the transaction of its own work: so none is missed, and none has an effect twice.
 */
@Injectable()
export class EventMarks {
  constructor(private readonly database: Database) {}

  /** When the oldest event happened that a consumer has not read; undefined: it has read all. */
  async oldestUnread(consumer: EventConsumer): Promise<Date | undefined> {
    const [row] = await this.database.query<{ oldest: Date | null }>(
      `SELECT min(e.occurred_at) AS oldest FROM events e JOIN event_marks m
         ON e.xact >= m.through_xact WHERE m.consumer = $1`,
      [consumer],
    );
    return row?.oldest ?? undefined;
  }

  /** The transactions to be read next; null while another process reads them, or there are none. */
  async next(tx: Tx, consumer: EventConsumer): Promise<EventWindow | null> {
    const [window] = await tx.read<EventWindow>(NEXT_WINDOW, [consumer]);
    return window && window.from < window.through ? window : null;
  }

  /** For a consumer that wants nothing of what happened before a transaction. */
  async passOver(tx: Tx, consumer: EventConsumer, xact: bigint): Promise<void> {
    await tx.read(
      `UPDATE event_marks SET through_xact = $1
       WHERE consumer = $2 AND through_xact < $1 AND $1 <= ${ENDED_XACT} RETURNING 1`,
      [xact, consumer],
    );
  }

  /** Its mark is of the history that the database has now. */
  keepHistory(tx: Tx, consumer: EventConsumer): void {
    tx.write(`UPDATE event_marks SET history = ${HISTORY} WHERE consumer = $1`, [consumer]);
  }

  /** @param found whether it made something of the window */
  finish(tx: Tx, { consumer, from, through }: EventWindow, found: boolean): void {
    // Our own look is a transaction, too: a short window without anything is read again.
    if (!found && through - from <= LONG_WINDOW) return;
    tx.write('UPDATE event_marks SET through_xact = $1 WHERE consumer = $2', [through, consumer]);
  }
}
