import { HttpProblem } from './problem.js';
import { RequestRefusal } from './request-refusals.js';

/** The rights of an access token. */
export const SCOPE_MEANINGS = {
  'documents:read': 'Read documents, customers, and the seller’s particulars.',
  'documents:write': 'Write documents and customers.',
  'payments:read': 'Read payments, refunds, bank statements and payouts.',
  'payments:write': 'Record and move payments.',
  'refunds:write': 'Give money back.',
  'events:read': 'Read events.',
  'webhooks:manage': 'Manage webhooks.',
  'reports:read': 'Read the ledger and reports.',
  'audit:read': 'Read the audit log.',
  'privacy:manage': 'Export and erase the personal data of customers.',
  'settings:write': 'Change settings.',
  'clients:manage': 'Manage API clients.',
} as const;

type HouseScope = keyof typeof SCOPE_MEANINGS;

/** Those of an extension have its name, `ext:loyalty:read`. */
export type ExtensionScope = `ext:${string}:${string}`;
export type Scope = HouseScope | ExtensionScope;

export const SCOPES = Object.keys(SCOPE_MEANINGS) as readonly HouseScope[] as readonly [
  HouseScope,
  ...HouseScope[],
];

const OF_EXTENSION = /^ext:[a-z][a-z0-9]{0,29}:[a-z]{1,20}$/;

export const isScope = (text: unknown): text is Scope =>
  SCOPES.some((scope) => scope === text) || (typeof text === 'string' && OF_EXTENSION.test(text));

/** The scopes of the extensions that are installed, with what they mean. */
export class ExtensionScopes {
  constructor(readonly meanings: Readonly<Record<string, string>> = {}) {}

  get all(): readonly string[] {
    return Object.keys(this.meanings);
  }
}

export const ACCESS = 'quittance:access';

/**
 * The callers of a route. A scope asks for an access token. A portal token in the path is exchanged
 * for a document by the handler. A provider's signature over the raw body is verified by the
 * handler before it parses. Or anybody may call. The global guard refuses a route that says none of
 * it.
 */
export type Access =
  | { by: 'bearer'; scope: Scope }
  | { by: 'portal_token' }
  | { by: 'provider_signature' }
  | { by: 'public' };

/** The scope that a token lacks, for a route or for one field of it (RFC 6750 3.1). */
export function insufficientScope(scope: Scope, what = 'This call'): HttpProblem {
  return RequestRefusal.insufficient_scope.of(
    `${what} needs the scope ${scope}; ask for a token that has it.`,
    { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
    { scope },
  );
}
