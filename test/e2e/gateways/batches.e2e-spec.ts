import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { Providers } from '../../../src/gateways/index.js';
import { DomainError } from '../../../src/kernel/domain-error.js';
import { Money } from '../../../src/kernel/money.js';
import {
  type Delivery,
  Gateway,
  InvalidSignature,
  type ProviderReport,
} from '../../../src/payments/index.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { next } from './stripe-events.js';

interface Told {
  event: string;
  link: string;
  payment: string;
}

/** Payments that the provider cannot confirm now. */
const undecided = new Set<string>();

/** A provider that tells of many payments in one delivery. */
class BatchGateway extends Gateway {
  readonly name = 'batch';
  readonly provider = 'batch';
  readonly method = 'other';
  readonly canRefund = false;
  readonly accounts = 'all';

  async createCheckout() {
    return { url: null, providerObjectId: null };
  }

  async verify({ headers }: Delivery) {
    if (headers['batch-signature'] !== 'good') throw new InvalidSignature('not good');
  }

  parse({ rawBody }: Delivery): ProviderReport[] {
    const all = JSON.parse(rawBody.toString('utf8')) as Told[];
    return all.map(({ event, link, payment }) => ({
      kind: 'paid',
      eventId: event,
      eventType: 'paid',
      fingerprint: null,
      linkId: link,
      providerObjectId: null,
      providerPaymentId: payment,
      amount: Money.of(11_900n, 'EUR'),
      fee: null,
      paidAt: new Date('2026-01-01T00:00:00Z'),
    }));
  }

  async confirm(report: ProviderReport) {
    if (report.kind === 'paid' && undecided.has(report.providerPaymentId)) {
      throw DomainError.unavailable('gateway_unavailable', 'Not now.', 30);
    }
    return report;
  }

  async refund(): Promise<never> {
    throw new Error('it gives nothing back');
  }

  async lookUpRefund() {
    return { status: 'not_found' as const };
  }

  samplePaidDelivery(): never {
    throw new Error('it has no samples');
  }
}

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  const batch = {
    name: 'batch',
    settings: z.strictObject({}),
    unsafe: () => [],
    open: () => new BatchGateway(),
  };
  service = await startTestService({
    providers: new Providers([batch]),
    gateways: [{ name: 'batch', provider: 'batch', accounts: '*', settings: {} }],
  });
  client = await service.aClient();
});
afterAll(() => service.close());
beforeEach(() => undecided.clear());

async function invoicesToPay(count: number) {
  const invoices: { id: string }[] = [];
  const told: Told[] = [];
  for (let index = 0; index < count; index += 1) {
    const invoice = await client.anInvoice();
    const { id } = await client.aPaymentLink(invoice, { gateway: 'batch' });
    invoices.push(invoice);
    told.push({ event: `evt_${next()}`, link: id, payment: `pay_${next()}` });
  }
  const paid = async () =>
    Promise.all(invoices.map(async (one) => (await client.read(one)).amount_paid));
  return { told, paid };
}

const deliver = async (told: readonly Told[], signature = 'good') =>
  service.call<{ status: string; code?: string }>('/v1/webhooks/batch', {
    method: 'POST',
    body: JSON.stringify(told),
    headers: { 'content-type': 'application/json', 'batch-signature': signature },
  });

it('books each report of a delivery under its own event', async () => {
  const { told, paid } = await invoicesToPay(3);
  expect((await deliver(told)).body).toEqual({ status: 'ok' });
  expect(await paid()).toEqual([11_900, 11_900, 11_900]);
  const events = await service.database.query(
    'SELECT 1 FROM provider_events WHERE event_id = ANY($1)',
    [told.map(({ event }) => event)],
  );
  expect(events).toHaveLength(3);
});

it('books each once when the delivery comes ten times at once', async () => {
  const { told, paid } = await invoicesToPay(3);
  const answers = await Promise.all(Array.from({ length: 10 }, () => deliver(told)));
  expect(answers.map(({ text }) => text)).toEqual(Array(10).fill('{"status":"ok"}'));
  expect(await paid()).toEqual([11_900, 11_900, 11_900]);
});

it('is not done before the last is, and one that fails keeps no other out', async () => {
  const { told, paid } = await invoicesToPay(3);
  undecided.add(told[1]?.payment ?? '');
  const answer = await deliver(told);
  expect([answer.status, answer.body.code]).toEqual([503, 'gateway_unavailable']);
  expect(await paid()).toEqual([11_900, 0, 11_900]);
  undecided.clear();
  expect((await deliver(told)).body).toEqual({ status: 'ok' });
  expect(await paid()).toEqual([11_900, 11_900, 11_900]);
});

it('is ok if one of its reports was applied, and ignored if there is none', async () => {
  const { told } = await invoicesToPay(1);
  const foreign = { event: `evt_${next()}`, link: 'plink_nobody', payment: `pay_${next()}` };
  expect((await deliver([foreign, ...told])).body).toEqual({ status: 'ok' });
  expect((await deliver([])).body).toEqual({ status: 'ignored' });
});

it('books nothing of a delivery that is not signed', async () => {
  const { told, paid } = await invoicesToPay(2);
  expect((await deliver(told, 'bad')).body).toMatchObject({ code: 'invalid_signature' });
  expect(await paid()).toEqual([0, 0]);
});
