import { z } from 'zod';
import {
  type FailedReport,
  InvalidSignature,
  type MovedMoney,
  type ProviderReport,
} from '../../payments/index.js';
import { type PayPalApi, PayPalCapture, PayPalOrder, PayPalRefund } from './paypal-api.js';
import { disputeReport } from './paypal-disputes.js';
import { captureIdOf, refundReport } from './paypal-refunds.js';
import { decimalAmount, feeWithin, moneyTaken } from '../provider-amount.js';
import { Ascii, ofNoEffect, ownIdFrom, readJson, shaped } from '../signed-body.js';

const MONEY_WENT_BACK = 'money goes back at PayPal; record the refund here';
const DISPUTED = 'a payment was disputed at PayPal and could not be booked; look it up there';

const PayPalEvent = z.object({
  id: Ascii,
  event_type: Ascii,
  create_time: z.iso.datetime({ offset: true }),
  resource: z.unknown().optional(),
});
type PayPalEvent = z.infer<typeof PayPalEvent>;
const AnyEvent = z.looseObject({ event_type: z.string() });
/** The types of which something is made here. Of all others no field is judged. */
const CONCERNS_US =
  /^(?:PAYMENT\.CAPTURE\.(?:COMPLETED|PENDING|DENIED|DECLINED|REFUNDED|REVERSED)|CHECKOUT\.ORDER\.APPROVED|CUSTOMER\.DISPUTE\.(?:CREATED|UPDATED|RESOLVED))$/;
/** As much of a resource as can be told of money that we cannot book. */
const Anything = z.object({
  id: Ascii.optional().catch(undefined),
  dispute_id: Ascii.optional().catch(undefined),
  amount: z
    .object({ currency_code: z.string().regex(/^[A-Z]{3}$/), value: z.string().max(32) })
    .optional()
    .catch(undefined),
});

type Reported = Pick<ProviderReport, 'eventId' | 'eventType' | 'fingerprint'>;

/**
 * Reads a body of PayPal.
 * @param of its own id is not signed; this one is, so it is the one that cannot be chosen
 * @throws InvalidSignature when it is no event, or one that concerns us has another shape
 */
export function toldByPayPal(
  rawBody: Buffer,
  of: Pick<ProviderReport, 'eventId' | 'fingerprint'>,
): ProviderReport {
  const event = readJson(rawBody, AnyEvent);
  const { event_type: eventType } = event;
  if (!CONCERNS_US.test(eventType)) return { ...ofNoEffect(null, eventType, rawBody), ...of };
  return payPalReport({ ...of, eventType }, shaped(event, PayPalEvent));
}

/** Reads an event of PayPal. @throws InvalidSignature when it has another shape */
export function payPalReport(reported: Reported, event: PayPalEvent): ProviderReport {
  switch (event.event_type) {
    case 'PAYMENT.CAPTURE.COMPLETED':
      return taken(reported, shaped(event.resource, PayPalCapture), event.create_time);
    case 'CHECKOUT.ORDER.APPROVED': {
      const order = shaped(event.resource, PayPalOrder);
      const linkId = ownIdFrom(order.purchase_units[0]?.custom_id);
      return { ...reported, kind: 'approved', linkId, providerObjectId: order.id };
    }
    case 'PAYMENT.CAPTURE.PENDING': {
      const capture = shaped(event.resource, PayPalCapture);
      const at = new Date(event.create_time);
      return { ...reported, kind: 'processing', ...linkOf(capture), at };
    }
    case 'PAYMENT.CAPTURE.DENIED':
    case 'PAYMENT.CAPTURE.DECLINED': {
      const capture = shaped(event.resource, PayPalCapture);
      const failed = { kind: 'failed', amount: null, reference: null, isFinal: true } as const;
      const reason = (capture.status_details?.reason ?? capture.status).toLowerCase();
      const of = { ...linkOf(capture), providerPaymentId: capture.id };
      return { ...reported, ...failed, ...of, reason, at: new Date(event.create_time) };
    }
    case 'PAYMENT.CAPTURE.REFUNDED':
      return (
        refundReport(reported, event.resource, new Date(event.create_time), MONEY_WENT_BACK) ??
        toReview(reported, event, MONEY_WENT_BACK)
      );
    case 'PAYMENT.CAPTURE.REVERSED':
      return reversed(reported, event) ?? toReview(reported, event, MONEY_WENT_BACK);
    case 'CUSTOMER.DISPUTE.CREATED':
    case 'CUSTOMER.DISPUTE.UPDATED':
    case 'CUSTOMER.DISPUTE.RESOLVED':
      return (
        disputeReport(reported, event.resource, {
          at: new Date(event.create_time),
          review: DISPUTED,
        }) ?? toReview(reported, event, DISPUTED)
      );
    default:
      return { ...reported, kind: 'irrelevant' };
  }
}

/** Its resource is the reversal, which is made as a refund is, and names its capture by a link. */
function reversed(reported: Reported, event: PayPalEvent): FailedReport | undefined {
  const { data: reversal } = PayPalRefund.safeParse(event.resource);
  const providerPaymentId = reversal && captureIdOf(reversal);
  const { value, currency_code: currency } = reversal?.amount ?? {};
  const amount = value && currency && moneyTaken(decimalAmount(value), currency);
  if (!amount || !providerPaymentId) return undefined;
  return {
    ...reported,
    kind: 'unpaid_again',
    linkId: null,
    providerObjectId: null,
    providerPaymentId,
    amount,
    reference: reversal.id,
    reason: 'reversed',
    at: new Date(event.create_time),
    isFinal: true,
  };
}

/**
 * A failure with what PayPal itself says of it, as the body may be forged.
 * @throws InvalidSignature when it says otherwise
 */
export async function confirmedFailure(
  api: PayPalApi,
  report: FailedReport,
): Promise<ProviderReport> {
  const { reference, providerPaymentId, amount } = report;
  if (reference !== null) {
    const reversal = await api.findRefund(reference);
    const { value, currency_code: currency } = reversal.amount;
    const truth = moneyTaken(decimalAmount(value), currency);
    if (captureIdOf(reversal) === providerPaymentId && truth?.toString() === amount?.toString()) {
      return report;
    }
    throw new InvalidSignature('PayPal says otherwise about this reversal');
  }
  const { status } = await api.findCapture(providerPaymentId ?? '');
  if (/^(DECLINED|DENIED|FAILED)$/.test(status)) return report;
  throw new InvalidSignature('PayPal says otherwise about this capture');
}

export function taken(
  reported: Reported,
  capture: PayPalCapture,
  fallbackTime: string,
): ProviderReport {
  const { eventId, eventType, fingerprint } = reported;
  const { currency_code: currency, value } = capture.amount;
  const amount = moneyTaken(decimalAmount(value), currency);
  const providerPaymentId = capture.id;
  if (!amount) {
    const moved = { direction: 'in', reference: null, providerPaymentId, amount: null } as const;
    const review = `cannot book the ${currency} amount of ${capture.id}`;
    return { eventId, eventType, fingerprint, kind: 'irrelevant', review, moved };
  }
  const { paypal_fee: fee } = capture.seller_receivable_breakdown ?? {};
  return {
    eventId,
    eventType,
    fingerprint,
    kind: 'paid',
    ...linkOf(capture),
    providerPaymentId,
    amount,
    fee: feeWithin(amount, fee && moneyTaken(decimalAmount(fee.value), fee.currency_code)),
    paidAt: new Date(capture.update_time ?? capture.create_time ?? fallbackTime),
  };
}

function linkOf(capture: PayPalCapture) {
  return {
    linkId: ownIdFrom(capture.custom_id),
    providerObjectId: capture.supplementary_data?.related_ids?.order_id ?? null,
  };
}

/** With as much as the event says of the money. */
function toReview(reported: Reported, event: PayPalEvent, review: string): ProviderReport {
  const { data } = Anything.safeParse(event.resource);
  const { amount } = data ?? {};
  const moved: MovedMoney = {
    direction: 'out',
    reference: data?.dispute_id ?? data?.id ?? null,
    providerPaymentId: null,
    amount: (amount && moneyTaken(decimalAmount(amount.value), amount.currency_code)) ?? null,
  };
  return { ...reported, kind: 'irrelevant', review, moved };
}
