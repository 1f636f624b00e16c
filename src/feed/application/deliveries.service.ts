import { Injectable } from '@nestjs/common';
import { type AuditedTx, AuditedWork } from '../../auth/index.js';
import { EventLog } from '../../events/index.js';
import type { By } from '../../kernel/actor.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import type { CommitGuard } from '../../platform/database/tx.js';
import type { WebhookDelivery } from '../domain/delivery.js';
import { EndpointRefusal } from '../domain/endpoint-refusals.js';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.js';
import { DeliveryAgainRepository } from '../infrastructure/delivery-again.repository.js';
import { WebhookEndpointRepository } from '../infrastructure/webhook-endpoint.repository.js';
import { TYPES_BY_SCOPE } from '../wire/event-types.js';
import { namedEndpoint } from './endpoint-disabling.js';

type Guard<Result> = CommitGuard<Result> | undefined;

/** A replay takes those that are tried no more, or all that happened in a time. */
export interface Replayed {
  which: 'failed' | 'all';
  from: Date;
  to: Date;
}

const MOST_REPLAYED = 100_000;

/** Deliveries that somebody asks for. */
@Injectable()
export class Deliveries {
  constructor(
    private readonly audited: AuditedWork,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly again: DeliveryAgainRepository,
    private readonly events: EventLog,
  ) {}

  /** An event that only this endpoint gets. @returns its id */
  async test(by: By, id: Uuid, guard?: Guard<Uuid>): Promise<Uuid> {
    return this.audited.run(by, guard, async (change) => {
      const endpoint = await this.enabledForUpdate(change, id);
      const eventId = this.events.tell(change.tx, by, 'webhook_endpoint.test', {
        webhook_endpoint: namedEndpoint(endpoint),
      });
      this.again.insert(change.tx, endpoint, eventId, change.serverNow());
      return eventId;
    });
  }

  /** Sends one again, with the same id. Its tries are counted anew. */
  async redeliver(
    by: By,
    id: Uuid,
    eventId: Uuid,
    guard?: Guard<WebhookDelivery>,
  ): Promise<WebhookDelivery> {
    return this.audited.run(by, guard, async (change) => {
      const endpoint = await this.enabledForUpdate(change, id);
      const delivery = await this.again.findForUpdate(change.tx, endpoint, eventId);
      if (!delivery) throw EndpointRefusal.webhook_delivery_not_found.of();
      if (delivery.status === 'pending') throw EndpointRefusal.webhook_delivery_pending.of();
      const at = change.serverNow();
      this.again.redeliver(change.tx, endpoint, eventId, at);
      change.record({
        action: 'webhook_delivery.redelivered',
        subject: publicId('whep', id),
        before: null,
        after: { event_id: publicId('evt', eventId) },
      });
      return { ...delivery, status: 'pending', nextTryAt: at };
    });
  }

  /** @returns how many are on their way */
  async replay(
    by: By,
    id: Uuid,
    { which, from, to }: Replayed,
    guard?: Guard<number>,
  ): Promise<number> {
    return this.audited.run(by, guard, async (change) => {
      const endpoint = await this.enabledForUpdate(change, id);
      if (to <= from) throw EndpointRefusal.invalid_replay_time.at('/to');
      const at = change.serverNow();
      const most = MOST_REPLAYED + 1;
      const count =
        which === 'failed'
          ? await this.again.replayFailed(change.tx, endpoint, { from, to, at, most })
          : await this.again.replayAll(change.tx, endpoint, TYPES_BY_SCOPE, { from, to, at, most });
      if (count > MOST_REPLAYED) throw EndpointRefusal.too_many_events_to_replay.of();
      if (count > 0) {
        change.record({
          action: 'webhook_delivery.replayed',
          subject: publicId('whep', id),
          before: null,
          after: { which, from: from.toISOString(), to: to.toISOString(), events: count },
        });
      }
      return count;
    });
  }

  private async enabledForUpdate({ tx, accountId }: AuditedTx, id: Uuid): Promise<WebhookEndpoint> {
    const endpoint = await this.endpoints.findForUpdate(tx, accountId, id);
    if (!endpoint) throw EndpointRefusal.webhook_endpoint_not_found.of();
    if (endpoint.status === 'disabled') throw EndpointRefusal.webhook_endpoint_disabled.of();
    return endpoint;
  }
}
