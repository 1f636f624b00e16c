import { DocumentRefusal } from '../domain/refusals.js';
import { DomainError } from '../../kernel/domain-error.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import { CommonRefusal } from '../../kernel/common-refusals.js';

// The caller's own ids: one customer, one document and one item may have each of them.

const PREFIXES = { customer: 'cus', document: 'doc', item: 'prod' } as const;

type Noun = keyof typeof PREFIXES;

interface HasExternalIds {
  findByExternalId(tx: Tx, accountId: Uuid, externalId: string): Promise<Uuid | undefined>;
}

/** @throws DomainError `external_id_taken`, which names the one that has it */
export async function assertFree(
  noun: Noun,
  repository: HasExternalIds,
  tx: Tx,
  accountId: Uuid,
  externalId: string | null,
): Promise<void> {
  if (externalId === null) return;
  const other = await repository.findByExternalId(tx, accountId, externalId);
  if (other === undefined) return;
  throw DocumentRefusal.external_id_taken.of(
    `Another ${noun} has the external_id ${externalId}; change that one, or send another id.`,
    { [`${noun}_id`]: publicId(PREFIXES[noun], other) },
  );
}

/** To a caller who expects a version of what is not there. */
export function notThere(noun: Noun): DomainError {
  return CommonRefusal.version_mismatch.of(
    `There is no ${noun} with this external_id; leave If-Match out.`,
  );
}
