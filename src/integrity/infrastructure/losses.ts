import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../auth/index.js';
import { NO_ACCOUNT, publicId, type Uuid } from '../../kernel/ids.js';
import type { CommittedFact } from '../../events/index.js';
import { Database } from '../../platform/database/database.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { byOperator } from '../../platform/process-identity.js';
import type { KeptSeal } from '../domain/kept-seal.js';
import type { Loss } from '../domain/loss.js';

/** Of one loss by name; the others are counted. */
const SHOWN = 1000;

interface Standing {
  /** Null on a standby, and where the server does not tell. */
  timeline: number | null;
  isStandby: boolean;
  hasFact: boolean;
}

/** Losses stand in the audit log, so that each process knows of them, and who accepted them. */
@Injectable()
export class Losses {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /** How the server stands, and whether it has a fact; null: of none. */
  async standing(fact: CommittedFact | undefined): Promise<Standing> {
    const [row] = await this.database.query<Standing>(STANDING, [
      fact?.accountId ?? null,
      fact?.eventId ?? null,
    ]);
    return row ?? { timeline: null, isStandby: true, hasFact: true };
  }

  /** Those that nobody has accepted, oldest first. */
  async open(): Promise<Loss[]> {
    const rows = await this.database.query<{ after: Omit<Loss, 'noticedAt'>; at: Date }>(OPEN, [
      NO_ACCOUNT,
    ]);
    return rows.map(({ after, at }) => ({ ...after, noticedAt: at }));
  }

  async tell(facts: readonly CommittedFact[], heads: readonly KeptSeal[]): Promise<void> {
    const after = {
      count: facts.length,
      facts: facts.slice(0, SHOWN).map(nameOf),
      seals: heads.slice(0, SHOWN).map(sealName),
    };
    await this.record('history.lost', after);
  }

  async accept(): Promise<void> {
    await this.record('history.loss_accepted', {});
  }

  private async record(
    action: 'history.lost' | 'history.loss_accepted',
    after: Record<string, unknown>,
  ): Promise<void> {
    const change = { action, subject: null, before: null, after };
    await this.unitOfWork.run(async (tx) => this.audit.record(tx, byOperator(NO_ACCOUNT), change));
  }
}

// The file of the log that is written: a checkpoint may tell the new timeline minutes later.
const STANDING = `SELECT pg_is_in_recovery() AS "isStandby",
    CASE WHEN NOT pg_is_in_recovery()
      THEN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END AS timeline,
    $2::uuid IS NULL
      OR EXISTS (SELECT FROM events WHERE account_id = $1::uuid AND event_id = $2) AS "hasFact"`;

const OPEN = `SELECT after, occurred_at AS at FROM audit_entries
  WHERE account_id = $1 AND action = 'history.lost' AND occurred_at > coalesce(
    (SELECT occurred_at FROM audit_entries WHERE account_id = $1 AND action = 'history.loss_accepted'
      ORDER BY entry_id DESC LIMIT 1), '-infinity')
  ORDER BY entry_id`;

export const sealName = ({ accountId, sequence }: { accountId: Uuid; sequence: bigint }) =>
  `seal ${sequence} of ${publicId('acc', accountId)}`;

function nameOf({ type, eventId, documentId, number }: CommittedFact): string {
  const of = number ?? (documentId && publicId('doc', documentId));
  return `${type} ${publicId('evt', eventId)}${of ? ` of ${of}` : ''}`;
}
