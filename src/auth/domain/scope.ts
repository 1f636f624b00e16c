import { AuthRefusal } from './auth-refusals.js';

/** The asked scopes, each of which must be granted; all granted ones when none is asked. */
export function narrowed(granted: readonly string[], asked: string | undefined): string[] {
  const wanted = asked?.split(' ').filter(Boolean) ?? [];
  if (wanted.length === 0) return [...granted];
  if (wanted.every((scope) => granted.includes(scope))) return [...new Set(wanted)];
  throw AuthRefusal.invalid_scope.at('/scope', `This client may ask for: ${granted.join(' ')}.`);
}
