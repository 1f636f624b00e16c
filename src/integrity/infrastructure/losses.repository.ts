import { Injectable } from '@nestjs/common';
import { NO_ACCOUNT, type Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import { recordOperator } from '../../platform/database/operator-entry.js';
import { TIMELINE } from '../../platform/database/servers/succession.js';
import type { KeptSeal } from '../domain/kept-seal.js';
import type { Loss } from '../domain/loss.js';
import { SealHeadsFile } from './heads-file.repository.js';
import { lastLines, type LastLines, type LostHead, lostHeads } from './last-heads.js';

interface Standing {
  /** Null on a standby, and on some hosts. */
  timeline: number | null;
  isStandby: boolean;
  hasFact: boolean;
}

interface LossColumns {
  /** @notNull An entry of a loss has it. */
  after: Omit<Loss, 'noticedAt'>;
  at: Date;
}

/**
 * Losses stand in the audit log, so that each process knows of them, and who accepted them; and what
 * the database has of what it should have.
 */
@Injectable()
export class LossesRepository {
  constructor(
    private readonly database: Database,
    private readonly file: SealHeadsFile,
  ) {}

  /** How the server stands, and whether it has a fact; undefined: of none. */
  async standing(fact: { accountId: Uuid; eventId: Uuid } | undefined): Promise<Standing> {
    const of = [fact?.accountId ?? null, fact?.eventId ?? null];
    const [row] = await this.database.query<Omit<Standing, 'timeline'>>(STANDING, of);
    if (!row || row.isStandby) return { timeline: null, isStandby: true, hasFact: true };
    return { ...row, timeline: await this.timeline() };
  }

  /** Null where the host keeps the log elsewhere: it then loses nothing of it. */
  private async timeline(): Promise<number | null> {
    try {
      // With the SQLSTATE of a refusal, which `query` translates.
      const { rows } = await this.database.using(async (client) =>
        client.query<{ timeline: number }>(TIMELINE_HERE),
      );
      return rows[0]?.timeline ?? null;
    } catch (error) {
      if (NOT_HERE.has((error as { code?: string }).code ?? '')) return null;
      throw error;
    }
  }

  /** Those that nobody has accepted, oldest first. */
  async open(): Promise<Loss[]> {
    const rows = await this.database.query<LossColumns>(OPEN, [NO_ACCOUNT]);
    return rows.map(({ after, at }) => ({ ...after, noticedAt: at }));
  }

  async tell(loss: Omit<Loss, 'noticedAt'>): Promise<void> {
    await recordOperator(this.database, 'history.lost', loss);
  }

  async accept(): Promise<void> {
    await recordOperator(this.database, 'history.loss_accepted', {});
  }

  /** The last lines of the file of heads; none where it cannot be read. */
  async lastKept(): Promise<LastLines> {
    const { path } = this.file;
    const kept = path === null ? null : await lastLines(path).catch(() => null);
    return kept ?? { heads: [], numbers: [] };
  }

  /** Of all heads in the file, those that no chain has, without those whose loss was accepted. */
  async *lostOfFile(ofAccount: Uuid | null): AsyncGenerator<LostHead[]> {
    let accepted: Set<string> | undefined;
    for await (const kept of this.file.kept(ofAccount)) {
      const lost = await this.lostAmong(kept);
      if (lost.length === 0) continue;
      accepted ??= await this.file.accepted();
      yield lost.filter(({ digest }) => !accepted?.has(digest));
    }
  }

  async lostAmong(kept: readonly KeptSeal[]): Promise<LostHead[]> {
    return lostHeads(kept, async (text, values) => this.database.query(text, values));
  }
}

/** Not supported, and not allowed. */
const NOT_HERE = new Set(['0A000', '42501']);

const TIMELINE_HERE = `SELECT ${TIMELINE} AS timeline`;

const STANDING = `SELECT pg_is_in_recovery() AS "isStandby",
    $2::uuid IS NULL
      OR EXISTS (SELECT FROM events WHERE account_id = $1::uuid AND event_id = $2) AS "hasFact"`;

const OPEN = `SELECT after, occurred_at AS at FROM audit_entries
  WHERE account_id = $1 AND action = 'history.lost' AND occurred_at > coalesce(
    (SELECT occurred_at FROM audit_entries WHERE account_id = $1 AND action = 'history.loss_accepted'
      ORDER BY entry_id DESC LIMIT 1), '-infinity')
  ORDER BY entry_id`;
