import type { z } from 'zod';
import { uuidOf } from '../kernel/ids.js';
import { type Clock, SystemClock } from '../kernel/clock.js';
import { ConfigError } from '../platform/config/config-error.js';
import type { Config } from '../platform/config/config.js';
import type { OutgoingClient } from '../platform/http/outgoing/outgoing-client.js';
import type { GatewayConfig } from '../platform/config/gateway-config.js';
import {
  Gateway,
  type GatewayAccounts,
  gatewayVariable,
  type SettingComplaint,
  GatewayRefusal,
} from '../payments/index.js';
import { adyen } from './adyen/adyen.gateway.js';
import { goCardless } from './gocardless/gocardless.gateway.js';
import { mollie } from './mollie/mollie.gateway.js';
import { paypal } from './paypal/paypal.gateway.js';
import { type GatewayContext, type Provider, SettingRefused } from './provider.js';
import { lackOf } from './whole-gateway.js';
import { type ProviderCallWatch, watchedFetch } from './watched-calls.js';
import { razorpay } from './razorpay/razorpay.gateway.js';
import { sandbox } from './sandbox/sandbox.gateway.js';
import { standardWebhooks } from './standard-webhooks/standard-webhooks.gateway.js';
import { stripe } from './stripe/stripe.gateway.js';

/** Every provider that comes with the service. A new one is a folder beside this file, and its line. */
export const providers: readonly Provider[] = [
  stripe,
  paypal,
  mollie,
  goCardless,
  adyen,
  razorpay,
  standardWebhooks,
  sandbox,
];

/** The context that all gateways share. */
export type OpenContext = Omit<GatewayContext, 'name' | 'accounts'> & {
  /** Absent: nobody wants to know of calls. */
  watch?: ProviderCallWatch | undefined;
};

/**
 * Opens every configured gateway, by name.
 * @throws ConfigError with a line for each setting that is wrong: the variable and the reason,
 *   never the value
 */
export function openGateways(
  configs: readonly GatewayConfig[],
  context: OpenContext,
  all: readonly Provider[] = providers,
): Map<string, Gateway> {
  const { gateways, refusals } = opened(configs, context, all);
  if (refusals.length > 0) throw new ConfigError(refusals.join('\n'));
  return gateways;
}

/** The gateways of a configuration, which trust the hosts that it names. */
export function configuredGateways(
  config: Config,
  { clock, outgoing, watch }: { clock: Clock; outgoing: OutgoingClient; watch?: ProviderCallWatch },
  all: readonly Provider[] = providers,
): Map<string, Gateway> {
  const { gateways, baseUrl, dataDir, production } = config;
  const named = gateways.flatMap(({ settings }) => Object.values(settings).filter(isHttpUrl));
  const fetch = outgoing.fetchFor(named);
  const context = { clock, fetch, baseUrl, dataDir, production, watch };
  return openGateways(gateways, context, all);
}

/**
 * The reasons that keep gateways from opening in production, told before there is a configuration.
 */
export function gatewayRefusals(
  configs: readonly GatewayConfig[],
  all: readonly Provider[] = providers,
): string[] {
  const context = { clock: new SystemClock(), fetch: uncalled, baseUrl: '' };
  return opened(configs, { ...context, production: true }, all).refusals;
}

const isHttpUrl = (text: string) => /^https?:/.test(text) && URL.canParse(text);

/** Gateways that are only opened to see whether they can be. */
const uncalled = async (): Promise<Response> => {
  throw new TypeError('a gateway calls nobody before the service starts');
};

function opened(configs: readonly GatewayConfig[], context: OpenContext, all: readonly Provider[]) {
  const gateways = new Map<string, Gateway>();
  const refusals: string[] = [];
  const prefixes = new Map<string, string>();
  for (const config of configs) {
    const { name } = config;
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) {
      refusals.push('GATEWAYS holds a name that is not of a-z, 0-9 and single hyphens');
      continue;
    }
    // `a` and `gateway-a` would read the same variables, so that one has the other's secret.
    const prefix = gatewayVariable(name, '');
    const other = prefixes.get(prefix);
    if (other) refusals.push(`GATEWAYS: ${name} and ${other} share ${prefix}*`);
    prefixes.set(prefix, name);
    const fetch = watchedFetch(context.fetch, config, context.watch);
    const gateway = openGateway(config, { ...context, fetch, name }, all);
    if (gateway instanceof Gateway) gateways.set(name, gateway);
    else refusals.push(...gateway);
  }
  return { gateways, refusals };
}

/** The gateway, or what is wrong with its settings. */
function openGateway(
  config: GatewayConfig,
  context: Omit<GatewayContext, 'accounts'>,
  all: readonly Provider[],
): Gateway | string[] {
  const accounts = accountsOf(config.accounts);
  if (!accounts)
    return [`${gatewayVariable(config.name, 'accounts')} has to be *, or acc_... with commas`];
  const provider = all.find(({ name }) => name === config.provider);
  if (!provider) {
    const known = all.map(({ name }) => name).join(', ');
    return [`${gatewayVariable(config.name, 'provider')} has to be one of ${known}`];
  }
  const opened = openProvider(provider, config.settings, { ...context, accounts });
  if (opened instanceof Gateway) return opened;
  return opened.map(({ setting, reason }) => `${gatewayVariable(config.name, setting)} ${reason}`);
}

/** A gateway of these settings, or all that is wrong with them. */
export function openProvider(
  provider: Provider,
  given: Readonly<Record<string, string>>,
  context: GatewayContext,
): Gateway | SettingComplaint[] {
  const entries = Object.entries(given).filter(([, value]) => value !== '');
  const settings: unknown = Object.fromEntries(entries);
  const result = provider.settings.safeParse(settings);
  if (!result.success) return settingComplaints(provider.name, given, result.error.issues);
  const unsafe = context.production ? provider.unsafe(result.data) : [];
  if (unsafe.length > 0) return unsafe.map(refused);
  try {
    const gateway = provider.open(result.data, context);
    const lack = lackOf(gateway);
    return lack === null ? gateway : [broken(lack)];
  } catch (error) {
    if (error instanceof SettingRefused) return [refused(error)];
    return [broken(`cannot be opened: ${error instanceof Error ? error.message : String(error)}`)];
  }
}

/** Not the fault of a setting: the provider's code is wrong. */
function broken(reason: string): SettingComplaint {
  return { setting: 'provider', refusal: GatewayRefusal.invalid_setting, reason };
}

function refused({ setting, reason }: SettingRefused): SettingComplaint {
  return { setting, refusal: GatewayRefusal.invalid_setting, reason };
}

/** Undefined where it is no list of account ids. */
function accountsOf(accounts: string | undefined): GatewayAccounts | undefined {
  if (accounts === undefined) return 'unsaid';
  if (accounts.trim() === '*') return 'all';
  if (accounts === 'tests') return 'tests';
  const ids = accounts.split(',').map((text) => uuidOf('acc', text.trim()));
  return ids.every((id) => id !== undefined) ? new Set(ids) : undefined;
}

/** @param owner a provider or an extension */
export function unknownSetting(setting: string, owner: string): SettingComplaint {
  const reason = `is not known to ${owner}`;
  return { setting, refusal: GatewayRefusal.unknown_setting, reason };
}

/** One a wrong setting. Zod's own words are used only where they cannot show the value. */
export function settingComplaints(
  owner: string,
  given: Readonly<Record<string, string>>,
  issues: readonly z.core.$ZodIssue[],
): SettingComplaint[] {
  return issues.flatMap((issue): SettingComplaint[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((setting) => unknownSetting(setting, owner));
    }
    const setting = String(issue.path[0] ?? '');
    if (!given[setting]) {
      const reason = issue.code === 'custom' ? issue.message : 'is required';
      return [{ setting, refusal: GatewayRefusal.setting_required, reason }];
    }
    const reason =
      issue.code === 'invalid_value'
        ? `has to be one of ${issue.values.join(', ')}`
        : issue.message;
    return [{ setting, refusal: GatewayRefusal.invalid_setting, reason }];
  });
}
