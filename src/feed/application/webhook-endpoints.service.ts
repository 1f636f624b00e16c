import { Injectable } from '@nestjs/common';
import { type AuditedTx, AuditedWork } from '../../auth/index.js';
import type { By } from '../../kernel/actor.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import { assertVersion, type ExpectedVersions } from '../../kernel/versions.js';
import type { CommitGuard } from '../../platform/database/tx.js';
import { OutgoingClient } from '../../platform/http/outgoing/outgoing-client.js';
import { EndpointRefusal } from '../domain/endpoint-refusals.js';
import {
  SECRET_OVERLAP_HOURS,
  changedEndpoint,
  type EndpointWish,
  MOST_ENDPOINTS,
  type WebhookEndpoint,
} from '../domain/webhook-endpoint.js';
import { WebhookEndpointRepository } from '../infrastructure/webhook-endpoint.repository.js';
import { EndpointDisabling } from './endpoint-disabling.js';
import { WebhookSecrets } from './webhook-secrets.js';

const HOUR_MS = 3_600_000;
/** In accounts for trying, the program that is to hear of events often runs on the own machine. */
const ON_ONES_OWN =
  'To receive events on your own machine, run: cli listen --forward-to localhost:4242';

/** An endpoint with its secret, which is told this once. */
export interface EndpointWithSecret {
  endpoint: WebhookEndpoint;
  secret: string | null;
}

/** A step of an endpoint: its caller, and the versions of it on which they decided. */
interface AskedStep<Result> {
  by: By;
  id: Uuid;
  expected: ExpectedVersions;
  guard?: CommitGuard<Result>;
}

/** Addresses that accounts want their events at. */
@Injectable()
export class WebhookEndpoints {
  constructor(
    private readonly audited: AuditedWork,
    private readonly repository: WebhookEndpointRepository,
    private readonly secrets: WebhookSecrets,
    private readonly outgoing: OutgoingClient,
    private readonly disabling: EndpointDisabling,
  ) {}

  /** @param scopes of the caller: nothing that it may not read is sent */
  async create(
    by: By,
    scopes: readonly string[],
    wish: EndpointWish & Pick<WebhookEndpoint, 'signing'>,
    guard?: CommitGuard<EndpointWithSecret>,
  ): Promise<EndpointWithSecret> {
    return this.audited.run(by, guard, async (change) => {
      const { tx, accountId, serverNow } = change;
      const { isTest, live } = await this.repository.roomForUpdate(tx, accountId);
      if (live >= MOST_ENDPOINTS) throw EndpointRefusal.too_many_webhook_endpoints.of();
      this.assertUrl(wish.url, isTest);
      const owner = { accountId, id: tx.newId() };
      const { sealed, told, publicKey } = this.secrets.make(owner, wish.signing);
      const endpoint: WebhookEndpoint = {
        ...owner,
        ...wish,
        scopes,
        publicKey,
        sealedSecret: sealed,
        previousSealedSecret: null,
        previousSecretEndsAt: null,
        status: 'enabled',
        disabledReason: null,
        version: 1,
        createdAt: serverNow(),
        updatedAt: serverNow(),
      };
      this.repository.insert(tx, endpoint);
      recordChange(change, 'webhook_endpoint.created', null, endpoint);
      return { endpoint, secret: told };
    });
  }

  /** @param scopes of the caller, which the endpoint gets where its types are set */
  async change(
    asked: AskedStep<WebhookEndpoint>,
    scopes: readonly string[],
    wish: Partial<EndpointWish>,
  ): Promise<WebhookEndpoint> {
    return this.step(asked, async (change, before) => {
      if (wish.url !== undefined) {
        const { isTest } = await this.repository.roomForUpdate(change.tx, before.accountId);
        this.assertUrl(wish.url, isTest);
      }
      // A client that names the types answers for them with its own rights.
      const ofTypes = wish.types === undefined ? {} : { scopes };
      const after = { ...before, ...wish, ...ofTypes };
      return isSame(before, after) ? before : this.save(change, before, after);
    });
  }

  /** Another secret; the one before signs, too, for some hours. */
  async rotate(
    asked: AskedStep<EndpointWithSecret>,
    overlapHours = SECRET_OVERLAP_HOURS,
  ): Promise<EndpointWithSecret> {
    return this.step(asked, async (change, before) => {
      const { sealed, told, publicKey } = this.secrets.make(before, before.signing);
      const ends = new Date(change.serverNow().getTime() + overlapHours * HOUR_MS);
      const endpoint = this.save(change, before, {
        ...before,
        publicKey,
        sealedSecret: sealed,
        previousSealedSecret: overlapHours === 0 ? null : before.sealedSecret,
        previousSecretEndsAt: overlapHours === 0 ? null : ends,
      });
      return { endpoint, secret: told };
    });
  }

  async enable(asked: AskedStep<WebhookEndpoint>): Promise<WebhookEndpoint> {
    return this.step(asked, async (change, before) => {
      if (before.status === 'enabled') return before;
      const after = changedEndpoint(
        before,
        { status: 'enabled', disabledReason: null },
        change.serverNow(),
      );
      await this.repository.beginAnew(change.tx, after);
      recordChange(change, 'webhook_endpoint.enabled', before, after);
      return after;
    });
  }

  async disable(asked: AskedStep<WebhookEndpoint>): Promise<WebhookEndpoint> {
    return this.step(asked, async (change, before) => {
      if (before.status === 'disabled') return before;
      const after = await this.disabling.disable(change.tx, before, 'asked', asked.by.actor);
      recordChange(change, 'webhook_endpoint.disabled', before, after);
      return after;
    });
  }

  async remove(asked: AskedStep<WebhookEndpoint>): Promise<WebhookEndpoint> {
    return this.step(asked, async (change, endpoint) => {
      this.repository.remove(change.tx, endpoint, change.serverNow());
      recordChange(change, 'webhook_endpoint.deleted', endpoint, null);
      return endpoint;
    });
  }

  /** With the endpoint locked, as whoever asks has seen it. */
  private async step<Result>(
    { by, id, expected, guard }: AskedStep<Result>,
    work: (change: AuditedTx, before: WebhookEndpoint) => Promise<Result>,
  ): Promise<Result> {
    return this.audited.run(by, guard, async (change) => {
      const before = await this.repository.findForUpdate(change.tx, by.accountId, id);
      if (!before) throw EndpointRefusal.webhook_endpoint_not_found.of();
      assertVersion(expected, before.version);
      return work(change, before);
    });
  }

  private save(change: AuditedTx, before: WebhookEndpoint, wish: WebhookEndpoint): WebhookEndpoint {
    const after = changedEndpoint(before, wish, change.serverNow());
    this.repository.save(change.tx, after);
    const isRotated = !before.sealedSecret.equals(after.sealedSecret);
    const action = isRotated ? 'webhook_endpoint.rotated' : 'webhook_endpoint.updated';
    recordChange(change, action, before, after);
    return after;
  }

  private assertUrl(url: string, isTest: boolean): void {
    if (!isTest && !url.startsWith('https:')) throw EndpointRefusal.https_needed.at('/url');
    this.outgoing.assertAllowed(url, { plainHttp: isTest }, '/url', isTest ? ON_ONES_OWN : '');
  }
}

function isSame(one: WebhookEndpoint, other: WebhookEndpoint): boolean {
  return JSON.stringify(shown(one)) === JSON.stringify(shown(other));
}

type Action =
  | 'webhook_endpoint.created'
  | 'webhook_endpoint.updated'
  | 'webhook_endpoint.rotated'
  | 'webhook_endpoint.enabled'
  | 'webhook_endpoint.disabled'
  | 'webhook_endpoint.deleted';

function recordChange(
  { record }: AuditedTx,
  action: Action,
  before: WebhookEndpoint | null,
  after: WebhookEndpoint | null,
): void {
  const { id } = (after ?? before)!;
  record({
    action,
    subject: publicId('whep', id),
    before: before && shown(before),
    after: after && shown(after),
  });
}

/** As the API names it, without secrets. */
function shown(endpoint: WebhookEndpoint) {
  return {
    url: endpoint.url,
    types: endpoint.types,
    scopes: endpoint.scopes,
    description: endpoint.description,
    metadata: endpoint.metadata,
    payload: endpoint.payload,
    signing: endpoint.signing,
    status: endpoint.status,
    previous_secret_ends_at: endpoint.previousSecretEndsAt,
  };
}
