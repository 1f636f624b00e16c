import { Injectable } from '@nestjs/common';
import {
  type Document,
  DocumentRepository,
  DocumentWriter,
  type LeadingEvent,
} from '../../../documents/index.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { Tx } from '../../../platform/database/tx.js';
import type { Gateway } from '../../port/domain/gateway.js';
import type {
  FailedReport,
  PaidReport,
  ProcessingReport,
} from '../../port/domain/provider-report.js';
import {
  failedLink,
  paidLink,
  type PaymentLink,
  processingChange,
  processingLink,
  unmatchedLink,
} from '../domain/payment-link.js';
import { presentPaymentLink } from '../wire/payment-link.js';
import { DebitRetries } from './mandates/debit-retries.js';
import { PaymentLinkRepository } from '../infrastructure/payment-link.repository.js';

/** A link and its document, locked. */
interface LockedLink {
  document: Document;
  link: PaymentLink;
}

/** Moves links as providers tell of their money, with what their documents expect. */
@Injectable()
export class PaymentLinkReports {
  constructor(
    private readonly documents: DocumentRepository,
    private readonly writer: DocumentWriter,
    private readonly links: PaymentLinkRepository,
    private readonly retries: DebitRetries,
  ) {}

  /** The link that a report names; asked before the transaction, as it may take a connection. */
  async idNamedBy(
    gateway: Gateway,
    report: ProcessingReport | FailedReport | PaidReport,
  ): Promise<Uuid | undefined> {
    return this.links.idNamedBy(gateway.name, report);
  }

  /** Locks the document of a link. Links have no lock of their own. */
  async lock(
    tx: Tx,
    id: Uuid,
  ): Promise<{ document: Document | undefined; link: PaymentLink | undefined }> {
    const [document, link] = await Promise.all([
      this.documents.findForUpdateBy(tx, this.links.documentOf(id)),
      this.links.findById(tx, id),
    ]);
    return { document, link };
  }

  /** Late and repeated reports change nothing: what was said last of the money counts. */
  async apply(
    tx: Tx,
    gateway: Gateway,
    report: ProcessingReport | FailedReport,
    id: Uuid,
  ): Promise<void> {
    const { document, link } = await this.lock(tx, id);
    if (!document || link?.gateway !== gateway.name) return;
    const next = nextLink(link, report);
    if (next && next.status === link.status) this.links.setProgress(tx, next);
    else if (next) {
      const more =
        next.status === 'failed' ? await this.retries.afterFailure(tx, document, next) : [];
      this.save(tx, gateway.name, { document, link }, next, more);
    }
  }

  /** The document takes the money. @returns what is told of the link */
  paid(tx: Tx, { document, link }: LockedLink, paidAt: Date): LeadingEvent[] {
    const paid = paidLink(link, paidAt);
    if (!paid) return [];
    document.held.expect(processingChange(link, paid));
    this.links.markPaid(tx, link, paidAt);
    return [{ type: 'payment_link.paid', data: shown(tx, paid) }];
  }

  /** The money is here, and the document cannot take it. @returns what is told of the link */
  unmatched(tx: Tx, { document, link }: LockedLink, paidAt: Date): LeadingEvent[] {
    const unmatched = unmatchedLink(link, paidAt);
    if (!unmatched) return [];
    document.held.expect(processingChange(link, unmatched));
    this.links.setProgress(tx, unmatched);
    return [{ type: 'payment_link.unmatched', data: shown(tx, unmatched) }];
  }

  /** The money is in a provider account that is not this account's: none comes here. */
  foreign(tx: Tx, gateway: string, locked: LockedLink, at: Date): void {
    const { link } = locked;
    const failed = link.status === 'processing' && failedLink(link, at, 'foreign_gateway');
    if (failed) this.save(tx, gateway, locked, failed);
  }

  private save(
    tx: Tx,
    gateway: string,
    { document, link }: LockedLink,
    next: PaymentLink,
    more: LeadingEvent[] = [],
  ): void {
    document.held.expect(processingChange(link, next));
    this.links.setProgress(tx, next);
    const type =
      next.status === 'processing'
        ? ('payment_link.processing' as const)
        : ('payment_link.failed' as const);
    const actor = { type: 'gateway', id: gateway } as const;
    this.writer.save(tx, document, actor, [{ type, data: shown(tx, next) }, ...more]);
  }
}

function shown(tx: Tx, link: PaymentLink) {
  return { payment_link: presentPaymentLink(link, tx.now()) };
}

function nextLink(link: PaymentLink, report: ProcessingReport | FailedReport): PaymentLink | null {
  if (report.kind === 'processing') return processingLink(link, report.at);
  const { status, processingAt } = link;
  const isOld = processingAt !== null && processingAt > report.at;
  // Paid by another payment.
  if (status === 'paid' || status === 'unmatched' || isOld) return null;
  const isEnd = report.isFinal || status === 'processing';
  return (isEnd ? failedLink(link, report.at, report.reason) : null) ?? failedTry(link, report);
}

/** A link that is open for another try, or canceled: what is told late of this try is old then. */
function failedTry(link: PaymentLink, { at, reason }: FailedReport): PaymentLink | null {
  if (link.status === 'failed' || (link.failedAt !== null && link.failedAt >= at)) return null;
  return { ...link, failedAt: at, failure: reason };
}
