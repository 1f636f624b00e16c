import { open } from 'node:fs/promises';
import type { Row } from '../../platform/database/row.js';
import type { KeptNumber, KeptSeal } from '../domain/kept-seal.js';
import { readLine } from './heads-file.repository.js';

const TAIL_BYTES = 262_144;

export type Ask = <Row>(text: string, values: unknown[]) => Promise<Row[]>;

/** The last lines of a file of heads. */
export interface LastLines {
  /** Without those whose loss was accepted. */
  heads: KeptSeal[];
  numbers: KeptNumber[];
}

/** Null: there is no such file. */
export async function lastLines(path: string): Promise<LastLines | null> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!file) return null;
  try {
    const { size } = await file.stat();
    if (size === 0) return { heads: [], numbers: [] };
    const from = Math.max(0, size - TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
    // The first line of a tail was cut.
    const whole = lines.slice(from > 0 ? 1 : 0).map(readLine);
    const accepted = new Set(whole.map(({ lost }) => lost));
    return {
      heads: whole.flatMap(({ head }) => (head && !accepted.has(head.digest) ? head : [])),
      numbers: whole.flatMap(({ numbers }) => numbers),
    };
  } finally {
    await file.close();
  }
}

/** A head that was kept, and that no chain has. */
export interface LostHead extends KeptSeal {
  /** The digest that is in its place; null: none. */
  stored: string | null;
}

interface LostColumns extends Pick<Row<'seals'>, 'account_id' | 'sequence'> {
  /** @derived Hexadecimal. */
  digest: string;
  /** @derived */
  stored: LostHead['stored'];
}

/** Those of them that the database does not have. */
export async function lostHeads(kept: readonly KeptSeal[], ask: Ask): Promise<LostHead[]> {
  const rows = await ask<LostColumns>(
    `SELECT k.account_id, k.sequence, k.digest, encode(s.digest, 'hex') AS stored
     FROM unnest($1::uuid[], $2::bigint[], $3::text[]) AS k (account_id, sequence, digest)
       LEFT JOIN seals s USING (account_id, sequence)
     WHERE encode(s.digest, 'hex') IS DISTINCT FROM k.digest ORDER BY 1, 2`,
    [
      kept.map(({ accountId }) => accountId),
      kept.map(({ sequence }) => `${sequence}`),
      kept.map(({ digest }) => digest),
    ],
  );
  return rows.map(({ account_id: accountId, sequence, ...digests }) => {
    return { accountId, sequence: BigInt(sequence), ...digests };
  });
}
