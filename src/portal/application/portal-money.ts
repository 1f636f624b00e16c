import { Injectable } from '@nestjs/common';
import { type DocumentView, payableOf } from '../../documents/index.js';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import {
  type PaymentLink,
  PaymentLinks,
  type PayPage,
  PayPages,
  type PlannedCollection,
  PlannedCollections,
  type SettledBack,
  type Settlement,
  SettlementsQuery,
} from '../../payments/index.js';

/** How a document was paid and can be, as its client may know it. */
export interface PortalMoneyOfDocument {
  /** Money that a provider has on its way. */
  processing: { amount: Money; since: Date }[];
  /** The debit that will come, so that nothing need be paid. */
  collection: PlannedCollection | null;
  payments: Settlement[];
  /** The parts of them that were above what was due, and became credit. */
  credited: Money;
  /** The money that paper says came before the issue, and that is not here any more. */
  notCounted: Money;
  refunds: SettledBack[];
  /** All links that were ever made for the document. */
  links: PaymentLink[];
  /** Those that it can be paid at now. */
  payLinks: PayPage[];
}

@Injectable()
export class PortalMoney {
  constructor(
    private readonly links: PaymentLinks,
    private readonly payPages: PayPages,
    private readonly planned: PlannedCollections,
    private readonly settlements: SettlementsQuery,
  ) {}

  /** @param view `found` as clients know it */
  async of(
    accountId: Uuid,
    documentId: Uuid,
    { found, view, today }: { found: DocumentView; view: DocumentView; today: IsoDate },
  ): Promise<PortalMoneyOfDocument> {
    const isPaid = view.amountPaid.isPositive() || view.amountPrepaid.isPositive();
    const [{ links, collection }, settled, refunds] = await Promise.all([
      this.linksOf(accountId, documentId, found, today),
      isPaid ? this.settlements.ofDocument(accountId, documentId, view.currency) : null,
      isPaid ? this.settlements.refundsOf(accountId, documentId) : [],
    ]);
    const processing = links.flatMap(({ status, amount, processingAt: since }) =>
      status === 'processing' && since ? [{ amount, since }] : [],
    );
    const payLinks = payableOf(view).isPositive() ? this.payPages.among(links) : [];
    return {
      processing,
      collection,
      payments: settled?.payments ?? [],
      credited: settled?.credited ?? Money.zero(view.currency),
      notCounted: view.amountPrepaid.minus(settled?.prepaidHere ?? view.amountPrepaid),
      refunds,
      links,
      payLinks,
    };
  }

  /** The gateways of the account, by the names that payers know. */
  async offersOf(accountId: Uuid): Promise<{ gateway: string; title: string }[]> {
    const offered = await this.payPages.offered(accountId);
    const isShared = (title: string) => offered.filter((one) => one.title === title).length > 1;
    return offered.map(({ name, title }) => ({
      gateway: name,
      title: title === null || isShared(title) ? name : title,
    }));
  }

  private async linksOf(
    accountId: Uuid,
    documentId: Uuid,
    view: DocumentView,
    today: IsoDate,
  ): Promise<Pick<PortalMoneyOfDocument, 'links' | 'collection'>> {
    const links = view.kind === 'invoice' ? await this.links.ofDocument(accountId, documentId) : [];
    return { links, collection: await this.planned.of(accountId, view, links, today) };
  }
}
