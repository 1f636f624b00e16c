import { sign } from 'node:crypto';
import { standardMac } from '../../kernel/standard-webhook.js';
import type { SigningKey } from './webhook-secrets.js';

/**
 * The headers of a delivery, by Standard Webhooks 1.0: who receives it verifies that it is ours,
 * which event it is, and when it left. Each key signs.
 */
export function deliveryHeaders(
  id: string,
  body: string,
  at: Date,
  keys: readonly SigningKey[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = keys.map((key) =>
    key.signing === 'hmac'
      ? `v1,${standardMac(key.secret, { id, timestamp, body }).toString('base64')}`
      : `v1a,${sign(null, Buffer.from(`${id}.${timestamp}.${body}`), key.key).toString('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
