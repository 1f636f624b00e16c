import { describe, expect, it } from 'vitest';
import { Money } from '../../../src/kernel/money.js';
import type { RefundRequest } from '../../../src/payments/port/domain/refund-request.js';
import {
  aDebit,
  aProblem,
  aReturn,
  DEBIT,
  goCardlessAt,
  type SentToGoCardless,
  shows,
} from './gocardless-objects.js';
import { UNAVAILABLE } from '../mollie/mollie-objects.js';

const asked = (over: Partial<RefundRequest> = {}): RefundRequest => ({
  refundId: 'rfnd_1',
  providerPaymentId: DEBIT,
  amount: Money.of(500n, 'EUR'),
  providerRefundId: null,
  isOurs: true,
  ...over,
});
const conflict = (id: unknown) =>
  Response.json(aProblem('idempotent_creation_conflict', { conflicting_resource_id: id }), {
    status: 409,
  });
const made = (over: object = {}) =>
  Response.json({ refunds: aReturn({ status: 'pending_submission', ...over }) }, { status: 201 });

/** A payment of which some was refunded before; `post` answers the refund. */
const refunding = (
  post: (sent: SentToGoCardless) => Response | Promise<Response>,
  over: Record<string, unknown> = {},
) => {
  const objects = {
    '/refunds': [aReturn({ id: 'RF0', metadata: {} })],
    [`/payments/${DEBIT}`]: aDebit({ amount_refunded: 500 }),
    '/refunds/RF00123': aReturn(),
    ...over,
  };
  return goCardlessAt((sent) => (sent.method === 'POST' ? post(sent) : shows(objects)(sent)));
};
const sums = (sent: readonly SentToGoCardless[]) =>
  sent
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => (JSON.parse(body) as { refunds: Record<string, unknown> }).refunds);

describe('a refund', () => {
  it('is sent with the sum of all, our id as its key and with it', async () => {
    const { sent, gateway } = refunding(() => made());
    const outcome = { status: 'pending', providerRefundId: 'RF00123' };
    expect(await gateway.refund(asked())).toEqual(outcome);
    expect(sent.map(({ method, url }) => `${method} ${url.pathname}${url.search}`)).toEqual([
      `GET /refunds?payment=${DEBIT}&limit=500`,
      `GET /payments/${DEBIT}`,
      'POST /refunds',
    ]);
    expect(sent[2]?.headers).toMatchObject({ 'Idempotency-Key': 'rfnd_1' });
    expect(sums(sent)).toEqual([
      {
        amount: 500,
        total_amount_confirmation: 1000,
        links: { payment: DEBIT },
        metadata: { refund_id: 'rfnd_1' },
      },
    ]);
  });

  it.each(['AUD', 'CAD', 'DKK', 'EUR', 'GBP', 'NZD', 'SEK', 'USD'])(
    'is exact in %s',
    async (currency) => {
      const { sent, gateway } = refunding(() => made({ currency, amount: 123_456_789 }));
      const amount = Money.of(123_456_789n, currency);
      expect(await gateway.refund(asked({ amount }))).toMatchObject({ status: 'pending' });
      expect(sums(sent)[0]).toMatchObject({ amount: 123_456_789 });
    },
  );

  it('that was made before is found, and not sent again', async () => {
    const { sent, gateway } = refunding(() => made(), { '/refunds': [aReturn()] });
    expect(await gateway.refund(asked())).toEqual({
      status: 'succeeded',
      providerRefundId: 'RF00123',
    });
    expect(sums(sent)).toEqual([]);
  });

  it('that the list does not show yet is found by its key', async () => {
    const { gateway } = refunding(() => conflict('RF00123'));
    expect(await gateway.refund(asked())).toEqual({
      status: 'succeeded',
      providerRefundId: 'RF00123',
    });
  });

  it.each(['RF/../x', 'PM1', 7, undefined, 'RF404'])(
    'is undecided where its key has made %j',
    async (id) => {
      const { sent, gateway } = refunding(() => conflict(id));
      await expect(gateway.refund(asked())).rejects.toMatchObject(UNAVAILABLE);
      expect(sent.every(({ url }) => !url.pathname.includes('x'))).toBe(true);
    },
  );

  it('is sent with a new sum when another one came in between', async () => {
    let refunded = 0;
    const other = () => {
      refunded += 500;
      return Response.json(aProblem('total_amount_confirmation_invalid'), { status: 422 });
    };
    const { sent, gateway } = goCardlessAt((call) => {
      if (call.method === 'POST') return refunded === 0 ? other() : made();
      const debit = aDebit({ amount_refunded: refunded });
      return shows({ '/refunds': [], [`/payments/${DEBIT}`]: debit })(call);
    });
    expect(await gateway.refund(asked())).toMatchObject({ status: 'pending' });
    expect(sums(sent).map((one) => one['total_amount_confirmation'])).toEqual([500, 1000]);
    const busy = refunding(other);
    await expect(busy.gateway.refund(asked())).rejects.toMatchObject(UNAVAILABLE);
    expect(sums(busy.sent)).toHaveLength(3);
  });

  it.each([400, 401, 403, 404, 422])(
    'that is refused by %d has failed, in a word',
    async (status) => {
      const { gateway } = refunding(() =>
        Response.json(aProblem('available_refund_amount_insufficient'), { status }),
      );
      const reason = 'available_refund_amount_insufficient';
      expect(await gateway.refund(asked())).toEqual({ status: 'failed', reason });
    },
  );

  it.each([302, 408, 409, 425, 429, 500, 503])('is undecided after %d', async (status) => {
    const { gateway } = refunding(() => Response.json(aProblem('no'), { status }));
    await expect(gateway.refund(asked())).rejects.toMatchObject(UNAVAILABLE);
  });

  it.each<[string, object]>([
    ['amount', { amount: 501 }],
    ['currency', { currency: 'USD' }],
    ['payment', { links: { payment: 'PM2' } }],
    ['refund of ours', { metadata: { refund_id: 'rfnd_2' } }],
    ['shape', { status: 7 }],
  ])('is undecided if the answer has another %s', async (_what, over) => {
    const { gateway } = refunding(() => made(over));
    await expect(gateway.refund(asked())).rejects.toMatchObject(UNAVAILABLE);
  });

  it.each<[string, Record<string, unknown>]>([
    ['the list cannot be read', { '/refunds': 7 }],
    ['a refund of the list cannot be read', { '/refunds': [{ id: 'RF1' }] }],
    ['there is no list', { '/refunds': undefined }],
    ['there is no payment', { [`/payments/${DEBIT}`]: undefined }],
    ['the payment tells no sum', { [`/payments/${DEBIT}`]: aDebit({ amount_refunded: null }) }],
  ])('is not sent, and undecided, if %s', async (_what, over) => {
    const { sent, gateway } = refunding(() => made(), over);
    await expect(gateway.refund(asked())).rejects.toMatchObject(UNAVAILABLE);
    expect(sums(sent)).toEqual([]);
  });
});

describe('a look-up of a refund', () => {
  it('goes through every page', async () => {
    const { sent, gateway } = goCardlessAt(({ url }) => {
      const isLast = url.searchParams.get('after') === 'RF0';
      const refunds = [isLast ? aReturn() : aReturn({ id: 'RF0', metadata: null })];
      const after = isLast ? null : 'RF0';
      return Response.json({ refunds, meta: { cursors: { before: null, after } } });
    });
    expect(await gateway.lookUpRefund(asked())).toMatchObject({ providerRefundId: 'RF00123' });
    expect(sent).toHaveLength(2);
  });

  it('asks for one that was made elsewhere by its own id', async () => {
    const elsewhere = asked({ isOurs: false, providerRefundId: 'RF00123' });
    const { gateway } = refunding(() => made(), { '/refunds/RF00123': aReturn({ metadata: {} }) });
    expect(await gateway.lookUpRefund(elsewhere)).toMatchObject({ status: 'succeeded' });
    const ours = asked({ providerRefundId: 'RF00123' });
    await expect(gateway.lookUpRefund(ours)).rejects.toMatchObject(UNAVAILABLE);
    const gone = asked({ providerRefundId: 'RF404' });
    await expect(gateway.lookUpRefund(gone)).rejects.toMatchObject(UNAVAILABLE);
  });
});
