import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { packSdk, type PackedSdk } from '../../../sdk/typescript/generate/package.js';

const COMPILER = fileURLToPath(
  new URL('../../../node_modules/typescript-native/bin/tsc', import.meta.url),
);
const TOUR = fileURLToPath(new URL('../../fixtures/sdk-tour.txt', import.meta.url));

/** As strict as a project may be. */
const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  types: [],
  outDir: 'made',
};

/** Somebody else's project with nothing in it but the SDK, as npm installs it from the tarball. */
export class InstalledSdk {
  private constructor(
    readonly folder: string,
    readonly packed: PackedSdk,
  ) {}

  static async inNewProject(): Promise<InstalledSdk> {
    const folder = await mkdtemp(join(tmpdir(), 'quittance-sdk-'));
    const packed = await packSdk(join(folder, 'sdk'));
    const project = join(folder, 'project');
    await mkdir(project);
    const sdk = new InstalledSdk(project, packed);
    await sdk.write('package.json', '{"private":true,"type":"module"}');
    // Without a registry: it needs no other package.
    const flags = ['--offline', '--no-audit', '--no-fund'];
    await promisify(execFile)('npm', ['install', ...flags, packed.file], { cwd: project });
    await copyFile(TOUR, join(project, 'tour.ts'));
    const settings = { compilerOptions: STRICT, include: ['*.ts', '*.cts'] };
    await sdk.write('tsconfig.json', JSON.stringify(settings));
    return sdk;
  }

  async write(name: string, text: string): Promise<void> {
    await writeFile(join(this.folder, name), text);
  }

  /** @returns what the compiler says, which is nothing when all is well */
  async compile(): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [COMPILER, '-p', '.'], {
      cwd: this.folder,
    }).catch((error: { stdout: string }) => error);
    return stdout;
  }

  /** Runs a file of the project on a Node. @returns the JSON that it prints */
  async run(node: string, ...args: string[]): Promise<unknown> {
    const { stdout } = await promisify(execFile)(node, args, { cwd: this.folder });
    return JSON.parse(stdout);
  }

  /** The package itself, in this process. */
  async load<Module>(): Promise<Module> {
    const file = join(this.folder, 'node_modules/@quittance/sdk/dist/made/index.js');
    return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Module;
  }

  async remove(): Promise<void> {
    await rm(join(this.folder, '..'), { recursive: true, force: true });
  }
}
