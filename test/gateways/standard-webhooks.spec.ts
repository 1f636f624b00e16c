import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { InvalidSignature } from '../../src/payments/port/domain/gateway.js';
import { Money } from '../../src/kernel/money.js';
import { deliveredAs } from '../../src/testing/contract/contract-trial.js';
import {
  aGateway,
  clockAt,
  LINK,
  NOW,
  NOW_SECONDS,
  reportOf,
  SANDBOX_SECRET as SECRET,
} from './gateway-builders.js';

const OTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const gatewayWith = (secret = SECRET, now = NOW) =>
  aGateway('standard-webhooks', { webhook_secret: secret }, { clock: clockAt(now) });

const bodyOf = (type: string, data: object, over: object = {}) =>
  JSON.stringify({ type, timestamp: '2026-11-20T11:59:00Z', data, ...over });
const PAYMENT = { payment_id: 'p-1', payment_link_id: LINK, amount: 1250, currency: 'EUR' };
const BODY = bodyOf('payment.paid', PAYMENT);

/** Signed by the official package. */
function signed(body: string, { id = 'msg_1', at = NOW_SECONDS, secret = SECRET } = {}) {
  const headers: Record<string, string | string[] | undefined> = {
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': new Webhook(secret).sign(id, new Date(at * 1000), body),
  };
  return { rawBody: Buffer.from(body), headers };
}
const verdict = async (delivery: ReturnType<typeof signed>, gateway = gatewayWith()) =>
  gateway.verify(delivery).then(
    () => 'verified',
    (error: unknown) => (error instanceof InvalidSignature ? 'refused' : error),
  );
const changed = (header: string, value: string | string[] | undefined) => {
  const { rawBody, headers } = signed(BODY);
  return { rawBody, headers: { ...headers, [header]: value } };
};
const signatureOf = (secret = SECRET) =>
  String(signed(BODY, { secret }).headers['webhook-signature']);

const listAfter = (others: number) =>
  [...Array.from({ length: others }, () => signatureOf(OTHER_SECRET)), signatureOf()].join(' ');

describe('signature', () => {
  it('is that of the official package, and the other way round', async () => {
    expect(await verdict(signed(BODY))).toBe('verified');
    const now = new Date();
    const link = { id: LINK, amount: Money.of(1250n, 'EUR') };
    const { body, headers } = gatewayWith().samplePaidDelivery(link, now);
    expect(new Webhook(SECRET).verify(body, headers)).toMatchObject({ type: 'payment.paid' });
  });

  it('may be of either secret while it is rotated, on both sides', async () => {
    const both = gatewayWith(`${OTHER_SECRET},${SECRET}`);
    expect(await verdict(signed(BODY), both)).toBe('verified');
    expect(await verdict(signed(BODY, { secret: OTHER_SECRET }), both)).toBe('verified');
    expect(await verdict(signed(BODY), gatewayWith(OTHER_SECRET))).toBe('refused');
    const list = `${signatureOf(OTHER_SECRET)} ${signatureOf()}`;
    expect(await verdict(changed('webhook-signature', list))).toBe('verified');
  });

  it('passes over versions that it does not know, and needs one that it does', async () => {
    const asymmetric = `v1a,${Buffer.alloc(64, 1).toString('base64')}`;
    const list = `${asymmetric} ${signatureOf()}`;
    expect(await verdict(changed('webhook-signature', list))).toBe('verified');
    expect(await verdict(changed('webhook-signature', asymmetric))).toBe('refused');
    const renamed = signatureOf().replace('v1,', 'v2,');
    expect(await verdict(changed('webhook-signature', renamed))).toBe('refused');
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'is refused with %s missing, doubled or of another delivery',
    async (header) => {
      const value = String(signed(BODY).headers[header]);
      const another = String(signed(BODY, { id: 'msg_2', at: NOW_SECONDS - 1 }).headers[header]);
      for (const wrong of [undefined, '', [value], [value, value], `${value}, ${value}`, another]) {
        expect([wrong, await verdict(changed(header, wrong))]).toEqual([wrong, 'refused']);
      }
    },
  );

  it('holds for five minutes, both ways', async () => {
    for (const age of [300, -300]) {
      expect(await verdict(signed(BODY, { at: NOW_SECONDS - age }))).toBe('verified');
    }
    for (const age of [301, -301]) {
      expect(await verdict(signed(BODY, { at: NOW_SECONDS - age }))).toBe('refused');
    }
  });

  it('is of the bytes: the same event written again is refused', async () => {
    const { headers } = signed(BODY);
    const again = JSON.stringify(JSON.parse(BODY), null, 1);
    expect(await verdict({ rawBody: Buffer.from(again), headers })).toBe('refused');
  });

  it('allows sixteen signatures, and no more', async () => {
    expect(await verdict(changed('webhook-signature', listAfter(15)))).toBe('verified');
    expect(await verdict(changed('webhook-signature', listAfter(16)))).toBe('refused');
  });
});

const AT = new Date('2026-11-20T11:59:00Z');
const AMOUNT = Money.of(1250n, 'EUR');
const ofPayment = { linkId: LINK, providerObjectId: null };
const { amount, currency, ...OF_LINK } = PAYMENT;
const MONEY = { payment_id: 'p-1', amount, currency };
const DISPUTE = { dispute_id: 'd-1', ...MONEY };
const read = (type: string, data: object, over?: object) =>
  reportOf(gatewayWith(), signed(bodyOf(type, data, over)));

describe('body', () => {
  it.each([
    ['payment.processing', OF_LINK, { kind: 'processing', ...ofPayment, at: AT }],
    [
      'payment.paid',
      { ...PAYMENT, fee: 30 },
      {
        kind: 'paid',
        ...ofPayment,
        providerPaymentId: 'p-1',
        amount: AMOUNT,
        fee: Money.of(30n, 'EUR'),
        paidAt: AT,
      },
    ],
    [
      'payment.failed',
      { ...OF_LINK, reason: 'declined', is_final: false },
      { kind: 'failed', ...ofPayment, amount: null, reason: 'declined', isFinal: false, at: AT },
    ],
    [
      'payment.reversed',
      { ...PAYMENT, reversal_id: 'r-1' },
      { kind: 'unpaid_again', ...ofPayment, amount: AMOUNT, reference: 'r-1', isFinal: true },
    ],
    [
      'refund.pending',
      { refund_id: 'f-1', ...MONEY },
      { kind: 'refund', refundId: null, outcome: { status: 'pending', providerRefundId: 'f-1' } },
    ],
    [
      'refund.succeeded',
      { refund_id: 'f-1', ...MONEY },
      { kind: 'refund', outcome: { status: 'succeeded', providerRefundId: 'f-1' }, at: AT },
    ],
    [
      'refund.failed',
      { refund_id: 'f-1', ...MONEY, reason: 'closed' },
      { kind: 'refund', outcome: { status: 'failed', reason: 'closed' }, amount: AMOUNT },
    ],
    [
      'dispute.inquiry',
      DISPUTE,
      { kind: 'dispute', status: 'inquiry', withdrawn: Money.zero('EUR') },
    ],
    [
      'dispute.opened',
      { ...DISPUTE, withdrawn: 1250, fee: 0, evidence_due_by: '2026-12-01T00:00:00+01:00' },
      {
        kind: 'dispute',
        status: 'open',
        withdrawn: AMOUNT,
        fee: Money.zero('EUR'),
        evidenceDueBy: new Date('2026-11-30T23:00:00Z'),
      },
    ],
    [
      'dispute.won',
      DISPUTE,
      { kind: 'dispute', disputeId: 'd-1', status: 'won', withdrawn: Money.zero('EUR'), at: AT },
    ],
    [
      'dispute.lost',
      DISPUTE,
      { kind: 'dispute', status: 'lost', amount: AMOUNT, withdrawn: AMOUNT },
    ],
    ['dispute.closed', DISPUTE, { kind: 'dispute', status: 'closed', reason: 'general' }],
  ])('of %s is read whole', (type, data, report) => {
    const told = { eventId: 'msg_1', eventType: type, fingerprint: null };
    expect(read(type, data)).toMatchObject({ ...told, ...report });
  });

  it('of each documented example is read', () => {
    const text = readFileSync('docs/providers/standard-webhooks.md', 'utf8');
    const [, examples = ''] = /```json\n([^]*?)\n```/.exec(text) ?? [];
    const kinds = examples.split('\n').map((line) => reportOf(gatewayWith(), signed(line)).kind);
    const payments = ['processing', 'paid', 'failed', 'unpaid_again'];
    const others = ['refund', 'refund', 'refund', ...Array.from({ length: 5 }, () => 'dispute')];
    expect(kinds).toEqual([...payments, ...others, 'payout', 'payout']);
  });

  it('of a type that we do not know is of no effect', () => {
    const told = { kind: 'irrelevant', eventId: 'msg_1', eventType: 'payout.created' };
    expect(read('payout.created', { anything: 1 })).toEqual({ ...told, fingerprint: null });
  });

  it.each(['payment.paid', 'payment.reversed', 'refund.succeeded', 'dispute.lost'])(
    'of %s in a currency that we do not know is left to a person',
    (type) => {
      const ids = type.startsWith('payment.') ? { payment_link_id: LINK } : {};
      const own = {
        'payment.paid': {},
        'payment.reversed': { reversal_id: 'x' },
        'refund.succeeded': { refund_id: 'x' },
        'dispute.lost': { dispute_id: 'x' },
      }[type];
      expect(read(type, { ...MONEY, ...ids, ...own, currency: 'XXX' })).toMatchObject({
        kind: 'irrelevant',
        review: 'cannot book 1250 of XXX',
        moved: { direction: type === 'payment.paid' ? 'in' : 'out', providerPaymentId: 'p-1' },
      });
    },
  );

  it.each([
    { amount: 12.5 },
    { amount: '1250' },
    { amount: 0 },
    { amount: -1 },
    { currency: 'eur' },
    { payment_id: undefined },
    { payment_link_id: 'a b' },
    { payment_link: LINK },
    { fee: -1 },
  ])('with %j is refused', (data) => {
    expect(() => read('payment.paid', { ...PAYMENT, ...data })).toThrow(InvalidSignature);
  });

  it.each([{ timestamp: '2026-11-20' }, { timestamp: undefined }, { id: 'evt_1' }])(
    'with %j beside its data is refused',
    (over) => {
      expect(() => read('payment.paid', PAYMENT, over)).toThrow(InvalidSignature);
    },
  );
});

it('has no API: it makes no page, refunds nothing, and can ask nobody', async () => {
  const gateway = gatewayWith();
  expect([gateway.canCheckout, gateway.canRefund]).toEqual([false, false]);
  const request = {
    refundId: 'rfnd_1',
    providerPaymentId: 'p-1',
    amount: AMOUNT,
    providerRefundId: 'f-1',
    isOurs: false,
  };
  await expect(gateway.refund(request)).rejects.toMatchObject({ code: 'gateway_unavailable' });
  const found = await gateway.lookUpRefund(request);
  expect(found).toEqual({ status: 'pending', providerRefundId: 'f-1' });
});

it.each([
  ['processing', 'processing'],
  ['failed', 'failed'],
  ['reversed', 'unpaid_again'],
  ['dispute.inquiry', 'dispute'],
  ['dispute.opened', 'dispute'],
  ['dispute.won', 'dispute'],
  ['dispute.lost', 'dispute'],
] as const)('plays %s', async (event, kind) => {
  const gateway = gatewayWith();
  const of = { linkId: LINK, paymentId: 'p-1', amount: AMOUNT };
  const sample = gateway.sampleEventDelivery(event, of, NOW);
  if (!sample) throw new Error('not played');
  await gateway.verify(deliveredAs(sample));
  expect(reportOf(gateway, deliveredAs(sample)).kind).toBe(kind);
});
