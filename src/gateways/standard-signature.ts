import { randomBytes } from 'node:crypto';
import { signStandardWebhook, standardKeyOf, standardMac } from '../kernel/standard-webhook.js';
import { type Delivery, InvalidSignature, type SampleDelivery } from '../payments/index.js';
import { Secrets } from './provider-settings.js';
import { base64Bytes, onlyHeader, sameBytes } from './signed-body.js';

const TOLERANCE_SECONDS = 300;
const SIGNATURES_LIMIT = 16;
/** No dot in the id: `a.1` at time 2 would sign the same bytes as `a` at time 1. */
const MESSAGE_ID = /^[A-Za-z0-9_-]{1,255}$/;
/** `v1,<base64> v1,<base64> v1a,...`: a comma and a space together are two joined headers. */
const SIGNATURES = /^v\d[a-z]?,[\w+/=-]+(?: v\d[a-z]?,[\w+/=-]+)*$/;

/** The keys inside one or two `whsec_...` secrets. */
export const StandardKeys = Secrets.refine(
  (secrets) => secrets.every((secret) => standardKeyOf(secret)),
  'has to be whsec_ and the base64 of 24 bytes or more',
).transform((secrets) => secrets.flatMap((secret) => standardKeyOf(secret) ?? []));

/**
 * Verifies a delivery by the Standard Webhooks scheme (standardwebhooks.com).
 * @throws InvalidSignature for every cause alike
 */
export function verifyStandardWebhook(
  keys: readonly Buffer[],
  { rawBody, headers }: Delivery,
  now: Date,
): void {
  const id = messageIdOf(headers);
  const timestamp = onlyHeader(headers, 'webhook-timestamp', /^\d{1,12}$/);
  const header = onlyHeader(headers, 'webhook-signature', SIGNATURES);
  const ageSeconds = Math.floor(now.getTime() / 1000) - Number(timestamp);
  if (Math.abs(ageSeconds) > TOLERANCE_SECONDS) throw new InvalidSignature('stale timestamp');
  const given = header
    .split(' ')
    .filter((item) => /^v1,[A-Za-z0-9+/]{43}=$/.test(item))
    .map((item) => base64Bytes(item.slice(3)));
  if (given.length > SIGNATURES_LIMIT) throw new InvalidSignature('too many signatures');
  const expected = keys.map((key) => standardMac(key, { id, timestamp, body: rawBody }));
  if (!expected.some((bytes) => given.some((item) => sameBytes(item, bytes)))) {
    throw new InvalidSignature('no v1 signature matches');
  }
}

/** The id of a delivery, which stays the same when it is sent again. */
export function messageIdOf(headers: Delivery['headers']): string {
  return onlyHeader(headers, 'webhook-id', MESSAGE_ID);
}

/** A JSON body signed with the first of the keys. */
export function signedDelivery(
  [key]: readonly Buffer[],
  { id, body, now }: { id: string; body: string; now: Date },
): SampleDelivery {
  if (!key) throw new Error('there is no key to sign with');
  const unixSeconds = Math.floor(now.getTime() / 1000);
  const headers = signStandardWebhook([key], { id, unixSeconds, body });
  return { body, headers: { 'content-type': 'application/json', ...headers } };
}

export function newMessageId(): string {
  return `msg_${randomBytes(12).toString('hex')}`;
}
