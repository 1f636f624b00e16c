import type { ZodType } from 'zod';
import type { Clock } from '../kernel/clock.js';
import type { Gateway, GatewayAccounts, SettingKind } from '../payments/index.js';
import type { ProviderDefaults } from '../platform/config/gateway-config.js';

/**
 * The means that a gateway gets from outside. `fetch` and the clock are passed in, so tests can
 * stand in.
 */
export interface GatewayContext {
  /** The gateway's configured name: the path segment of its webhook. */
  name: string;
  clock: Clock;
  /** It reaches public hosts, and those that the operator's settings name. It follows no redirect. */
  fetch: typeof globalThis.fetch;
  accounts: GatewayAccounts;
  /** Our own public base URL, without a trailing slash. */
  baseUrl: string;
  /** The folder for our own files; absent where nothing is to be kept. */
  dataDir?: string;
  /** True with NODE_ENV=production: test-only trust (extra anchors, sandbox) is refused. */
  production: boolean;
}

/**
 * A provider is one file that exports one of these, or a module of the installation: by default, or
 * by a function that makes it. `settings` reads the gateway's environment variables:
 * `GATEWAY_<NAME>_WEBHOOK_SECRET` arrives as `webhook_secret`, and so on. It refuses with messages
 * that name the variable and never show its value.
 */
export interface Provider<Settings = unknown> extends ProviderDefaults {
  settings: ZodType<Settings>;
  /**
   * How each setting is treated when an account gives it over the API. Absent: only the operator
   * configures this provider.
   */
  kinds?: SettingKinds<Settings>;
  /** The settings that production refuses: trust that is for tests, and checks that are missing. */
  unsafe(settings: Settings): SettingRefused[];
  open(settings: Settings, context: GatewayContext): Gateway;
}

/** A kind for each setting, so that a new one cannot be forgotten. */
export type SettingKinds<Settings> = Readonly<Record<string, SettingKind>> & {
  readonly [Name in keyof Settings]-?: SettingKind;
};

/**
 * A setting that is well formed but refused by what it names: a file that cannot be read, or trust
 * that production forbids. `reason` continues a sentence about the variable, and shows no value.
 */
export class SettingRefused extends Error {
  override readonly name = 'SettingRefused';
  constructor(
    readonly setting: string,
    readonly reason: string,
  ) {
    super(`${setting} ${reason}`);
  }
}

/** Keys and look-ups cross this connection. Undefined is the provider's own host. */
export function unsafeBase(apiBase: string | undefined): SettingRefused[] {
  if (apiBase === undefined || apiBase.startsWith('https:')) return [];
  return [new SettingRefused('api_base', 'has to be an https URL in production')];
}
