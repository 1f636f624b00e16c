import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import {
  type Checkout,
  type CheckoutRequest,
  defineExtension,
  type Delivery,
  DomainError,
  Gateway,
  type GatewayContext,
  InvalidSignature,
  Money,
  type Provider,
  type ProviderReport,
  type RefundFound,
  type RefundOutcome,
  type RefundRequest,
  type SampleEvent,
  type SampleOf,
  z,
} from 'quittance';

export const API = 'https://api.acmepay.example';

const Settings = z.strictObject({
  webhook_secret: z.string().min(16, 'has to have 16 characters or more'),
  api_key: z.string().optional(),
});
type Settings = z.infer<typeof Settings>;

const id = z.string().regex(/^[A-Za-z0-9_]{1,64}$/);
const Event = z.object({
  id,
  type: z.enum(['paid', 'refunded']),
  link: id.nullable(),
  payment: id,
  refund: id.optional(),
  amount: z.string().regex(/^\d{1,15}(\.\d{1,4})?$/),
  currency: z.string().regex(/^[A-Z]{3}$/),
  at: z.iso.datetime(),
});
const Refund = z.object({ id, reference: z.string() });
const Refunds = z.object({ refunds: z.array(Refund) });

/** The header of a body: an HMAC over its bytes. */
export const signatureOf = (secret: string, body: string | Buffer): string =>
  createHmac('sha256', secret).update(body).digest('hex');

class AcmePay extends Gateway {
  readonly provider = 'acmepay';
  readonly method = 'card';

  constructor(
    private readonly settings: Settings,
    private readonly context: GatewayContext,
  ) {
    super(context);
  }

  get canRefund(): boolean {
    return this.settings.api_key !== undefined;
  }

  async createCheckout({ linkId }: CheckoutRequest): Promise<Checkout> {
    return { url: `https://pay.acmepay.example/${linkId}`, providerObjectId: null };
  }

  async verify({ rawBody, headers }: Delivery): Promise<void> {
    const given = headers['acmepay-signature'];
    if (typeof given !== 'string' || !/^[0-9a-f]{64}$/.test(given)) {
      throw new InvalidSignature('no signature');
    }
    const wanted = signatureOf(this.settings.webhook_secret, rawBody);
    if (!timingSafeEqual(Buffer.from(given), Buffer.from(wanted))) {
      throw new InvalidSignature('another signature');
    }
  }

  parse({ rawBody }: Delivery): readonly ProviderReport[] {
    const { data: event } = Event.safeParse(jsonIn(rawBody));
    if (!event) throw new InvalidSignature('no event');
    const { id: eventId, type: eventType, payment: providerPaymentId, at } = event;
    const amount = moneyIn(event.amount, event.currency);
    const reported = { eventId, eventType, fingerprint: null, providerPaymentId, amount };
    if (eventType === 'paid') {
      const { link: linkId } = event;
      return [
        {
          ...reported,
          kind: 'paid',
          linkId,
          providerObjectId: null,
          fee: null,
          paidAt: new Date(at),
        },
      ];
    }
    if (event.refund === undefined) throw new InvalidSignature('a refund without an id');
    const outcome = { status: 'succeeded', providerRefundId: event.refund } as const;
    return [
      {
        ...reported,
        kind: 'refund',
        refundId: null,
        providerRefundId: event.refund,
        outcome,
        at: new Date(at),
        review: 'money went back at AcmePay that is not in the books',
      },
    ];
  }

  /** The same key once more is answered with the same refund. */
  override async refund(request: RefundRequest): Promise<RefundOutcome> {
    const { refundId, providerPaymentId: payment, amount } = request;
    const body = { payment, amount: amount.toDecimalString(), reference: referenceOf(request) };
    const { status, json } = await this.call('POST', '/refunds', body, refundId);
    if (status === 422) return { status: 'failed', reason: 'refused by AcmePay' };
    const { data: made } = Refund.safeParse(json);
    if (status !== 201 || !made) throw unknown();
    return { status: 'succeeded', providerRefundId: made.id };
  }

  override async lookUpRefund(request: RefundRequest): Promise<RefundFound> {
    const payment = encodeURIComponent(request.providerPaymentId);
    const { status, json } = await this.call('GET', `/payments/${payment}/refunds`);
    const { data: list } = Refunds.safeParse(json);
    if (status !== 200 || !list) throw unknown();
    const found = list.refunds.find(({ reference }) => reference === referenceOf(request));
    if (found) return { status: 'succeeded', providerRefundId: found.id };
    // It has told of one before, so that it cannot have none.
    if (request.providerRefundId !== null) throw unknown();
    return { status: 'not_found' };
  }

  private async call(method: string, path: string, body?: object, key = '') {
    const { api_key: bearer } = this.settings;
    if (bearer === undefined) throw unknown();
    const headers = { authorization: `Bearer ${bearer}`, 'idempotency-key': key };
    try {
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const answer = await this.context.fetch(`${API}${path}`, init);
      return { status: answer.status, json: (await answer.json()) as unknown };
    } catch {
      throw unknown();
    }
  }

  override sampleEventDelivery(event: SampleEvent, of: SampleOf, now: Date) {
    if (event !== 'paid' && event !== 'refunded') return undefined;
    const body = JSON.stringify({
      id: `ev_${randomUUID().replaceAll('-', '')}`,
      type: event,
      link: of.linkId,
      payment: of.paymentId,
      ...(event === 'refunded' && { refund: `rf_${randomUUID().replaceAll('-', '')}` }),
      amount: of.amount.toDecimalString(),
      currency: of.amount.currency,
      at: now.toISOString(),
    });
    const signature = signatureOf(this.settings.webhook_secret, body);
    return {
      body,
      headers: { 'content-type': 'application/json', 'acmepay-signature': signature },
    };
  }
}

/** Nobody knows yet whether it was done: the service asks again with the same key. */
const unknown = () =>
  DomainError.unavailable('gateway_unavailable', 'AcmePay does not answer; try again later.');

const referenceOf = ({ refundId, amount }: RefundRequest) =>
  `${refundId} ${amount.toDecimalString()} ${amount.currency}`;

function moneyIn(text: string, currency: string): Money {
  const digits = decimalsOf(currency);
  const [whole = '', part = ''] = text.split('.');
  if (part.length > digits) throw new InvalidSignature('an amount with a part of a minor unit');
  return Money.of(BigInt(whole + part.padEnd(digits, '0')), currency);
}

function decimalsOf(currency: string): number {
  try {
    return Money.of(1n, currency).toDecimalString().split('.')[1]?.length ?? 0;
  } catch {
    throw new InvalidSignature('an unknown currency');
  }
}

function jsonIn(rawBody: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawBody));
  } catch {
    throw new InvalidSignature('no JSON');
  }
}

export const acmepay: Provider<Settings> = {
  name: 'acmepay',
  settings: Settings,
  kinds: { webhook_secret: 'rotated', api_key: 'secret' },
  unsafe: () => [],
  open: (settings, context) => new AcmePay(settings, context),
};

export default defineExtension({
  name: 'acmepay',
  quittance: '^0.2',
  providers: [acmepay as Provider],
});
