import { createHash, createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { AccountMode } from './account-mode.js';

const SECRET_BYTES = 32;
const BODY_CHARACTERS = 43;
const CHECKSUM_CHARACTERS = 6;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 32 random bytes as base64url, for the address of a page: shown once, stored as SHA-256. */
export function newSecretText(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Of a client, or of the first refresh token of a family: shown once, stored as SHA-256. */
export function newClientSecret(mode: AccountMode): string {
  return marked(`qtc_${mode}_`, randomBytes(SECRET_BYTES));
}

/**
 * The refresh token that follows another. Anyone with both the key and the token before can make it
 * again. So a repeated request gets the same answer, and nothing has to be stored for it.
 */
export function successorOf(refreshToken: string, key: KeyObject): string {
  const prefix = refreshToken.slice(0, refreshToken.lastIndexOf('_') + 1);
  return marked(prefix, createHmac('sha256', key).update(refreshToken).digest());
}

/**
 * `qtc_live_`, 43 letters and digits, and the CRC-32 of those as 6 more: as GitHub's tokens. Scanners
 * of code and logs tell a live one from a test's.
 */
function marked(prefix: string, bytes: Buffer): string {
  const body = base62(BigInt(`0x${bytes.toString('hex')}`), BODY_CHARACTERS);
  return prefix + body + base62(BigInt(crc32(body)), CHECKSUM_CHARACTERS);
}

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) {
    text = DIGITS.charAt(parseInt(String(rest % 62n), 10)) + text;
  }
  return text;
}

export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Compares digests, so that neither length nor content shows in the time it takes. */
export function matchesDigest(text: string, digest: Buffer): boolean {
  return timingSafeEqual(sha256(text), digest);
}
