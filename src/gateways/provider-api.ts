import { z } from 'zod';
import type { ZodType } from 'zod';
import { DomainError } from '../kernel/domain-error.js';
import { InvalidSignature, GatewayRefusal } from '../payments/index.js';
import { boundedCall, type BoundedCall } from '../platform/http/outgoing/bounded-call.js';

const CALL_TIMEOUT_MS = 10_000;
const RETRY_AFTER_SECONDS = 30;
const ANSWER_LIMIT_BYTES = 1024 * 1024;

/** The answer of a provider: 2xx, or a 4xx that says no. */
export interface ProviderAnswer {
  status: number;
  /** Undefined when the body is not JSON. */
  json: unknown;
  /** The header of that name: the provider's clock. */
  date?: string | null;
}

/**
 * One call to a provider's API. Redirects are not followed: they would carry the key elsewhere.
 * Nothing the provider or the network says gets into an error, because it may quote the key.
 * @throws DomainError `unavailable` / `gateway_unavailable` on network failure, 3xx, 429 and 5xx
 */
export async function callProvider(
  fetch: typeof globalThis.fetch,
  provider: string,
  call: BoundedCall,
): Promise<ProviderAnswer> {
  let answer: ProviderAnswer;
  try {
    answer = await boundedCall(fetch, call, {
      timeoutMs: CALL_TIMEOUT_MS,
      limitBytes: ANSWER_LIMIT_BYTES,
    });
  } catch {
    throw unavailable(provider);
  }
  const { status } = answer;
  if (status === 429 || status >= 500 || status < 200 || (status >= 300 && status < 400)) {
    throw unavailable(provider);
  }
  return answer;
}

/** A provider's API, under a key of ours. */
export abstract class ProviderApi {
  constructor(
    private readonly provider: string,
    private readonly at: { apiBase: string; headers: Readonly<Record<string, string>> },
    private readonly fetch: typeof globalThis.fetch,
  ) {}

  protected async get(path: string): Promise<ProviderAnswer> {
    return this.call('GET', path);
  }

  /** @param key of ours, with which it is done once */
  async post(path: string, body: object, key?: string): Promise<ProviderAnswer> {
    return this.call('POST', path, body, key === undefined ? {} : { 'Idempotency-Key': key });
  }

  /** @param body is sent as the form that it is, or as JSON */
  protected async call(
    method: BoundedCall['method'],
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ProviderAnswer> {
    const isForm = body instanceof URLSearchParams;
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
    return callProvider(this.fetch, this.provider, {
      method,
      url: `${this.at.apiBase}${path}`,
      headers: { ...this.at.headers, ...(body && { 'Content-Type': type }), ...headers },
      ...(body && { body: isForm ? body.toString() : JSON.stringify(body) }),
    });
  }
}

/**
 * The body of a 2xx answer, of the given shape.
 * @throws DomainError `conflict` / `gateway_refused` on a 4xx, with the provider's error code
 * @throws DomainError `unavailable` when a 2xx is not what the API promises
 */
export function accepted<T>(answer: ProviderAnswer, schema: ZodType<T>, provider: string): T {
  if (answer.status >= 400) {
    const code = errorCode(answer.json);
    throw GatewayRefusal.gateway_refused.of(
      `${provider} refused this; check the amount, the currency and the gateway's credentials.`,
      { provider, provider_status: answer.status, provider_code: code },
    );
  }
  const result = schema.safeParse(answer.json);
  if (!result.success) throw unavailable(provider);
  return result.data;
}

/**
 * Reads an object of an answer by what reads events, which calls another shape a bad signature.
 * @throws DomainError `unavailable` when it is not what the API promises
 */
export function promised<T>(provider: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof InvalidSignature ? unavailable(provider) : error;
  }
}

/**
 * The answer to closing a pay page: a no says that there is nothing to close any more.
 * @throws DomainError `unavailable` when it is about our credentials
 */
export function closed({ status }: ProviderAnswer, provider: string): void {
  if (status === 401 || status === 403) throw unavailable(provider);
}

export function unavailable(provider: string): DomainError {
  return GatewayRefusal.gateway_unavailable.later(
    RETRY_AFTER_SECONDS,
    `${provider} does not answer; try again.`,
  );
}

/**
 * An id of the provider's, as a part of an address. Ids that deliveries tell are of any form, and
 * `..` would lead to another object of the API, however it is written.
 * @throws DomainError `conflict` / `gateway_refused` for one that was never the provider's
 */
export function idAt(provider: string, id: string): string {
  if (/^[\w-]{1,255}$/.test(id)) return id;
  throw GatewayRefusal.gateway_refused.of(`${provider} has no such id.`, { provider });
}

/** An event that only names its object cannot be read without a key, and comes again. */
export function keyMissing(provider: string, setting = 'API_KEY'): DomainError {
  return GatewayRefusal.gateway_key_missing.later(
    RETRY_AFTER_SECONDS,
    `${provider} sent only the id of an object, and this gateway has no ${setting} to look it up.`,
  );
}

const Code = z.string().regex(/^[A-Za-z0-9_]{1,64}$/);
const Problem = z.object({
  error: z.object({ code: Code.optional(), type: Code.optional() }).optional().catch(undefined),
  name: Code.optional().catch(undefined),
  errorCode: Code.optional().catch(undefined),
  details: z
    .array(z.object({ issue: Code }))
    .optional()
    .catch(undefined),
});

/**
 * Stripe says `error.code`, PayPal `details.issue` or `name`, Adyen `errorCode`: identifiers, no
 * messages.
 */
export function errorCode(json: unknown): string | null {
  const { data } = Problem.safeParse(json);
  const payPals = data?.details?.[0]?.issue ?? data?.name;
  return data?.error?.code ?? data?.error?.type ?? payPals ?? data?.errorCode ?? null;
}
