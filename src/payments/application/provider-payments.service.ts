import { Injectable } from '@nestjs/common';
import {
  type Document,
  DocumentRepository,
  Documents,
  DocumentWriter,
} from '../../documents/index.js';
import { Clock } from '../../kernel/clock.js';
import { IdGenerator, type Uuid, uuidOf } from '../../kernel/ids.js';
import { LARGEST_AMOUNT_MINOR } from '../../kernel/money.js';
import { type Tx, UnitOfWork } from '../../platform/database/unit-of-work.js';
import {
  type Gateway,
  InvalidSignature,
  type PaidReport,
  type ProviderReport,
} from '../domain/gateway.js';
import type { Payment } from '../domain/payment.js';
import { canBecome, linkStatus, type PaymentLink } from '../domain/payment-link.js';
import { presentPaymentLink } from '../domain/present-payment-link.js';
import { openReceipt, presentUnmatched } from '../domain/unmatched-receipt.js';
import type { UnmatchedReason, WebhookOutcome } from '../domain/webhook-outcome.js';
import { isOfOnlyAccount } from '../infrastructure/gateway-owners.query.js';
import { PaymentLinkRepository } from '../infrastructure/payment-link.repository.js';
import { ProviderReportRepository } from '../infrastructure/provider-report.repository.js';
import { PaymentWriter } from './payment-writer.js';
import { ProviderRefunds } from './provider-refunds.service.js';
import { UnmatchedReceipts } from './unmatched-receipts.service.js';

type ReturnedReport = Extract<ProviderReport, { kind: 'refund' | 'refunded_in_all' }>;
type MoneyReport = Extract<ProviderReport, { kind: 'paid' | 'approved' }>;

interface Home {
  document: Document;
  link: PaymentLink;
  /** The gateway is not of the link's account, so the money is not there either. */
  isForeign: boolean;
}

/**
 * Applies what a provider reported, once: whatever is repeated, reordered or sent twice at the same
 * time. Money that was taken is never refused; where no document can take it, it is kept as a
 * receipt with the reason.
 */
@Injectable()
export class ProviderPayments {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly documents: Documents,
    private readonly writer: DocumentWriter,
    private readonly documentRepository: DocumentRepository,
    private readonly links: PaymentLinkRepository,
    private readonly reports: ProviderReportRepository,
    private readonly payments: PaymentWriter,
    private readonly receipts: UnmatchedReceipts,
    private readonly refunds: ProviderRefunds,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
  ) {}

  /**
   * Confirms a verified report with its provider, outside any transaction, and applies it.
   * @throws InvalidSignature when the provider denies it, or the event id came with another body
   * @throws DomainError `gateway_unavailable`, `database_unavailable`: to be sent again
   */
  async receive(gateway: Gateway, report: ProviderReport): Promise<WebhookOutcome> {
    if (report.kind === 'irrelevant') return this.apply(gateway, report);
    if (report.kind === 'refund' || report.kind === 'refunded_in_all') {
      return this.takeReturned(gateway, report);
    }
    // To confirm an approval takes the payer's money: only for a link that still wants it.
    const wanted = report.kind === 'paid' || (await this.isWanted(gateway, report));
    return this.apply(gateway, wanted ? await gateway.confirm(report) : report);
  }

  /** Settled before the event is kept: what broke in between is repeated, and then finds it done. */
  private async takeReturned(gateway: Gateway, report: ReturnedReport): Promise<WebhookOutcome> {
    const told = await gateway.confirm(report);
    if (told.kind !== 'refund' && told.kind !== 'refunded_in_all') return this.apply(gateway, told);
    const review = await this.refunds.receive(gateway, told);
    const { eventId, eventType, fingerprint } = told;
    const event = { eventId, eventType, fingerprint, kind: 'irrelevant' as const };
    return this.apply(gateway, review === null ? event : { ...event, review }, review === null);
  }

  private async isWanted(gateway: Gateway, report: MoneyReport): Promise<boolean> {
    const linkId = await this.linkIdOf(gateway.name, report);
    const link = linkId && (await this.links.findAny(linkId));
    if (!link || link.gateway !== gateway.name) return false;
    const isOnly = await this.uow.run(async (tx) => this.isOfOnly(tx, gateway, link.id));
    if (!gateway.isOf(link.accountId, isOnly)) return false;
    if (linkStatus(link, this.clock.now()) !== 'open') return false;
    const { status } = await this.documents.find(link.accountId, link.documentId);
    return status === 'open' || status === 'partially_paid';
  }

  /** @param isDone where it had its effect already */
  private async apply(
    gateway: Gateway,
    report: ProviderReport,
    isDone = false,
  ): Promise<WebhookOutcome> {
    const linkId = report.kind === 'paid' ? await this.linkIdOf(gateway.name, report) : null;
    return this.uow.run(async (tx) => {
      // The document's lock comes first: what is read after it cannot change any more.
      const [document, link, event, receipt, isOnly] = await Promise.all([
        linkId ? this.documentRepository.findByPaymentLinkForUpdate(tx, linkId) : undefined,
        linkId ? this.links.findById(tx, linkId) : undefined,
        this.reports.findEvent(tx, gateway.name, report.eventId),
        report.kind === 'paid'
          ? this.reports.findReceipt(tx, gateway.name, report.providerPaymentId)
          : undefined,
        linkId ? this.isOfOnly(tx, gateway, linkId) : false,
      ]);
      if (event) {
        if (event.fingerprint !== report.fingerprint) {
          throw new InvalidSignature('known event id with another body');
        }
        return event.outcome;
      }
      const home =
        document && link && link.gateway === gateway.name
          ? { document, link, isForeign: !gateway.isOf(link.accountId, isOnly) }
          : undefined;
      const outcome = isDone ? 'ok' : this.outcomeOf(tx, gateway, report, home, receipt);
      this.reports.insertEvent(tx, gateway.name, report, outcome, this.clock.now());
      return outcome;
    });
  }

  private outcomeOf(
    tx: Tx,
    gateway: Gateway,
    report: ProviderReport,
    home: Home | undefined,
    receipt: { unmatched: UnmatchedReason | null } | undefined,
  ): WebhookOutcome {
    if (report.kind === 'approved') return report.linkId === null ? 'no_link_id' : 'ignored';
    if (report.kind !== 'paid') return 'ignored';
    if (receipt) return receipt.unmatched === null ? 'ok' : 'ignored';
    if (!home && report.linkId === null) return 'no_link_id';
    const unmatched = whyUnmatched(report, home);
    if (unmatched === null && home) {
      this.settle(tx, gateway, report, home);
      return 'ok';
    }
    // What came to somebody else's provider account is not this account's to keep.
    const keeper = home?.isForeign ? undefined : home;
    this.keep(tx, gateway.name, report, keeper, unmatched ?? 'unknown_link');
    return 'ignored';
  }

  /** The money lands on the document; what is above the amount due becomes customer credit. */
  private settle(tx: Tx, gateway: Gateway, report: PaidReport, { document, link }: Home): void {
    const now = this.clock.now();
    const { applied, waived } = document.recordPayment(report.amount, 'credit');
    const payment: Payment = {
      id: this.ids.next(),
      accountId: link.accountId,
      customerId: document.state.customerId,
      documentId: link.documentId,
      amount: report.amount,
      applied,
      fee: report.fee,
      method: gateway.method,
      reference: report.providerPaymentId.slice(0, 255),
      note: null,
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
    const paid: PaymentLink = { ...link, status: 'paid', paidAt: report.paidAt, canceledAt: null };
    const becomesPaid = canBecome(link, 'paid');
    this.payments.write(
      tx,
      payment,
      [{ document, applied, waived }],
      becomesPaid
        ? [{ type: 'payment_link.paid', data: { payment_link: presentPaymentLink(paid, now) } }]
        : [],
    );
    if (becomesPaid) this.links.markPaid(tx, link, report.paidAt);
    const home = { accountId: link.accountId, paymentLinkId: link.id };
    const receipt = { ...home, paymentId: payment.id, unmatched: null };
    this.reports.insertReceipt(tx, gateway.name, report, receipt, now);
  }

  private keep(
    tx: Tx,
    gateway: string,
    report: PaidReport,
    home: Home | undefined,
    unmatched: UnmatchedReason,
  ): void {
    const receipt = {
      accountId: home?.link.accountId ?? null,
      paymentLinkId: home?.link.id ?? null,
      paymentId: null,
      unmatched,
    };
    const now = this.clock.now();
    this.reports.insertReceipt(tx, gateway, report, receipt, now);
    if (!home) return;
    const kept = openReceipt({
      id: this.ids.next(),
      accountId: home.link.accountId,
      gateway,
      providerPaymentId: report.providerPaymentId,
      amount: report.amount,
      fee: report.fee,
      reason: unmatched,
      documentId: home.link.documentId,
      paymentLinkId: home.link.id,
      linkReference: report.linkId,
      paidAt: report.paidAt,
      receivedAt: now,
    });
    this.receipts.keep(tx, kept);
    this.writer.save(tx, home.document, { type: 'gateway', id: gateway }, [
      { type: 'payment.unmatched', data: presentUnmatched(kept) },
    ]);
  }

  /** Asked only where nobody said whose the gateway is. */
  private async isOfOnly(tx: Tx, gateway: Gateway, linkId: Uuid): Promise<boolean> {
    return gateway.owners === 'unsaid' && (await isOfOnlyAccount(tx, linkId));
  }

  private async linkIdOf(gateway: string, report: MoneyReport): Promise<Uuid | null> {
    const named = report.linkId === null ? undefined : uuidOf('plink', report.linkId);
    if (named) return named;
    if (report.linkId !== null || report.providerObjectId === null) return null;
    return (await this.links.idOfProviderObject(gateway, report.providerObjectId)) ?? null;
  }
}

function whyUnmatched(report: PaidReport, home: Home | undefined): UnmatchedReason | null {
  if (!home) return 'unknown_link';
  if (home.isForeign) return 'foreign_gateway';
  if (report.unconfirmed) return 'unconfirmed';
  const { currency } = home.document.state;
  if (report.amount.currency !== currency) return 'currency_mismatch';
  if (report.amount.minor > LARGEST_AMOUNT_MINOR) return 'amount_too_large';
  return home.document.refusalOf('pay') ? 'document_not_payable' : null;
}
