import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import type { OpenAPIObject } from '@nestjs/swagger';
import { describedApi } from '../../../test/support/openapi-file.js';
import { run } from '../../run-program.js';
import { indexOf, resourcesOf, TYPED } from './resources.js';

const SDK = fileURLToPath(new URL('../', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const COMPILER = join(ROOT, 'node_modules/typescript-native/bin/tsc');
const KEPT = ['src', 'README.md', 'package.json', 'tsconfig.json'];

export interface PackedSdk {
  file: string;
  /** Of the tarball. */
  sizeBytes: number;
  paths: string[];
}

/** Makes the package of the SDK in a folder of its own, from the API as it is now (decision 276). */
export async function packSdk(folder: string): Promise<PackedSdk> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'made'), { recursive: true });
  for (const name of KEPT) await cp(join(SDK, name), join(folder, name), { recursive: true });
  await cp(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  const document = withoutRefusals(await describedApi());
  const made = {
    'resources.ts': resourcesOf(document),
    'index.ts': indexOf(),
    'typed.ts': TYPED,
  };
  for (const [name, text] of Object.entries(made))
    await writeFile(join(folder, 'made', name), text);
  await createClient({
    input: structuredClone(document) as object,
    output: { path: join(folder, 'made/api'), module: { extension: '.js' } },
    plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
    logs: { level: 'silent' },
  });
  await run(process.execPath, [COMPILER, '-p', folder], folder);
  return packed(folder);
}

/** Each refusal is thrown as one class; its types would be half of the package. */
function withoutRefusals(document: OpenAPIObject): OpenAPIObject {
  for (const item of Object.values(document.paths))
    for (const operation of Object.values(item) as { responses?: Record<string, unknown> }[])
      for (const status of Object.keys(operation.responses ?? {}))
        if (!status.startsWith('2')) delete operation.responses?.[status];
  return document;
}

async function packed(folder: string): Promise<PackedSdk> {
  const told = await run('npm', ['pack', '--json', '--ignore-scripts'], folder);
  // Versions of npm differ: a list, or an object by names.
  const [pack] = Object.values(JSON.parse(told) as Record<string, NpmPack>);
  if (!pack) throw new Error(told);
  const { filename, size, files } = pack;
  return { file: join(folder, filename), sizeBytes: size, paths: files.map(({ path }) => path) };
}

interface NpmPack {
  filename: string;
  size: number;
  files: { path: string }[];
}
