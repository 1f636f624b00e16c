import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { ProviderMaker } from '../../src/gateways/index.js';
import type {
  Checkout,
  CheckoutRequest,
  Delivery,
  ProviderReport,
  RefundFound,
  RefundOutcome,
  RefundRequest,
  SampleEvent,
  SampleOf,
} from '../../src/payments/index.js';

/*
 * A provider as a company writes it in a project of its own: an HMAC over the body, a pay page, refunds
 * over an API. It imports types, and is given all else.
 */

/** Mistakes that people make. */
export type AcmeFault =
  | 'signs what was parsed'
  | 'amounts have two decimals'
  | 'an event id is of its link'
  | 'a refund needs no id'
  | 'a refund has no key'
  | 'a late answer is a no'
  | 'a report has no fee'
  | 'nonsense is a TypeError'
  | 'an id leads anywhere';

export const ACME_API = 'https://api.acme.example';

export const acmeMac = (secret: string, body: string | Buffer): string =>
  createHmac('sha256', secret).update(body).digest('hex');

export const acmeProvider =
  (fault?: AcmeFault): ProviderMaker =>
  ({ Gateway, InvalidSignature, DomainError, Money, z }) => {
    const Settings = z.strictObject({
      webhook_secret: z.string().min(16, 'has to be longer'),
      api_key: z.string().optional(),
    });
    const id = z.string().regex(/^[A-Za-z0-9_]{1,64}$/);
    const Event = z.object({
      id,
      type: z.enum(['paid', 'refunded']),
      link: id.nullable(),
      payment: fault === 'an id leads anywhere' ? z.string() : id,
      refund: id.optional(),
      amount: z.string().regex(/^\d{1,15}(\.\d{1,4})?$/),
      currency: z.string().regex(/^[A-Z]{3}$/),
      at: z.iso.datetime(),
    });
    const Refund = z.object({
      id: z.string().optional(),
      state: z.string(),
      reference: z.string(),
    });
    const RefundList = z.object({ refunds: z.array(Refund) });
    type Asked = ReturnType<typeof Settings.parse>;

    const unknown = () => DomainError.unavailable('gateway_unavailable', 'Acme does not answer.');
    const digitsOf = (currency: string) =>
      fault === 'amounts have two decimals'
        ? 2
        : (Money.of(1n, currency).toDecimalString().split('.')[1]?.length ?? 0);
    // Undefined where we cannot say it: another currency, or a part of a minor unit.
    const moneyOf = (text: string, currency: string) => {
      const [whole = '', part = ''] = text.split('.');
      try {
        const digits = digitsOf(currency);
        if (part.length > digits) return undefined;
        return Money.of(BigInt(whole + part.padEnd(digits, '0')), currency);
      } catch {
        return undefined;
      }
    };

    class AcmeGateway extends Gateway {
      readonly provider = 'acme';
      readonly method = 'card';

      constructor(
        private readonly settings: Asked,
        private readonly context: { name: string; accounts: 'all'; fetch: typeof globalThis.fetch },
      ) {
        super(context);
      }

      get canRefund(): boolean {
        return this.settings.api_key !== undefined;
      }

      async createCheckout({ linkId }: CheckoutRequest): Promise<Checkout> {
        return { url: `https://pay.acme.example/${linkId}`, providerObjectId: null };
      }

      async verify({ rawBody, headers }: Delivery): Promise<void> {
        const signature = headers['acme-signature'];
        const isHex = typeof signature === 'string' && /^[0-9a-f]{64}$/.test(signature);
        if (!isHex) throw new InvalidSignature('no signature of acme');
        const signed =
          fault === 'signs what was parsed' ? JSON.stringify(textOf(rawBody)) : rawBody;
        const expected = Buffer.from(acmeMac(this.settings.webhook_secret, signed), 'hex');
        if (!timingSafeEqual(Buffer.from(signature, 'hex'), expected))
          throw new InvalidSignature('another signature');
      }

      parse({ rawBody }: Delivery): readonly ProviderReport[] {
        const event = Event.safeParse(textOf(rawBody));
        if (!event.success && fault === 'nonsense is a TypeError') throw new TypeError('no event');
        if (!event.success) throw new InvalidSignature('no event of acme');
        const { type, link: linkId, payment: providerPaymentId, refund, at } = event.data;
        const eventId = fault === 'an event id is of its link' ? `of ${linkId}` : event.data.id;
        const told = { eventId, eventType: type, fingerprint: null };
        const amount = moneyOf(event.data.amount, event.data.currency);
        if (!amount) {
          const direction = type === 'paid' ? ('in' as const) : ('out' as const);
          const moved = { direction, reference: refund ?? null, providerPaymentId, amount: null };
          return [{ ...told, kind: 'irrelevant', review: 'an amount that we do not have', moved }];
        }
        const reported = { ...told, providerPaymentId, amount };
        const fee = fault === 'a report has no fee' ? undefined : null;
        if (type === 'paid') {
          const paid = { kind: 'paid', linkId, providerObjectId: null, fee, paidAt: new Date(at) };
          return [{ ...reported, ...paid } as ProviderReport];
        }
        if (refund === undefined) throw new InvalidSignature('a refund without an id');
        return [
          {
            ...reported,
            kind: 'refund',
            refundId: null,
            providerRefundId: refund,
            outcome: { status: 'succeeded', providerRefundId: refund },
            at: new Date(at),
            review: 'money went back at Acme that is not known here',
          },
        ];
      }

      async refund(request: RefundRequest): Promise<RefundOutcome> {
        const { refundId, providerPaymentId: payment, amount } = request;
        const asked = { payment, amount: amount.toDecimalString(), reference: refundId };
        const { status, json } = await this.call('POST', '/refunds', asked, refundId);
        if (status === 422) return { status: 'failed', reason: 'refused' };
        const made = Refund.safeParse(json);
        if (status !== 201 || !made.success) throw unknown();
        const { id: providerRefundId } = made.data;
        if (fault !== 'a refund needs no id' && !providerRefundId) throw unknown();
        return { status: 'succeeded', providerRefundId: providerRefundId ?? '' };
      }

      override async lookUpRefund(request: RefundRequest): Promise<RefundFound> {
        const { providerPaymentId, refundId, amount } = request;
        const payment =
          fault === 'an id leads anywhere'
            ? providerPaymentId
            : encodeURIComponent(providerPaymentId);
        const sum = `${amount.toDecimalString()} ${amount.currency}`;
        const { status, json } = await this.call('GET', `/payments/${payment}/refunds`);
        const list = RefundList.safeParse(json);
        if (status !== 200 || !list.success) throw unknown();
        const found = list.data.refunds.find(({ reference }) => reference === `${refundId} ${sum}`);
        if (found?.id) return { status: 'succeeded', providerRefundId: found.id };
        if (request.providerRefundId !== null) throw unknown();
        return { status: 'not_found' };
      }

      private async call(method: string, path: string, body?: object, key = '') {
        const { api_key } = this.settings;
        if (api_key === undefined) throw unknown();
        const sent = fault === 'a refund has no key' ? randomUUID() : key;
        const headers = { authorization: `Bearer ${api_key}`, 'idempotency-key': sent };
        try {
          const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
          const answer = await this.context.fetch(`${ACME_API}${path}`, init);
          return { status: answer.status, json: (await answer.json()) as unknown };
        } catch {
          if (fault === 'a late answer is a no') return { status: 422, json: {} };
          throw unknown();
        }
      }

      override sampleEventDelivery(event: SampleEvent, of: SampleOf, now: Date) {
        if (event !== 'paid' && event !== 'refunded') return undefined;
        const { linkId, paymentId, amount } = of;
        const body = JSON.stringify({
          id: `ev_${randomUUID().replaceAll('-', '')}`,
          type: event,
          link: linkId,
          payment: paymentId,
          ...(event === 'refunded' && { refund: 'rf_1' }),
          amount: amount.toDecimalString(),
          currency: amount.currency,
          at: now.toISOString(),
        });
        const signature = acmeMac(this.settings.webhook_secret, body);
        return {
          body,
          headers: { 'content-type': 'application/json', 'acme-signature': signature },
        };
      }
    }

    function textOf(rawBody: Buffer): unknown {
      try {
        return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawBody));
      } catch {
        throw new InvalidSignature('no JSON');
      }
    }

    return {
      name: 'acme',
      settings: Settings,
      kinds: { webhook_secret: 'rotated', api_key: 'secret' },
      unsafe: () => [],
      open: (settings: Asked, context: AcmeContext) => new AcmeGateway(settings, context),
    };
  };

interface AcmeContext {
  name: string;
  accounts: 'all';
  fetch: typeof globalThis.fetch;
}
