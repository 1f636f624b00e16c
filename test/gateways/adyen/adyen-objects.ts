import { createRequire } from 'node:module';
import type { ProviderReport } from '../../../src/payments/port/domain/provider-report.js';
import { ADYEN_ACCOUNT, ADYEN_KEY, aGateway, LINK } from '../gateway-builders.js';

export const PSP = 'QFQTPCQ8HXSKGK82';
export const PAYMENT_PSP = 'NC6HT9CRT65ZGN82';
export const EVENT_TIME = '2026-11-20T12:30:00+01:00';
export const PAGE_ID = 'PL61C53A8B97E6915A';
export const ADYEN_REFUND = 'rfnd_01k9x3v7e8f2r4t6y8w0a1b2c3';

/** The signer of Adyen's own package, alone: all of it takes a second to load. */
const { default: HmacValidator } = createRequire(import.meta.url)(
  '@adyen/api-library/lib/src/utils/hmacValidator.js',
) as typeof import('@adyen/api-library/lib/src/utils/hmacValidator.js');
export const official = new HmacValidator();

export interface Item {
  pspReference: string;
  originalReference?: string | null;
  merchantAccountCode: string;
  merchantReference: string;
  amount: { value: unknown; currency: unknown };
  eventCode: string;
  success: string;
  eventDate?: unknown;
  reason?: unknown;
  paymentMethod?: string;
  additionalData?: Record<string, unknown>;
}

/** An authorisation of 12.50 EUR for our link. */
export const anItem = (over: Partial<Item> = {}): Item => ({
  additionalData: { paymentLinkId: PAGE_ID },
  amount: { currency: 'EUR', value: 1250 },
  eventCode: 'AUTHORISATION',
  eventDate: EVENT_TIME,
  merchantAccountCode: ADYEN_ACCOUNT,
  merchantReference: LINK,
  paymentMethod: 'visa',
  pspReference: PSP,
  reason: '',
  success: 'true',
  ...over,
});

/** A later event of the payment. */
export const aLaterItem = (eventCode: string, over: Partial<Item> = {}): Item =>
  anItem({ eventCode, originalReference: PAYMENT_PSP, ...over });

/** With the signature of Adyen's own package. */
export function withSignature(item: Item, key = ADYEN_KEY): Item {
  const hmacSignature = official.calculateHmac(item as never, key);
  return { ...item, additionalData: { ...item.additionalData, hmacSignature } };
}

export const aWebhook = (items: readonly object[], live: unknown = 'false'): string =>
  JSON.stringify({
    live,
    notificationItems: items.map((item) => ({ NotificationRequestItem: item })),
  });

export const adyenWithoutKey = (settings = {}) =>
  aGateway('adyen', { webhook_secret: ADYEN_KEY, merchant_account: ADYEN_ACCOUNT, ...settings });

/** All reports of items that Adyen's package signed, verified first. */
export async function readAll(
  items: readonly Item[],
  settings = {},
  live: unknown = 'false',
): Promise<readonly ProviderReport[]> {
  const gateway = adyenWithoutKey(settings);
  const rawBody = Buffer.from(
    aWebhook(
      items.map((item) => withSignature(item)),
      live,
    ),
  );
  await gateway.verify({ rawBody, headers: {} });
  return gateway.parse({ rawBody, headers: {} }) as readonly ProviderReport[];
}
export async function readItem(item: Item, settings = {}, live: unknown = 'false') {
  const [report, ...others] = await readAll([item], settings, live);
  if (!report || others.length > 0) throw new Error('not one report');
  return report;
}

interface SentToAdyen {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
}

/** A gateway with a key, whose calls are answered by `answer` and kept in `sent`. */
export function adyenAt(
  answer: (sent: SentToAdyen) => Response | Promise<Response>,
  settings = {},
) {
  const sent: SentToAdyen[] = [];
  const fetch = (async (url: string, init: Omit<SentToAdyen, 'url'>) => {
    const call = { url, ...init };
    sent.push(call);
    return answer(call);
  }) as unknown as typeof globalThis.fetch;
  const own = { webhook_secret: ADYEN_KEY, merchant_account: ADYEN_ACCOUNT, api_key: 'AQE_hush' };
  return { sent, gateway: aGateway('adyen', { ...own, ...settings }, { fetch }) };
}

/** A payment link as Adyen shows it. */
export const aPage = (over: object = {}) => ({
  id: PAGE_ID,
  merchantAccount: ADYEN_ACCOUNT,
  reference: LINK,
  amount: { currency: 'EUR', value: 1250 },
  status: 'active',
  expiresAt: '2026-11-21T12:00:00Z',
  url: `https://test.adyen.link/${PAGE_ID}`,
  ...over,
});

export const sentBody = (sent: { body?: string } | undefined): unknown =>
  JSON.parse(sent?.body ?? 'null');

/** Each leaves open what happened. */
export const NO_ANSWERS: [string, () => Response | Promise<Response>][] = [
  ['a network failure', () => Promise.reject(new Error('hush'))],
  ...[302, 429, 500, 502, 503].map((status): [string, () => Response] => [
    String(status),
    () => Response.json({ status }, { status }),
  ]),
  ['an answer that is no JSON', () => new Response('<html>')],
  ['an empty answer', () => new Response(null, { status: 200 })],
  ['an answer of another shape', () => Response.json({ id: PAGE_ID })],
  ...['701', '703', '704'].map((code): [string, () => Response] => [
    `a 422 with ${code}, as while a request of the same key still runs`,
    () => adyenSaysNo(422, code),
  ]),
];
/** A clear no. */
export const adyenSaysNo = (status: number, errorCode = '14_0002') =>
  Response.json({ status, errorCode, message: 'hush', errorType: 'validation' }, { status });
