import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { afterAll, describe, expect, it } from 'vitest';
import { Providers } from '../src/gateways/index.js';
import { atBounds, crowdedFolders, tooLarge } from './support/bounds.js';
import { isRoom, rankOf, roomRankOf } from './support/modules.js';
import { everyNode, parsed, type SourceFile, sourcesOf } from './support/source.js';

// The house of docs/architecture.md, as data.

/** `types`: only what is gone at run time. */
type Allowed = 'all' | 'types' | 'none' | RegExp;

interface Rule {
  /** Paths below `src/platform/`. */
  platform: Allowed;
  /** Own folders, and paths below each. */
  own: Record<string, Allowed>;
  /** Faces of the modules to the left. */
  left: Allowed;
  packages: Allowed;
}

const COMPOSED: Rule = {
  platform: 'all',
  own: {
    domain: 'all',
    wire: 'all',
    application: 'all',
    infrastructure: 'all',
    http: 'all',
    face: 'all',
  },
  left: 'all',
  packages: 'all',
};

const MATRIX: Record<string, Rule> = {
  domain: {
    platform: 'none',
    own: { domain: 'all' },
    left: 'types',
    packages: /^(node:(crypto|net|zlib)|stdnum\/lib\/cjs\/\w+\/\w+\.js)$/,
  },
  // Requests, answers and events: shapes, and how what we know becomes one.
  wire: {
    platform: /^http\//,
    own: { domain: 'all', wire: 'all', application: 'types', infrastructure: /\.query\.js$/ },
    left: 'all',
    packages: /^(zod|ibantools)$/,
  },
  application: {
    platform:
      /^(database\/(unit-of-work|tx|listeners|database|servers\/succession)|config\/config|fair-queue|held-work|jobs|keyring|last-noted|resealing|within|http\/outgoing\/outgoing-client|observability\/(clock-watch|figures|log|metrics)|tracing\/(tracer|tracing))\.js$/,
    own: {
      domain: 'all',
      wire: 'all',
      application: 'all',
      infrastructure:
        /\.(repository|query|row)\.js$|^(printing\/pdf-(renderer|template)|letter-template)\.js$/,
    },
    left: 'all',
    packages: /^(@nestjs\/(common|jwt|typeorm)|typeorm|node:crypto|zod)$/,
  },
  infrastructure: {
    platform: 'all',
    own: { domain: 'all', infrastructure: 'all' },
    left: 'types',
    packages: 'all',
  },
  http: {
    platform: /^(http|idempotency|observability|config)\//,
    own: {
      domain: 'all',
      wire: 'all',
      application: 'all',
      infrastructure: /\.query\.js$/,
      http: 'all',
    },
    left: 'all',
    packages: 'all',
  },
  // Of gateways: one folder each provider, and what they share.
  provider: {
    platform: /^((http|config|idempotency)\/|(jobs|observability\/log)\.js$)/,
    own: { provider: 'all' },
    left: 'all',
    packages: 'all',
  },
  // A room's wiring.
  wiring: { ...COMPOSED, own: { ...COMPOSED.own, wiring: 'all' } },
  // The module's wiring and its face.
  face: { ...COMPOSED, own: { ...COMPOSED.own, wiring: 'all', provider: 'all' } },
};

const READS_ENVIRONMENT = new Set([
  'src/main.ts',
  'src/run.ts',
  'src/cli.ts',
  'src/demo/demo-webhook.ts',
  'src/quittance.module.ts',
  'src/platform/database/embedded/postgres-binaries.ts',
  'src/platform/chromium/chromium.ts',
]);

/** Only the installation knows the names of the modules that it adds. */
const LOADS_MODULES = new Set(['src/platform/config/installed-module.ts']);

/** Exact amounts only, in the pure parts. */
const INEXACT = /^(Number|parseFloat)$|\.(parseFloat|toFixed)$|^Math\.round$/;

interface Place {
  module: string;
  /** Of a module that has some. */
  room?: string | undefined;
  layer: string;
  /** Path below the layer, or below the module. */
  rest: string;
}

/** Of the app, beside its files in `src/`. */
const APP_ROOMS = new Set(['cli', 'demo', 'extensions']);
const LAYERS = new Set(['domain', 'wire', 'application', 'infrastructure', 'http']);

/** The place of a path of the repository; undefined if the house has none for it. */
function placeOf(path: string): Place | undefined {
  const [root, module = '', ...below] = path.split('/');
  if (root === 'migrations') return { module: 'migrations', layer: '', rest: module };
  if (root !== 'src') return undefined;
  if (below.length === 0 || APP_ROOMS.has(module))
    return { module: 'app', layer: '', rest: module };
  if (module === 'kernel') return { module, layer: '', rest: below.join('/') };
  if (module === 'platform') return { module, layer: '', rest: below.join('/') };
  // For the tests of others: a folder for each of its subjects.
  if (module === 'testing' && below.length <= 2)
    return { module, layer: '', rest: below.join('/') };
  if (rankOf(module) < 0) return undefined;
  const room = isRoom(module, below[0] ?? '') ? below.shift() : undefined;
  const [layer = '', ...rest] = below;
  if (module === 'gateways' && !isFaceFile(module, layer)) {
    return below.length <= 2 ? { module, layer: 'provider', rest: below.join('/') } : undefined;
  }
  if (rest.length === 0) {
    if (room !== undefined)
      return layer.startsWith(`${room}.module.`)
        ? { module, room, layer: 'wiring', rest: layer }
        : undefined;
    return isFaceFile(module, layer) ? { module, layer: 'face', rest: layer } : undefined;
  }
  // A topic, such as numbering or refunds, has a folder.
  if (!LAYERS.has(layer) || rest.length > 2) return undefined;
  return { module, room, layer, rest: rest.join('/') };
}

/** Others import `index`, and into their SQL what `sql` says of a module's tables. */
const isFaceFile = (module: string, name: string) =>
  ['index', 'sql', `${module}.module`].includes(name.replace(/\.(js|ts)$/, ''));

function allows(allowed: Allowed, path: string, typeOnly: boolean): boolean {
  if (allowed === 'types') return typeOnly;
  return allowed instanceof RegExp ? allowed.test(path) : allowed === 'all';
}

/** Why a file may not import that; undefined where it may. */
function refusalOf(from: Place, { specifier, path, typeOnly }: SourceFile['imports'][number]) {
  const rule = MATRIX[from.layer];
  if (path === undefined) {
    const ok = specifier !== '?' && (!rule || allows(rule.packages, specifier, typeOnly));
    return ok ? undefined : `${from.layer} imports the package ${specifier}`;
  }
  const to = placeOf(path);
  if (!to) return `${path} is no place of the house`;
  if (from.module === 'migrations') {
    const isList = from.rest === 'migrations.ts' && to.module === 'migrations';
    return isList ? undefined : 'a migration stands alone';
  }
  if (to.module === 'migrations') {
    return from.rest === 'database/data-source.ts' ? undefined : 'only the data source migrates';
  }
  if (to.module === from.module) {
    if (roomRankOf(to.module, to.room) > roomRankOf(from.module, from.room))
      return `room ${to.room ?? to.module} is not before ${from.room}`;
    const allowed = rule ? rule.own[to.layer] : 'all';
    if (to.layer === 'face' && to.rest !== 'sql.js' && from.layer !== 'face')
      return `${path} is for others`;
    return allowed && allows(allowed, to.rest, typeOnly)
      ? undefined
      : `${from.layer} imports its ${to.layer}/${to.rest}`;
  }
  if (rankOf(to.module) >= rankOf(from.module)) return `${to.module} is not to its left`;
  if (to.module === 'kernel') return undefined;
  // Above the app is only what starts it.
  if (to.module === 'app') return undefined;
  if (to.module === 'platform') {
    return !rule || allows(rule.platform, to.rest, typeOnly)
      ? undefined
      : `${from.layer} imports platform/${to.rest}`;
  }
  const isFace =
    to.rest === 'index.js' ||
    (to.rest === 'sql.js' && from.layer === 'infrastructure') ||
    (from.module === 'app' && to.rest.endsWith('.module.js'));
  if (to.layer !== 'face' || !isFace) return `${path} is not a face`;
  return !rule || to.rest === 'sql.js' || allows(rule.left, to.rest, typeOnly)
    ? undefined
    : `${from.layer} imports ${to.module}`;
}

/** Everything that is wrong with a file, one sentence each. */
function refusalsOf(file: SourceFile): string[] {
  const place = placeOf(file.path);
  if (!place) return [`${file.path}: is no place of the house`];
  const known = file.imports.filter(
    ({ specifier }) => specifier !== '?' || !LOADS_MODULES.has(file.path),
  );
  const wrong = known.flatMap((each) => refusalOf(place, each) ?? []);
  const readsEnvironment =
    file.names.has('process.env') ||
    file.imports.some(({ specifier }) => /^(node:)?process$/.test(specifier));
  if (readsEnvironment && !READS_ENVIRONMENT.has(file.path)) wrong.push('reads the environment');
  if (place.layer === 'domain') {
    const inexact = [...file.names].filter((name) => INEXACT.test(name));
    wrong.push(...inexact.map((name) => `uses ${name}`));
  }
  wrong.push(...tooLarge(file));
  return wrong.map((reason) => `${file.path}: ${reason}`);
}

const refused = (path: string, text: string) => refusalsOf(parsed(path, text));

describe('the house', () => {
  const files = sourcesOf('src', 'migrations');

  it('is what we look at', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(files.flatMap(({ imports }) => imports).length).toBeGreaterThan(500);
  });

  it('has every file in its place, importing only what it may', () => {
    expect(files.flatMap(refusalsOf)).toEqual([]);
  });

  afterAll(() => console.info(`On a bound:\n${atBounds(files)}`));

  it('has no folder that is full', () => {
    expect(crowdedFolders(files.map(({ path }) => path))).toEqual([]);
  });

  it('knows no provider in platform', () => {
    const names = new Providers().all.map(({ name }) => name);
    // Not the codes of problems, which are public.
    const isOne = (name: string) => new RegExp(`^(${names.join('|')})(?!_)`, 'i').test(name);
    const known = files.flatMap(({ path, tree }) => {
      const found: string[] = [];
      everyNode(tree, (node) => {
        const isNamed =
          (ts.isStringLiteralLike(node) && names.includes(node.text)) ||
          (ts.isIdentifier(node) && isOne(node.text));
        if (isNamed) found.push(`${path}: ${node.text}`);
      });
      return path.startsWith('src/platform/') ? found : [];
    });
    expect(known).toEqual([]);
  });

  it('has no circle of imports, also of types', () => {
    const edges = new Map(
      files.map((file) => [
        file.path.replace(/\.tsx?$/, '.js'),
        file.imports.flatMap(({ path }) => path ?? []),
      ]),
    );
    expect(circleIn(edges)).toEqual([]);
  });
});

/** A class that is given so many. */
const taking = (count: number) => {
  const names = Array.from({ length: count }, (_, index) => `private readonly a${index}: A`);
  return `class Hub { constructor(${names.join(', ')}) {} }`;
};

describe('the rules', () => {
  it('refuse the wrong fixture, line by line', () => {
    const url = new URL('./fixtures/architecture/wrong.ts.txt', import.meta.url);
    const path = 'src/events/domain/wrong.ts';
    expect(refused(path, readFileSync(url, 'utf8'))).toEqual(
      [
        'domain imports the package @nestjs/common',
        'payments is not to its left',
        'documents is not to its left',
        'domain imports platform/database/tx.js',
        'domain imports its application/event-log.js',
        'test/support/service.js is no place of the house',
        'webhooks is not to its left',
        'reads the environment',
        'uses Number',
        'uses parseFloat',
        'uses Number.parseFloat',
        'uses (1.005).toFixed',
        'uses Math.round',
      ].map((reason) => `${path}: ${reason}`),
    );
  });

  it.each([
    ['src/kernel/money.ts', `import x from '../platform/process-identity.js'`],
    ['src/platform/http/paging.ts', `import type { X } from '../../auth/index.js'`],
    ['src/platform/http/paging.ts', `export * from '../../documents/index.js'`],
    ['src/documents/http/x.ts', `import { X } from '../../auth/application/tokens.service.js'`],
    ['src/documents/http/x.ts', `import { X } from '../infrastructure/document.repository.js'`],
    ['src/documents/http/x.ts', `import { X } from '../../platform/database/database.js'`],
    [
      'src/documents/infrastructure/x.ts',
      `import { X } from '../application/documents.service.js'`,
    ],
    ['src/documents/infrastructure/x.ts', `import { X } from '../../auth/index.js'`],
    ['src/documents/application/x.ts', `import { X } from '../http/seller.controller.js'`],
    ['src/documents/application/x.ts', `import { X } from '../../platform/http/problem.js'`],
    ['src/documents/wire/x.ts', `import { X } from '../application/documents.service.js'`],
    ['src/documents/wire/x.ts', `import { Injectable } from '@nestjs/common'`],
    ['src/documents/application/x.ts', `import { X } from 'express'`],
    ['src/documents/application/x.ts', `import { X } from '../index.js'`],
    ['src/portal/http/x.ts', `import { X } from '../../webhooks/index.js'`],
    ['src/portal/http/x.ts', `import { X } from '../../app.module.js'`],
    ['src/portal/http/x.ts', `await import(name)`],
    ['src/portal/http/x.ts', `type X = import('../../webhooks/webhooks.module.js').X`],
    ['src/payments/infrastructure/gateways/deep/x.ts', ''],
    ['src/payments/helpers.ts', ''],
    ['src/invoices/domain/x.ts', ''],
    ['src/payments/domain/x.ts', `texts.map(Number)`],
    ['src/payments/http/x.ts', `process['env'].PORT`],
    ['src/payments/http/x.ts', `const { env: settings } = process`],
    ['src/payments/http/x.ts', `import { env } from 'node:process'`],
    ['src/boot.ts', 'process.env.PORT'],
    ['src/boot.ts', `import { X } from './testing/index.js'`],
    ['src/testing/deep/er/x.ts', ''],
    ['src/testing/service/x.ts', `import { X } from '../../auth/domain/scope.js'`],
    ['src/testing/service/x.ts', `import { X } from '../../../test/support/client.js'`],
    ['migrations/1-x.ts', `import { X } from '../src/kernel/money.js'`],
    ['src/documents/infrastructure/x.ts', `import { X } from '../../../migrations/1-x.js'`],
  ])('refuse in %s: %j', (path, text) => {
    expect(refused(path, text)).toHaveLength(1);
  });

  it.each([
    ['src/documents/infrastructure/x.ts', `import { type X } from '../../auth/index.js'`],
    ['src/documents/domain/x.ts', `import { Money } from '../../kernel/money.js'; // Number(1)`],
    ['src/documents/application/x.ts', `import { X } from '../infrastructure/x.query.js'`],
    ['src/documents/domain/x.ts', `const x: Number = Number.isInteger(1) ? 1 : 2`],
    ['src/boot.ts', `import { X } from './portal/portal.module.js'`],
    ['src/testing/service/x.ts', `import { X } from '../../boot.js'`],
    ['src/testing/service/x.ts', `import { X } from '../../auth/index.js'`],
    ['src/main.ts', 'process.env.PORT'],
  ])('allow in %s: %j', (path, text) => {
    expect(refused(path, text)).toEqual([]);
  });

  it('refuse a long file', () => {
    expect(refused('src/boot.ts', '\n'.repeat(350))).toEqual([]);
    expect(refused('src/boot.ts', '\n'.repeat(351))).toEqual(['src/boot.ts: has 351 lines']);
  });

  it('refuse a class with more than eight collaborators', () => {
    expect(refused('src/boot.ts', taking(8))).toEqual([]);
    expect(refused('src/boot.ts', taking(9))).toEqual(['src/boot.ts: Hub has 9 collaborators']);
  });

  it('refuse a folder with more than thirty files', () => {
    const paths = Array.from({ length: 31 }, (_, index) => `src/kernel/${index}.ts`);
    expect(crowdedFolders([...paths.slice(1), 'src/kernel/deeper/x.ts'])).toEqual([]);
    expect(crowdedFolders(paths)).toEqual(['src/kernel has 31 files']);
  });

  it('find a circle', () => {
    const edges = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', ['b']],
    ]);
    expect(circleIn(edges)).toEqual(['b', 'c', 'b']);
  });
});

/** The first circle, as the path that leads around it. */
function circleIn(edges: Map<string, string[]>): string[] {
  const done = new Set<string>();
  const walk = (node: string, path: string[]): string[] => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return [];
    for (const next of edges.get(node) ?? []) {
      const circle = walk(next, [...path, node]);
      if (circle.length > 0) return circle;
    }
    done.add(node);
    return [];
  };
  for (const node of edges.keys()) {
    const circle = walk(node, []);
    if (circle.length > 0) return circle;
  }
  return [];
}
