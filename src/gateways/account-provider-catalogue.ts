import type { Clock } from '../kernel/clock.js';
import type { Config } from '../platform/config/config.js';
import {
  Gateway,
  ProviderCatalogue,
  type SettingComplaint,
  type SettingKind,
  GatewayRefusal,
} from '../payments/index.js';
import { weaknessOf } from '../platform/config/secret-strength.js';
import type { OutgoingClient } from '../platform/http/outgoing/outgoing-client.js';
import { openProvider, unknownSetting } from './configured-gateways.js';
import type { Provider } from './provider.js';
import { type ProviderCallWatch, watchedFetch } from './watched-calls.js';

type CatalogueConfig = Pick<Config, 'baseUrl' | 'production' | 'takesGatewayHosts'> &
  Partial<Pick<Config, 'dataDir'>>;

/** The providers that say how accounts may configure them. */
export class AccountProviderCatalogue extends ProviderCatalogue {
  private readonly fetch: typeof globalThis.fetch;

  constructor(
    private readonly all: readonly Provider[],
    private readonly config: CatalogueConfig,
    private readonly clock: Clock,
    outgoing: OutgoingClient,
    private readonly watch?: ProviderCallWatch,
  ) {
    super();
    // Accounts name hosts only where they may; else calls go to those of the providers.
    this.fetch = outgoing.fetchFor([], { plainHttp: config.takesGatewayHosts });
  }

  settingsOf(name: string): ReadonlyMap<string, SettingKind> | undefined {
    const kinds = this.providerOf(name)?.kinds;
    if (!kinds) return undefined;
    return new Map(Object.entries(kinds).filter(([, kind]) => this.isForAccounts(kind)));
  }

  open({
    name,
    accountId,
    provider: providerName,
    settings,
  }: Parameters<ProviderCatalogue['open']>[0]): Gateway | SettingComplaint[] {
    const provider = this.providerOf(providerName);
    const allowed = this.settingsOf(providerName);
    if (!provider || !allowed) return [this.unknownProvider(), ...this.knownToNone(settings)];
    const notTheirs = Object.keys(settings).filter((setting) => !allowed.has(setting));
    const theirs = Object.entries(settings).filter(([setting]) => allowed.has(setting));
    const { baseUrl, dataDir, production } = this.config;
    const { clock } = this;
    const fetch = watchedFetch(this.fetch, { name, provider: providerName }, this.watch);
    const accounts = new Set([accountId]);
    const context = { name, accounts, clock, fetch, baseUrl, dataDir, production };
    const opened = openProvider(provider, Object.fromEntries(theirs), context);
    if (opened instanceof Gateway && notTheirs.length === 0) return opened;
    return [
      ...notTheirs.map((setting) => refusalOf(provider, setting)),
      ...(opened instanceof Gateway ? [] : opened),
    ];
  }

  weaknesses(
    providerName: string,
    given: Readonly<Record<string, string | null>>,
    isTest: boolean,
  ): SettingComplaint[] {
    if (isTest && !this.config.production) return [];
    const kinds = this.settingsOf(providerName);
    return Object.entries(given).flatMap(([setting, value]): SettingComplaint[] => {
      const isSecret = ['secret', 'rotated'].includes(kinds?.get(setting) ?? '');
      const reason = isSecret && value !== null ? weaknessOf(value) : null;
      return reason === null ? [] : [{ setting, refusal: GatewayRefusal.invalid_setting, reason }];
    });
  }

  private providerOf(name: string): Provider | undefined {
    return this.all.find((one) => one.name === name && one.kinds !== undefined);
  }

  /** Tests have providers on this machine; production refuses to be told of hosts. */
  private isForAccounts(kind: SettingKind): boolean {
    const { production, takesGatewayHosts } = this.config;
    return kind === 'host' ? takesGatewayHosts && !production : kind !== 'file';
  }

  /** All that can be said of settings, as long as nobody knows whose they are. */
  private knownToNone(settings: Readonly<Record<string, string>>): SettingComplaint[] {
    const known = new Set(this.all.flatMap(({ kinds = {} }) => Object.keys(kinds)));
    return Object.keys(settings)
      .filter((setting) => !known.has(setting))
      .map((setting) => ({
        setting,
        refusal: GatewayRefusal.unknown_setting,
        reason: 'is known to no provider',
      }));
  }

  private unknownProvider(): SettingComplaint {
    const known = this.all.filter(({ kinds }) => kinds !== undefined).map(({ name }) => name);
    const reason = `has to be one of ${known.join(', ')}`;
    return { setting: 'provider', refusal: GatewayRefusal.unknown_provider, reason };
  }
}

function refusalOf({ name, kinds = {} }: Provider, setting: string): SettingComplaint {
  if (!Object.hasOwn(kinds, setting)) return unknownSetting(setting, name);
  const reason = 'is for the operator to set';
  return { setting, refusal: GatewayRefusal.unknown_setting, reason };
}
