import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { readLine } from '../heads-file.repository.js';
import { ArchiveFault } from './archive-fault.js';
import type { VerifiedArchive } from './archive-verification.js';

/** @throws ArchiveFault where the archive does not have a head that was kept */
export function assertHead(
  { header, digests }: VerifiedArchive,
  { sequence, digest }: { sequence: bigint; digest: string },
): void {
  const found = digests.get(Number(sequence));
  if (found === digest) return;
  const { first, last } = header;
  throw new ArchiveFault(
    found === undefined
      ? `seal ${sequence} is not in the archive, which has ${first} to ${last}`
      : `seal ${sequence}: its digest is ${found}, and ${digest} was kept`,
  );
}

/**
 * Compares with every line of a file of heads that is of this account, and of these seals.
 * @returns how many there are
 * @throws ArchiveFault where one is not the archive's, or none is of it
 */
export async function assertHeadsOfFile(archive: VerifiedArchive, path: string): Promise<number> {
  const { accountId, digests } = archive;
  const others = new Map<string, bigint>();
  const lost = new Set<string>();
  let count = 0;
  for await (const text of createInterface({ input: createReadStream(path) })) {
    const line = readLine(text);
    if (line.lost !== undefined) lost.add(line.lost);
    const { head } = line;
    if (head?.accountId !== accountId || !digests.has(Number(head.sequence))) continue;
    count += 1;
    if (digests.get(Number(head.sequence)) !== head.digest) others.set(head.digest, head.sequence);
  }
  for (const [digest, sequence] of others) {
    // Somebody knows that the database lost it, and so the chain went on otherwise.
    if (!lost.has(digest)) assertHead(archive, { sequence, digest });
  }
  if (count === 0) throw new ArchiveFault(`${path} has no head of these seals`);
  return count;
}
