import { createHash } from 'node:crypto';

/** Of 10,000 at most: 160 GB. Two of them are in memory. */
const PART_BYTES = 16_777_216;

export interface StoredObject {
  key: string;
  bytes: number;
  etag: string;
  /** When it was last stored. */
  at: Date;
}

/** The digests that stores tell of an object that was stored in parts. */
export class ObjectDigest {
  private readonly whole = createHash('md5');
  private readonly parts: Buffer[] = [];
  private bytes = 0;

  /** @returns the MD5 of the part */
  add(part: Uint8Array): Buffer {
    const md5 = createHash('md5').update(part).digest();
    this.parts.push(md5);
    this.whole.update(part);
    this.bytes += part.length;
    return md5;
  }

  /** Another form is of a store that encrypts once more: there the length alone is compared. */
  isOf({ bytes, etag }: Pick<StoredObject, 'bytes' | 'etag'>): boolean {
    if (bytes !== this.bytes) return false;
    const [, count] = /^[0-9a-f]{32}(-\d+)?$/.exec(etag) ?? [etag, 'other'];
    if (count === 'other') return true;
    if (count === undefined) return etag === this.whole.copy().digest('hex');
    const ofParts = createHash('md5').update(Buffer.concat(this.parts)).digest('hex');
    return etag === `${ofParts}-${this.parts.length}`;
  }
}

/** Pieces of one size, but for the last; at least one. */
export async function* partsOfUpload(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let part = Buffer.allocUnsafe(PART_BYTES);
  let filled = 0;
  let count = 0;
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length;) {
      const taken = chunk.subarray(at, at + PART_BYTES - filled);
      part.set(taken, filled);
      filled += taken.length;
      at += taken.length;
      if (filled < PART_BYTES) continue;
      yield part;
      count += 1;
      part = Buffer.allocUnsafe(PART_BYTES);
      filled = 0;
    }
  }
  if (filled > 0 || count === 0) yield part.subarray(0, filled);
}
