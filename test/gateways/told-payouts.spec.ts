import { describe, expect, it } from 'vitest';
import { Money } from '../../src/kernel/money.js';
import { InvalidSignature } from '../../src/payments/port/domain/gateway.js';
import { signStandardWebhook } from '../../src/kernel/standard-webhook.js';
import { roundedFees } from '../../src/gateways/told-payout.js';
import { aGateway, NOW, NOW_SECONDS, reportOf, SANDBOX_SECRET } from './gateway-builders.js';

// Payouts with their lines in the event, as the sandbox and Standard Webhooks tell them.

const KEY = Buffer.from(SANDBOX_SECRET.slice('whsec_'.length), 'base64');
const AT = NOW.toISOString();

const aPayout = (over: object = {}) => ({
  payout_id: 'po_1',
  amount: 9_750,
  currency: 'EUR',
  sent_on: '2026-11-20',
  lines: [
    { kind: 'payment', amount: 10_000, fee: 200, provider_id: 'p-1' },
    { kind: 'fee', amount: -50 },
  ],
  ...over,
});

/** Either writes it in its own envelope. */
function told(provider: string, type: string, payout: object) {
  const isSandbox = provider === 'sandbox';
  const body = JSON.stringify(
    isSandbox
      ? { id: 'msg_1', type, data: { ...payout, at: AT } }
      : { type, timestamp: AT, data: payout },
  );
  const headers = signStandardWebhook([KEY], { id: 'msg_1', unixSeconds: NOW_SECONDS, body });
  const gateway = aGateway(provider, { webhook_secret: SANDBOX_SECRET });
  return reportOf(gateway, { rawBody: Buffer.from(body), headers });
}
const money = (minor: number, currency = 'EUR') => Money.of(BigInt(minor), currency);

describe.each(['sandbox', 'standard-webhooks'])('a payout that %s tells', (provider) => {
  const paid = (over: object = {}) => told(provider, 'payout.paid', aPayout(over));

  it('has its lines, in exact amounts', () =>
    expect(paid({ fee: 30, arrives_on: '2026-11-23', descriptor: 'Täglich 1' })).toEqual({
      eventId: 'msg_1',
      eventType: 'payout.paid',
      fingerprint: null,
      kind: 'payout',
      payoutId: 'po_1',
      amount: money(9_750),
      fee: money(30),
      lines: [
        { kind: 'payment', amount: money(10_000), fee: money(200), providerId: 'p-1' },
        { kind: 'fee', amount: money(-50), fee: money(0), providerId: null },
      ],
      status: 'sent',
      sentOn: '2026-11-20',
      arrivesOn: '2026-11-23',
      descriptor: 'Täglich 1',
      reason: null,
      at: NOW,
    }));

  it('may have failed, and need not tell its lines', () => {
    expect(told(provider, 'payout.failed', aPayout({ reason: 'closed' }))).toMatchObject({
      status: 'failed',
      reason: 'closed',
    });
    expect(told(provider, 'payout.failed', aPayout())).toMatchObject({ reason: 'failed' });
    expect(paid({ lines: undefined })).toMatchObject({ kind: 'payout', lines: null });
    expect(paid({ lines: [] })).toMatchObject({ kind: 'payout', lines: [] });
  });

  it.each([
    ['JPY', 500],
    ['KWD', 12_345],
    ['EUR', -2500],
  ])('in %s may be over %d', (currency, amount) => {
    const lines = [{ kind: 'adjustment', amount }];
    expect(paid({ currency, amount, lines })).toMatchObject({
      amount: money(amount, currency),
      lines: [{ amount: money(amount, currency) }],
    });
  });

  it('over an amount that we cannot say is for a person; over nothing, for nobody', () => {
    const moved = { direction: 'out', reference: 'po_1', amount: null };
    const review = expect.stringContaining('po_1');
    expect(paid({ currency: 'XXX' })).toMatchObject({ kind: 'irrelevant', review, moved });
    const large = [{ kind: 'payment', amount: 10_000_000_000_001 }];
    expect(paid({ lines: large })).toMatchObject({
      kind: 'irrelevant',
      moved: { ...moved, amount: money(9_750) },
    });
    expect(paid({ amount: -9_750, lines: large })).toMatchObject({
      moved: { direction: 'in', amount: money(9_750) },
    });
    expect(paid({ amount: 0 })).not.toHaveProperty('review');
    expect(paid({ amount: 0 }).kind).toBe('irrelevant');
  });

  it.each([
    { sent_on: 'today' },
    { fee: -1 },
    { amount: 1.5 },
    { descriptor: 'a\u0000b' },
    { lines: [{ kind: 'gift', amount: 1 }] },
    { lines: [{ kind: 'fee', amount: 1, net: 1 }] },
  ])('of another shape is refused: %j', (over) =>
    expect(() => paid(over)).toThrow(InvalidSignature),
  );
});

describe('fees in parts of a unit', () => {
  it.each([
    [-1300n, [-1296n], -130n],
    [-1300n, [-1309n], -130n],
    [-1300n, [-1000n, -1297n], -130n],
    [-1300n, [-1310n], -131n],
    [-1300n, [-1290n], -129n],
    [0n, [-4n], 0n],
    [700n, [705n], 70n],
  ])('of which %d are missing, and told as %s, are %d', (missing, sums, fees) =>
    expect(roundedFees(missing, sums, 10n)).toBe(fees),
  );
});
