import { parse } from 'gocardless-nodejs';
import { describe, expect, it } from 'vitest';
import { Money } from '../../../src/kernel/money.js';
import type { CollectionRequest } from '../../../src/payments/index.js';
import { aGateway, GOCARDLESS_SECRET, LINK, NOW } from '../gateway-builders.js';
import { UNAVAILABLE } from '../mollie/mollie-objects.js';
import {
  aBillingRequest,
  aDebit,
  AT,
  aProblem,
  deliveryOf,
  DEBIT,
  goCardlessAt,
  happened,
  lookedUpOf,
  REQUEST,
  type SentToGoCardless,
  shows,
  toldOf,
  withoutToken,
} from './gocardless-objects.js';

const MANDATE = 'MD000123';
const OURS = 'mand_01k9x3v7e8f2r4t6y8w0a1b2c3';
const PAGE = 'https://pay-sandbox.gocardless.com/billing/static/flow?id=BRF1';

const aMandate = (over: object = {}) => ({
  id: MANDATE,
  status: 'active',
  scheme: 'sepa_core',
  reference: 'ACME-7Q2M9',
  next_possible_charge_date: '2026-11-25',
  metadata: { mandate_id: OURS },
  links: { customer: 'CU1', customer_bank_account: 'BA1' },
  ...over,
});
const anAccount = { id: 'BA1', account_number_ending: '11', bank_name: 'A bank' };
const ofMandate = (action: string, over: object = {}) =>
  happened(`mandates.${action}`, { links: { mandate: MANDATE }, ...over });
const placed = { mandateId: OURS, providerRequestId: REQUEST, providerMandateId: MANDATE };

const aCollection = (over: Partial<CollectionRequest> = {}): CollectionRequest => ({
  linkId: LINK,
  providerMandateId: MANDATE,
  amount: Money.of(1250n, 'EUR'),
  description: 'Invoice INV-2026-00001',
  chargeOn: '2026-11-30',
  requestedAt: NOW,
  isRepeated: false,
  ...over,
});
const asked = { metadata: { payment_link_id: LINK, collected_by: 'mandate' } };
const debitsOf = (gateway: ReturnType<typeof aGateway>) => {
  const { directDebits } = gateway;
  if (!directDebits) throw new Error('it keeps no mandates');
  return directDebits;
};
/** A collection, where GoCardless shows these, and answers to POST. */
function collecting(answer: () => Response, objects: Record<string, unknown> = {}) {
  const known = shows({ [`/mandates/${MANDATE}`]: aMandate(), ...objects });
  const { gateway, sent } = goCardlessAt((call) =>
    call.method === 'POST' ? answer() : known(call),
  );
  return {
    debits: debitsOf(gateway),
    sent,
    posts: () => sent.filter((one) => one.method === 'POST'),
  };
}
const made = () => Response.json({ payments: aDebit(asked) }, { status: 201 });
const bodyOf = (sent: SentToGoCardless | undefined): unknown => JSON.parse(sent?.body ?? 'null');

const no = () => Response.json(aProblem('cancellation_failed'), { status: 422 });
const closing = (status: number, state: string) => {
  const known = shows({ [`/payments/${DEBIT}`]: aDebit({ ...asked, status: state }) });
  const answer = () => Response.json(status < 400 ? {} : aProblem('no'), { status });
  return goCardlessAt((call) => (call.method === 'POST' ? answer() : known(call)));
};

describe('a mandate', () => {
  it('is asked for by a billing request of its own, with its page', async () => {
    const { gateway, sent } = goCardlessAt(({ url }) =>
      url.pathname === '/billing_requests'
        ? Response.json({ billing_requests: aBillingRequest({ status: 'pending' }) })
        : Response.json({ billing_request_flows: { authorisation_url: PAGE } }),
    );
    const payer = { name: 'Ada', email: 'ada@client.test', country: 'DE' };
    const wish = { mandateId: OURS, currency: 'EUR', returnUrl: null, payer, language: 'de-AT' };
    expect(await debitsOf(gateway).setUp(wish)).toEqual({ url: PAGE, providerRequestId: REQUEST });
    const metadata = { mandate_id: OURS };
    expect(bodyOf(sent[0])).toEqual({
      billing_requests: { mandate_request: { currency: 'EUR', metadata }, metadata },
    });
    expect(sent.map(({ headers }) => headers['Idempotency-Key'])).toEqual([OURS, `${OURS}-flow`]);
    expect(bodyOf(sent[1])).toEqual({
      billing_request_flows: {
        language: 'de',
        prefilled_customer: { company_name: 'Ada', email: 'ada@client.test', country_code: 'DE' },
        links: { billing_request: REQUEST },
      },
    });
  });

  it.each([
    ['pending_customer_approval', 'pending'],
    ['pending_submission', 'active'],
    ['submitted', 'active'],
    ['active', 'active'],
    ['suspended_by_payer', 'suspended'],
    ['blocked', 'suspended'],
    ['failed', 'failed'],
    ['cancelled', 'canceled'],
    ['expired', 'expired'],
    ['consumed', 'expired'],
  ])('that is %s is told as %s, by any event of it', async (word, status) => {
    const delivery = deliveryOf([ofMandate('created')]);
    const signature = String(delivery.headers['webhook-signature']);
    expect(parse(delivery.rawBody.toString(), GOCARDLESS_SECRET, signature)).toHaveLength(1);
    const objects = {
      [`/mandates/${MANDATE}`]: aMandate({ status: word }),
      '/customer_bank_accounts/BA1': anAccount,
    };
    expect(await lookedUpOf(ofMandate('created'), objects)).toMatchObject({
      kind: 'mandate',
      eventType: 'mandates.created',
      mandateId: OURS,
      providerMandateId: MANDATE,
      status,
      scheme: 'sepa_core',
      reference: 'ACME-7Q2M9',
      accountEnding: status === 'active' ? '11' : null,
      at: NOW,
    });
  });

  it('of somebody else, and of a word that is new, is of no effect', async () => {
    for (const over of [{ metadata: {} }, { status: 'on_holiday' }]) {
      const objects = { [`/mandates/${MANDATE}`]: aMandate(over) };
      expect(await lookedUpOf(ofMandate('active'), objects)).toMatchObject({ kind: 'irrelevant' });
    }
  });

  it('is of no effect without a token, which keeps none of ours', async () => {
    const [named] = toldOf(ofMandate('active'));
    if (named?.kind !== 'named') throw new Error('it names no object');
    expect(await withoutToken().lookUp(named)).toEqual([]);
    expect(withoutToken().directDebits).toBeUndefined();
  });

  it('is found by its billing request, once the customer has agreed', async () => {
    const request = { [`/billing_requests/${REQUEST}`]: aBillingRequest({ links: {} }) };
    const asks = { ...placed, providerMandateId: null };
    expect(await debitsOf(goCardlessAt(shows(request)).gateway).lookUp(asks)).toBeUndefined();
    const links = { mandate_request_mandate: MANDATE };
    const agreed = {
      [`/billing_requests/${REQUEST}`]: aBillingRequest({ links }),
      [`/mandates/${MANDATE}`]: aMandate({ metadata: {} }),
    };
    expect(await debitsOf(goCardlessAt(shows(agreed)).gateway).lookUp(asks)).toMatchObject({
      mandateId: OURS,
      status: 'active',
      accountEnding: null,
    });
  });

  it('is canceled, and one that is over stays as it is', async () => {
    const cancelling = (answer: Response, status: string) => {
      const known = shows({ [`/mandates/${MANDATE}`]: aMandate({ status }) });
      return goCardlessAt((call) => (call.method === 'POST' ? answer : known(call)));
    };
    const { gateway, sent } = cancelling(Response.json({ mandates: aMandate() }), 'cancelled');
    await debitsOf(gateway).cancel(placed);
    expect(sent.map(({ url }) => url.pathname)).toEqual([`/mandates/${MANDATE}/actions/cancel`]);
    await debitsOf(cancelling(no(), 'cancelled').gateway).cancel(placed);
    const still = debitsOf(cancelling(no(), 'active').gateway).cancel(placed);
    await expect(still).rejects.toMatchObject(UNAVAILABLE);
  });
});

describe('a collection', () => {
  it('is a payment by the mandate on its day, with the link as key', async () => {
    const { debits, posts } = collecting(made);
    expect(await debits.collect(aCollection())).toBe(DEBIT);
    expect(posts().map(({ url, headers }) => [url.pathname, headers['Idempotency-Key']])).toEqual([
      ['/payments', LINK],
    ]);
    expect(bodyOf(posts()[0])).toEqual({
      payments: {
        amount: 1250,
        currency: 'EUR',
        description: 'Invoice INV-2026-00001',
        charge_date: '2026-11-30',
        ...asked,
        links: { mandate: MANDATE },
      },
    });
  });

  it('is on the next possible day if its own is too near', async () => {
    const { debits, posts } = collecting(made);
    await debits.collect(aCollection({ chargeOn: '2026-11-24' }));
    expect(bodyOf(posts()[0])).not.toHaveProperty('payments.charge_date');
  });

  it('that was made before is the same, if it is for this link and amount', async () => {
    const links = { conflicting_resource_id: DEBIT };
    const conflict = () =>
      Response.json(aProblem('idempotent_creation_conflict', links), { status: 409 });
    const known = { [`/payments/${DEBIT}`]: aDebit(asked) };
    expect(await collecting(conflict, known).debits.collect(aCollection())).toBe(DEBIT);
    for (const over of [{ amount: 1251 }, { metadata: { payment_link_id: 'plink_other' } }]) {
      const others = { [`/payments/${DEBIT}`]: aDebit({ ...asked, ...over }) };
      const attempt = collecting(conflict, others).debits.collect(aCollection());
      await expect(attempt).rejects.toMatchObject(UNAVAILABLE);
    }
  });

  it('that is repeated is searched for before it is sent', async () => {
    const listed = { '/payments': [aDebit({ id: 'PM1', metadata: {} }), aDebit(asked)] };
    const found = collecting(made, listed);
    expect(await found.debits.collect(aCollection({ isRepeated: true }))).toBe(DEBIT);
    expect(found.posts()).toEqual([]);
    const search = found.sent.find(({ url }) => url.pathname === '/payments')?.url.searchParams;
    expect([search?.get('mandate'), search?.get('created_at[gte]')]).toEqual([
      MANDATE,
      '2026-11-20T11:00:00.000Z',
    ]);
    const lost = collecting(made, { '/payments': [] });
    expect(await lost.debits.collect(aCollection({ isRepeated: true }))).toBe(DEBIT);
    expect(lost.posts()).toHaveLength(1);
    const unreadable = collecting(made, { '/payments': [{ id: 'PM1' }] });
    const attempt = unreadable.debits.collect(aCollection({ isRepeated: true }));
    await expect(attempt).rejects.toMatchObject(UNAVAILABLE);
    expect(unreadable.posts()).toEqual([]);
  });

  it.each([
    [422, 'mandate_is_inactive', 'gateway_refused'],
    [401, 'access_token_revoked', 'gateway_unavailable'],
    [403, 'forbidden', 'gateway_unavailable'],
    [409, 'idempotent_creation_conflict', 'gateway_unavailable'],
    [429, 'rate_limit_exceeded', 'gateway_unavailable'],
    [500, 'internal_server_error', 'gateway_unavailable'],
  ])('that is answered with %d %s is %s', async (status, reason, code) => {
    const answer = () => Response.json(aProblem(reason), { status });
    const attempt = collecting(answer).debits.collect(aCollection());
    await expect(attempt).rejects.toMatchObject({ code });
  });

  it.each(['created', 'submitted'])(
    'that is %s can be canceled until it was sent',
    async (action) => {
      const objects = { [`/payments/${DEBIT}`]: aDebit({ ...asked, status: action }) };
      const report = await lookedUpOf(happened(`payments.${action}`), objects);
      expect(report.kind).toBe(action === 'created' ? 'irrelevant' : 'processing');
      const ofPage = { [`/payments/${DEBIT}`]: aDebit({ status: action }) };
      expect((await lookedUpOf(happened(`payments.${action}`), ofPage)).kind).toBe('processing');
    },
  );

  it('is closed by canceling its payment, and left alone when that is too late', async () => {
    const page = {
      linkId: LINK,
      providerObjectId: DEBIT,
      amount: Money.of(1250n, 'EUR'),
      expiresAt: new Date(AT),
    };
    const { gateway, sent } = closing(200, 'cancelled');
    await gateway.cancelCheckout(page);
    expect(sent.map(({ url }) => url.pathname)).toEqual([`/payments/${DEBIT}/actions/cancel`]);
    await closing(422, 'submitted').gateway.cancelCheckout(page);
    const still = closing(422, 'pending_submission').gateway.cancelCheckout(page);
    await expect(still).rejects.toMatchObject(UNAVAILABLE);
  });

  it('is looked up by its payment', async () => {
    const page = {
      linkId: LINK,
      providerObjectId: DEBIT,
      amount: Money.of(1250n, 'EUR'),
      expiresAt: new Date(AT),
    };
    const { gateway } = goCardlessAt(
      shows({
        [`/payments/${DEBIT}`]: aDebit(asked),
        '/events': [happened('payments.confirmed')],
        '/refunds': [],
      }),
    );
    expect(await gateway.lookUpCheckout(page)).toMatchObject([
      { kind: 'paid', linkId: LINK, providerPaymentId: DEBIT },
    ]);
  });
});
