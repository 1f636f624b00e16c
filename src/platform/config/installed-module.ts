import { createRequire } from 'node:module';
import { isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * A package or a file of an installation, from the folder where the service is started.
 * @returns its default export; undefined if it has none
 * @throws Error in a sentence without an end, `cannot be loaded: ...`
 */
export async function importInstalled(module: string, cwd: string): Promise<unknown> {
  try {
    return ((await import(placeOf(module, cwd))) as { default?: unknown }).default;
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'error';
    throw new Error(`cannot be loaded: ${reason}`, { cause: error });
  }
}

function placeOf(module: string, cwd: string): string {
  if (module.startsWith('.') || isAbsolute(module)) return pathToFileURL(resolve(cwd, module)).href;
  try {
    return pathToFileURL(createRequire(join(cwd, 'package.json')).resolve(module)).href;
  } catch {
    // A package that only `import` finds is looked for from here.
    return module;
  }
}

/** Files and packages of the installation that bring providers. */
export const providerModules = (variables: NodeJS.ProcessEnv) =>
  listed(variables['QUITTANCE_PROVIDERS']);

/** The same, of extensions. */
export const extensionModules = (variables: NodeJS.ProcessEnv) =>
  listed(variables['QUITTANCE_EXTENSIONS']);

const listed = (text = '') =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
