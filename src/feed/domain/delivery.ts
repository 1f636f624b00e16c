import type { Uuid } from '../../kernel/ids.js';

/** `held`: a database was restored, and somebody has to say whether it leaves once more. */
export const DELIVERY_STATUSES = ['pending', 'held', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Why a try did not count: an answer other than 2xx, or no answer. */
export const DELIVERY_FAILURES = [
  'status',
  'timeout',
  'dns',
  'connection',
  'tls',
  'no_http',
  'address_not_allowed',
  'url_not_allowed',
  'secret_unreadable',
] as const;
type DeliveryFailure = (typeof DELIVERY_FAILURES)[number];

/** One call of an endpoint. */
export interface DeliveryTry {
  at: Date;
  ms: number;
  /** Null: there was no answer. */
  code: number | null;
  /** Null: it was a success. */
  failure: DeliveryFailure | null;
}

/** An event on its way to an endpoint. */
export interface WebhookDelivery {
  /** That of the event: an endpoint has each once. */
  id: Uuid;
  endpointId: Uuid;
  type: string;
  status: DeliveryStatus;
  tries: readonly DeliveryTry[];
  nextTryAt: Date | null;
  /** The answer to the last try, as text. */
  answer: string | null;
  createdAt: Date;
}

const JITTER = 0.1;
/** An endpoint that asks for more patience than that is tried nevertheless. */
const LONGEST_RETRY_AFTER_MS = 86_400_000;
const FAILING_MS = 5 * 86_400_000;

const GONE = 410;
const TOO_MUCH = new Set([429, 502, 504]);

/** The endpoint's part in a try. */
export interface TryResult {
  code: number | null;
  failure: DeliveryFailure | null;
  retryAfterMs: number | null;
}

export const isSuccess = (code: number) => code >= 200 && code < 300;

export const isGone = ({ code }: TryResult) => code === GONE;

/**
 * When a delivery is tried again; null: never.
 * @param tries that were made, with this one
 * @param random from 0 to 1: those that failed together do not come back together
 */
export function nextTryAt(
  tries: number,
  { retryAfterMs }: TryResult,
  waits: readonly number[],
  now: Date,
  random: number,
): Date | null {
  const seconds = waits[tries - 1];
  if (seconds === undefined) return null;
  const jittered = seconds * 1000 * (1 - JITTER + 2 * JITTER * random);
  const asked = Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS);
  return new Date(now.getTime() + Math.max(jittered, asked));
}

/** Until when an endpoint that has too much to do is left alone; null: it has not. */
export function pausedUntil(
  { code, retryAfterMs }: TryResult,
  waits: readonly number[],
  now: Date,
): Date | null {
  if (retryAfterMs === null && !TOO_MUCH.has(code ?? 0)) return null;
  const [first = 0] = waits;
  const ms = Math.min(retryAfterMs ?? first * 1000, LONGEST_RETRY_AFTER_MS);
  return new Date(now.getTime() + ms);
}

export const failsTooLong = (since: Date, now: Date) =>
  now.getTime() - since.getTime() >= FAILING_MS;

/** The header's seconds, or its date. @see RFC 9110 10.2.3 */
export function retryAfterMs(header: string | null, now: Date): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number.parseInt(header, 10) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) || at <= now.getTime() ? null : at - now.getTime();
}
