import type { ZodType } from 'zod';
import { DomainError } from '../kernel/domain-error.js';
import type { RefundOutcome } from '../payments/index.js';
import { accepted, type ProviderAnswer, errorCode, unavailable } from './provider-api.js';
import { GatewayRefusal } from '../payments/index.js';

/** Our request timed out there, or the one before it still runs: that is no answer to it. */
const NO_ANSWER: ReadonlySet<number> = new Set([408, 409, 425]);

/**
 * The refund that an answer shows.
 * @throws DomainError `conflict` / `gateway_refused` when it clearly says no
 * @throws DomainError `unavailable` when it does not say whether money goes back
 */
export function acceptedRefund<T>(answer: ProviderAnswer, schema: ZodType<T>, provider: string): T {
  const conflicting = errorCode(answer.json) === 'idempotency_error';
  if (NO_ANSWER.has(answer.status) || conflicting) throw unavailable(provider);
  return accepted(answer, schema, provider);
}

/** A clear no, the provider's or our own before the call, is an outcome. */
export async function refusedIsFailed(attempt: Promise<RefundOutcome>): Promise<RefundOutcome> {
  try {
    return await attempt;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { provider_code: code } = error.context;
    return { status: 'failed', reason: typeof code === 'string' ? code : 'refused' };
  }
}

/** A look-up that is refused decides nothing: our credentials may have changed since. */
export async function refusedIsUnavailable<T>(attempt: Promise<T>, provider: string): Promise<T> {
  try {
    return await attempt;
  } catch (error) {
    throw isRefusal(error) ? unavailable(provider) : error;
  }
}

/** A look-up that is refused is one that nobody can make, as our key may do other things only. */
export async function refusedIsNull<T>(attempt: Promise<T>): Promise<T | null> {
  try {
    return await attempt;
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

function isRefusal(error: unknown): error is DomainError {
  return GatewayRefusal.gateway_refused.is(error);
}
