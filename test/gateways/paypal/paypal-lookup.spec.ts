import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DomainError } from '../../../src/kernel/domain-error.js';
import { Money } from '../../../src/kernel/money.js';

import { InvalidSignature } from '../../../src/payments/port/domain/gateway.js';
import type {
  PaidReport,
  ProviderReport,
} from '../../../src/payments/port/domain/provider-report.js';
import { aCheckoutRequest, aGateway, LINK, NOW } from '../gateway-builders.js';

const CAPTURE = '42311647XV020574X';
const ORDER = '5O190127TN364715T';

interface Call {
  line: string;
  headers: IncomingMessage['headers'];
  body: string;
}
type Reply = [status: number, json: unknown];

/** PayPal's API as far as a payment needs it: each route answers what a test put there. */
let server: Server;
let apiBase = '';
let calls: Call[] = [];
let replies: Record<string, Reply | Reply[]> = {};

beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  apiBase = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const line = `${request.method} ${request.url}`;
  calls.push({ line, headers: request.headers, body: await text(request) });
  const planned = replies[line] ?? [404, { name: 'RESOURCE_NOT_FOUND' }];
  const [status, json] = isSequence(planned) ? (planned.shift() ?? [500, {}]) : planned;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
}

afterAll(() => {
  server.close();
});

beforeEach(() => {
  calls = [];
  replies = { 'POST /v1/oauth2/token': [200, { access_token: 'token-1', expires_in: 32400 }] };
});

function isSequence(planned: Reply | Reply[]): planned is Reply[] {
  return Array.isArray(planned[0]);
}

function gatewayAt(base = apiBase) {
  const settings = {
    webhook_id: 'WH-1',
    environment: 'sandbox',
    client_id: 'client',
    client_secret: 'hush',
    api_base: base,
  };
  return aGateway('paypal', settings, { fetch: globalThis.fetch });
}

function aReport(): PaidReport {
  return {
    kind: 'paid',
    eventId: 'transmission-1',
    eventType: 'PAYMENT.CAPTURE.COMPLETED',
    fingerprint: 'f'.repeat(64),
    linkId: LINK,
    providerObjectId: ORDER,
    providerPaymentId: CAPTURE,
    amount: Money.of(1250n, 'EUR'),
    fee: null,
    paidAt: NOW,
  };
}

function anApproval(linkId: string | null = LINK): ProviderReport {
  const { eventId, fingerprint } = aReport();
  const eventType = 'CHECKOUT.ORDER.APPROVED';
  return { kind: 'approved', eventId, eventType, fingerprint, linkId, providerObjectId: ORDER };
}

function aCapture(over: object = {}): object {
  return {
    id: CAPTURE,
    status: 'COMPLETED',
    amount: { currency_code: 'EUR', value: '12.50' },
    custom_id: LINK,
    ...over,
  };
}

function anOrder(status: string, captures?: object[], customId = LINK): object {
  const unit = { custom_id: customId, ...(captures && { payments: { captures } }) };
  return { id: ORDER, status, purchase_units: [unit] };
}

const lines = () => calls.map(({ line }) => line);
const unavailable = { kind: 'unavailable', code: 'gateway_unavailable' };
const lookUp = `GET /v2/payments/captures/${CAPTURE}`;
const read = `GET /v2/checkout/orders/${ORDER}`;
const take = `POST /v2/checkout/orders/${ORDER}/capture`;

describe('confirm of a paid report', () => {
  it('asks PayPal, with one token for many calls', async () => {
    replies[lookUp] = [200, aCapture()];
    const gateway = gatewayAt();
    expect(await gateway.confirm(aReport())).toEqual(aReport());
    await gateway.confirm(aReport());
    expect(lines()).toEqual(['POST /v1/oauth2/token', lookUp, lookUp]);
    expect(calls[0]?.headers.authorization).toBe(`Basic ${btoa('client:hush')}`);
    expect(calls[1]?.headers.authorization).toBe('Bearer token-1');
  });

  it.each([
    ['pending', { status: 'PENDING' }],
    ['declined', { status: 'DECLINED' }],
    ['another amount', { amount: { currency_code: 'EUR', value: '12.49' } }],
    ['another currency', { amount: { currency_code: 'USD', value: '12.50' } }],
    ['an unreadable amount', { amount: { currency_code: 'EUR', value: '12.505' } }],
    ['another link', { custom_id: 'plink_other' }],
    ['no link', { custom_id: undefined }],
    ['another capture', { id: 'OTHER' }],
  ])('is denied when PayPal says %s', (_name, over) => {
    replies[lookUp] = [200, aCapture(over)];
    return expect(gatewayAt().confirm(aReport())).rejects.toBeInstanceOf(InvalidSignature);
  });

  it('is denied when PayPal knows no such capture', () =>
    expect(gatewayAt().confirm(aReport())).rejects.toBeInstanceOf(InvalidSignature));

  it.each(['REFUNDED', 'PARTIALLY_REFUNDED'])('leaves a %s one to a person', async (status) => {
    replies[lookUp] = [200, aCapture({ status })];
    expect(await gatewayAt().confirm(aReport())).toMatchObject({
      kind: 'irrelevant',
      review: expect.any(String),
    });
  });

  it.each([500, 503, 429, 400, 403])('stays undecided on status %d', (status) => {
    replies[lookUp] = [status, { name: 'X', message: 'hush' }];
    return expect(gatewayAt().confirm(aReport())).rejects.toMatchObject(unavailable);
  });

  it.each([
    ['no JSON object', 'text'],
    ['no capture', { id: CAPTURE }],
  ])('stays undecided on an answer that is %s', (_name, json) => {
    replies[lookUp] = [200, json];
    return expect(gatewayAt().confirm(aReport())).rejects.toMatchObject(unavailable);
  });

  it('stays undecided while PayPal is out of reach, or our credentials are wrong', async () => {
    await expect(gatewayAt('http://127.0.0.1:1').confirm(aReport())).rejects.toMatchObject(
      unavailable,
    );
    replies['POST /v1/oauth2/token'] = [401, { error: 'invalid_client' }];
    await expect(gatewayAt().confirm(aReport())).rejects.toMatchObject(unavailable);
  });

  it('renews a token that PayPal ended early, once', async () => {
    replies[lookUp] = [
      [401, {}],
      [200, aCapture()],
    ];
    expect(await gatewayAt().confirm(aReport())).toEqual(aReport());
    replies[lookUp] = [
      [401, {}],
      [401, {}],
    ];
    await expect(gatewayAt().confirm(aReport())).rejects.toMatchObject(unavailable);
  });

  it.each(['../orders/x?y', '..', '.'])('asks nothing about the id %j', async (id) => {
    const providerPaymentId = id;
    await expect(gatewayAt().confirm({ ...aReport(), providerPaymentId })).rejects.toBeInstanceOf(
      InvalidSignature,
    );
    expect(lines()).toEqual([]);
  });
});

describe('confirm of an approval', () => {
  it('captures once, under a fixed request id, and reports what was taken', async () => {
    replies[read] = [200, anOrder('APPROVED')];
    replies[take] = [201, anOrder('COMPLETED', [aCapture({ custom_id: undefined })])];
    expect(await gatewayAt().confirm(anApproval())).toMatchObject({
      kind: 'paid',
      linkId: LINK,
      providerObjectId: ORDER,
      providerPaymentId: CAPTURE,
      amount: Money.of(1250n, 'EUR'),
      eventType: 'CHECKOUT.ORDER.APPROVED',
    });
    expect(calls.at(-1)?.headers['paypal-request-id']).toBe(`capture-${ORDER}`);
  });

  it('takes no money twice from an order that is captured', async () => {
    replies[read] = [200, anOrder('COMPLETED', [aCapture()])];
    expect(await gatewayAt().confirm(anApproval())).toMatchObject({ kind: 'paid' });
    expect(lines()).not.toContain(take);
  });

  it('captures nothing for a link that PayPal does not name', async () => {
    replies[read] = [200, anOrder('APPROVED', undefined, 'plink_other')];
    await expect(gatewayAt().confirm(anApproval())).rejects.toBeInstanceOf(InvalidSignature);
    await expect(gatewayAt().confirm(anApproval(null))).rejects.toBeInstanceOf(InvalidSignature);
    replies[read] = [200, anOrder('APPROVED', undefined, '')];
    expect(await gatewayAt().confirm(anApproval(null))).toEqual(anApproval(null));
    expect(lines()).not.toContain(take);
  });

  it.each([
    ['declined', [422, { name: 'UNPROCESSABLE_ENTITY' }]],
    ['pending', [201, anOrder('COMPLETED', [aCapture({ status: 'PENDING' })])]],
  ] as [string, Reply][])('has no effect when the capture is %s', async (_name, reply) => {
    replies[read] = [200, anOrder('APPROVED')];
    replies[take] = reply;
    expect(await gatewayAt().confirm(anApproval())).toMatchObject({ kind: 'irrelevant' });
  });

  it('stays undecided when the capture does not answer', () => {
    replies[read] = [200, anOrder('APPROVED')];
    replies[take] = [500, {}];
    return expect(gatewayAt().confirm(anApproval())).rejects.toMatchObject(unavailable);
  });

  it('stays an approval without credentials', async () => {
    const gateway = aGateway('paypal', { webhook_id: 'WH-1' });
    expect(await gateway.confirm(anApproval())).toEqual(anApproval());
  });
});

describe('createCheckout', () => {
  const request = aCheckoutRequest();
  const create = 'POST /v2/checkout/orders';
  const order = { id: ORDER, links: [{ rel: 'payer-action', href: 'https://paypal.test/pay' }] };

  it.each([
    [Money.of(1250n, 'EUR'), '12.50'],
    [Money.of(5n, 'EUR'), '0.05'],
    [Money.of(1200n, 'TWD'), '12'],
    [Money.of(12n, 'JPY'), '12'],
  ])('asks for %s as %s, once a link', async (amount, value) => {
    replies[create] = [200, order];
    expect(await gatewayAt().createCheckout({ ...request, amount })).toEqual({
      url: 'https://paypal.test/pay',
      providerObjectId: ORDER,
      pageExpiresAt: new Date(NOW.getTime() + 3 * 3_600_000),
    });
    const sent = calls.at(-1);
    expect(sent?.headers['paypal-request-id']).toBe(LINK);
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({
      intent: 'CAPTURE',
      purchase_units: [{ custom_id: LINK, amount: { currency_code: amount.currency, value } }],
    });
  });

  it('refuses decimals that PayPal does not take', () =>
    expect(
      gatewayAt().createCheckout({ ...request, amount: Money.of(1250n, 'HUF') }),
    ).rejects.toMatchObject({ kind: 'conflict', code: 'gateway_refused' }));

  it('says that PayPal refused, and hides the secret', async () => {
    replies[create] = [422, { name: 'UNPROCESSABLE_ENTITY', message: 'hush' }];
    const error = await gatewayAt()
      .createCheckout(request)
      .catch((each: unknown) => each);
    expect(error).toBeInstanceOf(DomainError);
    expect(error).toMatchObject({
      code: 'gateway_refused',
      context: { provider_code: 'UNPROCESSABLE_ENTITY', provider_status: 422 },
    });
    expect(JSON.stringify(error) + String(error)).not.toContain('hush');
  });
});

describe('confirm of a dispute', () => {
  const dispute = 'GET /v1/customer/disputes/PP-D-1';
  const told: ProviderReport = {
    kind: 'dispute',
    eventId: 'transmission-1',
    eventType: 'CUSTOMER.DISPUTE.RESOLVED',
    fingerprint: 'f'.repeat(64),
    disputeId: 'PP-D-1',
    providerPaymentId: CAPTURE,
    status: 'lost',
    amount: Money.of(1250n, 'EUR'),
    withdrawn: null,
    fee: null,
    reason: 'other',
    evidenceDueBy: null,
    at: NOW,
    review: 'look it up',
  };

  it('takes what PayPal itself shows, and not what the body says', async () => {
    replies[dispute] = [
      200,
      {
        dispute_id: 'PP-D-1',
        disputed_transactions: [{ seller_transaction_id: CAPTURE }],
        status: 'UNDER_REVIEW',
        reason: 'UNAUTHORISED',
        dispute_amount: { currency_code: 'EUR', value: '2.50' },
      },
    ];
    expect(await gatewayAt().confirm(told)).toMatchObject({
      kind: 'dispute',
      status: 'open',
      amount: Money.of(250n, 'EUR'),
      reason: 'unauthorised',
    });
  });

  it('refuses one that PayPal does not know', () =>
    expect(gatewayAt().confirm(told)).rejects.toBeInstanceOf(InvalidSignature));

  it('leaves it to a person, where PayPal cannot be asked', async () => {
    const gateway = aGateway('paypal', { webhook_id: 'WH-1' });
    expect(await gateway.confirm(told)).toMatchObject({
      kind: 'irrelevant',
      review: 'look it up',
      moved: { direction: 'out', reference: 'PP-D-1', providerPaymentId: CAPTURE },
    });
  });
});
