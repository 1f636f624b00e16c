import { insufficientScope } from '../../platform/http/access.js';
import type { Caller } from '../../platform/http/request.js';

/**
 * A document's own payee says to whom its client owes, and prepayments say that money came in: a
 * client that only makes documents may say neither.
 */
export function assertMaySay(
  { scopes }: Caller,
  said: { payee?: unknown; prepayments?: unknown },
): void {
  for (const [field, scope] of [
    ['payee', 'settings:write'],
    ['prepayments', 'payments:write'],
  ] as const) {
    if (said[field] !== undefined && !scopes.includes(scope)) throw insufficientScope(scope, field);
  }
}
