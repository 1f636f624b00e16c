import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  type Ended,
  OWN_ENVIRONMENT,
  Program,
  type ServiceProgram,
  untilReady,
} from './program.js';
import { freePort } from '../../src/testing/service/free-port.js';

const HERE = fileURLToPath(new URL('../../', import.meta.url));
const BINARIES = join(HERE, 'node_modules/.bin');
const COMPILER = join(HERE, 'node_modules/typescript-native/bin/tsc');

/** All that a checkout has of ours. */
const SOURCES = (
  'src test bench migrations docs package.json .npmrc tsconfig.json tsconfig.build.json ' +
  'tsconfig.types.json ormconfig.ts README.md LICENSE CHANGELOG.md'
).split(' ');

/** `npm install` takes a registry, and 800 MB: without it the very packages that it would bring are linked. */
const INSTALLS = process.env['TEST_FULL'] === '1';

interface LockedPackage {
  dev?: boolean;
}

/** The package as `npm pack` makes it, and as npm tells of it. */
export interface Packed {
  file: string;
  sizeBytes: number;
  paths: string[];
}

/** Somebody else's project, in a folder of its own, with our package installed from its tarball. */
export class Outsider {
  private constructor(
    readonly folder: string,
    readonly packed: Packed,
  ) {}

  static async withPackage(): Promise<Outsider> {
    // Temporary files of tests are in memory, where a real install has no room.
    const folder = await mkdtemp(join(INSTALLS ? '/var/tmp' : tmpdir(), 'quittance-outsider-'));
    const packed = await packedOnce();
    const project = join(folder, 'project');
    await mkdir(join(project, 'node_modules'), { recursive: true });
    const described = { name: 'outsider', private: true, type: 'module' };
    await writeFile(join(project, 'package.json'), JSON.stringify(described));
    const outsider = new Outsider(project, packed);
    await (INSTALLS ? outsider.install() : outsider.link());
    return outsider;
  }

  async write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.folder, path)), { recursive: true });
    await writeFile(join(this.folder, path), text);
  }

  /** With the programs of the project, and no variable of ours. */
  async run(file: string, args: string[], env: Record<string, string> = {}): Promise<Ended> {
    return ended(file, args, { cwd: this.folder, env: { ...this.environment, ...env } });
  }

  /** `npm exec --package ./quittance-*.tgz`, in a folder that has nothing but the tarball. */
  async execute(folder: string, args: string[]): Promise<Ended> {
    const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
    const cache = INSTALLS ? {} : { npm_config_cache: join(this.folder, '.npm') };
    const offline = INSTALLS ? '--prefer-offline' : '--offline';
    const named = ['exec', '--yes', offline, '--package', `./${tarball}`, 'quittance', '--'];
    const env = { ...OWN_ENVIRONMENT, HOME: folder, ...cache };
    return ended('npm', [...named, ...args], { cwd: folder, env });
  }

  /**
   * A folder with the tarball. Without a registry its list of dependencies is empty, and they are found
   * beside the cache into which npm installs it.
   */
  async emptyFolder(): Promise<string> {
    const folder = join(dirname(this.folder), 'empty');
    const unpacked = join(dirname(this.folder), 'unpacked');
    const tarball = join(folder, basename(this.packed.file));
    await mkdir(folder);
    if (INSTALLS) await cp(this.packed.file, tarball);
    else {
      await mkdir(unpacked);
      await ended('tar', ['-xzf', this.packed.file, '-C', unpacked]);
      const path = join(unpacked, 'package/package.json');
      const described = JSON.parse(await readFile(path, 'utf8')) as object;
      const bare = { ...described, dependencies: {}, optionalDependencies: {} };
      await writeFile(path, JSON.stringify(bare));
      await ended('tar', ['-czf', tarball, '-C', unpacked, 'package']);
    }
    return folder;
  }

  async compile(project: string): Promise<Ended> {
    return this.run(process.execPath, [COMPILER, '-p', project]);
  }

  /** Builds each of our examples, as this project's own. */
  async build(...examples: string[]): Promise<void> {
    await cp(join(HERE, 'examples'), join(this.folder, 'examples'), { recursive: true });
    for (const name of examples) {
      const { code, output } = await this.compile(`examples/${name}`);
      if (code !== 0) throw new Error(output);
    }
  }

  /** A program that is the service, once it is ready. Its caller ends it. */
  async service(
    file: string,
    args: string[],
    env: Record<string, string> = {},
  ): Promise<ServiceProgram> {
    const port = await freePort();
    const { PATH = '' } = this.environment;
    const child = spawn(file, args, {
      cwd: this.folder,
      env: { ...OWN_ENVIRONMENT, PATH, PORT: String(port), ...env },
    });
    const program = Object.assign(new Program(child), { port, url: `http://127.0.0.1:${port}` });
    await untilReady(program).catch((error: unknown) => {
      program.signal('SIGKILL');
      throw error;
    });
    return program;
  }

  get environment(): Record<string, string> {
    const own = join(this.folder, 'node_modules/.bin');
    return { PATH: `${own}:${BINARIES}:${process.env['PATH'] ?? ''}` };
  }

  async remove(): Promise<void> {
    await rm(dirname(this.folder), { recursive: true, force: true, maxRetries: 20 });
  }

  /** A package of the project's own, packed and installed as one from elsewhere. */
  async add(folder: string): Promise<void> {
    const packed = await ended('npm', ['pack', '--json'], {
      cwd: join(this.folder, folder),
      env: this.environment,
    });
    if (packed.code !== 0) throw new Error(packed.errors);
    const { name } = JSON.parse(
      await readFile(join(this.folder, folder, 'package.json'), 'utf8'),
    ) as { name: string };
    const file = join(this.folder, folder, packedBy(packed.output).filename);
    const into = join(this.folder, 'node_modules', name);
    await mkdir(into, { recursive: true });
    await ended('tar', ['-xzf', file, '-C', into, '--strip-components=1']);
  }

  private async install(): Promise<void> {
    const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', this.packed.file];
    const { code, errors } = await this.run('npm', args);
    if (code !== 0) throw new Error(errors);
  }

  /** The package is a copy, so it finds what is linked beside it: its dependencies, and nothing of ours. */
  private async link(): Promise<void> {
    const modules = join(this.folder, 'node_modules');
    const own = join(modules, 'quittance');
    await mkdir(own);
    await ended('tar', ['-xzf', this.packed.file, '-C', own, '--strip-components=1']);
    const lock = JSON.parse(await readFile(join(HERE, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, LockedPackage>;
    };
    for (const [path, { dev }] of Object.entries(lock.packages)) {
      if (dev || !/^node_modules\/(@[^/]+\/)?[^/@]+$/.test(path)) continue;
      // Those of other processors are not there.
      if (!(await stat(join(HERE, path)).catch(() => undefined))) continue;
      await mkdir(dirname(join(this.folder, path)), { recursive: true });
      await symlink(join(HERE, path), join(this.folder, path));
    }
    const { bin } = JSON.parse(await readFile(join(own, 'package.json'), 'utf8')) as {
      bin: Record<string, string>;
    };
    await mkdir(join(modules, '.bin'));
    for (const [name, file] of Object.entries(bin)) {
      await symlink(join('../quittance', file), join(modules, '.bin', name));
    }
  }
}

/** The files of a run share one tarball: whoever comes first packs it, and the others wait. */
async function packedOnce(): Promise<Packed> {
  const folder = process.env['TEST_PACKED_FOLDER'] ?? '';
  const told = join(folder, 'told.json');
  const isFirst = await mkdir(join(folder, 'begun')).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const packed = await packedIn(folder).catch(({ message }: Error) => ({ failure: message }));
    await writeFile(`${told}.draft`, JSON.stringify(packed));
    await rename(`${told}.draft`, told);
  }
  while (!existsSync(told)) await sleep(50);
  const packed = JSON.parse(await readFile(told, 'utf8')) as Packed | { failure: string };
  if ('failure' in packed) throw new Error(packed.failure);
  return packed;
}

/** From a copy of the checkout: `npm pack` builds, and another test may use the one that is here. */
async function packedIn(folder: string): Promise<Packed> {
  const checkout = join(folder, 'checkout');
  await mkdir(checkout);
  await Promise.all(
    SOURCES.map(async (path) => cp(join(HERE, path), join(checkout, path), { recursive: true })),
  );
  await symlink(join(HERE, 'node_modules'), join(checkout, 'node_modules'));
  const env = { PATH: `${BINARIES}:${process.env['PATH'] ?? ''}` };
  const args = ['pack', '--json', '--pack-destination', folder];
  const { code, output, errors } = await ended('npm', args, { cwd: checkout, env });
  if (code !== 0) throw new Error(errors);
  await rm(checkout, { recursive: true });
  const { filename, size, files } = packedBy(output);
  return { file: join(folder, filename), sizeBytes: size, paths: files.map(({ path }) => path) };
}

/** Versions of npm differ: a list, or an object by names. */
function packedBy(output: string): PackedByNpm {
  const told = JSON.parse(output.slice(output.search(/^[[{]/m))) as Record<string, PackedByNpm>;
  const [packed = { filename: '', size: 0, files: [] }] = Object.values(told);
  return packed;
}

interface PackedByNpm {
  filename: string;
  size: number;
  files: { path: string }[];
}

async function ended(file: string, args: string[], options: object = {}): Promise<Ended> {
  const settled = promisify(execFile)(file, args, { maxBuffer: 1e8, ...options });
  return settled.then(
    ({ stdout, stderr }) => ({ code: 0, signal: null, output: stdout, errors: stderr }),
    (error: { code: number; signal: NodeJS.Signals | null; stdout: string; stderr: string }) => {
      const { code, signal, stdout, stderr } = error;
      return { code, signal, output: stdout, errors: stderr };
    },
  );
}
