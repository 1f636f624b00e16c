import { Injectable } from '@nestjs/common';
import { Accounts } from '../../auth/index.js';
import {
  type FieldChange,
  DocumentPdfs,
  Documents,
  type DocumentView,
  payableOf,
  PortalViews,
} from '../../documents/index.js';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { PortalMoney, type PortalMoneyOfDocument } from './portal-money.js';

/** A document as the holder of a portal token may know it. */
export interface PortalDocument extends PortalMoneyOfDocument {
  view: DocumentView;
  /** The seller's. */
  timeZone: string;
  /** Of a revision: what is not as in the version before it. */
  changes: FieldChange[];
  /** When a person first opened its page. */
  viewedAt: Date | null;
}

/** The same with what only a page shows. */
export interface PortalView extends PortalDocument {
  /** The gateways of the account, by the names that payers know. */
  offers: { gateway: string; title: string }[];
  /** The seller's, as a data URI. */
  logo: string | null;
}

/** Documents as their clients know them. */
@Injectable()
export class PortalDocuments {
  constructor(
    private readonly accounts: Accounts,
    private readonly documents: Documents,
    private readonly pdfs: DocumentPdfs,
    private readonly money: PortalMoney,
    private readonly views: PortalViews,
  ) {}

  /** All that its page would show, for whoever may see it without a token. */
  async page(accountId: Uuid, documentId: Uuid): Promise<PortalView> {
    const document = await this.find(accountId, documentId);
    const [offers, logo] = await Promise.all([
      payableOf(document.view).isPositive() ? this.money.offersOf(accountId) : [],
      this.pdfs.logoOf(accountId, document.view),
    ]);
    return { ...document, offers, logo };
  }

  async find(accountId: Uuid, documentId: Uuid): Promise<PortalDocument> {
    const [found, account] = await Promise.all([
      this.documents.find(accountId, documentId),
      this.accounts.find(accountId),
    ]);
    const today = this.accounts.todayOf(account);
    const view = asClientsKnow(found, today);
    const [changes, money, viewedAt] = await Promise.all([
      this.documents.changesOf(accountId, view),
      this.money.of(accountId, documentId, { found, view, today }),
      this.views.firstOf(accountId, documentId),
    ]);
    return { view, timeZone: account.timeZone, changes, viewedAt, ...money };
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
