import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/unit-of-work.js';
import type { PaidReport, ProviderReport } from '../domain/gateway.js';
import type { UnmatchedReason, WebhookOutcome } from '../domain/webhook-outcome.js';

/** Events and receipts that providers told us of, each once. Both keys are global and unique. */
@Injectable()
export class ProviderReportRepository {
  async findEvent(
    tx: Tx,
    gateway: string,
    eventId: string,
  ): Promise<{ fingerprint: string | null; outcome: WebhookOutcome } | undefined> {
    const [row] = await tx.read<{ fingerprint: string | null; outcome: WebhookOutcome }>(
      'SELECT fingerprint, outcome FROM provider_events WHERE gateway = $1 AND event_id = $2',
      [gateway, eventId],
    );
    return row;
  }

  async findProviderReceipt(
    tx: Tx,
    gateway: string,
    providerPaymentId: string,
  ): Promise<{ unmatched: UnmatchedReason | null } | undefined> {
    const [row] = await tx.read<{ unmatched: UnmatchedReason | null }>(
      `SELECT unmatched_reason AS unmatched FROM provider_receipts
       WHERE gateway = $1 AND provider_payment_id = $2`,
      [gateway, providerPaymentId],
    );
    return row;
  }

  insertEvent(
    tx: Tx,
    gateway: string,
    report: ProviderReport,
    outcome: WebhookOutcome,
    now: Date,
  ): void {
    tx.insert('provider_events', {
      gateway,
      event_id: report.eventId,
      event_type: report.eventType,
      fingerprint: report.fingerprint,
      outcome,
      review: 'review' in report ? report.review : null,
      received_at: now,
    });
  }

  insertProviderReceipt(
    tx: Tx,
    gateway: string,
    report: PaidReport,
    home: {
      accountId: Uuid | null;
      paymentLinkId: Uuid | null;
      paymentId: Uuid | null;
      unmatched: UnmatchedReason | null;
    },
    now: Date,
  ): void {
    tx.insert('provider_receipts', {
      gateway,
      provider_payment_id: report.providerPaymentId,
      account_id: home.accountId,
      payment_link_id: home.paymentLinkId,
      payment_id: home.paymentId,
      amount: report.amount.minor,
      currency: report.amount.currency,
      unmatched_reason: home.unmatched,
      event_id: report.eventId,
      link_reference: report.linkId,
      paid_at: report.paidAt,
      received_at: now,
    });
  }
}
