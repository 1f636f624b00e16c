import { z } from 'zod';
import {
  capturedPaymentId,
  type PlacedCheckout,
  type RefundOutcome,
  type RefundRequest,
  GatewayRefusal,
} from '../../payments/index.js';
import { IsoTime } from '../page-end.js';
import {
  accepted,
  errorCode,
  type ProviderAnswer,
  ProviderApi,
  unavailable,
} from '../provider-api.js';
import { acceptedRefund } from '../provider-refund.js';
import { AdyenAmount, adyenAmount } from './adyen-amount.js';

const VERSION = '/v72';
/**
 * Adyen says these with a 4xx, and they are no answer: it could not process the request, or the one
 * before it, under the same key, still runs.
 */
const NO_ANSWER: ReadonlySet<string> = new Set(['701', '703', '704']);

/** The id of a payment link or a payment, which may go into an address. */
const AdyenId = z.string().regex(/^[A-Za-z0-9]{4,64}$/);

/** docs.adyen.com/api-explorer/Checkout: what answers about payment links show. */
const AdyenLink = z.object({
  id: AdyenId,
  merchantAccount: z.string(),
  reference: z.string(),
  amount: AdyenAmount,
  status: z.enum(['active', 'completed', 'expired', 'paid', 'paymentPending']),
  updatedAt: z.iso.datetime({ offset: true }).nullish().catch(null),
  expiresAt: IsoTime,
  url: z.url({ protocol: /^https?$/ }),
});
const Refund = z.object({
  status: z.literal('received'),
  merchantAccount: z.string(),
  pspReference: AdyenId,
  paymentPspReference: z.string(),
  reference: z.string(),
  amount: AdyenAmount,
});

export type AdyenLink = z.infer<typeof AdyenLink>;

/** The calls of Adyen's Checkout API that a payment needs. Each POST has our own id as its key. */
export class AdyenApi extends ProviderApi {
  private readonly merchantAccount: string;

  constructor(
    settings: { apiBase: string; apiKey: string; merchantAccount: string },
    fetch: typeof globalThis.fetch,
  ) {
    const apiBase = `${settings.apiBase}${VERSION}`;
    super('Adyen', { apiBase, headers: { 'X-API-Key': settings.apiKey } }, fetch);
    this.merchantAccount = settings.merchantAccount;
  }

  async createLink(link: object, linkId: string): Promise<AdyenLink> {
    const { merchantAccount } = this;
    const body = { ...link, merchantAccount, reference: linkId };
    const answer = await this.post('/paymentLinks', body, linkId);
    return this.ownLink(accepted(answer, AdyenLink, 'Adyen'), linkId);
  }

  async findLink({ linkId, providerObjectId }: PlacedCheckout): Promise<AdyenLink> {
    const answer = await this.get(`/paymentLinks/${idInPath(providerObjectId)}`);
    return this.ownLink(accepted(answer, AdyenLink, 'Adyen'), linkId, providerObjectId);
  }

  /** Undefined when Adyen says no, as it does for a link that is not active any more. */
  async expireLink({ linkId, providerObjectId }: PlacedCheckout): Promise<AdyenLink | undefined> {
    const path = `/paymentLinks/${idInPath(providerObjectId)}`;
    const answer = await this.call('PATCH', path, { status: 'expired' });
    if (answer.status >= 400) return undefined;
    return this.ownLink(accepted(answer, AdyenLink, 'Adyen'), linkId, providerObjectId);
  }

  /** Only received: an event tells what becomes of it. */
  async createRefund(request: RefundRequest): Promise<RefundOutcome> {
    const { merchantAccount } = this;
    const { refundId } = request;
    const providerPaymentId = capturedPaymentId(request.providerPaymentId);
    const amount = adyenAmount(request.amount);
    const path = `/payments/${idInPath(providerPaymentId)}/refunds`;
    const body = { merchantAccount, amount, reference: refundId };
    const answer = await this.post(path, body, refundId);
    const refund = acceptedRefund(answer, Refund, 'Adyen');
    const isSame =
      refund.merchantAccount === merchantAccount &&
      refund.paymentPspReference === providerPaymentId &&
      refund.reference === refundId &&
      refund.amount.value === amount.value &&
      refund.amount.currency === amount.currency;
    if (!isSame) throw unavailable('Adyen');
    return { status: 'pending', providerRefundId: refund.pspReference };
  }

  /** The payment methods of the merchant account: it makes nothing, and wants the role of pay pages. */
  async paymentMethods(): Promise<ProviderAnswer> {
    const { merchantAccount } = this;
    return this.post('/paymentMethods', { merchantAccount });
  }

  /** Only an answer about the link that was asked for counts. */
  private ownLink(link: AdyenLink, linkId: string, providerObjectId = link.id): AdyenLink {
    const isOurs =
      link.reference === linkId &&
      link.id === providerObjectId &&
      link.merchantAccount === this.merchantAccount;
    if (!isOurs) throw unavailable('Adyen');
    return link;
  }

  protected override async call(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<ProviderAnswer> {
    const answer = await super.call(method, path, body, headers);
    const code = answer.status >= 400 ? errorCode(answer.json) : null;
    if (code !== null && NO_ANSWER.has(code)) throw unavailable('Adyen');
    return answer;
  }
}

/** @throws DomainError `gateway_refused` for an id that was never Adyen's, before any call */
function idInPath(id: string): string {
  if (AdyenId.safeParse(id).success) return id;
  throw GatewayRefusal.gateway_refused.of('Adyen has no such id.', { provider: 'Adyen' });
}
