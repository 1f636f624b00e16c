import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../src/testing/service/free-port.js';

const PACKAGE = createRequire(import.meta.url).resolve('@20minutes/s3rver');
const PROGRAM = `const [path, options] = process.argv.slice(1);
  new (require(path))(JSON.parse(options)).run();`;

/** S3-compatible storage of another maker: a program of its own, which checks signatures. */
export interface S3Server {
  endpoint: string;
  /** Its objects are files below. */
  folder: string;
  kill(): Promise<void>;
}

export async function startS3Server(
  folder: string,
  bucket: string,
  port?: number,
): Promise<S3Server> {
  const at = port ?? (await freePort());
  const options = {
    directory: folder,
    port: at,
    address: '127.0.0.1',
    silent: true,
    configureBuckets: [{ name: bucket }],
  };
  const args = ['-e', PROGRAM, PACKAGE, JSON.stringify(options)];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const endpoint = `http://127.0.0.1:${at}`;
  const isUp = async () =>
    fetch(endpoint).then(
      () => true,
      () => false,
    );
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(`s3rver ended with ${child.exitCode}`);
    await sleep(50);
  }
  return {
    endpoint,
    folder,
    kill: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
