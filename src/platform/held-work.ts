import { Injectable } from '@nestjs/common';
import { Database } from './database/database.js';
import { HISTORY } from './database/ended-transactions.js';

/** Work that reaches others; a restored database would repeat what was done since its backup. */
export const HELD_KINDS = ['schedules', 'collections', 'refunds', 'mail', 'look_ups'] as const;
export type HeldKind = (typeof HELD_KINDS)[number];

const STATE = `SELECT history IS NULL AS "isFirst", coalesce(history <> ${HISTORY}, false) AS held
  FROM held_work WHERE kind = $1`;
/** All at once: a backup may be made before the first round of another kind. */
const BEGIN = `UPDATE held_work SET history = ${HISTORY} WHERE history IS NULL`;
const KEEP = `UPDATE held_work SET history = ${HISTORY} WHERE kind = $1`;

/** Notices that the database was restored, and keeps work until somebody gives the word. */
@Injectable()
export class HeldWork {
  constructor(private readonly database: Database) {}

  /** Asked before each round. From the first one on, a restore is noticed. */
  async isHeld(kind: HeldKind): Promise<boolean> {
    const [row] = await this.database.query<{ isFirst: boolean; held: boolean }>(STATE, [kind]);
    if (row?.isFirst) await this.database.query(BEGIN);
    return row?.held ?? false;
  }

  /** It goes on. */
  async release(kind: HeldKind): Promise<void> {
    await this.database.query(KEEP, [kind]);
  }
}
