import { Injectable } from '@nestjs/common';
import type { By } from '../../kernel/actor.js';
import { DomainError } from '../../kernel/domain-error.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import { assertVersion, type ExpectedVersions } from '../../kernel/versions.js';
import type { CommitGuard, Tx } from '../../platform/database/tx.js';
import {
  type ApiClient,
  type ApiClientLimits,
  assertGivable,
  mayDoMore,
  mostOf,
  remembering,
  secretNeeded,
  staleGiver,
} from '../domain/api-client.js';
import type { AccountMode } from '../domain/account-mode.js';
import { newClientSecret, sha256 } from '../domain/secret-text.js';
import { lockAccount } from '../infrastructure/account.repository.js';
import { ApiClientRepository } from '../infrastructure/api-client.repository.js';
import { type AuditedTx, AuditedWork } from './audited-work.js';
import { Revocations } from './revocations.js';
import { AuthRefusal } from '../domain/auth-refusals.js';

const HOUR_MS = 3_600_000;
/** How long the secret before the last one works on, where nobody says otherwise. */
export const DEFAULT_OVERLAP_HOURS = 24;
const MOST_LIVE_CLIENTS = 100;

export interface NewApiClient {
  name: string;
  scopes: readonly string[];
  /** Absent: as the caller's. */
  addresses?: readonly string[] | null;
  expiresAt?: Date | null;
}

export type ApiClientChange = Partial<ApiClientLimits & Pick<ApiClient, 'name'>>;

/** A rotation: how long the secret before works on, and limits that the new one has. */
export interface ApiClientRotation extends Partial<ApiClientLimits> {
  overlapHours?: number | undefined;
}

/** A client with its secret, which is shown this once. */
export interface ApiClientWithSecret {
  client: ApiClient;
  secret: string;
}

/** The client that asks, with what its token allows; null for the operator. */
export type GrantingClient = {
  clientId: Uuid;
  /** The version of the client for which its token was issued. */
  clientVersion: number;
  scopes: readonly string[];
} | null;

type Guard<Result> = CommitGuard<Result> | undefined;

/** The programs that act for an account. */
@Injectable()
export class ApiClients {
  constructor(
    private readonly audited: AuditedWork,
    private readonly repository: ApiClientRepository,
    private readonly revocations: Revocations,
  ) {}

  async create(
    by: By,
    giver: GrantingClient,
    wish: NewApiClient,
    guard?: Guard<ApiClientWithSecret>,
  ): Promise<ApiClientWithSecret> {
    return this.audited.run(by, guard, async (change) => {
      const { tx, accountId, serverNow } = change;
      const { mode } = await this.assertRoom(change);
      const limits = await this.limitsOf(tx, accountId, giver);
      const secret = newClientSecret(mode);
      const made = {
        clientId: tx.newId(),
        accountId,
        mode,
        name: wish.name,
        scopes: [...new Set(wish.scopes)],
        addresses: wish.addresses === undefined ? (limits?.addresses ?? null) : wish.addresses,
        expiresAt: wish.expiresAt === undefined ? (limits?.expiresAt ?? null) : wish.expiresAt,
        secretSha256: sha256(secret),
        previousSecretSha256: null,
        previousSecretEndsAt: null,
        version: 1,
        createdAt: serverNow(),
        lastUsedAt: null,
        revokedAt: null,
        hadScopes: [],
        hadAddresses: null,
        hadExpiresAt: null,
      };
      const client = remembering(made, made);
      assertGivable(client, limits);
      this.repository.insert(tx, client);
      recordChange(change, 'client.created', null, client);
      return { client, secret };
    });
  }

  /**
   * Renames and limits. Tokens that could do more than it may now end within seconds. It gives no
   * more rights: those come with a new secret, by `rotate`.
   */
  async change(
    by: By,
    giver: GrantingClient,
    clientId: Uuid,
    change: ApiClientChange,
    expected: ExpectedVersions,
    guard?: Guard<ApiClient>,
  ): Promise<ApiClient> {
    const changed = await this.audited.run(by, guard, async (audited) => {
      const { tx } = audited;
      const before = await this.liveForUpdate(tx, by.accountId, clientId);
      assertVersion(expected, before.version);
      const after = { ...before, ...change };
      const limits = await this.limitsOf(tx, by.accountId, giver);
      if (isSame(before, after)) return before;
      if (isLimited(before, after)) assertOther(giver, clientId, 'change its own limits');
      if (mayDoMore(after, before)) {
        assertGivable(mostOf(remembering(after, mostOf(before))), limits);
        throw secretNeeded(
          'More rights need a new secret: send these fields to POST /v1/clients/{id}/rotate ' +
            '(`client rotate` has the same options), which ends the old one.',
        );
      }
      return this.save(audited, before, after, mayDoMore(before, after));
    });
    await this.revocations.refresh();
    return changed;
  }

  /**
   * Gives it another secret, and limits with it. The secret before works for some hours more. With
   * no hours it ends at once, with all access tokens: that is for a secret that has leaked. A
   * client that gets more rights has no such hours, since the old secret must not get them.
   */
  async rotate(
    by: By,
    giver: GrantingClient,
    clientId: Uuid,
    { overlapHours, ...change }: ApiClientRotation,
    expected: ExpectedVersions,
    guard?: Guard<ApiClientWithSecret>,
  ): Promise<ApiClientWithSecret> {
    const rotated = await this.audited.run(by, guard, async (audited) => {
      const { tx, serverNow } = audited;
      const before = await this.liveForUpdate(tx, by.accountId, clientId);
      assertVersion(expected, before.version);
      const after = remembering({ ...before, ...change }, mostOf(before));
      const isWider = mayDoMore(after, before);
      const hours = overlapHours ?? (isWider ? 0 : DEFAULT_OVERLAP_HOURS);
      if (isLimited(before, after)) assertOther(giver, clientId, 'change its own limits');
      // An answer that is lost on its way would be the only place of the secret.
      if (hours === 0) assertOther(giver, clientId, 'end its own secret at once');
      // A client has its own secret already: the new one gives it nothing.
      const isOwn = giver?.clientId === clientId;
      const most = isOwn ? before : mostOf(after);
      assertGivable(most, await this.limitsOf(tx, by.accountId, giver));
      if (isWider && hours > 0) {
        throw secretNeeded(
          'More rights end the old secret at once: leave overlap_hours out. ' +
            'To change over without a gap, make a second client.',
        );
      }
      if (hasEnded(before, serverNow()) && !hasEnded(after, serverNow()))
        await this.assertRoom(audited);
      const endsAt = new Date(serverNow().getTime() + hours * HOUR_MS);
      const secret = newClientSecret(before.mode);
      const rotated: ApiClient = {
        ...after,
        secretSha256: sha256(secret),
        previousSecretSha256: hours === 0 ? null : before.secretSha256,
        previousSecretEndsAt: hours === 0 ? null : endsAt,
      };
      const endsTokens = hours === 0 || mayDoMore(before, after);
      return { client: this.save(audited, before, rotated, endsTokens), secret };
    });
    await this.revocations.refresh();
    return rotated;
  }

  /** The client's secrets and tokens end, for good. To revoke twice is as once. */
  async revoke(
    by: By,
    giver: GrantingClient,
    clientId: Uuid,
    expected: ExpectedVersions,
    guard?: Guard<ApiClient>,
  ): Promise<ApiClient> {
    const revoked = await this.audited.run(by, guard, async (audited) => {
      const { tx, serverNow } = audited;
      const before = await this.forUpdate(tx, by.accountId, clientId);
      assertVersion(expected, before.version);
      assertOther(giver, clientId, 'revoke itself');
      if (before.revokedAt) return before;
      assertGivable(mostOf(before), await this.limitsOf(tx, by.accountId, giver));
      return this.save(audited, before, { ...before, revokedAt: serverNow() }, true);
    });
    await this.revocations.refresh();
    return revoked;
  }

  private save(
    audited: AuditedTx,
    before: ApiClient,
    changed: ApiClient,
    endsTokens: boolean,
  ): ApiClient {
    const { tx, serverNow } = audited;
    const after = { ...changed, version: before.version + 1 };
    this.repository.save(tx, after);
    if (endsTokens) this.repository.endTokens(tx, after, serverNow());
    recordChange(audited, actionOf(before, after), before, after);
    return after;
  }

  private async limitsOf(
    tx: Tx,
    accountId: Uuid,
    giver: GrantingClient,
  ): Promise<ApiClientLimits | null> {
    if (!giver) return null;
    const own = await this.repository.find(tx, giver.clientId);
    if (own?.accountId !== accountId) throw AuthRefusal.client_not_found.of();
    // Another process may have changed it within this second.
    const isStale = await this.repository.endedTokens(tx, giver.clientId, giver.clientVersion);
    if (isStale) throw staleGiver();
    return { ...own, scopes: giver.scopes.filter((scope) => own.scopes.includes(scope)) };
  }

  /**
   * The account is locked until the commit while a live client is added, so that two at once cannot
   * pass the limit.
   */
  private async assertRoom({
    tx,
    accountId,
    serverNow,
  }: AuditedTx): Promise<{ mode: AccountMode }> {
    const account = await lockAccount(tx, accountId);
    if (!account) throw AuthRefusal.account_not_found.of();
    const live = await this.repository.countLive(tx, accountId, serverNow());
    if (live >= MOST_LIVE_CLIENTS) throw tooManyClients();
    return account;
  }

  private async forUpdate(tx: Tx, accountId: Uuid, clientId: Uuid): Promise<ApiClient> {
    const client = await this.repository.findForUpdate(tx, accountId, clientId);
    if (!client) throw AuthRefusal.client_not_found.of();
    return client;
  }

  private async liveForUpdate(tx: Tx, accountId: Uuid, clientId: Uuid): Promise<ApiClient> {
    const client = await this.forUpdate(tx, accountId, clientId);
    if (!client.revokedAt) return client;
    throw AuthRefusal.client_revoked.of();
  }
}

type Action = 'client.created' | 'client.updated' | 'client.rotated' | 'client.revoked';

function actionOf(before: ApiClient, after: ApiClient): Action {
  if (after.revokedAt) return 'client.revoked';
  return before.secretSha256.equals(after.secretSha256) ? 'client.updated' : 'client.rotated';
}

function recordChange(
  { record }: AuditedTx,
  action: Action,
  before: ApiClient | null,
  after: ApiClient,
): void {
  record({
    action,
    subject: publicId('cli', after.clientId),
    before: before && shown(before),
    after: shown(after),
  });
}

function hasEnded({ expiresAt }: ApiClient, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** As the API names it, without secrets. */
function shown({ name, scopes, addresses, expiresAt, ...client }: ApiClient) {
  return {
    name,
    scopes,
    addresses,
    expires_at: expiresAt,
    previous_secret_ends_at: client.previousSecretEndsAt,
    revoked_at: client.revokedAt,
  };
}

function isSame(one: ApiClient, other: ApiClient): boolean {
  return JSON.stringify(shown(one)) === JSON.stringify(shown(other));
}

function isLimited(before: ApiClient, after: ApiClient): boolean {
  return !isSame({ ...before, name: '' }, { ...after, name: '' });
}

/** A client that shuts itself out can neither read the answer nor take it back. */
function assertOther(giver: GrantingClient, clientId: Uuid, what: string): void {
  if (giver?.clientId !== clientId) return;
  throw AuthRefusal.client_is_caller.of(
    `A client may not ${what}; use another client, or the command line.`,
  );
}

function tooManyClients(): DomainError {
  return AuthRefusal.too_many_clients.of(
    `An account has at most ${MOST_LIVE_CLIENTS} live clients; revoke those that nobody uses: ` +
      'the list shows their last use.',
  );
}
