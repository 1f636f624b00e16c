import type { MovedMoney, ProviderReport } from '../../payments/index.js';

/**
 * A report that is not for this gateway has an id of its own. The reason may be unsigned, or a setting
 * that is put right: then the event itself still counts.
 */
export function letBe(
  report: ProviderReport,
  why: string,
  review: string | undefined,
): ProviderReport {
  const { eventType, fingerprint } = report;
  const reported = { eventId: `${report.eventId}:${why}`, eventType, fingerprint };
  const moved = movedBy(report);
  if (!moved || review === undefined) return { ...reported, kind: 'irrelevant' };
  return { ...reported, kind: 'irrelevant', review, moved };
}

function movedBy(report: ProviderReport): MovedMoney | undefined {
  switch (report.kind) {
    case 'paid': {
      const { providerPaymentId, amount } = report;
      return { direction: 'in', reference: null, providerPaymentId, amount };
    }
    case 'unpaid_again': {
      const { providerPaymentId, amount, reference } = report;
      return { direction: 'out', reference, providerPaymentId, amount };
    }
    case 'refund': {
      const { providerRefundId: reference, providerPaymentId, amount } = report;
      return { direction: 'out', reference, providerPaymentId, amount };
    }
    case 'dispute': {
      const { disputeId: reference, providerPaymentId, amount } = report;
      return { direction: 'out', reference, providerPaymentId, amount };
    }
    case 'irrelevant':
      return report.moved;
    default:
      return undefined;
  }
}
