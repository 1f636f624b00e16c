import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { Config } from '../../../platform/config/config.js';
import type { Tx } from '../../../platform/database/tx.js';
import type { PaymentLink } from '../domain/payment-link.js';
import { PaymentLinkRepository } from '../infrastructure/payment-link.repository.js';

/** When providers are asked about links, in case their events do not come. */
@Injectable()
export class PlannedLookUps {
  constructor(
    private readonly links: PaymentLinkRepository,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  first(tx: Tx, link: PaymentLink, afterMs = this.usualMs): void {
    this.links.insertLookUp(tx, link, this.in(afterMs));
  }

  /** @param mayWait false: it is closed as soon as may be */
  again(tx: Tx, link: PaymentLink, mayWait: boolean): void {
    this.links.lookUpAgain(tx, link, this.in(mayWait ? this.usualMs : 0));
  }

  private get usualMs(): number {
    return this.config.checkoutLookUpSeconds * 1000;
  }

  private in(ms: number): Date {
    return new Date(this.clock.serverNow().getTime() + ms);
  }
}
