import type { z } from 'zod';
import type { Clock } from '../../../kernel/clock.js';
import type { Config } from '../../../platform/config/config.js';
import type { GatewayConfig } from '../../../platform/config/gateway-config.js';
import type { Gateway } from '../../domain/gateway.js';
import { paypal } from './paypal.gateway.js';
import { type GatewayContext, type Provider, SettingRefused } from './provider.js';
import { sandbox } from './sandbox.gateway.js';
import { stripe } from './stripe.gateway.js';

/** Every provider there is. A new one is a file beside this one, and its line here. */
export const providers: readonly Provider[] = [stripe, paypal, sandbox];

/**
 * Opens every configured gateway, by name.
 * @throws Error that names the variable and the reason, never the value
 */
export function openGateways(
  configs: readonly GatewayConfig[],
  context: Omit<GatewayContext, 'name'>,
): Map<string, Gateway> {
  const gateways = new Map<string, Gateway>();
  for (const config of configs) {
    const { name } = config;
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) {
      throw new Error('GATEWAYS holds a name that is not of a-z, 0-9 and single hyphens');
    }
    // `a` and `gateway-a` would read the same variables, so that one has the other's secret.
    const other = [...gateways.keys()].find((each) => variable(each, '') === variable(name, ''));
    if (other) throw new Error(`GATEWAYS: ${name} and ${other} share ${variable(name, '')}*`);
    gateways.set(name, openGateway(config, { ...context, name }));
  }
  return gateways;
}

/** The gateways of a configuration, calling out with the process's own `fetch`. */
export function configuredGateways(config: Config, clock: Clock): Map<string, Gateway> {
  const { gateways, baseUrl, production } = config;
  return openGateways(gateways, { clock, fetch: globalThis.fetch, baseUrl, production });
}

function openGateway(config: GatewayConfig, context: GatewayContext): Gateway {
  const provider = providers.find(({ name }) => name === config.provider);
  if (!provider) {
    const known = providers.map(({ name }) => name).join(', ');
    throw new Error(`${variable(config.name, 'provider')} has to be one of ${known}`);
  }
  const entries = Object.entries(config.settings).filter(([, value]) => value !== '');
  const settings: unknown = Object.fromEntries(entries);
  const result = provider.settings.safeParse(settings);
  if (!result.success) throw new Error(complaints(config, result.error.issues).join('; '));
  try {
    return provider.open(result.data, context);
  } catch (error) {
    if (!(error instanceof SettingRefused)) throw error;
    throw new Error(`${variable(config.name, error.setting)} ${error.reason}`, { cause: error });
  }
}

/** One sentence a wrong setting. Zod's own words are used only where they cannot show the value. */
function complaints(config: GatewayConfig, issues: readonly z.core.$ZodIssue[]): string[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(
        (key) => `${variable(config.name, key)} is not known to ${config.provider}`,
      );
    }
    const setting = String(issue.path[0] ?? '');
    const name = variable(config.name, setting);
    if (!config.settings[setting]) {
      return issue.code === 'custom' ? `${name} ${issue.message}` : `${name} is required`;
    }
    if (issue.code === 'invalid_value')
      return `${name} has to be one of ${issue.values.join(', ')}`;
    return `${name} ${issue.message}`;
  });
}

/** `GATEWAY_A_API_KEY` for `gateway-a`, `GATEWAY_MY_SHOP_API_KEY` for `my-shop`. */
function variable(gatewayName: string, setting: string): string {
  const name = gatewayName.replace(/^gateway-/, '');
  return `GATEWAY_${`${name}_${setting}`.toUpperCase().replaceAll('-', '_')}`;
}
