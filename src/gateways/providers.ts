import { z } from 'zod';
import { DomainError } from '../kernel/domain-error.js';
import { Money } from '../kernel/money.js';
import { claimOnlyCopy } from '../kernel/only-copy.js';
import { Gateway, InvalidSignature } from '../payments/index.js';
import { ConfigError } from '../platform/config/config-error.js';
import { importInstalled, providerModules } from '../platform/config/installed-module.js';
import type { GatewayConfig } from '../platform/config/gateway-config.js';
import { gatewayRefusals, providers } from './configured-gateways.js';
import { type Provider, SettingRefused } from './provider.js';

/** For a provider that does not import them from the package: one beside a checkout, for instance. */
const KIT = { Gateway, InvalidSignature, DomainError, Money, SettingRefused, z };

/** The default export of a module that brings a provider. */
export type ProviderMaker = (kit: typeof KIT) => unknown;

const Made = z.object({
  name: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  settings: z.custom<Provider['settings']>((schema) => hasFunction(schema, 'safeParse')),
  unsafe: z.custom<Provider['unsafe']>((unsafe) => typeof unsafe === 'function'),
  open: z.custom<Provider['open']>((open) => typeof open === 'function'),
  kinds: z.record(z.string(), z.enum(['shown', 'secret', 'rotated', 'host', 'file'])).optional(),
  gateway: z.string().optional(),
  demo: z
    .object({
      isPretended: z.boolean().optional(),
      settings: z.custom<NonNullable<Provider['demo']>['settings']>(
        (settings) => typeof settings === 'function',
      ),
    })
    .optional(),
});

/** The providers of an installation: those that come with the service, and its own. */
export class Providers {
  constructor(readonly all: readonly Provider[] = providers) {}

  /**
   * With those of `QUITTANCE_PROVIDERS`: files, or packages, whose default export is a provider, or makes one.
   * @throws ConfigError that names the module and the reason
   */
  static async installed(variables: NodeJS.ProcessEnv, cwd: string): Promise<Providers> {
    claimOnlyCopy();
    let installed = new Providers();
    for (const module of providerModules(variables)) {
      const provider = await providerOf(module, cwd);
      installed = installed.with(provider, (reason) => refused(module, reason));
    }
    return installed;
  }

  /** These and one more. @throws the refusal, if its name or gateway is there already */
  with(provider: Provider, refusal: (reason: string) => ConfigError): Providers {
    const isTaken = ({ name, gateway }: Provider) =>
      name === provider.name || (gateway !== undefined && gateway === provider.gateway);
    if (this.all.some(isTaken))
      throw refusal(`brings ${provider.name}, whose name or gateway is there already`);
    return new Providers([...this.all, provider]);
  }

  /** The reasons that keep gateways from opening in production. */
  refusals(configs: readonly GatewayConfig[]): string[] {
    return gatewayRefusals(configs, this.all);
  }
}

async function providerOf(module: string, cwd: string): Promise<Provider> {
  const exported = await importInstalled(module, cwd).catch((error: Error) => {
    throw refused(module, error.message);
  });
  if (!(exported instanceof Object))
    throw refused(module, 'has to export a provider by default, or a function that makes one');
  return providerMade(exported as Provider | ProviderMaker, (wrong) =>
    refused(module, `makes no provider; wrong or missing: ${wrong}`),
  );
}

/**
 * A provider, or what the default export of its module makes: as it was given, so that its methods keep their `this`.
 * @throws the refusal, which is given the names of the wrong parts
 */
export function providerMade(
  given: Provider | ProviderMaker,
  refusal = (wrong: string) => new ConfigError(`This is no provider; wrong or missing: ${wrong}.`),
): Provider {
  const made = typeof given === 'function' ? given(KIT) : given;
  const { error } = Made.safeParse(made);
  if (!error) return made as Provider;
  throw refusal(
    [...new Set(error.issues.map(({ path }) => path.join('.') || 'all of it'))].join(', '),
  );
}

function hasFunction(value: unknown, name: string): boolean {
  return typeof (value as Record<string, unknown> | undefined)?.[name] === 'function';
}

function refused(module: string, reason: string): ConfigError {
  return new ConfigError(`QUITTANCE_PROVIDERS: ${module} ${reason}.`);
}
