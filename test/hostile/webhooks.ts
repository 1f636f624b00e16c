import type { Demo } from '../../src/demo/demo-account.js';
import { SystemClock } from '../../src/kernel/clock.js';
import { Money } from '../../src/kernel/money.js';
import { configuredGateways } from '../../src/gateways/index.js';
import type { SampleDelivery } from '../../src/payments/index.js';
import { OutgoingClient } from '../../src/platform/http/outgoing/outgoing-client.js';
import { SETTINGS } from '../gateways/gateway-builders.js';
import { call } from '../support/http.js';
import { testConfig } from '../support/service.js';

/** A webhook with a delivery that it would take. */
export interface RealDelivery {
  gateway: string;
  provider: string;
  delivery: SampleDelivery;
}

/** Configured beside those of a demo, which are of Stripe, of PayPal and the sandbox. */
const MORE = ['mollie', 'gocardless', 'adyen', 'razorpay', 'standard-webhooks'];
/** Accounts have one of each, but of PayPal: its signing certificates would be fetched. */
const OWN = ['stripe', 'sandbox', ...MORE];

/** Settings of a service that has a gateway of every provider. */
export function webhookEnvironment(): Record<string, string> {
  const entries = MORE.flatMap((name) => {
    const prefix = `GATEWAY_${name.toUpperCase().replaceAll('-', '_')}_`;
    const settings = { provider: name, accounts: '*', ...SETTINGS[name] };
    return Object.entries(settings).map(([key, value]) => [`${prefix}${key.toUpperCase()}`, value]);
  });
  return {
    GATEWAYS: MORE.join(','),
    ...Object.fromEntries(entries),
  };
}

/** Of each gateway of a demo, and of one of each provider that its account configures itself. */
export async function realDeliveries(
  url: string,
  demo: Demo,
  bearer: string,
): Promise<RealDelivery[]> {
  const ofDemo = Object.entries(demo.gateways).map(([name, { provider = '', ...settings }]) => ({
    gateway: name,
    provider,
    settings,
  }));
  const own = await Promise.all(OWN.map((provider) => ownGateway(url, bearer, provider)));
  const all = [...ofDemo, ...own];
  const clock = new SystemClock();
  const outgoing = new OutgoingClient(testConfig(0).outgoing);
  const gateways = all.map(({ gateway, provider, settings }, index) => ({
    name: gateway.startsWith('gw_') ? `own-${index}` : gateway,
    provider,
    settings,
  }));
  const opened = configuredGateways({ ...testConfig(0), gateways }, { clock, outgoing });
  const [link] = demo.payment_links;
  return all.map(({ gateway, provider }, index) => {
    const of = opened.get(gateways[index]?.name ?? '');
    if (!of || !link) throw new Error(`${gateway} is not configured`);
    const paid = { id: link.id, amount: Money.of(BigInt(link.amount), link.currency) };
    return { gateway, provider, delivery: of.samplePaidDelivery(paid, clock.now()) };
  });
}

async function ownGateway(url: string, bearer: string, provider: string) {
  const settings = SETTINGS[provider] ?? {};
  const { status, body, text } = await call<{ id: string }>(`${url}/v1/finance/gateways`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}` },
    body: { name: `hostile-${provider}`, provider, settings },
  });
  if (status !== 201) throw new Error(`no gateway of ${provider}: ${text}`);
  return { gateway: body.id, provider, settings };
}
