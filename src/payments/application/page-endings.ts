import { Injectable } from '@nestjs/common';
import type { By } from '../../kernel/actor.js';
import { Clock } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { givenUpPageEnd, type PaymentLink } from '../collecting/domain/payment-link.js';
import { PaymentLinkRepository } from '../collecting/infrastructure/payment-link.repository.js';
import { PaymentLinks } from '../collecting/application/payment-links.service.js';
import { CheckoutLookUps } from '../inbox/application/checkouts/checkout-look-ups.js';
import { PaymentRefusal } from '../port/domain/payment-refusals.js';

type PayingClient = Pick<By, 'accountId' | 'actor'>;

/**
 * Gives up pay pages that have ended, or will before a payer is through. The link stays known, so
 * money that was paid there still finds it.
 */
@Injectable()
export class PageEndings {
  constructor(
    private readonly repository: PaymentLinkRepository,
    private readonly links: PaymentLinks,
    private readonly lookUps: CheckoutLookUps,
    private readonly clock: Clock,
  ) {}

  /**
   * Nobody is to pay on the old page and on the next one: the old one is closed first, and then asked
   * what was paid there. A provider that does not answer is asked again later.
   */
  async giveUp(by: PayingClient, at: { documentId: Uuid; gateway: string }): Promise<void> {
    const before = givenUpPageEnd(this.clock.now());
    const ending = await this.repository.findEnding({ ...at, accountId: by.accountId }, before);
    for (const link of ending) {
      const canceled = await this.canceled(by, link);
      if (canceled) await this.lookUps.close(canceled);
    }
  }

  /** Undefined if it was paid, or canceled, meanwhile. */
  private async canceled(by: PayingClient, { id }: PaymentLink): Promise<PaymentLink | undefined> {
    try {
      return await this.links.cancel(by, id);
    } catch (error) {
      if (PaymentRefusal.payment_link_not_open.is(error)) return undefined;
      throw error;
    }
  }
}
