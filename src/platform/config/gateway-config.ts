/** A configured gateway, before its provider has checked the settings. */
export interface GatewayConfig {
  /** The path segment of its webhook. */
  name: string;
  provider: string;
  /** The accounts that may use it: ids with commas, `*`, `tests`; absent if nobody said. */
  accounts?: string;
  /** `GATEWAY_<NAME>_WEBHOOK_SECRET` as `webhook_secret`, and so on. */
  settings: Record<string, string>;
}

/** Secrets and files that a start outside production makes for providers. */
export interface MadeUp {
  /** The secret of that name, made once. */
  secret(name: string, make: () => string): string;
  /** The data folder. */
  folder: string;
}

/** Settings that a provider fills in outside production, so that it works out of the box. */
export interface ProviderDemo {
  /** No company is behind it: it has a gateway of its own name. */
  isPretended?: boolean;
  settings(given: Readonly<Record<string, string>>, made: MadeUp): Record<string, string>;
}

/** Facts about a provider that the configuration needs; this module knows none by name. */
export interface ProviderDefaults {
  name: string;
  /** A gateway that is of this provider unless somebody says otherwise. */
  gateway?: string;
  demo?: ProviderDemo;
}

/** @param made null in production, where nothing is made up */
export function gatewayConfigs(
  variables: Record<string, string | undefined>,
  providers: readonly ProviderDefaults[],
  made: MadeUp | null,
): GatewayConfig[] {
  const extra = (variables['GATEWAYS'] ?? '').split(',').map((name) => name.trim().toLowerCase());
  const byGateway = new Map(
    providers.flatMap(({ gateway, name }) => (gateway ? [[gateway, name] as const] : [])),
  );
  const pretended = providers.flatMap(({ name, demo }) => (demo?.isPretended ? [name] : []));
  const names = new Set([
    ...byGateway.keys(),
    ...extra.filter(Boolean),
    ...(made === null ? [] : pretended),
  ]);

  return [...names].flatMap((name) => {
    const { provider: named, accounts: said, ...given } = settingsOf(name, variables);
    const provider = named ?? byGateway.get(name) ?? name;
    const demo = providers.find((one) => one.name === provider)?.demo;
    const settings = { ...(made && demo?.settings(given, made)), ...given };
    // A default name that nobody configured stays closed: its webhook answers 404.
    if (Object.keys(settings).length === 0 && byGateway.has(name)) return [];
    // Settings that we made up ourselves are no provider's account: no money comes through them.
    const isMadeUp = made !== null && (Object.keys(given).length === 0 || demo?.isPretended);
    const accounts = said ?? (isMadeUp ? 'tests' : undefined);
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
