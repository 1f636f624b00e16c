import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a program that a package is made with. @throws with all that it said */
export async function run(file: string, args: string[], cwd: string): Promise<string> {
  try {
    return (await promisify(execFile)(file, args, { cwd, maxBuffer: 1e8 })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${file} ${args.join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}
