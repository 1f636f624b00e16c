import { createHmac, randomBytes } from 'node:crypto';

// Standard Webhooks 1.0 (standardwebhooks.com): how deliveries are signed, ours and those of others.

const KEY_BYTES_MINIMUM = 24;

export function newStandardSecret(): string {
  return `whsec_${randomBytes(KEY_BYTES_MINIMUM).toString('base64')}`;
}

/** The key inside a `whsec_...` secret, or undefined when it is none, or too short to be one. */
export function standardKeyOf(secret: string): Buffer | undefined {
  const [, text] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  if (!text) return undefined;
  const key = Buffer.from(text, 'base64');
  return key.length >= KEY_BYTES_MINIMUM && key.toString('base64') === text ? key : undefined;
}

/** The bytes of a `v1` signature. */
export function standardMac(
  key: Buffer,
  { id, timestamp, body }: { id: string; timestamp: string; body: string | Buffer },
): Buffer {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}

/** @param keys one, or several while they are rotated: each signs */
export function signStandardWebhook(
  keys: readonly Buffer[],
  { id, unixSeconds, body }: { id: string; unixSeconds: number; body: string | Buffer },
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(unixSeconds);
  const macs = keys.map((key) => standardMac(key, { id, timestamp, body }));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': macs.map((mac) => `v1,${mac.toString('base64')}`).join(' '),
  };
}

/**
 * The same with the secrets as their owner has them.
 * @param timestamp of this try, in Unix seconds
 * @throws Error for a secret that is none
 */
export function standardWebhookHeaders({
  secrets,
  timestamp: unixSeconds,
  ...sent
}: {
  id: string;
  timestamp: number;
  body: string | Buffer;
  secrets: readonly string[];
}): ReturnType<typeof signStandardWebhook> {
  const keys = secrets.map((secret) => standardKeyOf(secret));
  if (keys.length === 0 || !keys.every((key) => key !== undefined)) {
    throw new Error('a delivery needs whsec_ secrets to be signed with');
  }
  return signStandardWebhook(keys, { ...sent, unixSeconds });
}
