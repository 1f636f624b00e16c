import { Injectable } from '@nestjs/common';
import { Documents, type DocumentView, PortalTokens } from '../../documents/index.js';
import { Clock } from '../../kernel/clock.js';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { linkStatus, PaymentLinks } from '../../payments/index.js';

/** A document as the holder of a portal token sees it, and where they can pay it. */
export interface PortalView {
  view: DocumentView;
  payLinks: { label: string; url: string }[];
}

@Injectable()
export class PortalPages {
  constructor(
    private readonly tokens: PortalTokens,
    private readonly documents: Documents,
    private readonly links: PaymentLinks,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError `portal_link_not_found` */
  async open(token: string): Promise<PortalView> {
    const { accountId, documentId } = await this.tokens.resolve(token);
    const view = await this.documents.find(accountId, documentId);
    return { view, payLinks: await this.payLinks(accountId, view) };
  }

  private async payLinks(accountId: Uuid, view: DocumentView): Promise<PortalView['payLinks']> {
    if (!view.amountDue.isPositive()) return [];
    const now = this.clock.now();
    const links = await this.links.ofDocument(accountId, uuidOf('doc', view.id) ?? '');
    return links.flatMap((link) =>
      link.url && linkStatus(link, now) === 'open' ? [{ label: link.gateway, url: link.url }] : [],
    );
  }
}
