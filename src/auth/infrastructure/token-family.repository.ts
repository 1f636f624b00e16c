import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Retention } from '../../platform/database/retention.js';
import type { Tx } from '../../platform/database/tx.js';

/** All tokens that one exchange of credentials grows into. */
export interface TokenFamily {
  familyId: Uuid;
  accountId: Uuid;
  clientId: Uuid;
  scopes: readonly string[];
  startedAt: Date;
  /** No refresh goes beyond. */
  endsAt: Date;
  revokedAt: Date | null;
}

interface RefreshToken {
  tokenSha256: Buffer;
  issuedAt: Date;
  expiresAt: Date;
}

const COLUMNS = `family_id AS "familyId", account_id AS "accountId", client_id AS "clientId", scopes,
  started_at AS "startedAt", ends_at AS "endsAt", revoked_at AS "revokedAt"`;

const FAMILIES_KEPT_MS = 7 * 24 * 3_600_000;
/** Twice what processes remember: the clock of one may be behind. */
const REVOCATIONS_KEPT_MS = 50 * 3_600_000;

/**
 * The last token of the family was not used and ended before `$1`, and so did every branch that
 * older releases made. Nothing is left to refresh. While one can be refreshed, all tokens before it
 * are kept, however old, so that each of them is known when it returns.
 */
const ENDED = `last.used_at IS NULL AND last.expires_at < $1 AND NOT EXISTS (
  SELECT FROM refresh_tokens live
  WHERE live.family_id = last.family_id AND live.used_at IS NULL AND live.expires_at >= $1)`;

/** A family may have grown very long: its used tokens go before it, a bounded number at a time. */
const DELETE_USED = `DELETE FROM refresh_tokens WHERE ctid = ANY (ARRAY(
  SELECT t.ctid FROM refresh_tokens last JOIN refresh_tokens t USING (family_id)
  WHERE ${ENDED} AND t.used_at IS NOT NULL LIMIT $2)) RETURNING 1`;
const DELETE_FAMILIES = `DELETE FROM token_families WHERE family_id = ANY (ARRAY(
  SELECT last.family_id FROM refresh_tokens last WHERE ${ENDED} LIMIT $2)) RETURNING 1`;

const DELETE_REVOCATIONS = `DELETE FROM revocations WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM revocations WHERE revoked_at < $1 LIMIT $2)) RETURNING 1`;

/** Rotation, reuse and revocation lock the family first, so that none of them misses another. */
@Injectable()
export class TokenFamilyRepository {
  constructor(retention: Retention) {
    const ended = { what: 'ended token families', keptMs: FAMILIES_KEPT_MS };
    retention.add(
      { ...ended, statement: DELETE_USED },
      { ...ended, statement: DELETE_FAMILIES },
      { what: 'revocations', keptMs: REVOCATIONS_KEPT_MS, statement: DELETE_REVOCATIONS },
    );
  }

  /** Locks the family of a refresh token. Read the token itself afterwards. */
  async findForUpdate(tx: Tx, tokenSha256: Buffer): Promise<TokenFamily | undefined> {
    const [family] = await tx.read<TokenFamily>(
      `SELECT ${COLUMNS} FROM token_families WHERE family_id =
         (SELECT family_id FROM refresh_tokens WHERE token_sha256 = $1) FOR NO KEY UPDATE`,
      [tokenSha256],
    );
    return family;
  }

  /** Locks it by its id, as an access token names it. */
  async findByIdForUpdate(tx: Tx, familyId: Uuid): Promise<TokenFamily | undefined> {
    const [family] = await tx.read<TokenFamily>(
      `SELECT ${COLUMNS} FROM token_families WHERE family_id = $1 FOR NO KEY UPDATE`,
      [familyId],
    );
    return family;
  }

  /** Null where it was not used yet. The family must be locked. */
  async lastUse(
    tx: Tx,
    tokenSha256: Buffer,
  ): Promise<{ usedAt: Date | null; expiresAt: Date } | undefined> {
    const [token] = await tx.read<{ usedAt: Date | null; expiresAt: Date }>(
      `SELECT used_at AS "usedAt", expires_at AS "expiresAt" FROM refresh_tokens
       WHERE token_sha256 = $1`,
      [tokenSha256],
    );
    return token;
  }

  /** Which of these digests is of a token of the family. */
  async known(tx: Tx, familyId: Uuid, digests: readonly Buffer[]): Promise<Buffer | undefined> {
    const [token] = await tx.read<{ digest: Buffer }>(
      `SELECT token_sha256 AS digest FROM refresh_tokens
       WHERE family_id = $1 AND token_sha256 = ANY ($2)`,
      [familyId, digests],
    );
    return token?.digest;
  }

  insert(tx: Tx, family: TokenFamily, first: RefreshToken): void {
    tx.insert('token_families', {
      family_id: family.familyId,
      account_id: family.accountId,
      client_id: family.clientId,
      scopes: family.scopes,
      started_at: family.startedAt,
      ends_at: family.endsAt,
    });
    this.insertToken(tx, family.familyId, first);
  }

  /** One token is used, the next one issued. The family must be locked. */
  rotate(tx: Tx, { familyId }: TokenFamily, usedSha256: Buffer, next: RefreshToken): void {
    tx.update('refresh_tokens', { token_sha256: usedSha256 }, { used_at: next.issuedAt });
    this.insertToken(tx, familyId, next);
  }

  /**
   * Ends the family, and its access tokens within seconds and in every process. It must be locked.
   */
  revoke(tx: Tx, { familyId, clientId }: TokenFamily, revokedAt: Date): void {
    tx.update('token_families', { family_id: familyId }, { revoked_at: revokedAt });
    tx.insert('revocations', {
      revocation_id: tx.newId(),
      client_id: clientId,
      family_id: familyId,
      revoked_at: revokedAt,
    });
  }

  /** Whether so many families of a client are listed as ended. */
  async hasEnded(tx: Tx, clientId: Uuid, count: number): Promise<boolean> {
    const rows = await tx.read(
      'SELECT FROM revocations WHERE client_id = $1 AND family_id IS NOT NULL LIMIT $2',
      [clientId, count],
    );
    return rows.length === count;
  }

  /** Takes the families of a client off the list: all its tokens from before have ended. */
  forget(tx: Tx, clientId: Uuid): void {
    tx.write('DELETE FROM revocations WHERE client_id = $1 AND family_id IS NOT NULL', [clientId]);
  }

  private insertToken(tx: Tx, familyId: Uuid, token: RefreshToken): void {
    tx.insert('refresh_tokens', {
      token_sha256: token.tokenSha256,
      family_id: familyId,
      issued_at: token.issuedAt,
      expires_at: token.expiresAt,
    });
  }
}
