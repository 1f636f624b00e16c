import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asOpenApi30 } from '../../../src/platform/http/openapi/version-30.js';
import { describedApi } from '../../../test/support/openapi-file.js';
import { run } from '../../run-program.js';
import { readApi, readModel } from './made-code.js';
import { prepared, withWholeLists } from './prepared.js';
import { stubsOf } from './stubs.js';

const SDK = fileURLToPath(new URL('../', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const JAR = createRequire(import.meta.url).resolve(
  '@openapitools/openapi-generator-cli/bin/openapi-generator.jar',
);
const PACKAGE = 'quittance_client';
/** Neither pages nor empty tests of each class. */
const PARTS = 'apiDocs=false,apiTests=false,modelDocs=false,modelTests=false';
/** For a repository of its own, which this is not. */
const LEFT_OUT = (
  '.gitignore .gitlab-ci.yml .travis.yml .openapi-generator .openapi-generator-ignore git_push.sh ' +
  'openapi.json test-requirements.txt tox.ini'
).split(' ');

/** Makes the Python client in a folder of its own, from the API as it is now (decision 277). */
export async function makePythonClient(folder: string): Promise<{ models: number; calls: number }> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const document = withWholeLists(asOpenApi30(await describedApi()));
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(prepared(document)));
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  const settings = {
    packageName: PACKAGE,
    projectName: 'quittance-client',
    packageVersion: version.replace('-dev', '.dev0'),
  };
  const properties = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const wish = ['-g', 'python', '-i', file, '-o', folder, '-p', properties.join()];
  await run('java', ['-jar', JAR, 'generate', ...wish, `--global-property=${PARTS}`], folder);

  const inside = join(folder, PACKAGE);
  const models = (await textsIn(join(inside, 'models'))).map(([name, text]) =>
    readModel(name, text),
  );
  const apis = (await textsIn(join(inside, 'api'))).map(([name, text]) => readApi(name, text));
  for (const [path, text] of stubsOf(document, models, apis))
    await writeFile(join(inside, path), text);
  await cp(join(SDK, 'stubs'), inside, { recursive: true });
  for (const name of LEFT_OUT) await rm(join(folder, name), { recursive: true });
  await writeFile(join(folder, 'MANIFEST.in'), `recursive-include ${PACKAGE} *.pyi py.typed\n`);
  for (const name of ['setup.py', 'requirements.txt']) await boundUrllib3(join(folder, name));
  await cp(join(SDK, 'README.md'), join(folder, 'README.md'));
  await cp(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  const calls = apis.reduce((sum, { methods }) => sum + methods.length, 0);
  return { models: models.length, calls };
}

async function textsIn(folder: string): Promise<[string, string][]> {
  const names = (await readdir(folder)).filter(
    (name) => name.endsWith('.py') && name !== '__init__.py',
  );
  return Promise.all(
    names
      .sort()
      .map(async (name) => [basename(name, '.py'), await readFile(join(folder, name), 'utf8')]),
  );
}

/** 2.6 took a method away that the generator calls. */
async function boundUrllib3(file: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  const bound = text.replace(/urllib3 >= [\d.]+/, '$&, < 2.6');
  if (bound === text) throw new Error(`no urllib3 in ${file}`);
  await writeFile(file, bound);
}
