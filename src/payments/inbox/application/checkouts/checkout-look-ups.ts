import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import { publicId } from '../../../../kernel/ids.js';
import { Config } from '../../../../platform/config/config.js';
import { type Job, Jobs } from '../../../../platform/jobs.js';
import {
  checkoutLookAfterFailure,
  nextCheckoutLook,
} from '../../../collecting/domain/next-checkout-look.js';
import { paymentLinkStatus, type PaymentLink } from '../../../collecting/domain/payment-link.js';
import { PaymentLinkRepository } from '../../../collecting/infrastructure/payment-link.repository.js';
import { CheckoutInquiries } from './checkout-inquiries.js';

const AT_ONCE = 50;
/** Longer than the calls of a look-up may take. */
const LEASE_MS = 120_000;
const ROUNDS = 4;

/**
 * Asks providers what became of pay pages, so that an event that never comes is no money lost. It
 * also closes the pages of links that are canceled, or over for a day, and sends debits whose process
 * died. Any number of processes may do it (decision 158).
 */
@Injectable()
export class CheckoutLookUps {
  private readonly job: Job;

  constructor(
    private readonly links: PaymentLinkRepository,
    private readonly inquiries: CheckoutInquiries,
    private readonly clock: Clock,
    private readonly config: Config,
    jobs: Jobs,
  ) {
    const everyMs = (config.checkoutLookUpSeconds * 1000) / ROUNDS;
    this.job = jobs.every(everyMs, 'pay pages could not be looked up', () => this.run(), {
      name: 'pay pages',
    });
  }

  /** @returns how many pages were looked up */
  async run(): Promise<number> {
    const now = this.clock.serverNow();
    const again = new Date(now.getTime() + LEASE_MS);
    return this.job.workOff(
      AT_ONCE,
      async () => {
        const id = await this.links.takeDueLookUp(now, again);
        return id === undefined ? undefined : this.links.findAny(id);
      },
      (link) => this.clock.inTimeOf(link.accountId, () => this.close(link)),
      nameOf,
    );
  }

  /** Closes the page of a link that was canceled and books what was paid there, without waiting for a round. */
  async close(link: PaymentLink): Promise<void> {
    const next = await this.look(link);
    await this.links.planLookUp(link, next && this.clock.onServer(next));
  }

  /** @returns when to look again */
  private async look(link: PaymentLink): Promise<Date | null> {
    const first = this.config.checkoutLookUpSeconds;
    try {
      const isClosed = await this.inquiries.ask(link);
      const now = this.clock.now();
      const newest = (await this.links.findAny(link.id)) ?? link;
      return isClosed && isOver(newest, now) ? null : nextCheckoutLook(newest, now, first);
    } catch (error) {
      this.job.failed(error, nameOf(link));
      return checkoutLookAfterFailure(link, this.clock.now(), first);
    }
  }
}

const nameOf = ({ id }: PaymentLink) => ({ link: publicId('plink', id) });

function isOver(link: PaymentLink, now: Date): boolean {
  const status = paymentLinkStatus(link, now);
  // A debit that was refused has no payment.
  const wasRefused = status === 'failed' && link.providerObjectId === null;
  return status === 'canceled' || status === 'expired' || wasRefused;
}
