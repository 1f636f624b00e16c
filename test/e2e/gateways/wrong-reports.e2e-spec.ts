import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { Providers } from '../../../src/gateways/index.js';
import { Money } from '../../../src/kernel/money.js';
import {
  type Delivery,
  Gateway,
  type NamedObject,
  type ProviderReport,
} from '../../../src/payments/index.js';
import type { ToldShape } from '../../../src/payments/port/wire/provider-report.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { closeWithBooks } from '../documents/document-calls.js';

// A provider that somebody else wrote tells things that are no reports: nothing of it is booked or
// dropped.

/** It hands on what it is sent, as code does that no compiler looked at; JSON has no sums and dates. */
class CarelessGateway extends Gateway {
  readonly provider = 'careless';
  readonly method = 'other';
  readonly canRefund = false;

  async createCheckout() {
    return { url: null, providerObjectId: null };
  }

  async verify() {}

  parse({ rawBody }: Delivery): ProviderReport[] {
    const { told } = JSON.parse(rawBody.toString('utf8')) as { told: unknown };
    return (Array.isArray(told) ? told.map(made) : told) as ProviderReport[];
  }

  async refund(): Promise<never> {
    throw new Error('it gives nothing back');
  }
}

function made(one: unknown): unknown {
  if (!(one instanceof Object)) return one;
  const { cents, on, ...rest } = one as { cents?: number; on?: string };
  const amount = cents === undefined ? {} : { amount: Money.of(BigInt(cents), 'EUR') };
  return {
    ...rest,
    ...amount,
    ...(on !== undefined && { at: new Date(on), paidAt: new Date(on) }),
  };
}

const providers = new Providers([
  {
    name: 'careless',
    settings: z.strictObject({}),
    unsafe: () => [],
    open: () => new CarelessGateway({ name: 'careless', accounts: 'all' }),
  },
]);
const gateways = [{ name: 'careless', provider: 'careless', accounts: '*' as const, settings: {} }];

const ON = '2026-01-01T00:00:00Z';
const EVENT = { eventType: 'told', fingerprint: null };
const PAID = { ...EVENT, kind: 'paid', linkId: null, providerObjectId: null, fee: null };
const BACK = { ...EVENT, review: 'Look.', cents: 100, on: ON };
const DISPUTE = { ...BACK, kind: 'dispute', status: 'open', withdrawn: null, fee: null };

describe('a provider that tells something wrong', () => {
  let service: TestService;
  let client: TestClient;
  beforeAll(async () => {
    service = await startTestService({ providers, gateways });
    client = await service.aClient();
  });
  afterAll(() => closeWithBooks(service));

  const deliver = async (told: unknown) =>
    service.call<{ status: string }>('/v1/webhooks/careless', {
      method: 'POST',
      body: JSON.stringify({ told }),
      headers: { 'content-type': 'application/json' },
    });
  const items = async () =>
    service.database.query<{ direction: string; told: string }>(
      'SELECT direction, told FROM unmatched_items ORDER BY item_id',
    );
  const booked = async () =>
    service.database.query(
      `SELECT (SELECT count(*) FROM payments) AS payments, (SELECT count(*) FROM refunds) AS refunds,
         (SELECT count(*) FROM disputes) AS disputes, (SELECT count(*) FROM transfers) AS transfers`,
    );

  it.each([
    [
      'a kind in capitals',
      'in',
      'kind',
      { ...PAID, kind: 'PAID', eventId: 'e1', cents: 100, on: ON },
    ],
    [
      'no id of its dispute',
      'out',
      'disputeId',
      { ...DISPUTE, eventId: 'e2', providerPaymentId: 'p2', reason: 'fraud', evidenceDueBy: null },
    ],
    [
      'an empty id of its dispute',
      'out',
      'disputeId',
      {
        ...DISPUTE,
        eventId: 'e3',
        disputeId: '',
        providerPaymentId: 'p3',
        reason: 'fraud',
        evidenceDueBy: null,
      },
    ],
    [
      'no id of its refund',
      'out',
      'providerRefundId',
      {
        ...BACK,
        kind: 'refund',
        eventId: 'e4',
        refundId: null,
        providerPaymentId: 'p4',
        outcome: { status: 'succeeded', providerRefundId: 'r4' },
      },
    ],
    [
      'a day that is none',
      'in',
      'paidAt',
      { ...PAID, eventId: 'e5', providerPaymentId: 'p5', cents: 100, on: 'yesterday' },
    ],
    ['no time', 'in', 'paidAt', { ...PAID, eventId: 'e6', providerPaymentId: 'p6', cents: 100 }],
    [
      'an amount that is a number',
      'in',
      'amount',
      { ...PAID, eventId: 'e7', providerPaymentId: 'p7', amount: 100, on: ON },
    ],
    ['no event id', 'in', 'eventId', { ...PAID, providerPaymentId: 'p8', cents: 100, on: ON }],
    ['no object', 'in', 'report', 'paid'],
  ])('with %s leaves an item, and books nothing', async (_, direction, field, told) => {
    const before = [await items(), await booked()];
    const answer = await deliver([told]);
    expect([answer.status, answer.body]).toEqual([200, { status: 'ignored' }]);
    const [left, ...more] = (await items()).slice(before[0]?.length);
    expect(more).toEqual([]);
    expect(left?.direction).toBe(direction);
    expect(left?.told).toContain(`${field}: `);
    // The same again is the same.
    expect((await deliver([told])).status).toBe(200);
    expect(await items()).toHaveLength((before[0]?.length ?? 0) + 1);
    expect(await booked()).toEqual(before[1]);
  });

  it('without a list leaves an item, too', async () => {
    const before = await items();
    expect((await deliver(null)).body).toEqual({ status: 'ignored' });
    expect(await items()).toHaveLength(before.length + 1);
  });

  it('is booked once its code is mended, under the same event', async () => {
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice, { gateway: 'careless' });
    const told = {
      ...PAID,
      eventId: 'e9',
      linkId: link.id,
      providerPaymentId: 'p9',
      cents: 11_900,
    };
    expect((await deliver([told])).body).toEqual({ status: 'ignored' });
    expect((await client.read(invoice)).amount_paid).toBe(0);
    expect((await deliver([{ ...told, on: ON }])).body).toEqual({ status: 'ok' });
    expect((await client.read(invoice)).amount_paid).toBe(11_900);
  });

  it('is judged by a shape that the types of reports have', () => {
    expectTypeOf<ProviderReport | NamedObject>().toExtend<z.output<typeof ToldShape>>();
  });
});
