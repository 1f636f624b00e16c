import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/unit-of-work.js';

interface Which {
  accountId: Uuid;
  documentId: Uuid;
  /** None: all of the document. */
  portalTokenId?: Uuid;
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
