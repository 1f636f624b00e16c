import { afterAll, beforeAll, expect, it } from 'vitest';
import { Money } from '../../src/kernel/money.js';
import { Gateways } from '../../src/payments/index.js';
import { startTestService, type TestService } from '../support/service.js';
import { signedByStripe, stripePayment } from '../e2e/gateways/stripe-events.js';
import { aPlace, type Place } from './program.js';

// Calls of providers that are of no single account, by the operator's commands.

let service: TestService;
let place: Place;
beforeAll(async () => {
  service = await startTestService();
  place = await aPlace();
});
afterAll(async () => {
  await place.remove();
  await service.close();
});

async function command(args: string[]) {
  const ended = await place.command(args, {
    DATABASE_URL: service.database.url,
    QUITTANCE_SECRET: service.config.secrets.join(','),
  });
  return { ...ended, json: ended.code === 0 ? (JSON.parse(ended.output) as unknown) : null };
}

it('lists, shows and replays money that nobody’s link names, and no account’s calls', async () => {
  const clients = [await service.aClient(), await service.aClient()];
  const link = await clients[0]!.aPaymentLink(await clients[0]!.anInvoice());
  await service.deliverPaid(link);
  const { intent } = stripePayment({ amount: 500, currency: 'EUR' }, service.clock.now());
  const delivery = signedByStripe(intent, service.clock.now());
  await service.call('/v1/webhooks/gateway-a', { method: 'POST', ...delivery });
  for (const [at, client] of clients.entries()) {
    const { body } = await client.get<{ data: unknown[] }>('/v1/finance/gateway-events');
    expect(body.data).toHaveLength(at === 0 ? 1 : 0);
  }

  const { json } = await command(['gateway-events', '--json']);
  const { data } = json as { data: { id: string; outcome: string }[] };
  expect(data).toEqual([expect.objectContaining({ gateway: 'gateway-a', outcome: 'no_link_id' })]);
  const id = data[0]?.id ?? '';

  const shown = await command(['gateway-events', 'show', id]);
  expect(shown.json).toMatchObject({
    body: delivery.body,
    effects: { events: [{ event_id: intent.id, outcome: 'no_link_id' }] },
  });

  const replayed = await command(['gateway-events', 'replay', id, '--json']);
  expect(replayed.json).toEqual({ outcome: 'no_link_id', problem: null, changed: false });
  const audited = await service.database.query<{ action: string }>(
    `SELECT action FROM audit_entries WHERE action ~ 'gateway' ORDER BY entry_id`,
  );
  expect(audited.map(({ action }) => action)).toEqual([
    'gateway_event.replayed',
    'cli.gateway-events.replay',
  ]);
});

it('shows a payout that is of no single account with its item', async () => {
  const of = { linkId: 'plink_any', paymentId: 'sbx_1', amount: Money.of(100n, 'EUR') };
  const gateway = service.app.get(Gateways).get('sandbox');
  const sample = gateway.sampleEventDelivery('payout', of, service.clock.now());
  await service.call('/v1/webhooks/sandbox', { method: 'POST', ...sample });
  const { json } = await command(['gateway-events', '--json']);
  const { data } = json as { data: { id: string }[] };
  const shown = await command(['gateway-events', 'show', data[0]?.id ?? '']);
  expect(shown.json).toMatchObject({
    event_types: ['payout.paid'],
    effects: { payout_ids: [], failed_payouts: [], item_ids: [expect.stringMatching(/^item_/)] },
  });
});

it.each([['x'], ['gevt_01h455vb4pex5vsknk084sn02q']])('knows no event %s', async (id) => {
  const { code, errors } = await command(['gateway-events', 'replay', id]);
  expect([code, errors]).toEqual([2, expect.stringContaining('no such gateway event')]);
});
