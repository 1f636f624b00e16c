import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import { publicId } from '../../../../kernel/ids.js';
import { HeldWork } from '../../../../platform/held-work.js';
import { ClockWatch } from '../../../../platform/observability/clock-watch.js';
import { Gateways } from '../../../port/domain/gateways.js';
import { paymentLinkStatus, type PaymentLink } from '../../../collecting/domain/payment-link.js';
import { CollectionCalls } from '../../../collecting/application/mandates/collection-calls.js';
import { CollectionRetraction } from '../../../collecting/application/mandates/collection-retraction.js';
import { ProviderPayments } from '../provider-payments.service.js';
import { GatewayRefusal } from '../../../port/domain/gateway-refusals.js';

const DAY_MS = 24 * 3_600_000;

/** Asks a provider about the page or the debit of a link, and closes what is not wanted any more. */
@Injectable()
export class CheckoutInquiries {
  constructor(
    private readonly gateways: Gateways,
    private readonly payments: ProviderPayments,
    private readonly collections: CollectionRetraction,
    private readonly calls: CollectionCalls,
    private readonly clock: Clock,
    private readonly watch: ClockWatch,
    private readonly held: HeldWork,
  ) {}

  /** @returns whether it is closed at the provider now */
  async ask(taken: PaymentLink): Promise<boolean> {
    const link = taken.collection ? await this.collections.upToDate(taken) : taken;
    if (link.collection && link.providerObjectId === null) return this.askLost(link);
    const { status, amount, expiresAt, providerObjectId } = link;
    const gateway = await this.gateways.find(link.gateway);
    if (providerObjectId === null) return true;
    // Its page was made with a key: until there is one again, nobody can close it.
    if (!gateway.tellsCheckouts) return false;
    const page = { linkId: publicId('plink', link.id), providerObjectId, amount, expiresAt };
    // Nobody can open it again, so a clock that was set forwards must not close it.
    const isLongOver = status === 'open' && expiresAt <= this.watch.longAgo(DAY_MS);
    const closes = status === 'canceled' || isLongOver;
    if (closes) await gateway.cancelCheckout(page);
    // After it was closed, as somebody may have paid until then.
    await this.payments.receiveAll(gateway, await gateway.lookUpCheckout(page));
    return closes;
  }

  /** A debit of which nobody knows whether the provider got it. */
  private async askLost(link: PaymentLink): Promise<boolean> {
    const { canceledAt, expiresAt } = link;
    const status = paymentLinkStatus(link, this.clock.now());
    if (status === 'open') {
      if (await this.held.isHeld('collections')) return this.askHeld(link);
      const sent = await this.calls.send(link, true).catch(refusalIsWritten);
      return sent === undefined || (sent.providerObjectId !== null && this.ask(sent));
    }
    if (status !== 'canceled' && status !== 'expired') return true;
    const found = await this.calls.findLost(link);
    if (found) return this.ask(found);
    // A call may be on its way still, but not for a day.
    return (canceledAt ?? expiresAt) <= this.watch.longAgo(DAY_MS);
  }

  /** After a restore it is looked for, and sent when somebody gives the word. */
  private async askHeld(link: PaymentLink): Promise<boolean> {
    const found = await this.calls.findLost(link);
    return found !== undefined && this.ask(found);
  }
}

function refusalIsWritten(error: unknown): undefined {
  if (GatewayRefusal.gateway_refused.is(error)) return undefined;
  throw error;
}
