import { isStorableText } from '../../platform/http/validation/storable-text.js';
import type { DomainError } from '../../kernel/domain-error.js';
import { AuthRefusal } from '../domain/auth-refusals.js';

const LONGEST_PARAMETER = 4096;

/**
 * RFC 6749 3.2, for bodies as a form or as JSON. A parameter without a value is as if it was not
 * sent. An unknown one is ignored, and none may be sent twice.
 */
export function oauthParameters<Name extends string>(
  body: unknown,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const sent = Object.entries(body ?? {}) as [string, unknown][];
  const twice = sent.find(([, value]) => Array.isArray(value));
  if (twice) throw invalidRequest(`Send ${twice[0].slice(0, 100)} once.`);
  const known = sent.filter(
    ([name, value]) => names.some((one) => one === name) && !isEmpty(value),
  );
  const wrong = known.find(
    ([, value]) => !isStorableText(value) || value.length > LONGEST_PARAMETER,
  );
  if (wrong) {
    throw invalidRequest(`${wrong[0]} must be text of at most ${LONGEST_PARAMETER} characters.`);
  }
  return Object.fromEntries(known) as Partial<Record<Name, string>>;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

export function invalidRequest(detail: string): DomainError {
  return AuthRefusal.invalid_request.of(detail);
}
