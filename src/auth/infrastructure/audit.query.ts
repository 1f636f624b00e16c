import { Injectable } from '@nestjs/common';
import { ACTOR_TYPES } from '../../kernel/actor.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';

/** An undefined field does not filter. */
export interface AuditFilter {
  /** An action, or the beginning of several with a star: `client.*`. */
  action?: string;
  actor?: string;
  subject?: string;
  /** An address, or a network with its prefix length. */
  address?: string;
  from?: Date;
  /** Before this instant. */
  to?: Date;
}

export const AUDIT_ACTOR_TYPES = [...ACTOR_TYPES, 'none'] as const;

export interface AuditEntry {
  accountId: Uuid;
  id: Uuid;
  action: string;
  subject: string | null;
  actorType: (typeof AUDIT_ACTOR_TYPES)[number];
  actorId: string | null;
  address: string | null;
  requestId: string | null;
  before: object | null;
  after: object | null;
  occurrences: number;
  occurredAt: Date;
}

const ENTRIES = `SELECT account_id AS "accountId", entry_id AS id, action, subject,
    actor_type AS "actorType", actor_id AS "actorId", host(address) AS address,
    request_id AS "requestId", before, after, occurrences, occurred_at AS "occurredAt"
  FROM audit_entries`;

const LIST = `${ENTRIES}
  WHERE ($1::uuid IS NULL OR account_id = $1)
    AND ($2::uuid IS NULL OR entry_id < $2)
    AND ($3::text IS NULL OR action = $3)
    AND ($4::text IS NULL OR starts_with(action, $4))
    AND ($5::text IS NULL OR actor_id = $5)
    AND ($6::text IS NULL OR subject = $6)
    AND ($7::inet IS NULL OR address <<= $7)
    AND ($8::timestamptz IS NULL OR occurred_at >= $8)
    AND ($9::timestamptz IS NULL OR occurred_at < $9)
  ORDER BY entry_id DESC LIMIT $10`;

/** The audit log, for reading. */
@Injectable()
export class AuditQuery {
  constructor(private readonly database: Database) {}

  async find(accountId: Uuid, id: Uuid): Promise<AuditEntry | undefined> {
    const [entry] = await this.database.query<AuditEntry>(
      `${ENTRIES} WHERE account_id = $1 AND entry_id = $2`,
      [accountId, id],
    );
    return entry;
  }

  /**
   * The newest first.
   * @param accountId null: of every account and of none
   * @param after the id behind which the page begins
   */
  async list(
    accountId: Uuid | null,
    filter: AuditFilter,
    after: Uuid | null,
    count: number,
  ): Promise<AuditEntry[]> {
    return this.database.list<AuditEntry>(LIST, valuesOf(accountId, filter, after, count));
  }

  /** How many there are, up to `most`. */
  async count(accountId: Uuid, filter: AuditFilter, most: number): Promise<number> {
    return this.database.countRows(LIST, valuesOf(accountId, filter, null, most));
  }
}

function valuesOf(
  accountId: Uuid | null,
  { action, actor, subject, address, from, to }: AuditFilter,
  after: Uuid | null,
  count: number,
): unknown[] {
  const family = action?.endsWith('.*') ? action.slice(0, -1) : undefined;
  const exact = family === undefined ? action : undefined;
  return [accountId, after, exact, family, actor, subject, address, from, to, count];
}
