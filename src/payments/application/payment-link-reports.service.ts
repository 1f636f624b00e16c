import { Injectable } from '@nestjs/common';
import { DocumentRepository, DocumentWriter } from '../../documents/index.js';
import { Clock } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import type { Gateway } from '../domain/gateway.js';
import type { FailedReport, ProcessingReport } from '../domain/provider-report.js';
import { failedLink, type PaymentLink, processingLink } from '../domain/payment-link.js';
import { presentPaymentLink } from '../domain/present-payment-link.js';
import { PaymentLinkRepository } from '../infrastructure/payment-link.repository.js';

/** Moves links as providers tell of money that is on its way, or that did not come. */
@Injectable()
export class PaymentLinkReports {
  constructor(
    private readonly documents: DocumentRepository,
    private readonly writer: DocumentWriter,
    private readonly links: PaymentLinkRepository,
    private readonly clock: Clock,
  ) {}

  /** The link that a report names; asked before the transaction, as it may take a connection. */
  async idNamedBy(
    gateway: Gateway,
    report: ProcessingReport | FailedReport,
  ): Promise<Uuid | undefined> {
    return this.links.idNamedBy(gateway.name, report);
  }

  /** Late and repeated reports change nothing: what was said last of the money counts. */
  async apply(
    tx: Tx,
    gateway: Gateway,
    report: ProcessingReport | FailedReport,
    id: Uuid,
  ): Promise<void> {
    const [document, link] = await Promise.all([
      this.documents.findForUpdateBy(tx, this.links.documentOf(id)),
      this.links.findById(tx, id),
    ]);
    if (!document || link?.gateway !== gateway.name) return;
    const next = nextLink(link, report);
    if (!next) return;
    this.links.setProgress(tx, next);
    const type =
      next.status === 'processing'
        ? ('payment_link.processing' as const)
        : ('payment_link.failed' as const);
    const data = { payment_link: presentPaymentLink(next, this.clock.now()) };
    this.writer.save(tx, document, { type: 'gateway', id: gateway.name }, [{ type, data }]);
  }
}

function nextLink(link: PaymentLink, report: ProcessingReport | FailedReport): PaymentLink | null {
  if (report.kind === 'processing') return processingLink(link, report.at);
  const { status, processingAt } = link;
  const isOld = processingAt !== null && processingAt > report.at;
  // Paid by another payment, or still open for another try.
  if (status === 'paid' || isOld || (!report.isFinal && status !== 'processing')) return null;
  return failedLink(link, report.at, report.reason);
}
