import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The heap that the service was measured with; `npm start` and the container give it the same. */
export const HEAP = ['--max-old-space-size=1024', '--max-semi-space-size=20'];

/**
 * This process becomes the service, and keeps its id: nobody stands between it and signals. V8 takes
 * sizes of its heap only at the start of a process, and Node before 22.15 cannot replace one: the
 * sizes are then its own, or those of NODE_OPTIONS.
 */
export async function becomeService(): Promise<void> {
  const main = fileURLToPath(new URL(`../main${extname(import.meta.url)}`, import.meta.url));
  const { execPath, execArgv } = process;
  process.execve?.(execPath, [execPath, ...HEAP, ...execArgv, main]);
  await import('../main.js');
}
