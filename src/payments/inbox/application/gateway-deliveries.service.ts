import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { IdGenerator } from '../../../kernel/ids.js';
import { Log } from '../../../platform/observability/log.js';
import { type Delivery, type Gateway, InvalidSignature } from '../../port/domain/gateway.js';
import {
  type DeliveryAnswer,
  HeardNames,
  isSignedThroughout,
  MOST_REPORTS_AT_ONCE,
  type NewDelivery,
  problemOf,
} from '../domain/gateway-delivery.js';
import type { NamedObject, ProviderReport } from '../../port/domain/provider-report.js';
import { GatewayDeliveryRepository } from '../infrastructure/gateway-delivery.repository.js';
import { ProviderPayments } from './provider-payments.service.js';
import { DeliveryBacklog } from './delivery-backlog.js';
import { DeliveryRecord } from './delivery-record.js';
import { CommonRefusal } from '../../../kernel/common-refusals.js';

/** Takes verified deliveries: applies them, or stores a large one first, and keeps all of them. */
@Injectable()
export class GatewayDeliveries {
  constructor(
    private readonly payments: ProviderPayments,
    private readonly record: DeliveryRecord,
    private readonly backlog: DeliveryBacklog,
    private readonly deliveries: GatewayDeliveryRepository,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** All that a verified delivery tells. */
  read(gateway: Gateway, delivery: Delivery): readonly (ProviderReport | NamedObject)[] {
    return this.payments.read(gateway, delivery);
  }

  /**
   * @throws InvalidSignature, DomainError: as `ProviderPayments.receiveAll` does
   * @throws DomainError `database_unavailable` if a large one cannot be stored
   */
  async receive(
    gateway: Gateway,
    delivery: Delivery,
    told: readonly (ProviderReport | NamedObject)[],
  ): Promise<DeliveryAnswer> {
    const heard = HeardNames.of(told);
    await this.enterTime(gateway, heard);
    if (!isSignedThroughout(told)) return this.payments.receiveAll(gateway, told, heard.hear);
    const kept = {
      id: this.ids.next(),
      gateway: { name: gateway.name, accounts: gateway.accounts },
      receivedAt: this.clock.serverNow(),
      delivery,
      reports: told.length,
    };
    if (told.length > MOST_REPORTS_AT_ONCE) {
      await this.store({ ...kept, names: heard.all(), outcome: 'accepted', problem: null });
      return 'accepted';
    }
    try {
      const outcome = await this.payments.receiveAll(gateway, told, heard.hear);
      this.record.note({ ...kept, names: heard.all(), outcome, problem: null });
      return outcome;
    } catch (error) {
      if (!(error instanceof InvalidSignature)) {
        const problem = problemOf(error);
        this.record.note({ ...kept, names: heard.all(), outcome: 'failed', problem });
      }
      throw error;
    }
  }

  /** It is booked in the time of its account, whatever time its provider gives it. */
  private async enterTime(gateway: Gateway, heard: HeardNames): Promise<void> {
    const own = this.clock.accountsWithOwn();
    const { accounts } = gateway;
    if (!own.some((one) => !(accounts instanceof Set) || accounts.has(one))) return;
    this.clock.enter(await this.deliveries.ownerOf(gateway, heard.all()));
  }

  /** Its provider does not send it again, so it is on the disk before it is answered. */
  private async store(delivery: NewDelivery): Promise<void> {
    try {
      await this.deliveries.insert(delivery.gateway, [delivery], true);
    } catch (error) {
      this.log.warn({ error, gateway: delivery.gateway.name }, 'a delivery could not be stored');
      throw CommonRefusal.database_unavailable.later(
        1,
        'The delivery could not be stored; send it again.',
      );
    }
    this.backlog.begin();
  }
}
