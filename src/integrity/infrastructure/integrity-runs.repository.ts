import { Injectable } from '@nestjs/common';
import { lockAccount } from '../../auth/sql.js';
import { NO_ACCOUNT, type Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Row } from '../../platform/database/row.js';
import type { Tx } from '../../platform/database/tx.js';
import type {
  BooksPart,
  IntegrityDifference,
  IntegrityRun,
  RunStatus,
} from '../domain/integrity-run.js';

interface RunColumns extends Pick<
  Row<'integrity_runs', { status: RunStatus; found: IntegrityDifference[] }>,
  | 'account_id'
  | 'run_id'
  | 'status'
  | 'requested_at'
  | 'started_at'
  | 'finished_at'
  | 'checks'
  | 'checks_done'
  | 'differences'
  | 'found'
  | 'failed_check'
  | 'is_full'
  | 'since_xact'
  | 'again_from_xact'
  | 'again_to_xact'
  | 'head_sequence'
> {
  /** @derived Hexadecimal. */
  head: string | null;
}

const COLUMNS = `r.account_id, r.run_id, r.status, r.requested_at, r.started_at, r.finished_at,
  r.checks, r.checks_done, r.differences, r.found, r.failed_check, r.is_full, r.since_xact,
  r.again_from_xact, r.again_to_xact, r.head_sequence, encode(r.head_digest, 'hex') AS head`;

/** The process that is at a run says so every few seconds; one that is silent for so long has gone. */
const SILENT_FOR = `interval '1 minute'`;
const MOST_TRIES = 3;
/** Kept of a run; `differences` counts all. */
const MOST_KEPT = 1000;

/** A check whose turn it is, and who is at it. */
export interface HeldRun extends IntegrityRun {
  heldBy: Uuid;
}

/** Checks of the books. Times are the database's, as those of seals are. */
@Injectable()
export class IntegrityRunsRepository {
  constructor(private readonly database: Database) {}

  async findForUpdate(tx: Tx, accountId: Uuid, runId: Uuid): Promise<IntegrityRun | undefined> {
    const [row] = await tx.read<RunColumns>(
      `SELECT ${COLUMNS} FROM integrity_runs r WHERE account_id = $1 AND run_id = $2 FOR UPDATE`,
      [accountId, runId],
    );
    return row && toRun(row);
  }

  /** One at a time may ask for one of an account. */
  async underWayForUpdate(tx: Tx, accountId: Uuid): Promise<IntegrityRun | undefined> {
    await lockAccount(tx, accountId);
    const [row] = await tx.read<RunColumns>(OPEN, [accountId]);
    return row && toRun(row);
  }

  /** Waits for its turn. */
  insert(tx: Tx, run: IntegrityRun): void {
    tx.insert('integrity_runs', {
      account_id: run.accountId,
      run_id: run.runId,
      status: run.status,
      requested_at: run.requestedAt,
      is_full: run.isFull,
    });
  }

  setStatus(tx: Tx, { accountId, runId, status, finishedAt }: IntegrityRun): void {
    const key = { account_id: accountId, run_id: runId };
    tx.update('integrity_runs', key, { status, finished_at: finishedAt });
  }

  async find(accountId: Uuid, runId: Uuid): Promise<IntegrityRun | undefined> {
    const [row] = await this.database.query<RunColumns>(
      `SELECT ${COLUMNS} FROM integrity_runs r WHERE account_id = $1 AND run_id = $2`,
      [accountId, runId],
    );
    return row && toRun(row);
  }

  async underWay(accountId: Uuid): Promise<IntegrityRun | undefined> {
    const [row] = await this.database.query<RunColumns>(OPEN, [accountId]);
    return row && toRun(row);
  }

  /** The newest that has ended well and speaks for an account: its own, or one of all that found nothing. */
  async last(accountId: Uuid, isFull = false): Promise<IntegrityRun | undefined> {
    const [row] = await this.database.query<RunColumns>(
      `SELECT ${COLUMNS} FROM integrity_runs r
       WHERE status = 'finished' AND checks IS NOT NULL AND (account_id = $1
         OR account_id = $2 AND differences = 0
           AND started_at > (SELECT created_at FROM accounts a WHERE a.account_id = $1))
         AND (is_full OR NOT $3 AND (differences > 0 OR NOT ${IN_DOUBT}))
       ORDER BY finished_at DESC LIMIT 1`,
      [accountId, NO_ACCOUNT, isFull],
    );
    return row && toRun(row);
  }

  /** Asks for a check of all books when it is time. One that failed is asked for again in an hour. */
  async askWhenDue(hours: number, runId: Uuid): Promise<void> {
    await this.database.query(
      `INSERT INTO integrity_runs (account_id, run_id, status, requested_at, is_full)
       SELECT $1, $2, 'waiting', now(), false
       WHERE NOT EXISTS (SELECT FROM integrity_runs
         WHERE account_id = $1 AND requested_at > now() - interval '1 hour'
           * CASE status WHEN 'failed' THEN least($3, 1) ELSE $3 END)
       ON CONFLICT DO NOTHING`,
      [NO_ACCOUNT, runId, hours],
    );
  }

  /** Takes the one that waits the longest, or that its holder has left. */
  async take(heldBy: Uuid): Promise<HeldRun | undefined> {
    const [row] = await this.database.query<RunColumns>(
      `UPDATE integrity_runs r SET status = 'running', held_by = $1, alive_at = now(),
         started_at = coalesce(started_at, now()),
         head_sequence = CASE WHEN started_at IS NULL THEN h.sequence ELSE head_sequence END,
         head_digest = CASE WHEN started_at IS NULL THEN h.digest ELSE head_digest END
       FROM (SELECT account_id, run_id FROM integrity_runs
           WHERE status = 'waiting' OR status = 'running' AND alive_at < now() - ${SILENT_FOR}
           ORDER BY requested_at LIMIT 1 FOR UPDATE SKIP LOCKED) next
         LEFT JOIN seal_heads h USING (account_id)
       WHERE (r.account_id, r.run_id) = (next.account_id, next.run_id)
       RETURNING ${COLUMNS}`,
      [heldBy],
    );
    return row && { ...toRun(row), heldBy };
  }

  /**
   * Says what a run looks at, before its first check is done. It is what is new behind the last run of
   * these books, with a share of what is old. It is all, if that run found something or lacks a check.
   * @returns undefined where it was paused, canceled or taken meanwhile
   */
  async plan(
    run: HeldRun,
    checks: readonly string[],
    shares: number,
  ): Promise<HeldRun | undefined> {
    const [row] = await this.database.query<RunColumns>(
      `WITH last AS (
         SELECT * FROM integrity_runs WHERE account_id IN ($1, $4) AND status = 'finished'
         ORDER BY finished_at DESC LIMIT 1
       ), before AS (
         SELECT through_xact AS since, CASE WHEN again_to_xact < through_xact
           THEN again_to_xact ELSE 0 END AS again
         FROM last WHERE differences = 0 AND through_xact > 0 AND checks_done @> $5
           AND NOT ${IN_DOUBT} AND $6 > 1
       ), ends AS (
         SELECT through_xact AS at, row_number() OVER (ORDER BY through_xact) AS place,
           count(*) OVER () AS count
         FROM (SELECT DISTINCT through_xact FROM seals, before WHERE through_xact <= since) ends
       )
       UPDATE integrity_runs r SET is_full = r.is_full OR since IS NULL,
         since_xact = CASE WHEN NOT r.is_full THEN since END,
         again_from_xact = CASE WHEN NOT r.is_full THEN again END,
         again_to_xact = CASE WHEN NOT r.is_full THEN coalesce((
           SELECT max(at) FROM ends WHERE place <= ceil(count / $6::numeric)
             + (SELECT count(*) FROM ends WHERE at <= again)), since) END,
         through_xact = (SELECT coalesce(max(s.through_xact), 0) FROM seals s)
       FROM (SELECT true) one LEFT JOIN before ON true
       WHERE ${HELD} AND status = 'running' RETURNING ${COLUMNS}`,
      [...keyOf(run), NO_ACCOUNT, checks, shares],
    );
    return row && { ...toRun(row), heldBy: run.heldBy };
  }

  /** Heads of chains of before the check, which then finds whether they are of the chain that there was. */
  async noteHeads(accountId: Uuid): Promise<void> {
    await this.database.query(
      `INSERT INTO seals_seen (account_id, sequence, digest, seen_at)
       SELECT account_id, sequence, digest, now() FROM seal_heads
       WHERE account_id = $1::uuid OR $1::uuid = $2::uuid ON CONFLICT DO NOTHING`,
      [accountId, NO_ACCOUNT],
    );
  }

  /** @returns whether it is still to go on, and ours */
  async keep(
    run: HeldRun,
    { check, checks }: { check: string; checks: number },
    found: readonly IntegrityDifference[],
  ): Promise<boolean> {
    const rows = await this.database.query(
      `UPDATE integrity_runs SET checks_done = checks_done || $4::text, checks = $5,
         differences = differences + $6, alive_at = now(),
         found = jsonb_path_query_array(found || $7::jsonb, '$[0 to ${MOST_KEPT - 1}]')
       WHERE ${HELD} AND status = 'running' RETURNING run_id`,
      [...keyOf(run), check, checks, found.length, JSON.stringify(found)],
    );
    return rows.length > 0;
  }

  async beat(run: HeldRun): Promise<void> {
    await this.database.query(
      `UPDATE integrity_runs SET alive_at = now() WHERE ${HELD} RETURNING run_id`,
      keyOf(run),
    );
  }

  /** @returns as it is now; undefined where it was paused, canceled or taken meanwhile */
  async finish(tx: Tx, run: HeldRun): Promise<IntegrityRun | undefined> {
    const [row] = await tx.read<RunColumns>(
      `UPDATE integrity_runs r SET status = 'finished', finished_at = now()
       WHERE ${HELD} AND status = 'running' RETURNING ${COLUMNS}`,
      keyOf(run),
    );
    return row && toRun(row);
  }

  /** To whoever is next. @param failedCheck one that could not be made; after a few tries it has failed */
  async giveBack(run: HeldRun, failedCheck: string | null): Promise<void> {
    await this.database.query(
      `UPDATE integrity_runs SET
         tries = tries + CASE WHEN $4::text IS NULL THEN 0 ELSE 1 END, failed_check = $4,
         status = CASE WHEN $4 IS NOT NULL AND tries + 1 >= ${MOST_TRIES} THEN 'failed' ELSE 'waiting' END,
         finished_at = CASE WHEN $4 IS NOT NULL AND tries + 1 >= ${MOST_TRIES} THEN now() END
       WHERE ${HELD} AND status = 'running' RETURNING run_id`,
      [...keyOf(run), failedCheck],
    );
  }
}

/**
 * Something was found in these books ($1), or in some of them, and no run of all has found nothing
 * since. A run of a part says nothing of them then.
 */
const IN_DOUBT = `EXISTS (
  SELECT FROM integrity_runs o WHERE o.status = 'finished' AND o.differences > 0
    AND ($1 = '${NO_ACCOUNT}' OR o.account_id IN ($1, '${NO_ACCOUNT}'))
    AND NOT EXISTS (SELECT FROM integrity_runs f WHERE f.status = 'finished' AND f.is_full
      AND f.differences = 0 AND f.started_at > o.finished_at AND f.account_id IN ('${NO_ACCOUNT}',
        CASE WHEN $1 = '${NO_ACCOUNT}' THEN o.account_id ELSE $1 END)))`;

const OPEN = `SELECT ${COLUMNS} FROM integrity_runs r WHERE account_id = $1 AND finished_at IS NULL`;

const HELD = `account_id = $1 AND run_id = $2 AND held_by = $3`;

const keyOf = ({ accountId, runId, heldBy }: HeldRun): unknown[] => [accountId, runId, heldBy];

function partOf(row: RunColumns): BooksPart | null {
  const { since_xact: since, again_from_xact: from, again_to_xact: to } = row;
  return since === null || from === null || to === null ? null : { since, again: { from, to } };
}

function toRun(row: RunColumns): IntegrityRun {
  return {
    accountId: row.account_id,
    runId: row.run_id,
    status: row.status,
    requestedAt: row.requested_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    checks: row.checks,
    done: row.checks_done,
    differences: Number(row.differences),
    found: row.found,
    failedCheck: row.failed_check,
    isFull: row.is_full,
    part: partOf(row),
    head:
      row.head_sequence !== null && row.head !== null
        ? { sequence: row.head_sequence, digest: row.head }
        : null,
  };
}
