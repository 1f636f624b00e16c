import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { IdGenerator } from '../../kernel/ids.js';
import { Config } from '../config/config.js';
import { FairQueue, type QueueStanding } from '../fair-queue.js';
import { Database } from './database.js';
import { documentBusy } from './database-error.js';
import { LoneTx, type LoneTxOptions, type TxMeans } from './lone-tx.js';

/** Enough that the next has asked for the lock when one gives it up. */
const MOST_FOR_ONE_ROW = 3;
const WAITING_FOR_ROWS = 500;

/** Opens transactions; `UnitOfWork` runs work in them. */
@Injectable()
export class Transactions {
  private readonly means: TxMeans;
  private readonly turns: FairQueue;

  constructor(
    private readonly database: Database,
    { databasePoolSize, lockTimeoutMs }: Config,
    clock: Clock,
    ids: IdGenerator,
  ) {
    this.turns = new FairQueue({
      places: Infinity,
      each: Math.max(1, Math.min(MOST_FOR_ONE_ROW, Math.floor(databasePoolSize / 4))),
      waiting: WAITING_FOR_ROWS,
      waitMs: lockTimeoutMs,
      refusal: documentBusy,
    });
    this.means = { database, turns: this.turns, clock, ids };
  }

  open(options: LoneTxOptions): LoneTx {
    return new LoneTx(this.means, options);
  }

  /** Those who want rows that others hold, and wait without a connection. */
  get standing(): QueueStanding {
    return this.turns.standing;
  }

  /** Somebody waits for a connection. */
  get areWaitedFor(): boolean {
    return this.database.isWaitedFor;
  }
}
