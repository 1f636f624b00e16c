import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 32 random bytes as base64url: shown once, stored as SHA-256. */
export function newSecretText(): string {
  return randomBytes(32).toString('base64url');
}

export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Compares digests, so that neither length nor content shows in the time it takes. */
export function matchesDigest(text: string, digest: Buffer): boolean {
  return timingSafeEqual(sha256(text), digest);
}
