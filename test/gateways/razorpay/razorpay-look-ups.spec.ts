import { describe, expect, it } from 'vitest';
import { Money } from '../../../src/kernel/money.js';
import type { PlacedCheckout } from '../../../src/payments/port/domain/checkout.js';
import type { ProviderReport } from '../../../src/payments/port/domain/provider-report.js';
import { LINK, NOW, NOW_SECONDS } from '../gateway-builders.js';
import {
  answers,
  aPage,
  aPayment,
  aRefund,
  gatewayAt,
  GONE,
  PAGE,
  PAY,
  REFUND_ID,
  SILENCE,
  withoutKey,
} from './razorpay-objects.js';

const inr = (minor: number) => Money.of(BigInt(minor), 'INR');
const placed: PlacedCheckout = {
  linkId: LINK,
  providerObjectId: PAGE,
  amount: inr(1250),
  expiresAt: NOW,
};
const open = { status: 'created', amount_paid: 0, payments: null };
const refusal = (status: number) => Response.json({ error: { code: 'X' } }, { status });
const items = (...all: object[]) => ({ entity: 'collection', count: all.length, items: all });

const cancelAt = (table: Record<string, unknown>) => {
  const { sent, gateway } = gatewayAt(answers(table));
  return { sent, done: gateway.cancelCheckout(placed) };
};

describe('a page that is cancelled', () => {
  const path = `POST /payment_links/${PAGE}/cancel`;

  it('is closed', async () => {
    const { sent, done } = cancelAt({ [path]: aPage({ ...open, status: 'cancelled' }) });
    await done;
    expect(sent).toHaveLength(1);
  });

  it.each(['paid', 'cancelled', 'expired'])('and is %s already stays so', async (status) => {
    const { sent, done } = cancelAt({ [`GET /payment_links/${PAGE}`]: aPage({ status }) });
    await done;
    expect(sent).toHaveLength(2);
  });

  it.each([
    ['is still open', { [`GET /payment_links/${PAGE}`]: aPage(open) }],
    ['is answered as open', { [path]: aPage(open) }],
    ['is answered as another', { [path]: aPage({ id: 'plink_other', status: 'cancelled' }) }],
    ['is refused altogether', {}],
  ])('and %s is undecided', async (_what, table) =>
    expect(cancelAt(table).done).rejects.toMatchObject(GONE),
  );

  it.each(SILENCE)('is undecided after %s', async (_what, answer) =>
    expect(gatewayAt(answer).gateway.cancelCheckout(placed)).rejects.toMatchObject(GONE),
  );

  it('cannot be closed without a key', () =>
    expect(withoutKey().cancelCheckout(placed)).rejects.toMatchObject(GONE));
});

const lookUp = async (
  page: object,
  more: Record<string, unknown> = { [`GET /payments/${PAY}`]: aPayment() },
) => {
  const table = { [`GET /payment_links/${PAGE}`]: page, ...more };
  return gatewayAt(answers(table)).gateway.lookUpCheckout(placed);
};

const brief = (reports: readonly ProviderReport[]) =>
  reports.map(({ kind, eventId }) => [kind, eventId]);

it('tells its payment, as events name it', async () => {
  expect(gatewayAt(answers({})).gateway.tellsCheckouts).toBe(true);
  expect(withoutKey().tellsCheckouts).toBe(false);
  expect(await lookUp(aPage())).toEqual([
    {
      eventId: `${PAY}:payment.captured`,
      eventType: 'payment.captured',
      fingerprint: null,
      kind: 'paid',
      linkId: LINK,
      providerObjectId: PAGE,
      providerPaymentId: PAY,
      amount: inr(1250),
      fee: inr(30),
      paidAt: new Date((NOW_SECONDS - 60) * 1000),
    },
  ]);
});

describe('a page that is looked up', () => {
  it('tells a payment that stands there without a list', async () => {
    const payments = { payment_id: PAY, plink_id: PAGE, status: 'captured' };
    expect(brief(await lookUp(aPage({ payments })))).toEqual([['paid', `${PAY}:payment.captured`]]);
  });

  it('tells its refunds after it', async () => {
    const reports = await lookUp(aPage(), {
      [`GET /payments/${PAY}`]: aPayment({ amount_refunded: 700 }),
      [`GET /payments/${PAY}/refunds`]: items(
        aRefund(),
        aRefund({ id: 'rfnd_2', status: 'pending' }),
      ),
    });
    expect(brief(reports)).toEqual([
      ['paid', `${PAY}:payment.captured`],
      ['refund', 'rfnd_FgRAHdNOM4ZVbO:refund.processed'],
      ['refund', 'rfnd_2:refund.pending'],
    ]);
    expect(reports[1]).toMatchObject({ refundId: REFUND_ID, amount: inr(500) });
  });

  it('leaves a refund that it cannot read to a person, and tells the rest', async () => {
    const reports = await lookUp(aPage(), {
      [`GET /payments/${PAY}`]: aPayment({ amount_refunded: 500 }),
      [`GET /payments/${PAY}/refunds`]: items(
        aRefund({ status: 'asleep' }),
        aRefund({ id: 'rfnd_2', amount: 0 }),
      ),
    });
    expect(reports).toMatchObject([
      { kind: 'paid' },
      { kind: 'irrelevant', eventId: 'rfnd_FgRAHdNOM4ZVbO:refund.unknown' },
      { kind: 'irrelevant', eventId: 'rfnd_2:refund.processed', review: expect.any(String) },
    ]);
  });

  it('is the same event when all of it went back since', async () => {
    const reports = await lookUp(aPage(), {
      [`GET /payments/${PAY}`]: aPayment({ status: 'refunded', amount_refunded: 1250 }),
      [`GET /payments/${PAY}/refunds`]: items(),
    });
    expect(brief(reports)).toEqual([['paid', `${PAY}:payment.captured`]]);
  });

  it('tells each payment of a page that took several, and none that failed', async () => {
    const payments = [
      { payment_id: 'pay_failed', status: 'failed' },
      { payment_id: PAY, status: 'captured' },
      { payment_id: 'pay_2', status: 'captured' },
    ];
    const reports = await lookUp(aPage({ status: 'partially_paid', payments }), {
      [`GET /payments/${PAY}`]: aPayment({ amount: 100 }),
      'GET /payments/pay_2': aPayment({ id: 'pay_2', amount: 200 }),
    });
    expect(reports.map((report) => report.kind === 'paid' && report.amount)).toEqual([
      inr(100),
      inr(200),
    ]);
  });

  it('tells of money on its way', async () => {
    const payments = [{ payment_id: PAY, status: 'authorized' }];
    const authorized = { [`GET /payments/${PAY}`]: aPayment({ status: 'authorized' }) };
    expect(await lookUp(aPage({ ...open, payments }), authorized)).toMatchObject([
      { kind: 'processing', linkId: LINK, eventId: `${PAY}:payment.authorized` },
    ]);
  });

  it.each([
    ['expired', { expired_at: NOW_SECONDS - 5 }, NOW_SECONDS - 5],
    ['cancelled', { cancelled_at: NOW_SECONDS - 9 }, NOW_SECONDS - 9],
    ['cancelled', {}, NOW_SECONDS - 600],
  ])('has failed if it is %s and nobody paid', async (status, over, seconds) =>
    expect(await lookUp(aPage({ ...open, status, ...over }))).toMatchObject([
      {
        kind: 'failed',
        eventId: `${PAGE}:payment_link.${status}`,
        reason: status,
        providerPaymentId: null,
        isFinal: true,
        at: new Date(seconds * 1000),
      },
    ]),
  );

  it('has no news while it is open', async () => expect(await lookUp(aPage(open))).toEqual([]));

  it('that expired with money tells the money', async () =>
    expect(brief(await lookUp(aPage({ status: 'expired' })))).toEqual([
      ['paid', `${PAY}:payment.captured`],
    ]));

  it.each<[string, object, Record<string, unknown> | undefined]>([
    ['of another link', aPage({ notes: [], reference_id: 'x' }), undefined],
    ['another than was asked for', aPage({ id: 'plink_other' }), undefined],
    ['paid by nobody', aPage({ payments: [] }), undefined],
    ['in a state nobody knows', aPage({ status: 'asleep' }), undefined],
    [
      'with an id that is a path',
      aPage({ payments: [{ payment_id: 'pay_../x', status: 'captured' }] }),
      undefined,
    ],
    ['of a payment that is not there', aPage(), {}],
    ['of another payment', aPage(), { [`GET /payments/${PAY}`]: aPayment({ id: 'pay_other' }) }],
    [
      'with a refund of another payment',
      aPage(),
      {
        [`GET /payments/${PAY}`]: aPayment({ amount_refunded: 500 }),
        [`GET /payments/${PAY}/refunds`]: items(aRefund({ payment_id: 'pay_other' })),
      },
    ],
    [
      'whose refunds are not told',
      aPage(),
      { [`GET /payments/${PAY}`]: aPayment({ amount_refunded: 500 }) },
    ],
  ])('%s is undecided', async (_what, page, more) =>
    expect(lookUp(page, more)).rejects.toMatchObject(GONE),
  );

  it.each(SILENCE)('is undecided after %s', async (_what, answer) =>
    expect(gatewayAt(answer).gateway.lookUpCheckout(placed)).rejects.toMatchObject(GONE),
  );

  it.each([400, 401, 403, 404])('is undecided after a refusal: %d', async (status) => {
    const { gateway } = gatewayAt(() => refusal(status));
    await expect(gateway.lookUpCheckout(placed)).rejects.toMatchObject(GONE);
  });
});

describe('the payments between two instants', () => {
  const from = new Date('2026-11-19T00:00:00.500Z');
  const to = new Date('2026-11-20T00:00:00Z');
  const all = async (answer: Parameters<typeof gatewayAt>[0]) => {
    const { sent, gateway } = gatewayAt(answer);
    const pages: (readonly ProviderReport[])[] = [];
    for await (const page of gateway.paymentsBetween(from, to) ?? []) pages.push(page);
    return { sent, pages };
  };

  it('come page by page, with the links that they name', async () => {
    const payments = Array.from({ length: 130 }, (_, at) => aPayment({ id: `pay_${at}` }));
    const ours = aPayment({ id: 'pay_ours', notes: { payment_link_id: LINK } });
    const failed = aPayment({ id: 'pay_no', status: 'failed' });
    const listed = [...payments, ours, failed];
    const { sent, pages } = await all(({ url }) => {
      const skip = Number(new URL(url).searchParams.get('skip'));
      return Response.json(items(...listed.slice(skip, skip + 100)));
    });
    expect(pages.map((page) => page.length)).toEqual([100, 31]);
    expect(pages[0]?.[0]).toMatchObject({ kind: 'paid', linkId: null, providerObjectId: null });
    expect(pages[1]?.at(-1)).toMatchObject({ providerPaymentId: 'pay_ours', linkId: LINK });
    const [first, last] = [from.getTime() / 1000 + 0.5, to.getTime() / 1000 - 1];
    expect(sent[0]?.url).toBe(
      `https://api.razorpay.com/v1/payments?from=${first}&to=${last}&count=100&skip=0`,
    );
  });

  it('are other events without a link than with it, so that a look-up still books them', async () => {
    const { pages } = await all(() => Response.json(items(aPayment())));
    const { gateway } = gatewayAt(
      answers({ [`GET /payment_links/${PAGE}`]: aPage(), [`GET /payments/${PAY}`]: aPayment() }),
    );
    const [listed] = pages.flat();
    const [asked] = await gateway.lookUpCheckout(placed);
    expect([listed, asked]).toMatchObject([
      { linkId: null, providerPaymentId: PAY },
      { linkId: LINK, providerPaymentId: PAY },
    ]);
    expect(listed?.eventId).not.toBe(asked?.eventId);
  });

  it('that cannot be read are for a person, and hide no other', async () => {
    const odd = { id: 'pay_odd', status: 'teleported', amount: 700, currency: 'INR' };
    const { pages } = await all(() => Response.json(items(odd, [7], [8], aPayment())));
    expect(pages.flat().map(({ kind, eventId }) => [kind, eventId])).toEqual([
      ['irrelevant', 'pay_odd:payment.unknown'],
      ['irrelevant', expect.stringMatching(/^[0-9a-f]{64}:payment\.unknown$/)],
      ['irrelevant', expect.stringMatching(/^[0-9a-f]{64}:payment\.unknown$/)],
      ['paid', `${PAY}:no-link:payment.captured`],
    ]);
    expect(new Set(pages.flat().map(({ eventId }) => eventId)).size).toBe(4);
    expect(pages.flat()[0]).toMatchObject({
      review: expect.any(String),
      moved: { direction: 'in', providerPaymentId: 'pay_odd', amount: inr(700) },
    });
  });

  it('tell what went back of them', async () => {
    const { pages } = await all(({ url }) =>
      Response.json(
        url.includes('/refunds') ? items(aRefund()) : items(aPayment({ amount_refunded: 500 })),
      ),
    );
    expect(pages.flat().map(({ kind }) => kind)).toEqual(['paid', 'refund']);
  });

  it('are not asked for without a key, or between no two seconds', async () => {
    expect(withoutKey().paymentsBetween(from, to)).toBeUndefined();
    const { sent, gateway } = gatewayAt(() => refusal(400));
    for await (const page of gateway.paymentsBetween(to, to) ?? []) expect(page).toEqual([]);
    expect(sent).toEqual([]);
  });

  it.each([...SILENCE, ['a refusal', () => refusal(401)] as (typeof SILENCE)[number]])(
    'are undecided after %s',
    async (_what, answer) => expect(all(answer)).rejects.toMatchObject(GONE),
  );

  it('are never half a list that does not end', async () => {
    const full = Array.from({ length: 100 }, () => aPayment());
    await expect(all(() => Response.json(items(...full)))).rejects.toMatchObject(GONE);
  });
});
