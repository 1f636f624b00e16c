import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { ZodType } from 'zod';
import { type Delivery, InvalidSignature, type ProviderReport } from '../payments/index.js';

/** Longest header that is looked at; the longest real one is PayPal's signature of 344 characters. */
const HEADER_LIMIT = 2048;

/** An id or event name that may go into a row or a log line: printable ASCII, no spaces. */
export const Ascii = z.string().regex(/^[\x21-\x7e]{1,255}$/);

/**
 * The one value of a header, which must match `form` as a whole.
 * @throws InvalidSignature when it is missing, repeated or of another form
 */
export function onlyHeader(headers: Delivery['headers'], name: string, form: RegExp): string {
  const value = headers[name];
  if (typeof value !== 'string' || value.length > HEADER_LIMIT || !form.test(value)) {
    throw new InvalidSignature(`header ${name} is missing, repeated or malformed`);
  }
  return value;
}

/**
 * The bytes of standard base64. The last character may have bits that say nothing: a signature has
 * one spelling here, as it has one at whoever made it.
 * @throws InvalidSignature for another spelling
 */
export function base64Bytes(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw new InvalidSignature('a signature misspelt');
  return bytes;
}

/** HMAC-SHA256 of a whole body in hexadecimal, as several providers sign. */
export function bodyMac(secret: string, body: string | Buffer): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/**
 * @param given MACs in hexadecimal; one of them has to be by one of the secrets
 * @throws InvalidSignature when none is
 */
export function assertBodyMac(
  given: readonly string[],
  secrets: readonly string[],
  rawBody: Buffer,
): void {
  const expected = secrets.map((secret) => Buffer.from(bodyMac(secret, rawBody)));
  const isSigned = given.some((hex) =>
    expected.some((bytes) => sameBytes(Buffer.from(hex), bytes)),
  );
  if (!isSigned) throw new InvalidSignature('no signature matches');
}

/** Equal in constant time. `timingSafeEqual` alone throws on unequal lengths. */
export function sameBytes(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

/**
 * The body as JSON of the given shape. Unknown members are let through: providers add some.
 * @throws InvalidSignature when it is not; the provider sends no such thing
 */
export function readJson<T>(rawBody: Buffer, schema: ZodType<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawBody));
  } catch {
    throw new InvalidSignature('the body is not JSON');
  }
  return shaped(value, schema);
}

/** @throws InvalidSignature when `value` is not of the schema's shape */
export function shaped<T>(value: unknown, schema: ZodType<T>): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const where = result.error.issues.map((issue) => issue.path.join('.')).join(', ');
  throw new InvalidSignature(`the body has another shape at ${where || 'its root'}`);
}

/** An id of ours as a provider hands it back, or null if its form is not one of an id. */
export function ownIdFrom(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(value) ? value : null;
}

/** SHA-256 in hexadecimal: the name of what has no name of its own. */
export function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/**
 * A signed event that has no effect here. Nothing of it is judged: its id and type count where they
 * can be written down, and its content is its name where its id cannot.
 */
export function ofNoEffect(
  id: unknown,
  type: unknown,
  content: string | Buffer,
): Extract<ProviderReport, { kind: 'irrelevant' }> {
  const eventId = Ascii.safeParse(id).data ?? `unreadable:${hashOf(content)}`;
  const eventType = Ascii.safeParse(type).data ?? 'unreadable';
  return { eventId, eventType, fingerprint: null, kind: 'irrelevant' };
}
