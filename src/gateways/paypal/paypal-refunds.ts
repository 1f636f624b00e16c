import { z } from 'zod';
import type { Money } from '../../kernel/money.js';
import {
  InvalidSignature,
  type ProviderReport,
  type RefundFound,
  type RefundOutcome,
  type RefundReport,
  type RefundRequest,
} from '../../payments/index.js';
import { madeForUs, type PayPalApi, PayPalRefund } from './paypal-api.js';
import { decimalAmount, moneyTaken } from '../provider-amount.js';
import { unavailable } from '../provider-api.js';
import type { RefundApi } from '../gateway-with-api.js';
import { ownIdFrom } from '../signed-body.js';

type Reported = Pick<ProviderReport, 'eventId' | 'eventType' | 'fingerprint'>;

export class PayPalRefunds implements RefundApi {
  constructor(private readonly api: PayPalApi) {}

  async createRefund(request: RefundRequest): Promise<RefundOutcome> {
    return outcomeFor(request, await this.api.refundCapture(request));
  }

  async findRefund(request: RefundRequest): Promise<RefundFound> {
    return madeForUs(this.searched(request));
  }

  /** PayPal lists no refunds of a capture, but an order shows its own. */
  private async searched(request: RefundRequest): Promise<RefundFound> {
    const { providerRefundId: id, providerPaymentId } = request;
    if (id) return outcomeFor(request, await this.api.findRefund(id));
    const capture = await this.api.findCapture(providerPaymentId);
    const orderId = capture.supplementary_data?.related_ids?.order_id;
    if (!orderId) throw unavailable('PayPal');
    const units = (await this.api.findOrder(orderId)).purchase_units;
    const captures = units.flatMap(({ payments }) => payments?.captures ?? []);
    // An order without the capture that we refund is not the whole truth about it.
    if (!captures.some((each) => each.id === providerPaymentId)) throw unavailable('PayPal');
    const listed = units.flatMap(({ payments }) => payments?.refunds ?? []);
    const { data: refunds } = z.array(PayPalRefund).safeParse(listed);
    if (!refunds) throw unavailable('PayPal');
    const ours = refunds.find(({ custom_id: customId }) => customId === request.refundId);
    return ours ? outcomeFor(request, ours) : { status: 'not_found' };
  }
}

/** Undefined for what is no refund that we can read. */
export function refundReport(
  reported: Reported,
  resource: unknown,
  at: Date,
  review: string,
): RefundReport | undefined {
  const { data: refund } = PayPalRefund.safeParse(resource);
  const amount = refund && moneyOf(refund);
  const providerPaymentId = refund && captureIdOf(refund);
  if (!amount || !providerPaymentId) return undefined;
  return {
    ...reported,
    kind: 'refund',
    refundId: ownIdFrom(refund.custom_id),
    providerRefundId: refund.id,
    providerPaymentId,
    amount,
    outcome: outcomeOf(refund),
    at,
    review,
  };
}

/**
 * The report with what PayPal itself says about this refund, as the body may be forged.
 * @throws InvalidSignature when it says otherwise
 * @throws DomainError `unavailable` when it does not answer
 */
export async function confirmedRefund(
  api: PayPalApi,
  report: RefundReport,
): Promise<ProviderReport> {
  const { eventId, eventType, fingerprint, at, review } = report;
  const refund = await api.findRefund(report.providerRefundId);
  const truth = refundReport({ eventId, eventType, fingerprint }, refund, at, review);
  if (
    truth?.providerRefundId !== report.providerRefundId ||
    truth.refundId !== report.refundId ||
    truth.providerPaymentId !== report.providerPaymentId ||
    truth.amount.toString() !== report.amount.toString()
  ) {
    throw new InvalidSignature('PayPal says otherwise about this refund');
  }
  return truth;
}

function outcomeOf(refund: PayPalRefund): RefundOutcome {
  switch (refund.status) {
    case 'COMPLETED':
      return { status: 'succeeded', providerRefundId: refund.id };
    case 'PENDING':
      return { status: 'pending', providerRefundId: refund.id };
    default:
      return { status: 'failed', reason: refund.status.toLowerCase() };
  }
}

/** Only an answer about the refund that was asked for counts. */
function outcomeFor(request: RefundRequest, refund: PayPalRefund): RefundOutcome {
  const isNamed = request.isOurs
    ? refund.custom_id === request.refundId
    : refund.id === request.providerRefundId;
  const ours = isNamed && moneyOf(refund)?.toString() === request.amount.toString();
  if (!ours) throw unavailable('PayPal');
  return outcomeOf(refund);
}

function moneyOf({ amount: { value, currency_code: currency } }: PayPalRefund): Money | undefined {
  return moneyTaken(decimalAmount(value), currency);
}

/** A refund names its capture only by a link, `.../v2/payments/captures/{id}`, of relation `up`. */
export function captureIdOf({ links }: Pick<PayPalRefund, 'links'>): string | undefined {
  const up = links?.find(({ rel }) => rel === 'up')?.href;
  return /\/captures\/([\w-]{1,64})$/.exec(up ?? '')?.[1];
}
