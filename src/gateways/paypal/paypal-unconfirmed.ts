import type {
  DisputeReport,
  FailedReport,
  ProviderReport,
  RefundReport,
} from '../../payments/index.js';

type Reported = Pick<ProviderReport, 'eventId' | 'eventType' | 'fingerprint'>;
type Irrelevant = Extract<ProviderReport, { kind: 'irrelevant' }>;

/** Without a look-up a forged body could settle a refund, or take a payment back: a person looks. */
export function unconfirmed(report: ProviderReport): ProviderReport {
  switch (report.kind) {
    case 'refund':
      return toReview(report, report.providerRefundId, report.review);
    case 'processing':
      return irrelevant(report);
    case 'failed':
      return irrelevant(report);
    case 'dispute':
      return toReview(report, report.disputeId, report.review);
    case 'unpaid_again': {
      const review = 'PayPal took money back, and could not be asked; look it up there';
      return toReview(report, report.reference, review);
    }
    default:
      return report;
  }
}

function toReview(
  report: RefundReport | FailedReport | DisputeReport,
  reference: string | null,
  review: string,
): ProviderReport {
  const { providerPaymentId, amount } = report;
  const moved = { direction: 'out', reference, providerPaymentId, amount } as const;
  return { ...pickReported(report), kind: 'irrelevant', review, moved };
}

export function irrelevant(reported: Reported): Irrelevant {
  return { ...pickReported(reported), kind: 'irrelevant' };
}

function pickReported({ eventId, eventType, fingerprint }: Reported): Reported {
  return { eventId, eventType, fingerprint };
}
