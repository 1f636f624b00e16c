import { DomainError } from '../../kernel/domain-error.js';
import type { Uuid } from '../../kernel/ids.js';
import type { AccountMode } from './account-mode.js';
import { AddressList } from './address-list.js';
import { matchesDigest, newSecretText, sha256 } from './secret-text.js';

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
 * @throws DomainError `invalid_client`
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
  return new DomainError('forbidden', 'invalid_client', detail);
}

/** The caller gives more than it has. */
function exceedsGiver(detail: string): DomainError {
  return new DomainError('forbidden', 'client_exceeds_caller', detail);
}

/**
 * Nobody gives a client more than they have themselves; what it has already, it may keep.
 * @param giver null for the operator, who may give everything
 * @throws DomainError `client_exceeds_caller`
 */
export function assertGivable(
  given: ApiClientLimits,
  before: ApiClientLimits | null,
  giver: ApiClientLimits | null,
): void {
  if (!giver) return;
  const own = before ? [before, giver] : [giver];
  const beyond = given.scopes.filter((scope) => !own.some(({ scopes }) => scopes.includes(scope)));
  if (beyond.length > 0) throw exceedsGiver(`You do not have ${beyond.join(' ')} yourself.`);
  if (!own.some((limits) => coversAddresses(limits, given))) {
    throw exceedsGiver('Its addresses must be within those from which you may call yourself.');
  }
  if (!own.some((limits) => limits.expiresAt === null || endsBy(given, limits.expiresAt))) {
    throw exceedsGiver('It must end no later than your own client; send expires_at.');
  }
}

/** True if tokens issued under `before` may do something that `after` no longer allows. */
export function isNarrower(after: ApiClientLimits, before: ApiClientLimits): boolean {
  return (
    before.scopes.some((scope) => !after.scopes.includes(scope)) ||
    !coversAddresses(after, before) ||
    (after.expiresAt !== null && !endsBy(before, after.expiresAt))
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
