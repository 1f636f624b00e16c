import { type DynamicModule, Module, type OnApplicationBootstrap, type Type } from '@nestjs/common';
import { ModulesContainer, RouterModule } from '@nestjs/core';
import { AuthModule } from '../auth/index.js';
import { BooksModule } from '../books/index.js';
import { DocumentsModule } from '../documents/index.js';
import { EventsModule, FactListeners } from '../events/index.js';
import { LetterKinds, type LetterWriter, MailModule } from '../mail/index.js';
import { PaymentsModule } from '../payments/index.js';
import { ConfigError } from '../platform/config/config-error.js';
import { within } from '../platform/within.js';
import { ExtensionScopes } from '../platform/http/access.js';
import type { Extension } from './extension.js';
import { AccountSettings } from './account-settings.js';
import { settingsController } from './settings-routes.js';
import { ExtensionJobs } from './extension-jobs.js';
import { ExtensionSettings } from './extension-settings.js';
import { Installation } from './installation.js';
import { Facts } from './facts.js';
import { assertPortsReachUs } from './port-check.js';
import { assertRoutesReachable } from './route-check.js';
import { formatsController } from './formats.js';

/** A message is taken for lost after three minutes. */
const LONGEST_WRITE_MS = 30_000;

const FACE = [AuthModule, EventsModule, DocumentsModule, BooksModule, PaymentsModule, MailModule];

/** The modules of extensions, which may inject what `quittance` exports. */
@Module({})
export class ExtensionsModule implements OnApplicationBootstrap {
  constructor(
    private readonly facts: FactListeners,
    private readonly modules: ModulesContainer,
    private readonly scopes: ExtensionScopes,
    { letters }: Installation,
    kinds: LetterKinds,
  ) {
    for (const [kind, letter] of letters) {
      const write: LetterWriter['write'] = async (...about) =>
        within(LONGEST_WRITE_MS, 'its extension', Promise.resolve(letter.write(...about)));
      kinds.add(kind, { ...letter, write });
    }
  }

  static with(installation: Installation): DynamicModule {
    const { extensions, settings } = installation;
    const own = extensions.flatMap((extension) => {
      const modules = modulesOf(extension);
      return modules.map((module) => ({ path: `v1/ext/${extension.name}`, module }));
    });
    return {
      module: ExtensionsModule,
      global: true,
      imports: [...FACE, ...own.map(({ module }) => module), routed(own)],
      providers: [
        { provide: Installation, useValue: installation },
        ExtensionJobs,
        { provide: Facts, useExisting: FactListeners },
        { provide: ExtensionSettings, useValue: settings },
        AccountSettings,
      ],
      exports: [...FACE, Facts, ExtensionSettings, AccountSettings],
    };
  }

  /** @throws ConfigError where a port, a route or a listener would never be called */
  onApplicationBootstrap(): void {
    assertPortsReachUs(this.modules);
    assertRoutesReachable(this.modules, this.scopes);
    const unknown = this.facts.unknown();
    if (unknown.length === 0) return;
    throw new ConfigError(
      `QUITTANCE_EXTENSIONS: a listener waits for ${unknown.join(', ')}, which no event is; ` +
        'docs/events.md lists them.',
    );
  }
}

type Imported = Type | DynamicModule;

function modulesOf({ name, module, formats = [], accountSettings }: Extension): Imported[] {
  const ofSettings = accountSettings && {
    module: class SettingsOfExtension {},
    controllers: [settingsController(name, accountSettings)],
  };
  const ofFormats = {
    module: class FormatsOfExtension {},
    controllers: [formatsController(name, formats)],
  };
  return [module ?? [], ofSettings ?? [], formats.length > 0 ? ofFormats : []].flat();
}

/** Every route of an extension, also of modules that its own imports, is below its path. */
function routed(own: readonly { path: string; module: Imported }[]): DynamicModule {
  const routes = own.flatMap(({ path, module }) =>
    [...withImports(module)].map((each) => ({ path, module: each })),
  );
  return RouterModule.register(routes);
}

function withImports(module: Imported, known = new Set<Type>()): Set<Type> {
  const type = 'module' in module ? module.module : module;
  if (known.has(type)) return known;
  known.add(type);
  const stated = (Reflect.getMetadata('imports', type) ?? []) as Imported[];
  const given = 'module' in module ? ((module.imports ?? []) as Imported[]) : [];
  for (const each of [...stated, ...given]) withImports(each, known);
  return known;
}
