import { insufficientScope } from '../../platform/http/access.js';
import type { Caller } from '../../platform/http/request.js';

/**
 * A document's own payee says to whom its client owes: a client that only makes documents may not.
 */
export function assertMayName({ scopes }: Caller, { payee }: { payee?: unknown }): void {
  if (payee === undefined || scopes.includes('settings:write')) return;
  throw insufficientScope('settings:write', 'payee');
}
