import { describe, expect, it } from 'vitest';
import { AccountProviderCatalogue } from '../../src/gateways/account-provider-catalogue.js';
import { providers } from '../../src/gateways/configured-gateways.js';
import type { Provider } from '../../src/gateways/provider.js';
import type { SettingKind } from '../../src/payments/port/domain/account-gateway.js';
import { Gateway } from '../../src/payments/port/domain/gateway.js';
import { OutgoingClient } from '../../src/platform/http/outgoing/outgoing-client.js';
import { clockAt, NOW, SANDBOX_SECRET, STRIPE_SECRET } from './gateway-builders.js';

const ACCOUNT = '018f3b1e-0000-7000-8000-000000000001';
const HOSTS_AND_FILES = new Set(['api_base', 'certificates', 'anchors', 'demo_key']);

function aCatalogue(over: object = {}, all: readonly Provider[] = providers) {
  const config = { baseUrl: 'https://pay.example', production: true, takesGatewayHosts: false };
  const outgoing = new OutgoingClient({ ranges: [], ports: [] });
  return new AccountProviderCatalogue(all, { ...config, ...over }, clockAt(NOW), outgoing);
}

const open = (
  provider: string,
  settings: Record<string, string>,
  catalogue: AccountProviderCatalogue = aCatalogue(),
) => {
  const opened = catalogue.open({ name: 'gw_1', accountId: ACCOUNT, provider, settings });
  return opened instanceof Gateway
    ? opened
    : opened.map(({ setting, refusal }) => [setting, refusal.code]);
};

/** The names of a provider's settings, as its own schema refuses nothing else. */
function settingsOf({ settings }: Provider): string[] {
  const schema = settings as unknown as {
    def: { shape?: object; in?: { def: { shape: object } } };
  };
  return Object.keys(schema.def.shape ?? schema.def.in?.def.shape ?? {});
}

describe('providers that come with the service', () => {
  it.each(providers.map((provider) => ({ provider, name: provider.name })))(
    '$name says how each of its settings is treated',
    ({ provider }) => {
      expect(settingsOf(provider).length).toBeGreaterThan(0);
      expect(Object.keys(provider.kinds ?? {}).toSorted()).toEqual(settingsOf(provider).toSorted());
    },
  );

  it('keep hosts and files for the operator, and show no secret', () => {
    for (const { name, kinds = {} } of providers) {
      for (const [setting, kind] of Object.entries<SettingKind>(kinds)) {
        const isOperators = ['host', 'file'].includes(kind);
        expect([name, setting, isOperators]).toEqual([name, setting, HOSTS_AND_FILES.has(setting)]);
        if (/secret|key|token|password/.test(setting)) expect(kind).not.toBe('shown');
      }
      const rotated = Object.values(kinds).filter((kind) => kind === 'rotated');
      expect(rotated.length).toBeLessThanOrEqual(1);
    }
  });
});

describe('an account in production', () => {
  it('opens a gateway of its own, and of no other account', () => {
    const gateway = open('stripe', { webhook_secret: STRIPE_SECRET });
    expect(gateway).toMatchObject({ name: 'gw_1', accounts: new Set([ACCOUNT]) });
  });

  it.each([
    ['stripe', { webhook_secret: STRIPE_SECRET, api_base: 'https://169.254.169.254' }, 'api_base'],
    ['mollie', { api_key: 'live_x', api_base: 'https://evil.test' }, 'api_base'],
    ['paypal', { webhook_id: 'W', client_id: 'a', client_secret: 'b', anchors: '/x' }, 'anchors'],
    ['paypal', { webhook_id: 'W', client_id: 'a', client_secret: 'b', demo_key: '/x' }, 'demo_key'],
  ] as const)('may not have %s go elsewhere or read files', (provider, settings, setting) => {
    expect(open(provider, settings)).toEqual([[setting, 'unknown_setting']]);
  });

  it('may not name a host, whatever the configuration says', () => {
    const everywhere = aCatalogue({ takesGatewayHosts: true });
    const settings = { webhook_secret: STRIPE_SECRET, api_base: 'http://127.0.0.1:1' };
    expect(open('stripe', settings, everywhere)).toEqual([['api_base', 'unknown_setting']]);
    const elsewhere = aCatalogue({ takesGatewayHosts: true, production: false });
    expect(open('stripe', settings, elsewhere)).toBeInstanceOf(Gateway);
  });

  it('gets no sandbox, no PayPal that cannot be asked, and nothing that is unheard of', () => {
    expect(open('sandbox', { webhook_secret: SANDBOX_SECRET })).toEqual([
      ['provider', 'invalid_setting'],
    ]);
    expect(open('paypal', { webhook_id: 'W' })).toEqual([['client_id', 'invalid_setting']]);
    for (const name of ['unheard-of', 'constructor', '__proto__', 'toString']) {
      expect(open(name, {})).toEqual([['provider', 'unknown_provider']]);
    }
    for (const setting of ['constructor', 'toString', 'colour']) {
      expect(open('stripe', { webhook_secret: STRIPE_SECRET, [setting]: 'x' })).toEqual([
        [setting, 'unknown_setting'],
      ]);
    }
  });

  it('is told of secrets that are easy to guess, when it gives them', () => {
    const given = { webhook_secret: 'password1', api_key: 'secret', environment: 'live' };
    const weak = aCatalogue().weaknesses('stripe', { ...given, api_base: null }, true);
    expect(weak.map(({ setting }) => setting)).toEqual(['webhook_secret', 'api_key']);
    expect(JSON.stringify(weak)).not.toContain('password1');
    const elsewhere = aCatalogue({ production: false });
    expect(elsewhere.weaknesses('stripe', given, true)).toEqual([]);
    expect(elsewhere.weaknesses('stripe', given, false)).toHaveLength(weak.length);
  });

  it('gets no provider whose developer says nothing of its settings', () => {
    const silent: Provider[] = providers.map(({ kinds: _kinds, ...one }) => one);
    const opened = open('stripe', { webhook_secret: STRIPE_SECRET }, aCatalogue({}, silent));
    expect(opened).toEqual([
      ['provider', 'unknown_provider'],
      ['webhook_secret', 'unknown_setting'],
    ]);
  });
});
