import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { ProviderMaker } from '../../src/gateways/index.js';
import type {
  Checkout,
  CheckoutRequest,
  Delivery,
  DirectDebits,
  ProviderReport,
  RefundFound,
  RefundOutcome,
  RefundRequest,
  SampleEvent,
  SampleOf,
} from '../../src/payments/index.js';
import { acmeDebits } from './acme-debits.js';
import type { AcmeFault } from './acme-faults.js';

/*
 * A provider as a company writes it in a project of its own: an HMAC over the body, a pay page, refunds
 * over an API. It imports types, and is given all else.
 */

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
      link: fault === 'text is decoded loosely' ? z.string() : id.nullable(),
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

    const outcomeOf = ({
      id: made = '',
      state,
    }: ReturnType<typeof Refund.parse>): RefundOutcome => {
      if (state === 'waits' && fault !== 'all refunds are done')
        return { status: 'pending', providerRefundId: made };
      if (state === 'given up') return { status: 'failed', reason: 'failed' };
      return { status: 'succeeded', providerRefundId: made };
    };

    class AcmeGateway extends Gateway {
      readonly provider = fault === 'it has another name' ? 'emca' : 'acme';
      readonly method = 'card';

      constructor(
        private readonly settings: Asked,
        private readonly context: { name: string; accounts: 'all'; fetch: typeof globalThis.fetch },
      ) {
        super(context);
      }

      get canRefund(): boolean {
        return this.settings.api_key !== undefined || fault === 'refunds without a key';
      }

      override get tellsCheckouts(): boolean {
        return this.settings.api_key !== undefined;
      }

      override get directDebits(): DirectDebits | undefined {
        if (this.settings.api_key === undefined) return undefined;
        return acmeDebits(this.call.bind(this), DomainError, fault);
      }

      async createCheckout({ linkId }: CheckoutRequest): Promise<Checkout> {
        if (fault === 'a page is asked for without a key') await this.call('POST', '/pages', {});
        return { url: `https://pay.acme.example/${linkId}`, providerObjectId: null };
      }

      async verify({ rawBody, headers }: Delivery): Promise<void> {
        const given = headers['acme-signature'];
        const signature = fault === 'a header may come twice' ? String(given) : given;
        const isHex =
          typeof signature === 'string' &&
          (/^[0-9a-f]{64}$/.test(signature) || fault === 'a signature may have any form');
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
        const eventId =
          fault === 'an event id is of its link'
            ? `of ${linkId}`
            : fault === 'an event id is new each time'
              ? randomUUID()
              : event.data.id;
        const told = { eventId, eventType: type, fingerprint: null };
        const amount = moneyOf(event.data.amount, event.data.currency);
        if (!amount) {
          const direction = type === 'paid' ? ('in' as const) : ('out' as const);
          const moved = { direction, reference: refund ?? null, providerPaymentId, amount: null };
          return [{ ...told, kind: 'irrelevant', review: 'an amount that we do not have', moved }];
        }
        const reported = { ...told, providerPaymentId, amount };
        const fee = fault === 'a report has no fee' ? undefined : null;
        if (type === 'paid' || fault === 'everything is told as paid') {
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
        const isOdd = amount.currency === 'HUF' && amount.toMinorNumber() % 100 !== 0;
        if (isOdd && fault !== 'a part of a forint is sent')
          return { status: 'failed', reason: 'no_fillers' };
        if (fault === 'refunds without asking')
          return { status: 'succeeded', providerRefundId: 'rf_1' };
        const asked = { payment, amount: amount.toDecimalString(), reference: refundId };
        const key = fault === 'refunds of a payment share a key' ? payment : refundId;
        const sent = fault === 'a refund has no key of ours' ? randomUUID() : key;
        const { status, json } = await this.call('POST', '/refunds', asked, sent);
        if (status === 422) return this.refused(json);
        if (status >= 429 && fault === 'an outage is a no')
          return { status: 'failed', reason: 'outage' };
        const made = Refund.safeParse(json);
        if (status !== 201 || !made.success) throw unknown();
        if (fault !== 'a refund needs no id' && !made.data.id) throw unknown();
        return outcomeOf(made.data);
      }

      private refused(json: unknown): RefundOutcome {
        const reason = z.object({ reason: z.string() }).safeParse(json).data?.reason ?? 'refused';
        return { status: 'failed', reason: fault === 'a refusal has no reason' ? '' : reason };
      }

      override async lookUpRefund(request: RefundRequest): Promise<RefundFound> {
        const { providerPaymentId, providerRefundId, refundId, amount } = request;
        const payment =
          fault === 'an id leads anywhere'
            ? providerPaymentId
            : encodeURIComponent(providerPaymentId);
        const sum = `${amount.toDecimalString()} ${amount.currency}`;
        if (fault === 'refunds without asking') return { status: 'pending', providerRefundId };
        const { status, json } = await this.call('GET', `/payments/${payment}/refunds`);
        const list = RefundList.safeParse(json);
        if (status !== 200 && fault === 'a look-up that fails found nothing')
          return { status: 'not_found' };
        if (status !== 200 || !list.success) throw unknown();
        const { refunds } = list.data;
        const isThis =
          fault === 'any refund of a payment is this one' ||
          (fault === 'a refund is found by its id alone' && providerRefundId === null)
            ? () => fault === 'any refund of a payment is this one'
            : ({ reference }: { reference: string }) => reference === `${refundId} ${sum}`;
        const found = refunds.find(isThis);
        const isLost = fault === 'a refund is not found by its id' && providerRefundId !== null;
        if (found?.id && !isLost) return outcomeOf(found);
        if (fault === 'a refund is found by its id alone')
          return { status: 'pending', providerRefundId: null };
        if (providerRefundId !== null) throw unknown();
        return { status: 'not_found' };
      }

      private async call(method: string, path: string, body?: object, key = '') {
        const { api_key = fault === 'refunds without a key' ? '' : undefined } = this.settings;
        if (api_key === undefined && fault !== 'a page is asked for without a key') throw unknown();
        const headers = { authorization: `Bearer ${api_key}`, 'idempotency-key': key };
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
        const isTold = event === 'paid' || event === 'refunded';
        if (!isTold && fault !== 'everything is told as paid') return undefined;
        const { linkId, paymentId, amount } = of;
        const body = JSON.stringify({
          id: `ev_${randomUUID().replaceAll('-', '')}`,
          type: isTold ? event : 'paid',
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
        const fatal = fault !== 'text is decoded loosely';
        return JSON.parse(new TextDecoder('utf-8', { fatal }).decode(rawBody));
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
