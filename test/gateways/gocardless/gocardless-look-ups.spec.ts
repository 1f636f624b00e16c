import { describe, expect, it } from 'vitest';
import { Money } from '../../../src/kernel/money.js';
import type { ProviderReport } from '../../../src/payments/port/domain/provider-report.js';
import { LINK } from '../gateway-builders.js';
import {
  aBillingRequest,
  aCancellation,
  aDebit,
  aName,
  aProblem,
  AT,
  aReturn,
  DEBIT,
  goCardlessAt,
  happened,
  REQUEST,
  shows,
  withoutToken,
} from './gocardless-objects.js';
import { UNAVAILABLE } from '../mollie/mollie-objects.js';

const PAYMENT = `/payments/${DEBIT}`;
const PAGE = `/billing_requests/${REQUEST}`;
const BEFORE = '2026-11-20T11:00:00.000Z';
const page = {
  linkId: LINK,
  providerObjectId: REQUEST,
  amount: Money.of(1250n, 'EUR'),
  expiresAt: new Date(AT),
};
const all = (over: Record<string, unknown> = {}) => ({
  [PAGE]: aBillingRequest(),
  [PAYMENT]: aDebit({ metadata: {} }),
  '/events': [],
  '/refunds': [],
  ...over,
});
const told = (reports: readonly ProviderReport[]) =>
  reports.map(({ kind, eventId }) => [kind, eventId]);
const anAnswer = (status: number) => Response.json(aProblem('no'), { status });
const FAILURES: [string, () => Response | Promise<Response>][] = [
  ['a network failure', () => Promise.reject(new Error('hush'))],
  ...[302, 400, 401, 403, 404, 408, 409, 422, 429, 500, 503].map(
    (status): [string, () => Response] => [String(status), () => anAnswer(status)],
  ),
  ['an answer that is no JSON', () => new Response('<html>')],
  ['an answer of another shape', () => Response.json({ payments: { id: DEBIT } })],
  ['another object', () => Response.json({ payments: aDebit({ id: 'PM2' }) })],
];

describe('a look-up of a name', () => {
  it('says whose token it is, and the version', async () => {
    const { sent, gateway } = goCardlessAt(shows(all()));
    await gateway.lookUp(aName());
    expect(sent.map(({ method, url }) => [method, url.href])).toEqual([
      ['GET', `https://api-sandbox.gocardless.com/payments/${DEBIT}`],
      ['GET', `https://api-sandbox.gocardless.com/events?payment=${DEBIT}&limit=500`],
    ]);
    for (const { headers } of sent) {
      expect(headers).toMatchObject({
        Authorization: 'Bearer sandbox_hush',
        'GoCardless-Version': '2015-07-06',
      });
    }
  });

  it.each([
    [{ access_token: 'hush' }, 'https://api.gocardless.com'],
    [{ access_token: 'live_hush' }, 'https://api.gocardless.com'],
    [{ access_token: 'hush', environment: 'sandbox' }, 'https://api-sandbox.gocardless.com'],
    [{ api_base: 'https://relay.test/' }, 'https://relay.test'],
  ])('with %j asks %s', async (settings, origin) => {
    const { sent, gateway } = goCardlessAt(shows(all()), settings);
    await gateway.lookUp(aName());
    expect(new Set(sent.map(({ url }) => url.origin))).toEqual(new Set([origin]));
  });

  it('needs a token', () =>
    expect(withoutToken().lookUp(aName())).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'gateway_key_missing',
      message: expect.stringContaining('ACCESS_TOKEN'),
    }));

  it('of 250 objects is made for each of them', async () => {
    const { sent, gateway } = goCardlessAt(({ url }) =>
      Response.json({ payments: aDebit({ id: url.pathname.split('/')[2] }) }),
    );
    for (let index = 0; index < 250; index += 1) {
      const named = aName({ objectId: `payments/PM${index}`, eventType: 'payments.failed' });
      expect((await gateway.lookUp(named))[0]?.kind).toBe('failed');
    }
    expect(sent).toHaveLength(250);
  });

  it.each(FAILURES)('is undecided after %s', async (_what, answer) => {
    const { gateway } = goCardlessAt(answer);
    for (const objectId of [`payments/${DEBIT}`, 'refunds/RF1', 'payouts/PO1']) {
      await expect(gateway.lookUp(aName({ objectId }))).rejects.toMatchObject(UNAVAILABLE);
    }
  });

  it.each(FAILURES)('is undecided if the events of its payment are %s', async (_what, answer) => {
    const { gateway } = goCardlessAt((sent) =>
      sent.url.pathname === '/events' ? answer() : shows(all())(sent),
    );
    await expect(gateway.lookUp(aName())).rejects.toMatchObject(UNAVAILABLE);
  });
});

describe('a look-up of a pay page', () => {
  it('tells all that happened to its payment in its order, as of the link, then its refunds', async () => {
    const failed = happened('payments.failed');
    const confirmed = happened('payments.confirmed', { created_at: BEFORE });
    const { gateway } = goCardlessAt(
      shows(
        all({
          '/events': [failed, happened('refunds.paid'), happened('payments.x'), confirmed],
          '/refunds': [aReturn(), aReturn({ id: 'RF2', status: 'created' }), { id: 'RF3' }],
        }),
      ),
    );
    const reports = await gateway.lookUpCheckout(page);
    expect(told(reports)).toEqual([
      ['paid', `${DEBIT}:${confirmed.id}`],
      ['failed', `${DEBIT}:${failed.id}`],
      ['refund', 'RF00123:refunds.paid'],
      ['refund', 'RF2:refunds.created'],
      ['irrelevant', `${DEBIT}:refunds.unreadable`],
    ]);
    expect(reports[0]).toMatchObject({
      linkId: LINK,
      providerObjectId: REQUEST,
      providerPaymentId: DEBIT,
      paidAt: new Date(BEFORE),
    });
    expect(reports[4]).toMatchObject({ review: expect.any(String), moved: { direction: 'out' } });
    expect(told(await gateway.lookUpCheckout(page))).toEqual(told(reports));
  });

  it.each([
    ['confirmed', 'paid'],
    ['paid_out', 'paid'],
    ['submitted', 'processing'],
    ['pending_submission', 'processing'],
    ['pending_customer_approval', 'processing'],
    ['failed', 'failed'],
    ['cancelled', 'failed'],
    ['charged_back', 'dispute'],
  ])('tells the state %s where the events are too old to be listed', async (status, kind) => {
    const { gateway } = goCardlessAt(shows(all({ [PAYMENT]: aDebit({ status }) })));
    expect(told(await gateway.lookUpCheckout(page))).toEqual([[kind, `${DEBIT}:${status}`]]);
  });

  it.each(['pending', 'ready_to_fulfil', 'fulfilling'])(
    'that is %s has no news',
    async (status) => {
      const { gateway } = goCardlessAt(shows({ [PAGE]: aBillingRequest({ status, links: {} }) }));
      expect(await gateway.lookUpCheckout(page)).toEqual([]);
    },
  );

  it('finds the payment by its request, too', async () => {
    const payment_request = { amount: 1250, currency: 'EUR', links: { payment: DEBIT } };
    const request = aBillingRequest({ links: {}, payment_request });
    const { gateway } = goCardlessAt(shows(all({ [PAGE]: request })));
    expect((await gateway.lookUpCheckout(page))[0]?.kind).toBe('paid');
  });

  it('that was cancelled has failed, unless our own call did it', async () => {
    const links = { billing_request: REQUEST };
    const look = async (event: object) => {
      const request = aBillingRequest({ status: 'cancelled', links: {} });
      const opened = happened('billing_requests.created', { links });
      const objects = { [PAGE]: request, '/events': [event, opened] };
      return goCardlessAt(shows(objects)).gateway.lookUpCheckout(page);
    };
    const event = aCancellation('payer');
    const [report, ...others] = await look(event);
    expect(others).toEqual([]);
    expect(report).toMatchObject({
      kind: 'failed',
      eventId: `${REQUEST}:${event.id}`,
      providerObjectId: REQUEST,
      reason: 'gone',
      at: new Date(AT),
    });
    expect(await look(aCancellation('api'))).toEqual([]);
  });

  it('is offered with a token only', async () => {
    expect(withoutToken().tellsCheckouts).toBe(false);
    expect(await withoutToken().lookUpCheckout(page)).toEqual([]);
    expect(goCardlessAt(shows({})).gateway.tellsCheckouts).toBe(true);
  });

  it.each([PAGE, PAYMENT, '/events', '/refunds'])(
    'is undecided after any failure at %s',
    async (at) => {
      for (const [, answer] of FAILURES) {
        const { gateway } = goCardlessAt((sent) =>
          sent.url.pathname === at ? answer() : shows(all())(sent),
        );
        await expect(gateway.lookUpCheckout(page)).rejects.toMatchObject(UNAVAILABLE);
      }
    },
  );
});

const collect = async (pages: AsyncIterable<readonly ProviderReport[]> | undefined) => {
  const found: ProviderReport[][] = [];
  for await (const reports of pages ?? []) found.push([...reports]);
  return found;
};
const confirmed = (payment: string) => happened('payments.confirmed', { links: { payment } });

describe('the payments between two instants', () => {
  const from = new Date('2026-11-20T00:00:00Z');
  const to = new Date('2026-11-21T00:00:00Z');
  it('come page by page, each once, with all that became of them', async () => {
    const pages: Record<string, [object[], string | null]> = {
      first: [[confirmed('PM1'), confirmed('PM2'), confirmed('x')], 'EV2'],
      EV2: [[confirmed('PM2'), confirmed('PM3')], null],
    };
    const { sent, gateway } = goCardlessAt((call) => {
      const { pathname, searchParams } = call.url;
      const id = searchParams.get('payment') ?? '';
      if (pathname === '/events' && id === '') {
        const [events, after] = pages[searchParams.get('after') ?? 'first'] ?? [[], null];
        return Response.json({ events, meta: { cursors: { before: null, after }, limit: 500 } });
      }
      if (pathname === '/events') return shows({ '/events': [confirmed(id)] })(call);
      if (pathname === '/refunds') return shows({ '/refunds': [] })(call);
      return Response.json({ payments: aDebit({ id: pathname.split('/')[2] }) });
    });
    const found = await collect(gateway.paymentsBetween(from, to));
    expect(
      found.map((reports) => reports.map((one) => one.kind === 'paid' && one.providerPaymentId)),
    ).toEqual([['PM1', 'PM2'], ['PM3']]);
    expect(Object.fromEntries(sent[0]?.url.searchParams ?? [])).toEqual({
      resource_type: 'payments',
      action: 'confirmed',
      'created_at[gte]': from.toISOString(),
      'created_at[lt]': to.toISOString(),
      limit: '500',
    });
  });

  it('are undefined without a token, and undecided if a page is missing', async () => {
    expect(withoutToken().paymentsBetween(from, to)).toBeUndefined();
    for (const [, answer] of FAILURES) {
      const { gateway } = goCardlessAt(answer);
      await expect(collect(gateway.paymentsBetween(from, to))).rejects.toMatchObject(UNAVAILABLE);
    }
    const endless = { events: [], meta: { cursors: { after: 'EV1' } } };
    const { gateway, sent } = goCardlessAt(() => Response.json(endless));
    await expect(collect(gateway.paymentsBetween(from, to))).rejects.toMatchObject(UNAVAILABLE);
    expect(sent.length).toBeLessThan(100);
  });
});
