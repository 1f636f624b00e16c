import { HttpProblem } from './problem.js';

/** What an access token may be used for. */
export const SCOPES = [
  'documents:read',
  'documents:write',
  'payments:read',
  'payments:write',
  'refunds:write',
  'events:read',
  'webhooks:manage',
  'reports:read',
  'audit:read',
  'settings:write',
  'clients:manage',
] as const;

export type Scope = (typeof SCOPES)[number];

export const ACCESS = 'quittance:access';

/**
 * Who may call a route: an access token with a scope, the portal token in the path (which the handler
 * exchanges for a document), a provider's signature over the raw body (which the handler verifies
 * before it parses), or anybody. The global guard refuses a route that says none of it.
 */
export type Access =
  | { by: 'bearer'; scope: Scope }
  | { by: 'portal_token' }
  | { by: 'provider_signature' }
  | { by: 'public' };

/** What a token lacks, for a route or for one field of it (RFC 6750 3.1). */
export function insufficientScope(scope: Scope, what = 'This call'): HttpProblem {
  return new HttpProblem(
    403,
    'insufficient_scope',
    `${what} needs the scope ${scope}; ask for a token that has it.`,
    { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
    { scope },
  );
}
