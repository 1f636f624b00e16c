import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Money } from '../../src/kernel/money.js';
import {
  type Gateway,
  SAMPLE_EVENTS,
  type SampleEvent,
} from '../../src/payments/domain/gateway.js';
import type { ProviderReport } from '../../src/payments/domain/provider-report.js';
import { openAllGateways, paymentIdAt, PROVIDER_NAMES } from './all-gateways.js';
import { delivered, LINK, NOW, reportOf } from './gateway-builders.js';

/** Of disputes it is always one. At GoCardless it fails late instead of being taken back. */
const KIND_OF: Partial<Record<SampleEvent, ProviderReport['kind']>> = {
  processing: 'processing',
  paid: 'paid',
  failed: 'failed',
  refunded: 'refund',
  reversed: 'unpaid_again',
};
/** A provider that has no such event. */
const UNTOLD: Record<string, SampleEvent[]> = {
  gocardless: ['refunded', 'dispute.inquiry', 'dispute.opened'],
  stripe: ['reversed'],
  razorpay: ['reversed'],
  mollie: ['reversed', 'dispute.inquiry', 'dispute.opened'],
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
