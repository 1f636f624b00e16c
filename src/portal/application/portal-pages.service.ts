import { Injectable } from '@nestjs/common';
import { Accounts } from '../../auth/index.js';
import {
  type FieldChange,
  DocumentPdfs,
  Documents,
  type DocumentView,
  payableOf,
  PortalTokens,
} from '../../documents/index.js';
import { Clock } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Money } from '../../kernel/money.js';
import { PaymentLinks, paymentLinkStatus } from '../../payments/index.js';

/** A document as the holder of a portal token may know it. */
export interface PortalDocument {
  view: DocumentView;
  /** Of a revision: what is not as in the version before it. */
  changes: FieldChange[];
  /** Money that a provider has on its way. */
  processing: { amount: Money; since: Date }[];
}

/** The same with what only a page shows. */
export interface PortalView extends PortalDocument {
  payLinks: { gateway: string; url: string }[];
  /** The seller's. */
  timeZone: string;
  /** The seller's, as a data URI. */
  logo: string | null;
}

@Injectable()
export class PortalPages {
  constructor(
    private readonly accounts: Accounts,
    private readonly tokens: PortalTokens,
    private readonly documents: Documents,
    private readonly pdfs: DocumentPdfs,
    private readonly links: PaymentLinks,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError `portal_link_not_found` */
  async open(token: string): Promise<PortalDocument> {
    const { accountId, documentId } = await this.tokens.resolve(token);
    return this.documentOf(accountId, documentId);
  }

  /** @throws DomainError `portal_link_not_found` */
  async openPage(token: string): Promise<PortalView> {
    const { accountId, documentId } = await this.tokens.resolve(token);
    const document = await this.documentOf(accountId, documentId);
    const [{ timeZone }, payLinks, logo] = await Promise.all([
      this.accounts.find(accountId),
      this.payLinks(accountId, documentId, document.view),
      this.pdfs.logoOf(accountId, document.view),
    ]);
    return { ...document, timeZone, payLinks, logo };
  }

  private async documentOf(accountId: Uuid, documentId: Uuid): Promise<PortalDocument> {
    const view = await this.documents.find(accountId, documentId);
    const [changes, links] = await Promise.all([
      this.documents.changesOf(accountId, view),
      view.kind === 'invoice' ? this.links.ofDocument(accountId, documentId) : [],
    ]);
    const processing = links.flatMap(({ status, amount, processingAt: since }) =>
      status === 'processing' && since ? [{ amount, since }] : [],
    );
    return { view, changes, processing };
  }

  private async payLinks(
    accountId: Uuid,
    documentId: Uuid,
    view: DocumentView,
  ): Promise<PortalView['payLinks']> {
    if (!payableOf(view).isPositive()) return [];
    const now = this.clock.now();
    const links = await this.links.ofDocument(accountId, documentId);
    return links.flatMap((link) =>
      link.url && paymentLinkStatus(link, now) === 'open'
        ? [{ gateway: link.gateway, url: link.url }]
        : [],
    );
  }
}
