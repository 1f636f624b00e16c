import { Injectable } from '@nestjs/common';
import { publicId, type Uuid } from '../../../kernel/ids.js';
import type { CommitGuard } from '../../../platform/database/tx.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import type { Gateway } from '../domain/gateway.js';
import type { GatewayCheck } from '../domain/gateway-check.js';
import { Gateways, payeeOf } from '../domain/gateways.js';
import { GatewayRefusal } from '../domain/gateway-refusals.js';

const AT_ONCE = 4;

/** Asks providers whether gateways work, a few at a time, and each gateway once at a time. */
@Injectable()
export class GatewayExaminations {
  private readonly underWay = new Map<Gateway, Promise<readonly GatewayCheck[]>>();

  constructor(
    private readonly gateways: Gateways,
    private readonly uow: UnitOfWork,
  ) {}

  async examine(
    accountId: Uuid,
    id: Uuid,
    guard?: CommitGuard<readonly GatewayCheck[]>,
  ): Promise<readonly GatewayCheck[]> {
    const gateway = await this.gateways.getFor(publicId('gw', id), payeeOf(accountId));
    const checks = await this.shared(gateway);
    return this.uow.run(async () => checks, guard);
  }

  private async shared(gateway: Gateway): Promise<readonly GatewayCheck[]> {
    const running = this.underWay.get(gateway);
    if (running) return running;
    if (this.underWay.size >= AT_ONCE) {
      throw GatewayRefusal.gateway_unavailable.later(
        2,
        'Other gateways are being tested; try again in a moment.',
      );
    }
    const checks = gateway.check().finally(() => this.underWay.delete(gateway));
    this.underWay.set(gateway, checks);
    return checks;
  }
}
