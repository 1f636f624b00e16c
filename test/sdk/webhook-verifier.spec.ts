import { generateKeyPairSync, sign } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import {
  WebhookVerificationError,
  WebhookVerifier,
} from '../../sdk/typescript/src/webhook-verifier.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const BODY = '{"id":"evt_1","type":"document.paid","data":{"name":"Müller"}}';
const verifier = new WebhookVerifier<{ id: string }>();

/** As the library of Standard Webhooks signs. */
function headersOf(secret = SECRET, at = new Date(), body = BODY): Record<string, string> {
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
  };
}

const refusal = async (...given: Parameters<typeof verifier.verify>) =>
  verifier.verify(...given).then(
    () => 'taken',
    (error: Error) => error.name,
  );

describe('a delivery', () => {
  it('is taken as text, as bytes, and with headers of either kind', async () => {
    const bytes = new TextEncoder().encode(BODY);
    for (const body of [BODY, bytes, bytes.buffer])
      expect(await verifier.verify(body, headersOf(), SECRET)).toEqual(JSON.parse(BODY));
    const upper = Object.entries(headersOf()).map(([name, value]) => [name.toUpperCase(), value]);
    expect(await refusal(BODY, new Headers(headersOf()), SECRET)).toBe('taken');
    expect(await refusal(BODY, Object.fromEntries(upper), SECRET)).toBe('taken');
  });

  it('is taken by one of two signatures, while a secret is rotated', async () => {
    const both = [OTHER, SECRET].map((secret) => headersOf(secret)['webhook-signature']).join(' ');
    expect(await refusal(BODY, { ...headersOf(), 'webhook-signature': both }, SECRET)).toBe(
      'taken',
    );
  });

  it('is taken by the public key of an endpoint that signs with ed25519', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
    const headers = headersOf();
    const signed = Buffer.from(`evt_1.${headers['webhook-timestamp']}.${BODY}`);
    headers['webhook-signature'] = `v1a,${sign(null, signed, privateKey).toString('base64')}`;
    const key = `whpk_${raw.toString('base64')}`;
    expect(await refusal(BODY, headers, key)).toBe('taken');
    expect(await refusal(`${BODY} `, headers, key)).toBe(WebhookVerificationError.name);
  });

  const now = Date.now();
  it.each<[string, string, Record<string, string | undefined>]>([
    ['another body', BODY.replace('paid', 'void'), headersOf()],
    ['another secret', BODY, headersOf(OTHER)],
    [
      'a signature of another scheme',
      BODY,
      {
        ...headersOf(),
        'webhook-signature': String(headersOf()['webhook-signature']).replace('v1,', 'v2,'),
      },
    ],
    ['another id', BODY, { ...headersOf(), 'webhook-id': 'evt_2' }],
    ['an old time', BODY, headersOf(SECRET, new Date(now - 301_000))],
    ['a time to come', BODY, headersOf(SECRET, new Date(now + 302_000))],
    ['a time that is none', BODY, { ...headersOf(), 'webhook-timestamp': 'now' }],
    ['no signature', BODY, { ...headersOf(), 'webhook-signature': undefined }],
    ['an empty signature', BODY, { ...headersOf(), 'webhook-signature': 'v1,' }],
    ['no base64', BODY, { ...headersOf(), 'webhook-signature': 'v1,%%%' }],
  ])('is refused with %s', async (_, body, headers) => {
    expect(await refusal(body, headers, SECRET)).toBe('WebhookVerificationError');
  });

  it('needs a secret', async () => {
    for (const secret of ['', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])
      expect(await refusal(BODY, headersOf(), secret)).toBe('TypeError');
  });
});
