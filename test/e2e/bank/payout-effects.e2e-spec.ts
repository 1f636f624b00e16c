import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidOf } from '../../../src/kernel/ids.js';
import { ProviderPayouts } from '../../../src/payments/index.js';
import type { GatewayEventDetailBody } from '../../../src/payments/inbox/wire/gateway-event.js';
import { startTestService, type TestService } from '../../support/service.js';
import { closeWithBooks } from '../documents/document-calls.js';
import { aShop, paidOut, PAYOUTS, type Shop } from './reported-payouts.js';

// An event shows the payouts that it names, and what it undid of them.

const EVENTS = '/v1/finance/gateway-events';

let service: TestService;
let shop: Shop;
let payment: string;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  shop = await aShop(service);
  payment = await shop.paid();
});
afterAll(() => closeWithBooks(service));

/** The effects of the newest event of a type. */
async function effectsOf(type: string, client = shop.client) {
  const { body } = await client.get<{ data: { id: string }[] }>(`${EVENTS}?event_type=${type}`);
  const path = `${EVENTS}/${body.data[0]?.id}`;
  return (await client.get<GatewayEventDetailBody>(path)).body.effects;
}
const sent = () => shop.told('payout.paid', paidOut(payment));
const failed = () => {
  const at = '2026-11-19T08:00:00Z';
  return shop.told('payout.failed', paidOut(payment, { at, reason: 'account_closed' }));
};

describe('an event', () => {
  it('shows the payout that it recorded', async () => {
    await sent();
    const { id } = await shop.only();
    expect(await effectsOf('payout.paid')).toMatchObject({
      payout_ids: [id],
      failed_payouts: [],
      item_ids: [],
    });
  });

  it('shows the payout that it undid, and so does the one that had recorded it', async () => {
    await sent();
    await failed();
    const { id } = await shop.only();
    const undone = { payout_id: id, failed_on: '2026-11-19', reason: 'account_closed' };
    const effects = { payout_ids: [id], failed_payouts: [undone] };
    expect(await effectsOf('payout.failed')).toMatchObject(effects);
    expect(await effectsOf('payout.paid')).toMatchObject(effects);
  });

  it('that was the first to tell of a payout shows it, recorded and undone', async () => {
    await failed();
    const { id } = await shop.only();
    expect(await effectsOf('payout.failed')).toMatchObject({
      payout_ids: [id],
      failed_payouts: [{ payout_id: id }],
    });
  });

  it('shows one that a person recorded before, and one that was wrong', async () => {
    const { at: _at, payout_id: provider_payout_id, ...stated } = paidOut(payment);
    const body = { gateway: shop.gateway, provider_payout_id, ...stated };
    const wrong = await shop.client.post<{ id: string }>(PAYOUTS, body);
    await shop.client.post(`${PAYOUTS}/${wrong.body.id}/reverse`, {});
    const right = await shop.client.post<{ id: string }>(PAYOUTS, body);
    expect([wrong.status, right.status, await sent()]).toEqual([201, 201, 'ok']);
    expect(await effectsOf('payout.paid')).toMatchObject({
      payout_ids: [wrong.body.id, right.body.id],
      failed_payouts: [],
    });
  });

  it('shows none of another account, and of one that is not booked its item', async () => {
    const other = await aShop(service);
    await other.told('payout.paid', paidOut(await other.paid()));
    expect(await shop.told('payout.paid', paidOut(payment, { lines: null }))).toBe('ignored');
    expect(await effectsOf('payout.paid')).toMatchObject({
      payout_ids: [],
      failed_payouts: [],
      item_ids: [expect.stringMatching(/^item_/)],
    });
    expect((await effectsOf('payout.paid', other.client)).payout_ids).toHaveLength(1);
    expect((await effectsOf('payment.succeeded')).payout_ids).toEqual([]);
  });

  it('shows none of another gateway, nor of another account at the same one', async () => {
    const other = await aShop(service);
    const { at: _at, payout_id: provider_payout_id, lines: _lines, ...stated } = paidOut(payment);
    const record = async ({ client }: Shop) => {
      const body = { gateway: 'sandbox', provider_payout_id, ...stated };
      return uuidOf('pout', (await client.post<{ id: string }>(PAYOUTS, body)).body.id);
    };
    const named = async ({ client }: Shop) => {
      const accountId = uuidOf('acc', client.accountId) ?? '';
      const names = [{ payout: provider_payout_id }];
      return service.app.get(ProviderPayouts).namedIn({ accountId, gateway: 'sandbox', names });
    };
    expect(await sent()).toBe('ok');
    const ids = [await record(shop), await record(other)];
    expect(await named(shop)).toMatchObject([{ id: ids[0] }]);
    expect(await named(other)).toMatchObject([{ id: ids[1] }]);
  });
});
