import { Injectable } from '@nestjs/common';
import { DocumentsQuery } from '../../../documents/index.js';
import { daysAfter } from '../../../kernel/clock.js';
import { publicId } from '../../../kernel/ids.js';
import type { Tx } from '../../../platform/database/tx.js';
import { Config } from '../../../platform/config/config.js';
import type { Checkout } from '../../port/domain/checkout.js';
import type { Gateway } from '../../port/domain/gateway.js';
import type { PaymentLink } from '../domain/payment-link.js';
import { PaymentLinkRepository } from '../infrastructure/payment-link.repository.js';
import { PlannedLookUps } from './planned-look-ups.js';

/** Asks providers for pay pages. */
@Injectable()
export class Checkouts {
  constructor(
    private readonly documents: DocumentsQuery,
    private readonly links: PaymentLinkRepository,
    private readonly lookUps: PlannedLookUps,
    private readonly config: Config,
  ) {}

  /** @param days of the request; those of the configuration when null */
  expiry(now: Date, days: number | null): Date {
    return daysAfter(now, days ?? this.config.paymentLinkDays);
  }

  /** The page of a link that exists, in the language of its document. */
  async make(link: PaymentLink, gateway: Gateway, returnUrl: string | null): Promise<Checkout> {
    const { baseUrl } = this.config;
    const document = await this.documents.find(link.accountId, link.documentId);
    const customer = document?.customer;
    const linkId = publicId('plink', link.id);
    return gateway.createCheckout({
      linkId,
      amount: link.amount,
      description: `Invoice ${document?.number ?? ''}`,
      // A page of ours that names no document, as providers keep its address.
      returnUrl: returnUrl ?? `${baseUrl}/v1/portal/return/${linkId}`,
      expiresAt: link.expiresAt,
      payer: {
        name: customer?.name ?? '',
        email: customer?.email ?? null,
        country: customer?.country ?? null,
      },
      language: document?.language ?? null,
      // Providers refuse an address that they cannot reach, such as that of a laptop.
      webhookUrl: baseUrl.startsWith('https:') ? `${baseUrl}/v1/webhooks/${gateway.name}` : null,
    });
  }

  /** The page is there: it is looked up from now on, in case its events do not come. */
  open(tx: Tx, link: PaymentLink, gateway: Gateway): void {
    this.links.setCheckout(tx, link);
    if (link.providerObjectId === null || !gateway.tellsCheckouts) return;
    this.lookUps.first(tx, link);
  }
}
