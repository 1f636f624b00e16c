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
import {
  type PaymentLink,
  PaymentLinks,
  paymentLinkStatus,
  type PayPage,
  PayPages,
} from '../../payments/index.js';

/** A document as the holder of a portal token may know it. */
export interface PortalDocument {
  view: DocumentView;
  /** Of a revision: what is not as in the version before it. */
  changes: FieldChange[];
  /** Money that a provider has on its way. */
  processing: { amount: Money; since: Date }[];
  /** All that were ever made for it. */
  links: PaymentLink[];
  /** Those that it can be paid at now. */
  payLinks: PayPage[];
}

/** The same with what only a page shows. */
export interface PortalView extends PortalDocument {
  /** The gateways of the account, by the names that payers know. */
  offers: { gateway: string; title: string }[];
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
    private readonly payPages: PayPages,
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
    const [{ timeZone }, offers, logo] = await Promise.all([
      this.accounts.find(accountId),
      payableOf(document.view).isPositive() ? this.offersOf(accountId) : [],
      this.pdfs.logoOf(accountId, document.view),
    ]);
    return { ...document, offers, timeZone, logo };
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
    return { view, changes, links, processing, payLinks: this.payLinksOf(view, links) };
  }

  private payLinksOf(view: DocumentView, links: readonly PaymentLink[]): PayPage[] {
    if (!payableOf(view).isPositive()) return [];
    const now = this.clock.now();
    return links.flatMap((link) =>
      link.url !== null && paymentLinkStatus(link, now) === 'open'
        ? [{ ...link, url: link.url }]
        : [],
    );
  }

  private async offersOf(accountId: Uuid): Promise<PortalView['offers']> {
    const offered = await this.payPages.offered(accountId);
    const isShared = (title: string) => offered.filter((one) => one.title === title).length > 1;
    return offered.map(({ name, title }) => ({
      gateway: name,
      title: title === null || isShared(title) ? name : title,
    }));
  }
}
