import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Money } from '../../src/kernel/money.js';
import { type Gateway, type SampleEvent } from '../../src/payments/port/domain/gateway.js';
import type { ProviderPayout } from '../../src/payments/port/domain/provider-report.js';
import { openAllGateways, paymentIdAt, PROVIDER_NAMES } from './all-gateways.js';
import { deliveredAs } from '../../src/testing/contract/contract-trial.js';
import { LINK, NOW } from './gateway-builders.js';

let gateways = new Map<string, Gateway>();
let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quittance-samples-'));
  gateways = await openAllGateways(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// The contract plays each event of each provider.

describe('payouts', () => {
  const amount = Money.of(12_50n, 'EUR');
  const play = (name: string, event: SampleEvent, paymentId: string) => {
    const gateway = gateways.get(name);
    const sample = gateway?.sampleEventDelivery(event, { linkId: LINK, paymentId, amount }, NOW);
    if (!gateway || !sample) throw new Error(`${name} plays no ${event}`);
    return gateway.parse(deliveredAs(sample));
  };

  it.each(['gocardless', 'sandbox', 'standard-webhooks'])(
    'of %s are of the payment, and one comes back under its own name',
    (name) => {
      const paymentId = paymentIdAt(name, '0SAMPLE1');
      const [sent] = play(name, 'payout', paymentId) as ProviderPayout[];
      const [failed] = play(name, 'payout_failed', paymentId) as ProviderPayout[];
      const line = { kind: 'payment', providerId: paymentId, amount, fee: Money.zero('EUR') };
      expect(sent).toMatchObject({ status: 'sent', amount, lines: [line], sentOn: '2026-11-20' });
      expect(failed).toMatchObject({ status: 'failed', amount, lines: [line] });
      expect(failed?.payoutId).toBe(sent?.payoutId);
      expect(failed?.eventId).not.toBe(sent?.eventId);
    },
  );

  it('of Stripe name one that Stripe has, and those of Razorpay tell no lines', () => {
    for (const event of ['payout', 'payout_failed'] as const) {
      const [named] = play('stripe', event, 'po_0SAMPLE1');
      const eventType = event === 'payout' ? 'payout.paid' : 'payout.failed';
      expect(named).toMatchObject({
        kind: 'named',
        objectId: '/v1/payouts/po_0SAMPLE1',
        eventType,
      });
    }
    const settlement = { kind: 'payout', payoutId: 'setl_0SAMPLE1', amount, lines: null };
    expect(play('razorpay', 'payout', 'pay_0SAMPLE1')).toMatchObject([settlement]);
  });

  it('are explained where they are none, or not plain', () => {
    const notes = PROVIDER_NAMES.map((name) => [name, gateways.get(name)?.payoutNote ?? null]);
    expect(Object.fromEntries(notes)).toEqual({
      adyen: expect.stringMatching(/by hand.*docs\/providers\/adyen\.md/),
      gocardless: null,
      mollie: expect.stringMatching(/list.*docs\/providers\/mollie\.md/),
      paypal: expect.stringMatching(/by hand.*docs\/providers\/paypal\.md/),
      razorpay: expect.stringContaining('key'),
      sandbox: null,
      'standard-webhooks': null,
      stripe: expect.stringMatching(/API_KEY.*po_/),
    });
  });
});
