import type { Uuid } from '../../kernel/ids.js';
import type { Database } from '../../platform/database/database.js';
import type { Tx } from '../../platform/database/tx.js';

interface Which {
  accountId: Uuid;
  documentId: Uuid;
  /** None: all of the document. */
  portalTokenId?: Uuid;
}

export interface StoredPortalToken {
  portalTokenId: Uuid;
  accountId: Uuid;
  documentId: Uuid;
  createdAt: Date;
  expiresAt: Date;
  firstViewedAt: Date | null;
  lastViewedAt: Date | null;
  revokedAt: Date | null;
}

const COLUMNS = `portal_token_id AS "portalTokenId", account_id AS "accountId",
  document_id AS "documentId", created_at AS "createdAt", expires_at AS "expiresAt",
  first_viewed_at AS "firstViewedAt", last_viewed_at AS "lastViewedAt",
  revoked_at AS "revokedAt"`;

export async function findPortalToken(
  database: Database,
  tokenSha256: Buffer,
): Promise<StoredPortalToken | undefined> {
  const [row] = await database.query<StoredPortalToken>(
    `SELECT ${COLUMNS} FROM portal_tokens WHERE token_sha256 = $1`,
    [tokenSha256],
  );
  return row;
}

/** Oldest first. */
export async function findPortalTokens(
  database: Database,
  accountId: Uuid,
  documentId: Uuid,
): Promise<StoredPortalToken[]> {
  return database.query(
    `SELECT ${COLUMNS} FROM portal_tokens WHERE account_id = $1 AND document_id = $2
     ORDER BY created_at, portal_token_id`,
    [accountId, documentId],
  );
}

/** Of all tokens of the document. */
export async function findFirstView(
  database: Database,
  accountId: Uuid,
  documentId: Uuid,
): Promise<Date | null> {
  const [row] = await database.query<{ at: Date | null }>(
    `SELECT min(first_viewed_at) AS at FROM portal_tokens
     WHERE account_id = $1 AND document_id = $2`,
    [accountId, documentId],
  );
  return row?.at ?? null;
}

/** A token that is there already stays. */
export async function insertPortalToken(
  database: Database,
  token: Omit<StoredPortalToken, 'firstViewedAt' | 'lastViewedAt' | 'revokedAt'> & {
    sha256: Buffer;
  },
): Promise<void> {
  await database.query(
    `INSERT INTO portal_tokens (account_id, document_id, portal_token_id, token_sha256,
       created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
    [
      token.accountId,
      token.documentId,
      token.portalTokenId,
      token.sha256,
      token.createdAt,
      token.expiresAt,
    ],
  );
}

/** @returns the ids of those that were good until now */
export async function revokePortalTokens(
  tx: Tx,
  { accountId, documentId, portalTokenId }: Which,
  now: Date,
): Promise<Uuid[]> {
  const rows = await tx.read<{ id: Uuid }>(
    `UPDATE portal_tokens SET revoked_at = $3 WHERE account_id = $1 AND document_id = $2
       AND revoked_at IS NULL AND ($4::uuid IS NULL OR portal_token_id = $4)
     RETURNING portal_token_id AS id`,
    [accountId, documentId, now, portalTokenId ?? null],
  );
  return rows.map(({ id }) => id);
}

/** @returns whether it was the first view of any page of the document */
export async function insertFirstView(
  tx: Tx,
  { accountId, documentId, portalTokenId }: Required<Which>,
  now: Date,
): Promise<boolean> {
  const [before] = await tx.read(
    `SELECT FROM portal_tokens
     WHERE account_id = $1 AND document_id = $2 AND first_viewed_at IS NOT NULL LIMIT 1`,
    [accountId, documentId],
  );
  const changed = await tx.read(
    `UPDATE portal_tokens SET first_viewed_at = $4, last_viewed_at = $4
     WHERE account_id = $1 AND document_id = $2 AND portal_token_id = $3
       AND first_viewed_at IS NULL RETURNING 1`,
    [accountId, documentId, portalTokenId, now],
  );
  return before === undefined && changed.length > 0;
}

/** A clock that was set back changes nothing. */
export function updateLastView(tx: Tx, accountId: Uuid, portalTokenId: Uuid, now: Date): void {
  tx.write(
    `UPDATE portal_tokens SET last_viewed_at = greatest(last_viewed_at, $3)
     WHERE account_id = $1 AND portal_token_id = $2`,
    [accountId, portalTokenId, now],
  );
}

/** Lets this transaction give up a lock that somebody else holds after a moment. */
export async function waitBriefly(tx: Tx): Promise<void> {
  await tx.read(`SELECT set_config('lock_timeout', '100ms', true)`);
}
