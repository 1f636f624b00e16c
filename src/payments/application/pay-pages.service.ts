import { Injectable } from '@nestjs/common';
import type { Actor } from '../../kernel/actor.js';
import { Clock, pause } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Gateway } from '../port/domain/gateway.js';
import { Gateways } from '../port/domain/gateways.js';
import { offeredUrl, type PaymentLink } from '../collecting/domain/payment-link.js';
import { payableAccount } from '../port/infrastructure/gateway-accounts.query.js';
import { PageEndings } from './page-endings.js';
import { PaymentLinks } from '../collecting/application/payment-links.service.js';
import { GatewayRefusal } from '../port/domain/gateway-refusals.js';

/** A client who wants to pay what is due. */
interface PayRequest {
  accountId: Uuid;
  actor: Actor;
  documentId: Uuid;
  /** The only one of the account when null. */
  gateway: string | null;
  despiteProcessing: boolean;
}

/** A link with the page to pay at. */
export interface PayPage extends PaymentLink {
  url: string;
}

const LOOK_AGAIN_MS = 100;
const LONGEST_WAIT_MS = 10_000;

/** The pay pages that a client gets without the integrator: by the account's gateways. */
@Injectable()
export class PayPages {
  constructor(
    private readonly database: Database,
    private readonly gateways: Gateways,
    private readonly links: PaymentLinks,
    private readonly endings: PageEndings,
    private readonly clock: Clock,
  ) {}

  /** The gateways of an account that can make one. */
  async offered(accountId: Uuid): Promise<Gateway[]> {
    const read = this.database.query.bind(this.database);
    const all = await this.gateways.of(await payableAccount({ read }, accountId));
    return all.filter(({ canCheckout }) => canCheckout);
  }

  /** The links that can be paid at their page now. */
  among(links: readonly PaymentLink[]): PayPage[] {
    const now = this.clock.now();
    return links.flatMap((link) => {
      const url = offeredUrl(link, now);
      return url === null ? [] : [{ ...link, url }];
    });
  }

  /**
   * For what is due. Pressed twice, or by many at once, it is the same page, as long as that lasts.
   * @throws DomainError `gateway_not_found`, and what keeps a payment link from being made
   */
  async open({ gateway: name, ...request }: PayRequest): Promise<PayPage> {
    const offered = await this.offered(request.accountId);
    const gateway = offered.find((one) => name === null || one.name === name);
    if (!gateway || (name === null && offered.length > 1)) throw notOffered(offered);
    const { accountId, actor, documentId } = request;
    await this.endings.giveUp({ accountId, actor }, { documentId, gateway: gateway.name });
    const link = await this.links.create({
      ...request,
      gateway: gateway.name,
      amountMinor: null,
      expected: null,
      expiresInDays: null,
      returnUrl: null,
      mayReuse: true,
    });
    return this.withAddress(link);
  }

  /** Somebody else may be asking the provider for the same page just now. */
  private async withAddress(link: PaymentLink): Promise<PayPage> {
    for (let waited = 0; waited < LONGEST_WAIT_MS; waited += LOOK_AGAIN_MS) {
      const { url, status } = link;
      if (url !== null) return { ...link, url };
      if (status !== 'open') break;
      await pause(LOOK_AGAIN_MS);
      link = await this.links.find(link.accountId, link.id);
    }
    throw GatewayRefusal.gateway_unavailable.later(
      2,
      'The provider has not made a pay page; try again in a moment.',
    );
  }
}

function notOffered(offered: readonly Gateway[]): DomainError {
  const names = offered.map(({ name }) => name).join(', ');
  return GatewayRefusal.gateway_not_found.of(
    offered.length === 0
      ? 'The seller takes no payments online.'
      : `Name one of the gateways that the seller offers: ${names}.`,
  );
}
