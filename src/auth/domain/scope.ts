import { DomainError } from '../../kernel/domain-error.js';

/**
 * The asked scopes, each of which must be granted; all granted ones when none is asked.
 * @throws DomainError `invalid_scope`
 */
export function narrowed(granted: readonly string[], asked: string | undefined): string[] {
  const wanted = asked?.split(' ').filter(Boolean) ?? [];
  if (wanted.length === 0) return [...granted];
  if (wanted.every((scope) => granted.includes(scope))) return [...new Set(wanted)];
  throw DomainError.invalid(
    'invalid_scope',
    '/scope',
    `This client may ask for: ${granted.join(' ')}.`,
  );
}
