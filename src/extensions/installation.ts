import type { Type } from '@nestjs/common';
import semver from 'semver';
import { providerMade, Providers } from '../gateways/index.js';
import type { ExtensionKind } from '../mail/index.js';
import { ConfigError } from '../platform/config/config-error.js';
import { extensionModules, importInstalled } from '../platform/config/installed-module.js';
import type { MigratedExtension } from '../platform/database/extension-migrations.js';
import { ExtensionScopes } from '../platform/http/access.js';
import { AddedWords } from '../platform/http/openapi/added-words.js';
import { ownVersion } from '../platform/own-version.js';
import { declaredPorts, type Port, Ports } from '../platform/ports.js';
import type { RefusalCatalogue } from '../platform/refusal-catalogue.js';
import { type Extension, type ExtensionLetter, isDefinedHere } from './extension.js';
import { ExtensionSettings } from './extension-settings.js';

/** The providers and extensions that an installation has besides ours. */
export class Installation {
  readonly providers: Providers;
  readonly settings: ExtensionSettings;

  /** @throws ConfigError where two of them, or one and ours, do not fit together */
  constructor(
    readonly extensions: readonly Extension[] = [],
    /** Those that no extension brings. */
    given: Providers = new Providers(),
    variables: NodeJS.ProcessEnv = {},
    /** The reason why not all of it is here: for commands that run without. */
    readonly fault: Error | null = null,
  ) {
    this.providers = extensions.reduce(withProvidersOf, given);
    this.settings = ExtensionSettings.read(extensions, variables);
    const names = extensions.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw refused(twice, 'is there twice');
  }

  /**
   * `QUITTANCE_PROVIDERS`, and `QUITTANCE_EXTENSIONS`: packages or files, from the folder where the
   * service is started.
   * @param more extensions beside those
   * @throws ConfigError that names the module and the reason
   */
  static async read(
    variables: NodeJS.ProcessEnv,
    cwd: string,
    more: readonly Extension[] = [],
  ): Promise<Installation> {
    const providers = await Providers.installed(variables, cwd);
    const extensions: Extension[] = [];
    for (const name of extensionModules(variables)) {
      extensions.push(await extensionOf(name, cwd));
    }
    return new Installation([...extensions, ...more], providers, variables);
  }

  /** Without extensions where one cannot be read: its `fault` says why. */
  static async readable(variables: NodeJS.ProcessEnv, cwd: string): Promise<Installation> {
    try {
      return await Installation.read(variables, cwd);
    } catch (error) {
      const given = await Providers.installed(variables, cwd).catch(() => new Providers());
      return new Installation([], given, {}, error as Error);
    }
  }

  /** The same without its extensions, but for their providers: for commands that only read. */
  get alone(): Installation {
    return new Installation([], this.providers, {}, this.fault);
  }

  /** @throws ConfigError where ports or problems do not fit */
  assertFits(ours: RefusalCatalogue): void {
    void this.ports;
    this.refusals(ours);
  }

  get migrated(): readonly MigratedExtension[] {
    return this.extensions.map(({ name, migrations = [] }) => ({ name, migrations }));
  }

  get scopes(): ExtensionScopes {
    const meanings = this.extensions.flatMap(({ scopes = {} }) => Object.entries(scopes));
    return new ExtensionScopes(Object.fromEntries(meanings));
  }

  get words(): AddedWords {
    return new AddedWords(this.letters.map(([kind]) => kind));
  }

  /** By their kinds. */
  get letters(): readonly [ExtensionKind, ExtensionLetter][] {
    return this.extensions.flatMap(({ name, letters = [] }) =>
      letters.map((letter): [ExtensionKind, ExtensionLetter] => [
        `ext:${name}:${letter.name}`,
        letter,
      ]),
    );
  }

  /** @throws ConfigError for a class that is no port, or that two of them replace */
  get ports(): Ports {
    const own = new Map<Port, Type>();
    for (const { name, ports = [] } of this.extensions) {
      for (const { provide, useClass } of ports) {
        const port = nameOf(provide);
        if (!declaredPorts().includes(provide)) {
          const known = declaredPorts().map(nameOf).sort().join(', ');
          throw refused(name, `replaces ${port}, which is no port; ports are ${known}`);
        }
        if (!(useClass.prototype instanceof provide)) {
          throw refused(name, `replaces ${port} with ${useClass.name}, which does not extend it`);
        }
        if (own.has(provide)) throw refused(name, `replaces ${port}, as another one does`);
        own.set(provide, useClass);
      }
    }
    return new Ports(own);
  }

  /** @throws ConfigError for a code that is there already */
  refusals(ours: RefusalCatalogue): RefusalCatalogue {
    const known = new Set(ours.all.map(({ code }) => code));
    const theirs = this.extensions.flatMap(({ name, problems = {} }) =>
      Object.values(problems).map((problem) => {
        if (known.has(problem.code))
          throw refused(name, `has the problem ${problem.code}, which is another's`);
        known.add(problem.code);
        return problem;
      }),
    );
    return ours.with(theirs);
  }
}

function withProvidersOf(all: Providers, { name, providers = [] }: Extension): Providers {
  const refusal = (reason: string) => refused(name, reason);
  const none = (wrong: string) =>
    refused(name, `brings what is no provider; wrong or missing: ${wrong}`);
  return providers.reduce((known, one) => known.with(providerMade(one, none), refusal), all);
}

async function extensionOf(module: string, cwd: string): Promise<Extension> {
  const extension = await importInstalled(module, cwd).catch((error: Error) => {
    throw refused(module, error.message);
  });
  if (typeof extension !== 'object' || extension === null || !isDefinedHere(extension)) {
    throw refused(module, 'has to export by default what defineExtension made');
  }
  const version = await ownVersion();
  // A range that is none is satisfied by no version.
  if (!semver.satisfies(version, extension.quittance, { includePrerelease: true })) {
    throw refused(module, `is for Quittance ${extension.quittance}, and this is ${version}`);
  }
  return extension;
}

const nameOf = (port: Port) => (port as { name?: string } | undefined)?.name ?? String(port);

function refused(extension: string, reason: string): ConfigError {
  return new ConfigError(`QUITTANCE_EXTENSIONS: ${extension} ${reason}.`);
}
