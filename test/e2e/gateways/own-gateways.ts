import Stripe from 'stripe';
import { expect } from 'vitest';
import type { GatewayBody } from '../../../src/payments/port/wire/account-gateway.js';
import type { TestClient } from '../../support/client.js';
import type { ProviderStub } from '../../support/provider-stub.js';
import type { TestService } from '../../support/service.js';

export const OWN_GATEWAYS = '/v1/finance/gateways';
export const OWN_SECRET = 'whsec_account_gateways_first_0001';
export const NEXT_OWN_SECRET = 'whsec_account_gateways_second_0002';
const API_KEY = 'sk_test_account_gateways_9876';

let made = 0;

export function anOwnName(): string {
  made += 1;
  return `shop-${made}`;
}

/** One of Stripe, at the stub; `over` replaces fields. */
export async function anOwnGateway(
  client: TestClient,
  stub: ProviderStub | null,
  over: object = {},
): Promise<GatewayBody> {
  const settings = {
    webhook_secret: OWN_SECRET,
    ...(stub && { api_key: API_KEY, api_base: stub.apiBase }),
  };
  const body = { name: anOwnName(), provider: 'stripe', settings, ...over };
  const answer = await client.post<GatewayBody>(OWN_GATEWAYS, body);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body;
}

/** An event of Stripe about an intent of that status. */
function anEvent(service: TestService, type: string, intent: object): string {
  made += 1;
  return JSON.stringify({
    id: `evt_${made}`,
    object: 'event',
    created: Math.floor(service.clock.now().getTime() / 1000),
    livemode: false,
    type,
    data: { object: { id: `pi_own_${made}`, object: 'payment_intent', ...intent } },
  });
}

export function paidEvent(
  service: TestService,
  link: { id: string; amount: number; currency: string },
): string {
  return anEvent(service, 'payment_intent.succeeded', {
    status: 'succeeded',
    amount_received: link.amount,
    currency: link.currency.toLowerCase(),
    metadata: { payment_link_id: link.id },
  });
}

/** To the gateway's own webhook, as Stripe's own library signs it. */
export async function deliverTo(
  service: TestService,
  { id }: { id: string },
  payload: string,
  secret = OWN_SECRET,
) {
  const timestamp = Math.floor(service.clock.now().getTime() / 1000);
  const header = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  const headers = { 'content-type': 'application/json', 'stripe-signature': header };
  return service.call(`/v1/webhooks/${id}`, { method: 'POST', body: payload, headers });
}

/** An event of no effect, with that secret. */
export async function deliverNothing(service: TestService, to: { id: string }, secret?: string) {
  return deliverTo(service, to, anEvent(service, 'payment_intent.created', {}), secret);
}
