import { createHash } from 'node:crypto';

/** Hexadecimal. */
export function sha256Of(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
