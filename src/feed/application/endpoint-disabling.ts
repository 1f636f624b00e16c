import { Injectable } from '@nestjs/common';
import { EventLog } from '../../events/index.js';
import { type Actor, OPERATOR } from '../../kernel/actor.js';
import { Clock } from '../../kernel/clock.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import {
  changedEndpoint,
  type DisabledReason,
  type WebhookEndpoint,
} from '../domain/webhook-endpoint.js';
import { WebhookEndpointRepository } from '../infrastructure/webhook-endpoint.repository.js';

/** Ends the sending to an endpoint, and tells what it did not get. */
@Injectable()
export class EndpointDisabling {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: WebhookEndpointRepository,
    private readonly events: EventLog,
    private readonly clock: Clock,
  ) {}

  /** It ended this itself: it is gone, or nothing but fails. */
  async disableFor(
    reason: Exclude<DisabledReason, 'asked'>,
    accountId: Uuid,
    id: Uuid,
  ): Promise<void> {
    await this.uow.run(async (tx) => {
      const before = await this.repository.findForUpdate(tx, accountId, id);
      if (before?.status === 'enabled') await this.disable(tx, before, reason, OPERATOR);
    });
  }

  /** One that is locked. */
  async disable(
    tx: Tx,
    before: WebhookEndpoint,
    reason: DisabledReason,
    actor: Actor,
  ): Promise<WebhookEndpoint> {
    const { since, undelivered } = await this.repository.failureOf(tx, before);
    const wish = { status: 'disabled', disabledReason: reason } as const;
    const after = changedEndpoint(before, wish, this.clock.serverNow());
    this.repository.save(tx, after);
    this.events.tell(tx, { accountId: before.accountId, actor }, 'webhook_endpoint.disabled', {
      webhook_endpoint: namedEndpoint(before),
      reason,
      failing_since: since?.toISOString() ?? null,
      undelivered,
    });
    return after;
  }
}

/** As events of endpoints show one. */
export const namedEndpoint = ({ id }: WebhookEndpoint) => ({ id: publicId('whep', id) });
