import type { Uuid } from '../../kernel/ids.js';
import type { Database } from '../../platform/database/database.js';
import { ENDED_XACT } from '../../platform/database/ended-transactions.js';

/** A family, or all tokens of a client that were issued for an earlier version of it. */
export interface Revocation {
  clientId: Uuid;
  familyId: Uuid | null;
  belowVersion: number | null;
  revokedAt: Date;
}

/** If there is no revocation, one row tells the horizon alone. */
export interface RevocationRow extends Partial<Revocation> {
  horizon: bigint;
}

/** One statement has one snapshot: what it does not show has a transaction from its horizon on. */
export async function revocationsSince(
  database: Database,
  horizon: bigint,
  oldest: Date,
): Promise<RevocationRow[]> {
  return database.query<RevocationRow>(
    `SELECT s.horizon, r.client_id AS "clientId", r.family_id AS "familyId",
       r.below_version AS "belowVersion", r.revoked_at AS "revokedAt"
     FROM (SELECT ${ENDED_XACT} AS horizon) s
       LEFT JOIN revocations r ON r.xact >= $1 AND r.revoked_at > $2`,
    [horizon, oldest],
  );
}
