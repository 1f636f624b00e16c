import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/unit-of-work.js';
import type { PaidReport, ProviderReport } from '../domain/gateway.js';
import type { UnmatchedReason, WebhookOutcome } from '../domain/webhook-outcome.js';

/** What providers told us: events and receipts, each once. Both keys are global and unique. */
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

  async findReceipt(
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
    tx.write(
      `INSERT INTO provider_events
         (gateway, event_id, event_type, fingerprint, outcome, review, received_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [
        gateway,
        report.eventId,
        report.eventType,
        report.fingerprint,
        outcome,
        'review' in report ? report.review : null,
        now,
      ],
    );
  }

  insertReceipt(
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
    tx.write(
      `INSERT INTO provider_receipts (gateway, provider_payment_id, account_id, payment_link_id,
         payment_id, amount, currency, unmatched_reason, event_id, link_reference, paid_at,
         received_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        gateway,
        report.providerPaymentId,
        home.accountId,
        home.paymentLinkId,
        home.paymentId,
        report.amount.minor,
        report.amount.currency,
        home.unmatched,
        report.eventId,
        report.linkId,
        report.paidAt,
        now,
      ],
    );
  }
}
