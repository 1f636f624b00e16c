import { join } from 'node:path';
import type { GeneratedSecrets } from './secrets.js';

/** A configured gateway, before its provider has checked the settings. */
export interface GatewayConfig {
  /** The path segment of its webhook. */
  name: string;
  provider: string;
  /** Whose it is: account ids with commas, `*` for all; absent where nobody said. */
  accounts?: string;
  /** `GATEWAY_<NAME>_WEBHOOK_SECRET` as `webhook_secret`, and so on. */
  settings: Record<string, string>;
}

/** The two literal names and the variables' prefix of each: `gateway-a` reads `GATEWAY_A_*`. */
const DEFAULT_PROVIDERS: Record<string, string> = { 'gateway-a': 'stripe', 'gateway-b': 'paypal' };

export function gatewayConfigs(
  variables: Record<string, string | undefined>,
  generated: (GeneratedSecrets & { folder: string }) | null,
): GatewayConfig[] {
  const extra = (variables['GATEWAYS'] ?? '').split(',').map((name) => name.trim().toLowerCase());
  const names = new Set([...Object.keys(DEFAULT_PROVIDERS), ...extra.filter(Boolean)]);
  if (generated) names.add('sandbox');

  return [...names].flatMap((name) => {
    const { provider: named, accounts: said, ...given } = settingsOf(name, variables);
    const provider = named ?? DEFAULT_PROVIDERS[name] ?? name;
    const settings = { ...defaultsFor(provider, given, generated), ...given };
    // A default name that nobody configured stays closed: its webhook answers 404.
    if (Object.keys(settings).length === 0 && name in DEFAULT_PROVIDERS) return [];
    // What we made up ourselves is no provider's account: no money can get to a wrong place.
    const isMadeUp =
      generated !== null && (Object.keys(given).length === 0 || provider === 'sandbox');
    const accounts = said ?? (isMadeUp ? '*' : undefined);
    return [{ name, provider, ...(accounts !== undefined && { accounts }), settings }];
  });
}

function settingsOf(name: string, variables: Record<string, string | undefined>) {
  const prefix = `GATEWAY_${name.replace(/^gateway-/, '').replaceAll('-', '_')}_`.toUpperCase();
  return Object.fromEntries(
    Object.entries(variables)
      .filter((entry): entry is [string, string] => entry[0].startsWith(prefix) && !!entry[1])
      .map(([key, value]) => [key.slice(prefix.length).toLowerCase(), value]),
  );
}

/** What a start outside production fills in, so that every gateway works out of the box. */
function defaultsFor(
  provider: string,
  given: Record<string, string>,
  generated: (GeneratedSecrets & { folder: string }) | null,
): Record<string, string> {
  if (!generated) return {};
  if (provider === 'stripe') return { webhook_secret: generated.stripe };
  if (provider === 'sandbox') return { webhook_secret: generated.sandbox };
  if (provider !== 'paypal') return {};
  // The demo's certificates are trusted only where the operator has named no others.
  const ownTrust = given['certificates'] || given['anchors'] || given['environment'] === 'live';
  return {
    environment: 'sandbox',
    webhook_id: generated.paypalWebhookId,
    ...(!ownTrust && {
      certificates: join(generated.folder, 'certificates.pem'),
      anchors: join(generated.folder, 'anchors.pem'),
      demo_key: join(generated.folder, 'leaf-key.pem'),
    }),
  };
}
