import { createHash } from 'node:crypto';
import { isOnePart } from '../sealed-tables.js';
import { valuesIn } from './binary-values.js';

export const digestOfBytes = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** The digest of a table in a seal, from its rows in the order of the digest: by part, then by digest. */
export class TableDigest {
  rows = 0;
  private readonly whole = createHash('sha256');
  private part = createHash('sha256');
  private place = -1;
  private last: Buffer = Buffer.alloc(0);

  constructor(private readonly table: string) {}

  /** @returns whether it stands behind the row before */
  add(bytes: Buffer): boolean {
    const place = isOnePart(this.table) ? 0 : (valuesIn(bytes)[1]?.bytes?.at(15) ?? 0) >> 4;
    const digest = digestOfBytes(bytes);
    if (place < this.place) return false;
    if (place > this.place) this.begin(place);
    else if (Buffer.compare(digest, this.last) < 0) return false;
    this.part.update(digest);
    this.last = digest;
    this.rows += 1;
    return true;
  }

  /** In hexadecimal. */
  end(): string {
    this.begin(this.place + 1);
    return this.whole.digest('hex');
  }

  private begin(place: number): void {
    if (this.rows > 0) this.whole.update(this.part.digest());
    this.part = createHash('sha256');
    this.place = place;
  }
}
