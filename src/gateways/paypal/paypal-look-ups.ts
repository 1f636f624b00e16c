import { z } from 'zod';
import type { ProviderReport } from '../../payments/index.js';
import { promised, unavailable } from '../provider-api.js';
import { Ascii, ownIdFrom } from '../signed-body.js';
import { madeForUs, type PayPalApi, type PayPalCapture, type PayPalOrder } from './paypal-api.js';
import { payPalReport } from './paypal-events.js';

const EVENT_OF_CAPTURE = new Map([
  ['COMPLETED', 'PAYMENT.CAPTURE.COMPLETED'],
  ['PARTIALLY_REFUNDED', 'PAYMENT.CAPTURE.COMPLETED'],
  ['REFUNDED', 'PAYMENT.CAPTURE.COMPLETED'],
  ['PENDING', 'PAYMENT.CAPTURE.PENDING'],
  ['DECLINED', 'PAYMENT.CAPTURE.DECLINED'],
  ['FAILED', 'PAYMENT.CAPTURE.DECLINED'],
]);

const Refund = z.looseObject({
  id: Ascii,
  status: Ascii,
  update_time: z.iso.datetime({ offset: true }).optional().catch(undefined),
});

/**
 * All that an order tells, as the events that PayPal would have sent.
 * @throws DomainError `unavailable` when PayPal does not say
 */
export async function orderReports(
  api: PayPalApi,
  id: string,
  now: Date,
): Promise<ProviderReport[]> {
  const order = await madeForUs(api.findOrder(id));
  return promised('PayPal', () => reportsOf(order, now));
}

function reportsOf(order: PayPalOrder, now: Date): ProviderReport[] {
  if (order.status === 'APPROVED') {
    const linkId = ownIdFrom(order.purchase_units[0]?.custom_id);
    const eventType = 'CHECKOUT.ORDER.APPROVED';
    // To capture it may fail, and then it is tried again with the next look-up.
    const eventId = `${order.id}:APPROVED:${now.getTime()}`;
    const told = { eventId, eventType, fingerprint: null };
    return [{ ...told, kind: 'approved', linkId, providerObjectId: order.id }];
  }
  return order.purchase_units.flatMap(({ payments }) => [
    ...(payments?.captures ?? []).flatMap((capture) => captureReports(order.id, capture, now)),
    ...(payments?.refunds ?? []).map((refund) => refundReport(refund, now)),
  ]);
}

function captureReports(orderId: string, capture: PayPalCapture, now: Date): ProviderReport[] {
  const { id, status, create_time: made, update_time: changed } = capture;
  const type = EVENT_OF_CAPTURE.get(status);
  if (!type) return [];
  // A refund changes it, too, and its money came before.
  const isPaid = type.endsWith('COMPLETED');
  const at = (isPaid ? made : (changed ?? made)) ?? now.toISOString();
  const resource = {
    ...capture,
    ...(isPaid && { update_time: made }),
    supplementary_data: { related_ids: { order_id: orderId } },
  };
  const eventId = `${id}:${isPaid ? 'COMPLETED' : status}`;
  return [report(eventId, type, at, resource)];
}

function refundReport(listed: unknown, now: Date): ProviderReport {
  const { data: refund } = Refund.safeParse(listed);
  if (!refund) throw unavailable('PayPal');
  const eventId = `${refund.id}:${refund.status}`;
  const at = refund.update_time ?? now.toISOString();
  return report(eventId, 'PAYMENT.CAPTURE.REFUNDED', at, refund);
}

function report(id: string, type: string, at: string, resource: unknown): ProviderReport {
  const reported = { eventId: id, eventType: type, fingerprint: null };
  return payPalReport(reported, { id, event_type: type, create_time: at, resource });
}
