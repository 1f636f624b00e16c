import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Money } from '../../../src/kernel/money.js';
import type { SampleDelivery, SampleEvent } from '../../../src/payments/index.js';
import { paymentIdAt } from '../../gateways/all-gateways.js';
import { aGateway, SETTINGS } from '../../gateways/gateway-builders.js';
import { startTestService, type TestService } from '../../support/service.js';
import { closeWithBooks } from '../documents/document-calls.js';
import { anOwnName } from '../gateways/own-gateways.js';
import { permutations } from '../payments/dispute-calls.js';
import { payoutBooksOf } from './reported-payouts.js';

// Payouts as `demo:webhook` plays them: in any order, repeated, while the clock jumps, the books end
// the same.

/** Each at the provider's own time, which is also that of our clock when it arrives. */
const TIMES = {
  paid: '2026-11-20T09:00:00Z',
  payout: '2026-11-20T10:00:00Z',
  payout_failed: '2026-11-20T15:00:00Z',
} as const satisfies Partial<Record<SampleEvent, string>>;
type Step = keyof typeof TIMES;
const LIFE: readonly Step[] = ['paid', 'payout', 'payout_failed'];

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => closeWithBooks(service));

/** A payment that is still to come, at a gateway that is its account's own. */
async function aPlace(provider: string) {
  service.clock.set('2026-11-20T08:00:00Z');
  const client = await service.aClient({ timeZone: 'Europe/Berlin' });
  const body = { name: anOwnName(), provider, settings: SETTINGS[provider] };
  const { body: gateway } = await client.post<{ id: string }>('/v1/finance/gateways', body);
  const invoice = await client.anInvoice();
  const { id: linkId } = await client.aPaymentLink(invoice, { gateway: gateway.id });
  const paymentId = paymentIdAt(provider, randomBytes(8).toString('hex'));
  const of = { linkId, paymentId, amount: Money.of(11_900n, 'EUR') };
  const signer = aGateway(provider, SETTINGS[provider] ?? {});
  const deliver = async (sample: SampleDelivery) => {
    const url = `/v1/webhooks/${gateway.id}`;
    const { status } = await service.call(url, { method: 'POST', ...sample });
    expect(Math.floor(status / 100)).toBe(2);
  };
  const event = (step: Step) => {
    service.clock.set(TIMES[step]);
    const sample = signer.sampleEventDelivery(step, of, service.clock.now());
    if (!sample) throw new Error(`${provider} plays no ${step}`);
    return sample;
  };
  const books = async () => {
    const { lines, ...rest } = await payoutBooksOf(client);
    const { status, amount_paid, amount_due } = await client.read(invoice);
    const link = await client.get<{ status: string }>(`/v1/finance/payment-links/${linkId}`);
    return {
      ...rest,
      // A line names the payment only if that came first.
      lines: lines.map(({ kind, amount, fee, booked_fee }) => ({ kind, amount, fee, booked_fee })),
      document: { status, amount_paid, amount_due },
      link: link.body.status,
    };
  };
  return { event, deliver, books };
}

/** @param times how often each is sent: the same bytes, and then told anew under another id */
async function lived(provider: string, steps: readonly Step[], times = 1) {
  const { event, deliver, books } = await aPlace(provider);
  for (const step of steps) {
    for (let time = 0; time < times; time += 1) {
      const sample = event(step);
      await deliver(sample);
      if (times > 1) await deliver(sample);
    }
  }
  return books();
}

describe.each(['sandbox', 'standard-webhooks', 'gocardless'])('a payout of %s', (provider) => {
  it('that came back ends the same in every order of payment, payout and failure', async () => {
    const expected = await lived(provider, LIFE);
    expect(expected).toMatchObject({
      payout: { status: 'failed', amount: 11_900, failed_on: '2026-11-20' },
      document: { status: 'paid', amount_paid: 11_900, amount_due: 0 },
      balances: { gateway_clearing: 11_900 },
      link: 'paid',
      items: [],
    });
    for (const order of permutations(LIFE).slice(1)) {
      expect([order, await lived(provider, order)]).toEqual([order, expected]);
    }
  });

  it('that stays ends the same if its payment comes after it', async () => {
    const expected = await lived(provider, ['paid', 'payout']);
    expect(expected).toMatchObject({
      payout: { status: 'sent' },
      balances: { payouts_in_transit: 11_900 },
      items: [],
    });
    expect(await lived(provider, ['payout', 'paid'])).toEqual(expected);
  });

  it('is one payout, however often each event of it comes, and in whatever order', async () => {
    const expected = await lived(provider, LIFE);
    for (const order of permutations(LIFE)) {
      expect([order, await lived(provider, order, 2)]).toEqual([order, expected]);
    }
  });
});
