import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import type { Tx } from '../../../platform/database/tx.js';
import type { Row } from '../../../platform/database/row.js';
import { InvalidSignature } from '../domain/gateway.js';
import type {
  DisputeReport,
  EarlyKind,
  FailedReport,
  PaidReport,
  ProviderReport,
} from '../domain/provider-report.js';
import type { DisputeStatus } from '../domain/told-dispute.js';
import type { EarlyReport } from '../domain/early-report.js';
import type { ToldRefund } from '../domain/told-refund.js';
import type { ToldPayment } from '../domain/early-report.js';
import type { UnmatchedReason, WebhookOutcome } from '../domain/webhook-outcome.js';

type FailureRow = Omit<
  Row<'provider_failures', { kind: EarlyKind; dispute_status: DisputeStatus }>,
  'event_id' | 'gateway' | 'received_at' | 'xact'
>;

type EventRow = Pick<
  Row<'provider_events', { outcome: WebhookOutcome }>,
  'fingerprint' | 'outcome'
>;

type ReceiptRow = Pick<
  Row<'provider_receipts', { unmatched_reason: UnmatchedReason }>,
  'unmatched_reason' | 'amount' | 'currency' | 'payment_link_id' | 'capture_reference'
>;

type OrNull<Row> = { [Column in keyof Row]: Row[Column] | null };
type ToldRow = OrNull<EventRow> &
  OrNull<ReceiptRow> & { has_item: boolean; has_failures: boolean; is_awaited: boolean };

/** The reports that came before, and what became of them. */
interface Told {
  /** Of the same event. */
  outcome: WebhookOutcome | undefined;
  receipt: ToldPayment | undefined;
  hasItem: boolean;
  /** Oldest first. */
  early: EarlyReport[];
  /** A payout waits for the payment. */
  isAwaited: boolean;
}

/** All that may be told of a payment in one look: nearly always there is nothing. */
const TOLD = `SELECT e.fingerprint, e.outcome, r.unmatched_reason, r.amount, r.currency, r.payment_link_id,
    r.capture_reference,
    EXISTS (SELECT FROM unmatched_items WHERE gateway = $1 AND provider_payment_id = $3) AS has_item,
    EXISTS (SELECT FROM provider_failures WHERE gateway = $1 AND provider_payment_id = $3) AS has_failures,
    EXISTS (SELECT FROM provider_payout_waits WHERE gateway = $1 AND provider_id = $3 AND kind = 'payment') AS is_awaited
  FROM (SELECT) AS one
  LEFT JOIN provider_events e ON e.gateway = $1 AND e.event_id = $2
  LEFT JOIN provider_receipts r ON r.gateway = $1 AND r.provider_payment_id = $3`;

const FAILURES = `SELECT kind, provider_payment_id, amount, currency, reference, reason, failed_at,
    dispute_status, withdrawn, fee, evidence_due_by
  FROM provider_failures WHERE gateway = $1 AND provider_payment_id = $2 ORDER BY failed_at, event_id`;

const REPORTS = `hashtextextended($1 || ' ' || $2, 0)`;

/** Events and receipts that providers told us of, each once. Both keys are global and unique. */
@Injectable()
export class ProviderReportRepository {
  /**
   * The outcome of an event that is known already.
   * @throws InvalidSignature when it came with another body
   */
  async outcomeOf(
    tx: Tx,
    gateway: string,
    { eventId, fingerprint }: Pick<ProviderReport, 'eventId' | 'fingerprint'>,
  ): Promise<WebhookOutcome | undefined> {
    const [event] = await tx.read<EventRow>(
      'SELECT fingerprint, outcome FROM provider_events WHERE gateway = $1 AND event_id = $2',
      [gateway, eventId],
    );
    if (event) assertSameBody(event.fingerprint, fingerprint);
    return event?.outcome;
  }

  /**
   * Reports that came before: the same event, and others of its payment. It is read after `lock`.
   * @param paymentId of the provider; null: the report is not of one
   * @throws InvalidSignature when the event came with another body
   */
  async told(
    tx: Tx,
    gateway: string,
    { eventId, fingerprint }: Pick<ProviderReport, 'eventId' | 'fingerprint'>,
    paymentId: string | null,
  ): Promise<Told> {
    const [row] = await tx.load<ToldRow>({
      text: TOLD,
      types: ['text', 'text', 'text'],
      values: [gateway, eventId, paymentId],
      claims: `event ${gateway} ${eventId}`,
    });
    if (!row) throw new Error('one row is always there');
    const { outcome, amount, currency } = row;
    if (outcome !== null) assertSameBody(row.fingerprint, fingerprint);
    return {
      outcome: outcome ?? undefined,
      receipt:
        amount === null || currency === null
          ? undefined
          : {
              unmatched: row.unmatched_reason,
              amount: Money.of(amount, currency),
              paymentLinkId: row.payment_link_id,
              captureReference: row.capture_reference,
            },
      hasItem: row.has_item,
      isAwaited: row.is_awaited,
      early: row.has_failures ? await this.failuresOf(tx, gateway, paymentId) : [],
    };
  }

  /** A payment that was told before. It is read after `lock`. */
  async receiptOf(
    tx: Tx,
    gateway: string,
    providerPaymentId: string,
  ): Promise<ToldPayment | undefined> {
    const [row] = await tx.read<ReceiptRow>(
      `SELECT unmatched_reason, amount, currency, payment_link_id, capture_reference
       FROM provider_receipts WHERE gateway = $1 AND provider_payment_id = $2`,
      [gateway, providerPaymentId],
    );
    return (
      row && {
        unmatched: row.unmatched_reason,
        amount: Money.of(row.amount, row.currency),
        paymentLinkId: row.payment_link_id,
        captureReference: row.capture_reference,
      }
    );
  }

  insertEvent(
    tx: Tx,
    gateway: string,
    report: Pick<ProviderReport, 'eventId' | 'eventType' | 'fingerprint'> & { review?: string },
    outcome: WebhookOutcome,
    now: Date,
  ): void {
    tx.insert('provider_events', {
      gateway,
      event_id: report.eventId,
      event_type: report.eventType,
      fingerprint: report.fingerprint,
      outcome,
      review: report.review ?? null,
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
      capture_reference: report.captureReference ?? null,
      paid_at: report.paidAt,
      received_at: now,
    });
  }

  /**
   * Lets one report of a provider's payment pass at a time. It comes first: what is read after it
   * is all that was told before.
   */
  async lock(
    tx: Tx,
    gateway: string,
    providerPaymentId: string,
    turns: readonly string[] = [],
  ): Promise<void> {
    await tx.load({
      text: `SELECT pg_advisory_xact_lock(${REPORTS})`,
      withoutWaiting: `SELECT WHERE pg_try_advisory_xact_lock(${REPORTS})`,
      types: ['text', 'text'],
      values: [gateway, providerPaymentId],
      claims: `reports ${gateway} ${providerPaymentId}`,
      locks: turns,
    });
  }

  /** The same of several payments, in one order for all who do that. */
  async lockAll(tx: Tx, gateway: string, providerPaymentIds: readonly string[]): Promise<void> {
    await tx.read(
      `SELECT pg_advisory_xact_lock(key) FROM (
         SELECT DISTINCT hashtextextended($1 || ' ' || id, 0) AS key
         FROM unnest($2::text[]) AS id ORDER BY 1) keys`,
      [gateway, providerPaymentIds],
    );
  }

  /**
   * Failures of a payment that were told before it was reported, oldest first. Locks it as `lock` does, in the
   * same flush.
   */
  async lockEarly(tx: Tx, gateway: string, providerPaymentId: string): Promise<EarlyReport[]> {
    const [, early] = await Promise.all([
      this.lock(tx, gateway, providerPaymentId),
      this.failuresOf(tx, gateway, providerPaymentId),
    ]);
    return early;
  }

  /** Oldest first. */
  async failuresOf(
    tx: Tx,
    gateway: string,
    providerPaymentId: string | null,
  ): Promise<EarlyReport[]> {
    const rows = await tx.read<FailureRow>(FAILURES, [gateway, providerPaymentId]);
    return rows.map(toEarlyReport);
  }

  keepDispute(tx: Tx, gateway: string, report: DisputeReport, now: Date): void {
    tx.insert('provider_failures', {
      gateway,
      event_id: report.eventId,
      provider_payment_id: report.providerPaymentId,
      kind: report.kind,
      amount: report.amount.minor,
      currency: report.amount.currency,
      reference: report.disputeId,
      reason: report.reason,
      failed_at: report.at,
      received_at: now,
      dispute_status: report.status,
      withdrawn: report.withdrawn?.minor ?? null,
      fee: report.fee?.minor ?? null,
      evidence_due_by: report.evidenceDueBy,
    });
  }

  keepFailure(tx: Tx, gateway: string, report: FailedReport, now: Date): void {
    if (report.providerPaymentId === null) return;
    tx.insert('provider_failures', {
      gateway,
      event_id: report.eventId,
      provider_payment_id: report.providerPaymentId,
      kind: report.kind,
      amount: report.amount?.minor ?? null,
      currency: report.amount?.currency ?? null,
      reference: report.reference,
      reason: report.reason,
      failed_at: report.at,
      received_at: now,
    });
  }

  /** A refund of a payment that nobody knows yet. */
  keepRefund(tx: Tx, gateway: string, eventId: string, told: ToldRefund, now: Date): void {
    tx.insert('provider_failures', {
      gateway,
      event_id: eventId,
      provider_payment_id: told.providerPaymentId,
      kind: told.providerRefundId === null ? 'refunded_in_all' : `refund_${told.outcome}`,
      amount: told.amount.minor,
      currency: told.amount.currency,
      reference: told.providerRefundId,
      reason: told.reason,
      failed_at: told.at,
      received_at: now,
    });
  }
}

function assertSameBody(before: string | null, now: string | null): void {
  if (before !== now) throw new InvalidSignature('known event id with another body');
}

function toEarlyReport(row: FailureRow): EarlyReport {
  const money = (minor: bigint | null) =>
    minor === null ? null : Money.of(minor, row.currency ?? '');
  const amount = money(row.amount);
  const of = { providerPaymentId: row.provider_payment_id, reason: row.reason, at: row.failed_at };
  if (row.kind === 'failed' || row.kind === 'unpaid_again') {
    return { ...of, kind: row.kind, amount, reference: row.reference };
  }
  if (row.kind !== 'dispute') {
    if (!amount) throw new Error('a refund was kept without its amount');
    const told = { providerRefundId: row.reference, amount, outcome: OUTCOMES[row.kind] };
    return { ...of, kind: 'refund', ...told };
  }
  if (!amount || !row.dispute_status) throw new Error('a dispute was kept without its amount');
  return {
    ...of,
    kind: row.kind,
    disputeId: row.reference ?? '',
    status: row.dispute_status,
    amount,
    withdrawn: money(row.withdrawn),
    fee: money(row.fee),
    evidenceDueBy: row.evidence_due_by,
  };
}

const OUTCOMES = {
  refund_pending: 'pending',
  refund_succeeded: 'succeeded',
  refund_failed: 'failed',
  refunded_in_all: 'succeeded',
} as const;
