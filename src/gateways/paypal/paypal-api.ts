import { z } from 'zod';
import type { Currency } from '../../kernel/currency.js';
import type { Money } from '../../kernel/money.js';
import { InvalidSignature, type RefundRequest } from '../../payments/index.js';
import { providerDecimal, unitsAt } from '../provider-amount.js';
import { accepted, callProvider, idAt, type ProviderAnswer, unavailable } from '../provider-api.js';
import { acceptedRefund } from '../provider-refund.js';
import type { GatewayContext } from '../provider.js';
import { Ascii } from '../signed-body.js';

/** A token is renewed this long before it ends, so that none ends under way. */
const TOKEN_MARGIN_MS = 60_000;

/** PayPal takes no decimals for these (currency codes reference, Orders v2); two for all others. */
const WHOLE_UNITS: ReadonlySet<Currency> = new Set(['HUF', 'JPY', 'TWD']);

const AccessToken = z.object({ access_token: z.string().min(1), expires_in: z.number().min(0) });
const PayPalMoney = z.object({
  currency_code: z.string().regex(/^[A-Z]{3}$/),
  value: z.string().max(32),
});
/** A capture, as `GET /v2/payments/captures/{id}` and the webhook's `resource` both show it. */
export const PayPalCapture = z.object({
  id: Ascii,
  status: Ascii,
  status_details: z
    .object({ reason: Ascii.optional().catch(undefined) })
    .optional()
    .catch(undefined),
  amount: PayPalMoney,
  custom_id: z.unknown().optional(),
  create_time: z.iso.datetime({ offset: true }).optional(),
  update_time: z.iso.datetime({ offset: true }).optional(),
  seller_receivable_breakdown: z
    .object({ paypal_fee: PayPalMoney.optional().catch(undefined) })
    .optional()
    .catch(undefined),
  supplementary_data: z
    .object({ related_ids: z.object({ order_id: Ascii.optional() }).optional() })
    .optional(),
});
/** A refund, as the API and the resource of `PAYMENT.CAPTURE.REFUNDED` both show it. */
export const PayPalRefund = z.object({
  id: Ascii,
  status: z.enum(['COMPLETED', 'PENDING', 'FAILED', 'CANCELLED']),
  amount: PayPalMoney,
  custom_id: z.unknown().optional(),
  links: z
    .array(z.object({ rel: z.string(), href: z.string() }))
    .optional()
    .catch(undefined),
});
export const PayPalOrder = z.object({
  id: Ascii,
  status: Ascii,
  purchase_units: z
    .array(
      z.object({
        custom_id: z.unknown().optional(),
        payments: z
          .object({
            captures: z.array(PayPalCapture).optional(),
            refunds: z.array(z.unknown()).optional(),
          })
          .optional(),
      }),
    )
    .min(1),
});
const CreatedOrder = z.object({
  id: Ascii,
  links: z.array(z.object({ rel: z.string(), href: z.url() })),
});

const Movement = z.object({
  affected_party: Ascii.optional().catch(undefined),
  type: z.enum(['DEBIT', 'CREDIT']),
  reason: Ascii.optional().catch(undefined),
  amount: PayPalMoney,
});
/** A dispute, as the API and the resource of `CUSTOMER.DISPUTE.*` both show it. */
export const PayPalDispute = z.object({
  dispute_id: Ascii,
  update_time: z.iso.datetime({ offset: true }).optional().catch(undefined),
  disputed_transactions: z.array(z.object({ seller_transaction_id: Ascii })).min(1),
  reason: Ascii.catch('other'),
  status: Ascii,
  dispute_amount: PayPalMoney,
  dispute_life_cycle_stage: Ascii.optional().catch(undefined),
  dispute_outcome: z
    .object({ outcome_code: Ascii, amount_refunded: PayPalMoney.optional().catch(undefined) })
    .optional()
    .catch(undefined),
  seller_response_due_date: z.iso.datetime({ offset: true }).optional().catch(undefined),
  money_movements: z.array(Movement).max(100).optional().catch(undefined),
});

export type PayPalMoney = z.infer<typeof PayPalMoney>;
export type PayPalDispute = z.infer<typeof PayPalDispute>;
export type PayPalCapture = z.infer<typeof PayPalCapture>;
export type PayPalRefund = z.infer<typeof PayPalRefund>;
export type PayPalOrder = z.infer<typeof PayPalOrder>;

export interface PayPalCredentials {
  apiBase: string;
  clientId: string;
  clientSecret: string;
}

/** The calls of PayPal's Orders and Payments API v2 that a payment needs. */
export class PayPalApi {
  private token: { value: string; renewAt: number } | undefined;

  constructor(
    private readonly credentials: PayPalCredentials,
    private readonly context: GatewayContext,
  ) {}

  /** `requestId` makes it once: PayPal answers a repeated one with the first order. */
  async createOrder(order: object, requestId: string): Promise<{ id: string; url: string }> {
    const answer = await this.call('POST', '/v2/checkout/orders', requestId, order);
    const { id, links } = accepted(answer, CreatedOrder, 'PayPal');
    const link = links.find(({ rel }) => rel === 'payer-action' || rel === 'approve');
    if (!link) throw unavailable('PayPal');
    return { id, url: link.href };
  }

  /** @throws InvalidSignature when PayPal knows no such order */
  async findOrder(id: string): Promise<PayPalOrder> {
    const answer = await this.call('GET', `/v2/checkout/orders/${toldId(id)}`);
    return lookedUp(answer, PayPalOrder);
  }

  /** Undefined when PayPal declines, for instance because the payer's card does. */
  async captureOrder(id: string): Promise<PayPalOrder | undefined> {
    const path = `/v2/checkout/orders/${idAt('PayPal', id)}/capture`;
    const answer = await this.call('POST', path, `capture-${id}`, {});
    if (answer.status === 422) return undefined;
    return lookedUp(answer, PayPalOrder);
  }

  /** @throws InvalidSignature when PayPal knows no such capture */
  async findCapture(id: string): Promise<PayPalCapture> {
    const answer = await this.call('GET', `/v2/payments/captures/${toldId(id)}`);
    return lookedUp(answer, PayPalCapture);
  }

  /** Under our refund id, which PayPal keeps for 45 days: repeated, it answers the first refund. */
  async refundCapture({ refundId, ...request }: RefundRequest): Promise<PayPalRefund> {
    const path = `/v2/payments/captures/${idAt('PayPal', request.providerPaymentId)}/refund`;
    const body = { amount: payPalAmount(request.amount), custom_id: refundId };
    return acceptedRefund(await this.call('POST', path, refundId, body), PayPalRefund, 'PayPal');
  }

  async findRefund(id: string): Promise<PayPalRefund> {
    const answer = await this.call('GET', `/v2/payments/refunds/${toldId(id)}`);
    return acceptedRefund(answer, PayPalRefund, 'PayPal');
  }

  /** @throws InvalidSignature when PayPal knows no such dispute */
  async findDispute(id: string): Promise<PayPalDispute> {
    const answer = await this.call('GET', `/v1/customer/disputes/${toldId(id)}`);
    return lookedUp(answer, PayPalDispute);
  }

  /** Asks for a token anew, so that it is about the credentials as they are. */
  async webhook(id: string): Promise<ProviderAnswer> {
    this.token = undefined;
    return this.call('GET', `/v1/notifications/webhooks/${idAt('PayPal', id)}`);
  }

  private async call(
    method: 'GET' | 'POST',
    path: string,
    requestId?: string,
    body?: object,
  ): Promise<ProviderAnswer> {
    const send = async (): Promise<ProviderAnswer> =>
      callProvider(this.context.fetch, 'PayPal', {
        method,
        url: `${this.credentials.apiBase}${path}`,
        headers: {
          Authorization: `Bearer ${await this.accessToken()}`,
          'Content-Type': 'application/json',
          Prefer: 'return=representation',
          ...(requestId && { 'PayPal-Request-Id': requestId }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
    const answer = await send();
    if (answer.status !== 401) return answer;
    // PayPal may end a token early; a second 401 is about our credentials.
    this.token = undefined;
    return send();
  }

  private async accessToken(): Promise<string> {
    const now = this.context.clock.serverNow().getTime();
    if (this.token && now < this.token.renewAt) return this.token.value;
    const { apiBase, clientId, clientSecret } = this.credentials;
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const answer = await callProvider(this.context.fetch, 'PayPal', {
      method: 'POST',
      url: `${apiBase}/v1/oauth2/token`,
      headers: {
        Authorization: `Basic ${basic}`,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    });
    const granted = accepted(answer, AccessToken, 'PayPal');
    const renewAt = now + granted.expires_in * 1000 - TOKEN_MARGIN_MS;
    this.token = { value: granted.access_token, renewAt };
    return granted.access_token;
  }
}

/** An object that PayPal made for us is missing there only if we ask with other credentials. */
export async function madeForUs<T>(attempt: Promise<T>): Promise<T> {
  try {
    return await attempt;
  } catch (error) {
    throw error instanceof InvalidSignature ? unavailable('PayPal') : error;
  }
}

/** An id that a delivery told. @throws InvalidSignature for one that was never PayPal's */
function toldId(id: string): string {
  if (/^[\w-]{1,255}$/.test(id)) return id;
  throw new InvalidSignature('PayPal knows no such object');
}

/** Only "there is no such thing" says that a report is forged. */
function lookedUp<T>(answer: ProviderAnswer, schema: z.ZodType<T>): T {
  if (answer.status === 404) throw new InvalidSignature('PayPal knows no such object');
  return accepted(answer, schema, 'PayPal');
}

/** @throws DomainError `gateway_refused` when PayPal has no such decimals */
export function payPalAmount(amount: Money): { currency_code: Currency; value: string } {
  const { currency } = amount;
  const digits = WHOLE_UNITS.has(currency) ? 0 : 2;
  const units = unitsAt(amount, digits, 'PayPal');
  return { currency_code: currency, value: providerDecimal(units, digits) };
}
