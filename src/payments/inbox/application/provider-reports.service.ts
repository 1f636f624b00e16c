import { Injectable } from '@nestjs/common';
import type { Document } from '../../../documents/index.js';
import { isBelievable } from '../../../kernel/fact-dates.js';
import { LARGEST_AMOUNT_MINOR } from '../../../kernel/money.js';
import type { Tx } from '../../../platform/database/tx.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import type { Gateway } from '../../port/domain/gateway.js';
import type { PaidReport, ProviderReport } from '../../port/domain/provider-report.js';
import type { NewPayment } from '../../recording/domain/payment.js';
import type { PaymentLink } from '../../collecting/domain/payment-link.js';
import type { EarlyReport } from '../../port/domain/early-report.js';
import {
  asToldOf,
  contradiction,
  itemOf,
  subjectOf,
} from '../../recording/domain/unmatched-item.js';
import { type ToldPayment } from '../../port/domain/early-report.js';
import type { UnmatchedReason, WebhookOutcome } from '../../port/domain/webhook-outcome.js';
import { holderOfLink } from '../../port/infrastructure/gateway-accounts.query.js';
import { ProviderReportRepository } from '../../port/infrastructure/provider-report.repository.js';
import {
  closeItem,
  keepUnmatchedItem,
} from '../../recording/infrastructure/unmatched-item.repository.js';
import { discountFor } from '../../recording/application/cash-discounts.js';
import { PaymentLinkReports } from '../../collecting/application/payment-link-reports.service.js';
import { PaymentWriter } from '../../recording/application/payment-writer.js';
import { UnmatchedReceiptWriter } from '../../recording/application/unmatched-receipt-writer.js';

/** The subject of a report: a link of ours, and its document, locked. */
interface OfLink {
  document: Document;
  link: PaymentLink;
  /** The gateway is not of the link's account, so the money is not there either. */
  isForeign: boolean;
}

interface AppliedReport {
  outcome: WebhookOutcome;
  /** Told before the payment was: it has to meet them. */
  early: EarlyReport[];
  /** A payout waits for the payment. */
  isAwaited: boolean;
}

/**
 * Books what a provider reported and confirmed, once: whatever is repeated, reordered or sent twice
 * at the same time. Money that was taken is never refused; where no document can take it, it is kept
 * as a receipt with the reason.
 */
@Injectable()
export class ProviderReports {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly links: PaymentLinkReports,
    private readonly reports: ProviderReportRepository,
    private readonly payments: PaymentWriter,
    private readonly unmatched: UnmatchedReceiptWriter,
  ) {}

  /** Keeps the event of what is booked already. @throws InvalidSignature as `apply` */
  async keepBooked(
    { name }: Gateway,
    { eventId, eventType, fingerprint }: ProviderReport,
  ): Promise<WebhookOutcome> {
    const event = { eventId, eventType, fingerprint };
    const shared = { owner: name, rows: [], isRepeatable: true };
    return this.uow.runInGroup(shared, async (tx) => {
      const { outcome: known } = await this.reports.told(tx, name, event, null);
      if (!known) this.reports.insertEvent(tx, name, event, 'ok', tx.now());
      return known ?? 'ok';
    });
  }

  /** @throws InvalidSignature when the event id came with another body */
  async apply(gateway: Gateway, came: ProviderReport): Promise<AppliedReport> {
    const linkId = came.kind === 'paid' ? await this.links.idNamedBy(gateway, came) : undefined;
    const shared = {
      owner: gateway.name,
      rows: linkId ? [linkId] : [],
      isRepeatable: true,
    };
    return this.uow.runInGroup(shared, async (tx) => {
      const paymentId = came.kind === 'paid' ? came.providerPaymentId : null;
      // The locks come first: what is read after them cannot change any more.
      const [, locked, told, holder] = await Promise.all([
        paymentId === null
          ? undefined
          : this.reports.lock(tx, gateway.name, paymentId, linkId ? [linkId] : []),
        linkId ? this.links.lock(tx, linkId) : undefined,
        this.reports.told(tx, gateway.name, came, paymentId),
        linkId ? holderOfLink(tx, gateway, linkId) : undefined,
      ]);
      const { document, link } = locked ?? {};
      const { outcome: known, receipt: first, hasItem, early, isAwaited } = told;
      if (known) return { outcome: known, early, isAwaited };
      const report = came.kind === 'paid' ? asToldOf(came, first) : came;
      const isFurther = report !== came;
      const receipt =
        isFurther && report.kind === 'paid'
          ? await this.reports.receiptOf(tx, gateway.name, report.providerPaymentId)
          : first;
      const dated = report.kind === 'paid' ? believable(report, tx.now()) : report;
      const isForeign =
        link && holder ? !gateway.isOf({ ...holder, accountId: link.accountId }) : false;
      const of =
        document && link && (isForeign || link.gateway === gateway.name)
          ? { document, link, isForeign }
          : undefined;
      const other =
        report.kind === 'paid' && receipt ? contradiction(report, receipt, link?.id ?? null) : null;
      const outcome = other ? 'ignored' : await this.outcomeOf(tx, gateway, dated, of, receipt);
      const isKept = receipt !== undefined || (of !== undefined && !of.isForeign);
      const item = other ?? itemOf(report, outcome, report.kind === 'paid' && isKept);
      if (item) keepUnmatchedItem(tx, gateway, item, tx.now());
      if (paymentId !== null && hasItem && !receipt && isKept && !isFurther) {
        const item = { providerPaymentId: paymentId, subject: subjectOf.payment(paymentId) };
        const reason = 'The payment was told again with its payment link, and is in the books.';
        closeItem(tx, gateway.name, item, reason, tx.now());
      }
      this.reports.insertEvent(tx, gateway.name, report, outcome, tx.now());
      return { outcome, early, isAwaited };
    });
  }

  private async outcomeOf(
    tx: Tx,
    gateway: Gateway,
    report: ProviderReport,
    of: OfLink | undefined,
    receipt: ToldPayment | undefined,
  ): Promise<WebhookOutcome> {
    if (report.kind === 'approved') return report.linkId === null ? 'no_link_id' : 'ignored';
    if (report.kind !== 'paid') return 'ignored';
    if (receipt) return receipt.unmatched === null ? 'ok' : 'ignored';
    if (!of && report.linkId === null) return 'no_link_id';
    const unmatched = whyUnmatched(report, of);
    if (unmatched === null && of) {
      await this.settle(tx, gateway, report, of);
      return 'ok';
    }
    // Money in somebody else's provider account is not this account's to keep.
    const keeper = of?.isForeign ? undefined : of;
    this.keep(tx, gateway.name, report, keeper, unmatched ?? 'unknown_link');
    if (of?.isForeign) this.links.foreign(tx, gateway.name, of, report.paidAt);
    return 'ignored';
  }

  /** The money lands on the document; what is above the amount due becomes customer credit. */
  private async settle(
    tx: Tx,
    gateway: Gateway,
    report: PaidReport,
    { document, link }: OfLink,
  ): Promise<void> {
    const now = tx.now();
    const { amount, paidAt } = report;
    const discount = await discountFor(tx, document, amount, paidAt);
    const also = this.links.paid(tx, { document, link }, paidAt);
    await this.payments.loadNotes(tx, document, amount);
    const { applied, waived } = document.recordPayment(amount, 'credit', discount);
    const made: NewPayment = {
      accountId: link.accountId,
      customerId: document.state.customerId,
      documentId: link.documentId,
      amount: report.amount,
      applied,
      conversion: null,
      fee: report.fee,
      method: gateway.method,
      reference: report.providerPaymentId.slice(0, 255),
      note: report.note ?? null,
      metadata: {},
      paidAt: report.paidAt,
      recordedAt: now,
      source: {
        by: 'gateway',
        gateway: gateway.name,
        providerPaymentId: report.providerPaymentId,
        paymentLinkId: link.id,
      },
    };
    const payment = this.payments.write(tx, made, [{ document, applied, waived }], also);
    const { accountId, id: paymentLinkId } = link;
    const receipt = { accountId, paymentLinkId, paymentId: payment.id, unmatched: null };
    this.reports.insertProviderReceipt(tx, gateway.name, report, receipt, now);
  }

  private keep(
    tx: Tx,
    gateway: string,
    report: PaidReport,
    of: OfLink | undefined,
    unmatched: UnmatchedReason,
  ): void {
    const now = tx.now();
    const accountId = of?.link.accountId ?? null;
    const paymentLinkId = of?.link.id ?? null;
    const receipt = { accountId, paymentLinkId, paymentId: null, unmatched };
    this.reports.insertProviderReceipt(tx, gateway, report, receipt, now);
    if (!of) return;
    const { link, document } = of;
    const taken = {
      accountId: link.accountId,
      gateway,
      providerPaymentId: report.providerPaymentId,
      amount: report.amount,
      fee: report.fee,
      reason: unmatched,
      documentId: link.documentId,
      paymentLinkId: link.id,
      linkReference: report.linkId,
      paidAt: report.paidAt,
      receivedAt: now,
    };
    // Word that may be forged closes no page; but nobody is to wait for money that a person looks at.
    const isEnd = unmatched !== 'unconfirmed' || link.status === 'processing';
    const also = isEnd ? this.links.unmatched(tx, of, report.paidAt) : [];
    this.unmatched.keep(tx, taken, { type: 'gateway', id: gateway }, document, { also });
  }
}

/** An absurd date counts for now, and the payment says so: money is never refused. */
function believable(report: PaidReport, now: Date): PaidReport {
  const { paidAt } = report;
  if (isBelievable(paidAt, now)) return report;
  const told = Number.isNaN(paidAt.getTime()) ? 'no date' : paidAt.toISOString();
  const note = `The provider dated it ${told}, which cannot be; it counts for the day it was told.`;
  return { ...report, paidAt: now, note };
}

function whyUnmatched(report: PaidReport, of: OfLink | undefined): UnmatchedReason | null {
  if (!of) return 'unknown_link';
  if (of.isForeign) return 'foreign_gateway';
  if (report.unconfirmed) return 'unconfirmed';
  const { currency } = of.document.state;
  if (report.amount.currency !== currency) return 'currency_mismatch';
  if (report.amount.minor > LARGEST_AMOUNT_MINOR) return 'amount_too_large';
  return of.document.refusalOf('pay') ? 'document_not_payable' : null;
}
