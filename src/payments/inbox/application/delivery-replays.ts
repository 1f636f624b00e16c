import { Injectable } from '@nestjs/common';
import { type AuditedTx, AuditedWork } from '../../../auth/index.js';
import type { By } from '../../../kernel/actor.js';
import { publicId, type Uuid } from '../../../kernel/ids.js';
import type { CommitGuard } from '../../../platform/database/tx.js';
import { Log } from '../../../platform/observability/log.js';
import type { Delivery } from '../../port/domain/gateway.js';
import {
  gatewayEventUnreadable,
  HeardNames,
  type KeptDelivery,
  MOST_REPORTS_AT_ONCE,
  problemOf,
  type ReplayedDelivery,
  standingAfter,
} from '../domain/gateway-delivery.js';
import { Gateways } from '../../port/domain/gateways.js';
import { GatewayDeliveriesQuery } from '../infrastructure/gateway-deliveries.query.js';
import { GatewayDeliveryRepository } from '../infrastructure/gateway-delivery.repository.js';
import { ProviderPayments } from './provider-payments.service.js';

/** Applies a kept delivery again. It is safe: each of its effects has a key. */
@Injectable()
export class DeliveryReplays {
  constructor(
    private readonly audited: AuditedWork,
    private readonly query: GatewayDeliveriesQuery,
    private readonly deliveries: GatewayDeliveryRepository,
    private readonly payments: ProviderPayments,
    private readonly gateways: Gateways,
    private readonly log: Log,
  ) {}

  /** It was verified when it came, so how old it is does not matter. */
  async replay(by: By, id: Uuid, guard?: CommitGuard<ReplayedDelivery>): Promise<ReplayedDelivery> {
    const kept = await this.query.get(by.accountId, id);
    if (!kept.delivery) throw gatewayEventUnreadable();
    if (kept.reports <= MOST_REPORTS_AT_ONCE) return this.apply(by, kept, kept.delivery, guard);
    return this.queueAgain(by, kept, guard);
  }

  private async apply(
    by: By,
    kept: KeptDelivery,
    delivery: Delivery,
    guard: CommitGuard<ReplayedDelivery> | undefined,
  ): Promise<ReplayedDelivery> {
    const gateway = await this.gateways.find(kept.gateway);
    const heard = new HeardNames(kept.names);
    const mark = await this.query.mark();
    const done: Pick<ReplayedDelivery, 'outcome' | 'problem'> = {
      outcome: 'failed',
      problem: null,
    };
    try {
      const told = this.payments.read(gateway, delivery);
      done.outcome = await this.payments.receiveAll(gateway, told, heard.hear);
    } catch (error) {
      done.problem = problemOf(error);
      const delivery = publicId('gevt', kept.id);
      this.log.warn({ error, delivery }, 'a replay of a call of a provider failed');
    }
    const names = heard.all();
    const isChanged = await this.query.hasChanged(kept.gateway, names, mark);
    const standing = standingAfter(kept, done);
    return this.audited.run(by, guard, async (audited) => {
      const at = audited.serverNow();
      this.deliveries.keepReplay(audited.tx, kept, { ...standing, names, at });
      tell(audited, kept, standing);
      const event = { ...kept, ...standing, names, replays: kept.replays + 1, replayedAt: at };
      return { event, ...done, isChanged };
    });
  }

  /** A large one takes longer than a caller waits. */
  private async queueAgain(
    by: By,
    kept: KeptDelivery,
    guard: CommitGuard<ReplayedDelivery> | undefined,
  ): Promise<ReplayedDelivery> {
    const standing = { outcome: 'accepted', problem: null } as const;
    return this.audited.run(by, guard, async (audited) => {
      const now = audited.serverNow();
      this.deliveries.queueAgain(audited.tx, kept, now);
      tell(audited, kept, standing);
      const again = { attempts: 0, nextTryAt: now, replays: kept.replays + 1, replayedAt: now };
      return { event: { ...kept, ...standing, ...again }, ...standing, isChanged: false };
    });
  }
}

function tell(
  { record }: AuditedTx,
  kept: KeptDelivery,
  { outcome, problem }: Pick<KeptDelivery, 'outcome' | 'problem'>,
): void {
  record({
    action: 'gateway_event.replayed',
    subject: publicId('gevt', kept.id),
    before: { outcome: kept.outcome, problem: kept.problem },
    after: { outcome, problem },
  });
}
