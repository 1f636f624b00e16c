import type { Uuid } from '../../kernel/ids.js';
import { failed, fine, type Finding, warned } from '../../platform/finding.js';
import type { KeptSeal } from '../domain/kept-seal.js';
import { type Ask, lastLines, lostHeads } from './last-heads.js';
import { sealName } from '../domain/loss.js';

const CHECK = 'seal_heads';
/** Until then, a head may be on its way to the file. */
const WRITTEN_WITHIN = '1 minute';
const SHOWN = 5;

/**
 * Whether heads of seals are kept outside of the database, up to the newest, and whether the chains
 * still have those that were kept last. `integrity` compares all of the file.
 */
export async function examineSealHeads(path: string | null, ask: Ask): Promise<Finding> {
  if (path === null) {
    const next =
      'name a file in QUITTANCE_SEAL_HEADS_FILE that the owner of the database cannot write';
    const detail = 'no head of a seal is kept outside: who owns the database could write all anew';
    return warned(CHECK, detail, next);
  }
  const [newest] = await ask<{ account: Uuid; sequence: string; at: Date }>(
    `SELECT account_id AS account, sequence::text, sealed_at AS at FROM seals
     WHERE sealed_at < now() - interval '${WRITTEN_WITHIN}'
     ORDER BY through_xact DESC, account_id LIMIT 1`,
    [],
  );
  const kept = (await lastLines(path))?.heads ?? null;
  if (kept === null) {
    const detail = `${path} is not there`;
    return newest
      ? failed(CHECK, detail, 'see whether the service may write there, and what its log says')
      : fine(CHECK, `${detail} yet, and there is no seal`);
  }
  const lost = await lostHeads(kept, ask);
  if (lost.length > 0) {
    const detail = `the database has other seals than ${path}: ${lost.slice(0, SHOWN).map(sealName).join(', ')}`;
    return failed(
      CHECK,
      detail,
      'run integrity; a server that took over may lack them: docs/runbook.md#history-lost',
    );
  }
  const isKept = ({ accountId, sequence }: KeptSeal) =>
    accountId === newest?.account && sequence >= BigInt(newest.sequence);
  if (newest && !kept.some(isKept)) {
    const detail = `${path} lacks the newest seal, of ${newest.at.toISOString()}`;
    return warned(CHECK, detail, 'see whether the service may write there, and what its log says');
  }
  return fine(CHECK, `the last ${kept.length} heads in ${path} are those of the database`);
}
