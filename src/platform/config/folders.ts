import { join, resolve } from 'node:path';

/** Absolute path of the data folder, for a command that must find it as it is. */
export function dataFolder(variables: NodeJS.ProcessEnv, cwd: string): string {
  return resolve(cwd, variables['QUITTANCE_DATA_DIR'] || '.quittance');
}

/** Absolute path of the folder for files that can be made again. */
export function cacheFolder(variables: NodeJS.ProcessEnv, cwd: string): string {
  const given = variables['QUITTANCE_CACHE_DIR'];
  return given ? resolve(cwd, given) : join(dataFolder(variables, cwd), 'cache');
}
