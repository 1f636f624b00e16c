import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { type Delivery, type Gateway, InvalidSignature } from '../../port/domain/gateway.js';
import {
  type DeliveryAnswer,
  HeardNames,
  isSignedThroughout,
  MOST_REPORTS_AT_ONCE,
  problemOf,
} from '../domain/gateway-delivery.js';
import type { NamedObject, ProviderReport } from '../../port/domain/provider-report.js';
import { GatewayDeliveryRepository } from '../infrastructure/gateway-delivery.repository.js';
import { ProviderPayments } from './provider-payments.service.js';
import { DeliveryBacklog } from './delivery-backlog.js';
import { DeliveryRecord } from './delivery-record.js';

/** Takes verified deliveries: applies them, or stores a large one first, and keeps all of them. */
@Injectable()
export class GatewayDeliveries {
  constructor(
    private readonly payments: ProviderPayments,
    private readonly record: DeliveryRecord,
    private readonly backlog: DeliveryBacklog,
    private readonly deliveries: GatewayDeliveryRepository,
    private readonly clock: Clock,
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
    const kept = this.record.begin(gateway, delivery, told.length);
    if (told.length > MOST_REPORTS_AT_ONCE) {
      const accepted = { outcome: 'accepted', problem: null } as const;
      await this.record.store({ ...kept, names: heard.all(), ...accepted });
      this.backlog.begin();
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
}
