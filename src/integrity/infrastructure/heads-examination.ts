import { open } from 'node:fs/promises';
import { publicId, type Uuid } from '../../kernel/ids.js';
import { failed, fine, type Finding, warned } from '../../platform/finding.js';
import type { KeptSeal } from '../domain/kept-seal.js';
import { headIn } from './seal-heads-file.js';

const CHECK = 'seal_heads';
const TAIL_BYTES = 262_144;
/** Until then, a head may be on its way to the file. */
const WRITTEN_WITHIN = '1 minute';

type Ask = <Row>(text: string, values: unknown[]) => Promise<Row[]>;

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
  const kept = await lastKept(path);
  if (kept === null) {
    const detail = `${path} is not there`;
    return newest
      ? failed(CHECK, detail, 'see whether the service may write there, and what its log says')
      : fine(CHECK, `${detail} yet, and there is no seal`);
  }
  const lost = await lostOf(kept, ask);
  if (lost.length > 0) {
    const detail = `the database has other seals than ${path}: ${lost.join(', ')}`;
    return failed(CHECK, detail, 'run integrity, and find out who changed the database');
  }
  const isKept = ({ accountId, sequence }: KeptSeal) =>
    accountId === newest?.account && sequence >= BigInt(newest.sequence);
  if (newest && !kept.some(isKept)) {
    const detail = `${path} lacks the newest seal, of ${newest.at.toISOString()}`;
    return warned(CHECK, detail, 'see whether the service may write there, and what its log says');
  }
  return fine(CHECK, `the last ${kept.length} heads in ${path} are those of the database`);
}

/** Null: there is no such file. */
async function lastKept(path: string): Promise<KeptSeal[] | null> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!file) return null;
  try {
    const { size } = await file.stat();
    if (size === 0) return [];
    const from = Math.max(0, size - TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
    // The first line of a tail was cut.
    return lines.slice(from > 0 ? 1 : 0).flatMap((line) => headIn(line) ?? []);
  } finally {
    await file.close();
  }
}

async function lostOf(kept: readonly KeptSeal[], ask: Ask): Promise<string[]> {
  const rows = await ask<{ account: Uuid; sequence: string }>(
    `SELECT k.account_id AS account, k.sequence::text
     FROM unnest($1::uuid[], $2::bigint[], $3::text[]) AS k (account_id, sequence, digest)
       LEFT JOIN seals s USING (account_id, sequence)
     WHERE encode(s.digest, 'hex') IS DISTINCT FROM k.digest LIMIT 5`,
    [
      kept.map(({ accountId }) => accountId),
      kept.map(({ sequence }) => `${sequence}`),
      kept.map(({ digest }) => digest),
    ],
  );
  return rows.map(({ account, sequence }) => `seal ${sequence} of ${publicId('acc', account)}`);
}
