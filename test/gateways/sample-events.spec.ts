import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Money } from '../../src/kernel/money.js';
import {
  type Gateway,
  SAMPLE_EVENTS,
  type SampleEvent,
} from '../../src/payments/port/domain/gateway.js';
import type {
  ProviderPayout,
  ProviderReport,
} from '../../src/payments/port/domain/provider-report.js';
import { openAllGateways, paymentIdAt, PROVIDER_NAMES } from './all-gateways.js';
import { delivered, LINK, NOW, reportOf } from './gateway-builders.js';

/** Of disputes it is always one. At GoCardless it fails late instead of being taken back. */
const KIND_OF: Partial<Record<SampleEvent, ProviderReport['kind']>> = {
  processing: 'processing',
  paid: 'paid',
  failed: 'failed',
  refunded: 'refund',
  reversed: 'unpaid_again',
  payout: 'payout',
  payout_failed: 'payout',
};
/** A provider that has no such event. */
const UNTOLD: Record<string, SampleEvent[]> = {
  adyen: ['payout', 'payout_failed'],
  gocardless: ['refunded', 'dispute.inquiry', 'dispute.opened'],
  // Of a payment: an event of its payout names nothing but that.
  stripe: ['reversed', 'payout', 'payout_failed'],
  paypal: ['payout', 'payout_failed'],
  razorpay: ['reversed', 'payout_failed'],
  mollie: ['reversed', 'dispute.inquiry', 'dispute.opened', 'payout', 'payout_failed'],
};

let gateways = new Map<string, Gateway>();
let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quittance-samples-'));
  gateways = await openAllGateways(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(PROVIDER_NAMES)('%s', (name) => {
  it.each(SAMPLE_EVENTS)('signs %s for tests and demos, if it tells of that', async (event) => {
    const gateway = gateways.get(name);
    if (!gateway) throw new Error(`${name} is not open`);
    const paymentId = paymentIdAt(name, '0SAMPLE1');
    const of = { linkId: LINK, paymentId, amount: Money.of(12_50n, 'EUR') };
    const played = gateway.sampleEventDelivery(event, of, NOW);
    if (!played) {
      expect(UNTOLD[name]).toContain(event);
      return;
    }
    await gateway.verify(delivered(played));
    const report = reportOf(gateway, delivered(played));
    const isLate = name === 'gocardless' && event === 'reversed';
    expect(report).toMatchObject({ kind: isLate ? 'failed' : (KIND_OF[event] ?? 'dispute') });
    const told = 'providerPaymentId' in report ? report.providerPaymentId : null;
    expect(told ?? paymentId).toBe(paymentId);
  });
});

describe('payouts', () => {
  const amount = Money.of(12_50n, 'EUR');
  const play = (name: string, event: SampleEvent, paymentId: string) => {
    const gateway = gateways.get(name);
    const sample = gateway?.sampleEventDelivery(event, { linkId: LINK, paymentId, amount }, NOW);
    if (!gateway || !sample) throw new Error(`${name} plays no ${event}`);
    return gateway.parse(delivered(sample));
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
