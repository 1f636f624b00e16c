/** Headers of a request: those of `fetch`, of Node, or of a test. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

/** A delivery that did not come from the service, or not lately. Answer it with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/** A delivery that is older may be one that somebody recorded and sends again. */
const TOLERANCE_SECONDS = 300;

interface Scheme {
  /** Before the comma of a signature. */
  name: string;
  algorithm: { name: string; hash?: string };
  bytes: Uint8Array<ArrayBuffer>;
}

/** Tells real deliveries of webhook endpoints from others, by Standard Webhooks. */
export class WebhookVerifier<Event> {
  /**
   * @param body as it came, before anything parsed it
   * @param secret `whsec_...`, or the public key of an endpoint that signs with `ed25519`, `whpk_...`
   * @throws WebhookVerificationError
   */
  async verify(
    body: string | ArrayBuffer | Uint8Array<ArrayBuffer>,
    headers: WebhookHeaders,
    secret: string,
  ): Promise<Event> {
    const id = headerOf(headers, 'webhook-id');
    const timestamp = headerOf(headers, 'webhook-timestamp');
    const signatures = headerOf(headers, 'webhook-signature');
    const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
    if (!/^\d+$/.test(timestamp) || ageSeconds > TOLERANCE_SECONDS)
      throw new WebhookVerificationError('The delivery is too old, or the clock here is wrong.');
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
    const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
    const scheme = schemeOf(secret);
    const key = await crypto.subtle.importKey('raw', scheme.bytes, scheme.algorithm, false, [
      'verify',
    ]);
    for (const signature of signatures.split(' ')) {
      const [name, value = ''] = signature.split(',', 2);
      const given = name === scheme.name ? bytesOf(value) : undefined;
      // It compares in constant time.
      if (given && (await crypto.subtle.verify(scheme.algorithm, key, given, signed)))
        return JSON.parse(new TextDecoder().decode(bytes)) as Event;
    }
    throw new WebhookVerificationError(
      'No signature fits: give the secret of this endpoint, and the body as it came.',
    );
  }
}

function schemeOf(secret: string): Scheme {
  const [, kind, text = ''] = /^(whsec|whpk)_(.+)$/.exec(secret) ?? [];
  const bytes = bytesOf(text);
  if (!kind || !bytes)
    throw new TypeError('Give the secret of the endpoint, whsec_..., or its public key, whpk_...');
  return kind === 'whsec'
    ? { name: 'v1', algorithm: { name: 'HMAC', hash: 'SHA-256' }, bytes }
    : { name: 'v1a', algorithm: { name: 'Ed25519' }, bytes };
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : own(headers, name);
  if (typeof value !== 'string' || value === '')
    throw new WebhookVerificationError(`The header ${name} is missing.`);
  return value;
}

function own(headers: Exclude<WebhookHeaders, Headers>, name: string) {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' || found === undefined ? found : found.join(' ');
}

/** @returns undefined if it is no base64 */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function joined(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
