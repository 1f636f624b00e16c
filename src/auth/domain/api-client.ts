import { DomainError } from '../../kernel/domain-error.js';
import type { Uuid } from '../../kernel/ids.js';
import type { AccountMode } from './account-mode.js';
import { AddressList } from '../../kernel/address-list.js';
import { matchesDigest, newSecretText, sha256 } from './secret-text.js';
import { AuthRefusal } from './auth-refusals.js';

/** The rights of a client, when they end, and from where they hold. */
export interface ApiClientLimits {
  scopes: readonly string[];
  /** CIDR blocks; null: from anywhere. */
  addresses: readonly string[] | null;
  expiresAt: Date | null;
}

/** A program that acts for an account. */
export interface ApiClient extends ApiClientLimits {
  clientId: Uuid;
  accountId: Uuid;
  /** Of its account. */
  mode: AccountMode;
  name: string;
  secretSha256: Buffer;
  /** The most that it ever had: only a manager that has as much gets a secret of it. */
  hadScopes: readonly string[];
  hadAddresses: readonly string[] | null;
  hadExpiresAt: Date | null;
  /** While a new secret is rolled out. */
  previousSecretSha256: Buffer | null;
  previousSecretEndsAt: Date | null;
  /** Counts its changes; access tokens name it, so that a change can end all before it. */
  version: number;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

const NOBODY = sha256(newSecretText());

/**
 * The client, if these are its credentials.
 * @param client undefined for an unknown id, which costs the same work as a wrong secret
 */
export function authenticated(
  client: ApiClient | undefined,
  secret: string,
  address: string | null,
  now: Date,
): ApiClient {
  const isLive = client?.previousSecretEndsAt && client.previousSecretEndsAt > now;
  const previous = isLive ? client.previousSecretSha256 : null;
  const isCurrent = matchesDigest(secret, client?.secretSha256 ?? NOBODY);
  const isPrevious = matchesDigest(secret, previous ?? NOBODY);
  if (!client || client.revokedAt || !(isCurrent || isPrevious)) {
    throw invalidClient('client_id or client_secret is wrong; `client create` makes a new pair.');
  }
  // Only whoever knows the secret learns what else is wrong.
  if (client.expiresAt && client.expiresAt <= now) {
    throw invalidClient(`This client ended at ${client.expiresAt.toISOString()}; make a new one.`);
  }
  if (client.addresses && !new AddressList(client.addresses).has(address)) {
    throw invalidClient(`This client may not be used from ${address ?? 'an unknown address'}.`);
  }
  return client;
}

function invalidClient(detail: string): DomainError {
  return AuthRefusal.invalid_client.of(detail);
}

/** The caller gives more than it has. */
function exceedsGiver(detail: string): DomainError {
  return AuthRefusal.client_exceeds_caller.of(detail);
}

/**
 * Nobody gives a client more than they have themselves.
 * @param giver null for the operator, who may give everything
 */
export function assertGivable(given: ApiClientLimits, giver: ApiClientLimits | null): void {
  if (!giver) return;
  const beyond = given.scopes.filter((scope) => !giver.scopes.includes(scope));
  if (beyond.length > 0) {
    throw exceedsGiver(
      `This takes all that the client has or ever had, and you do not have ${beyond.join(' ')}; ` +
        'use a client that has it, or leave it out.',
    );
  }
  if (!coversAddresses(giver, given)) {
    throw exceedsGiver(
      'Its addresses, also those of before, must be within those from which you may call yourself.',
    );
  }
  if (giver.expiresAt !== null && !endsBy(given, giver.expiresAt)) {
    throw exceedsGiver(
      'It must end, and always have had to end, no later than your own client; send expires_at.',
    );
  }
}

/** The caller lost rights a moment ago, and its token has not ended in every process yet. */
export function staleGiver(): DomainError {
  return exceedsGiver('Your client was just changed; get a new token from POST /v1/auth/token.');
}

/** More rights are for a secret that is made with them: who holds the one of before gets none. */
export function secretNeeded(detail: string): DomainError {
  return AuthRefusal.new_secret_needed.of(detail);
}

/** The most that the client ever had. */
export function mostOf(client: ApiClient): ApiClientLimits {
  const { hadScopes: scopes, hadAddresses: addresses, hadExpiresAt: expiresAt } = client;
  return { scopes, addresses, expiresAt };
}

/** The client as it is now, with the most that it ever had. */
export function remembering(client: ApiClient, before: ApiClientLimits): ApiClient {
  const ends = [client.expiresAt, before.expiresAt].flatMap((end) => end ?? []);
  const lists = [before.addresses, client.addresses].flatMap((list) => (list ? [list] : []));
  return {
    ...client,
    hadScopes: [...new Set([...before.scopes, ...client.scopes])],
    hadAddresses: lists.length === 2 ? AddressList.joined(lists.flat()) : null,
    hadExpiresAt:
      ends.length === 2 ? new Date(Math.max(...ends.map((end) => end.getTime()))) : null,
  };
}

/** True if a client of these limits may do something that one of the others may not. */
export function mayDoMore(limits: ApiClientLimits, others: ApiClientLimits): boolean {
  return (
    limits.scopes.some((scope) => !others.scopes.includes(scope)) ||
    !coversAddresses(others, limits) ||
    (others.expiresAt !== null && !endsBy(limits, others.expiresAt))
  );
}

function coversAddresses(outer: ApiClientLimits, inner: ApiClientLimits): boolean {
  if (outer.addresses === null) return true;
  const list = new AddressList(outer.addresses);
  return inner.addresses !== null && inner.addresses.every((block) => list.holds(block));
}

function endsBy({ expiresAt }: ApiClientLimits, end: Date): boolean {
  return expiresAt !== null && expiresAt <= end;
}
