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

/** A document as the holder of a portal token may know it. */
export interface PortalDocument {
  view: DocumentView;
  /** The seller's. */
  timeZone: string;
  /** Of a revision: what is not as in the version before it. */
  changes: FieldChange[];
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
  /** When a person first opened its page. */
  viewedAt: Date | null;
  /** All links that were ever made for the document. */
  links: PaymentLink[];
  /** Those that it can be paid at now. */
  payLinks: PayPage[];
}

/** The same with what only a page shows. */
export interface PortalView extends PortalDocument {
  /** The gateways of the account, by the names that payers know. */
  offers: { gateway: string; title: string }[];
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
    private readonly planned: PlannedCollections,
    private readonly settlements: SettlementsQuery,
  ) {}

  async open(token: string): Promise<PortalDocument> {
    const { accountId, documentId } = await this.tokens.resolve(token);
    return this.documentOf(accountId, documentId);
  }

  /** @param isPerson their visit is kept */
  async openPage(token: string, isPerson = false): Promise<PortalView> {
    const opened = await this.tokens.resolve(token);
    if (isPerson) await this.tokens.noteView(opened);
    return this.ofDocument(opened.accountId, opened.documentId);
  }

  /** All that its page would show, for whoever may see it without a token. */
  async ofDocument(accountId: Uuid, documentId: Uuid): Promise<PortalView> {
    const document = await this.documentOf(accountId, documentId);
    const [offers, logo] = await Promise.all([
      payableOf(document.view).isPositive() ? this.offersOf(accountId) : [],
      this.pdfs.logoOf(accountId, document.view),
    ]);
    return { ...document, offers, logo };
  }

  /** The same for a receipt, with the account whose turn it is to print. */
  async openReceipt(token: string): Promise<PortalView & { accountId: Uuid }> {
    const { accountId } = await this.tokens.resolve(token);
    return { ...(await this.openPage(token)), accountId };
  }

  private async documentOf(accountId: Uuid, documentId: Uuid): Promise<PortalDocument> {
    const [found, account] = await Promise.all([
      this.documents.find(accountId, documentId),
      this.accounts.find(accountId),
    ]);
    const today = this.accounts.todayOf(account);
    const view = asClientsKnow(found, today);
    const isPaid = view.amountPaid.isPositive() || view.amountPrepaid.isPositive();
    const [changes, { links, collection }, settled, refunds, viewedAt] = await Promise.all([
      this.documents.changesOf(accountId, view),
      this.linksOf(accountId, documentId, found, today),
      isPaid ? this.settlements.ofDocument(accountId, documentId, view.currency) : null,
      isPaid ? this.settlements.refundsOf(accountId, documentId) : [],
      this.tokens.firstViewOf(accountId, documentId),
    ]);
    const processing = links.flatMap(({ status, amount, processingAt: since }) =>
      status === 'processing' && since ? [{ amount, since }] : [],
    );
    const payLinks = payableOf(view).isPositive() ? this.payPages.among(links) : [];
    return {
      view,
      timeZone: account.timeZone,
      changes,
      payments: settled?.payments ?? [],
      credited: settled?.credited ?? Money.zero(view.currency),
      notCounted: view.amountPrepaid.minus(settled?.prepaidHere ?? view.amountPrepaid),
      refunds,
      viewedAt,
      links,
      processing,
      collection,
      payLinks,
    };
  }

  private async linksOf(
    accountId: Uuid,
    documentId: Uuid,
    view: DocumentView,
    today: IsoDate,
  ): Promise<Pick<PortalDocument, 'links' | 'collection'>> {
    const links = view.kind === 'invoice' ? await this.links.ofDocument(accountId, documentId) : [];
    return { links, collection: await this.planned.of(accountId, view, links, today) };
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

/**
 * Without the seller's bookkeeping: an invoice that was written off is open to its client, and may
 * be paid as before.
 */
function asClientsKnow(view: DocumentView, today: IsoDate): DocumentView {
  if (view.status !== 'uncollectible') return view;
  const status = view.amountPaid.isPositive() ? 'partially_paid' : 'open';
  return {
    ...view,
    status,
    availableActions: view.availableActions.map(({ action, refusal }) => ({
      action,
      refusal: refusal && { ...refusal, reason: refusal.reason.replace(view.status, status) },
    })),
    isOverdue: view.dueDate !== null && view.dueDate < today,
    amountDue: view.amountDue.plus(view.amountWrittenOff),
    amountWrittenOff: view.amountWrittenOff.minus(view.amountWrittenOff),
    loss: null,
    transitions: { ...view.transitions, written_off: null },
  };
}
