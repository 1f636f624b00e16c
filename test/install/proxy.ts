import { execFile, spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../src/testing/service/free-port.js';

const run = promisify(execFile);
const read = (path: string) => readFile(new URL(`../../deploy/${path}`, import.meta.url), 'utf8');

export const PROXIES = ['nginx', 'caddy'] as const;

/** One of them before the service, with our file for it, in which only places are other ones. */
export interface RunningProxy {
  url: string;
  httpPort: number;
  /** All that it wrote anywhere. */
  logs(): Promise<string>;
  stop(): Promise<void>;
}

interface ProxyPlace {
  folder: string;
  /** Ports of the service: nginx shares calls out among them. */
  ports: number[];
  /** Other texts of our file that are replaced. */
  changes?: Record<string, string>;
}

/** Debian's, or none. */
export async function isInstalled(name: string): Promise<boolean> {
  return run('which', [name]).then(
    () => true,
    () => false,
  );
}

export async function aProxy(
  name: (typeof PROXIES)[number],
  place: ProxyPlace,
): Promise<RunningProxy> {
  const [httpPort, httpsPort] = [await freePort(), await freePort()];
  const folder = join(place.folder, `${name}-${httpsPort}`);
  await mkdir(folder, { recursive: true });
  const prepared = await (name === 'nginx' ? nginx : caddy)(
    { ...place, folder },
    httpPort,
    httpsPort,
  );
  const child = spawn(name, prepared.args, {
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  }
  const ended = new Promise((resolve) => child.once('close', resolve));
  while (!(await listens(httpsPort))) {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${printed}`);
    await sleep(50);
  }
  return {
    url: `https://localhost:${httpsPort}`,
    httpPort,
    logs: async () => {
      const files = await Promise.all(
        prepared.logs.map(async (path) => readFile(join(folder, path), 'utf8')),
      );
      return [printed, ...files].join('\n');
    },
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function nginx({ folder, ports, changes }: ProxyPlace, httpPort: number, httpsPort: number) {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const options =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost';
  await run('openssl', [...options.split(' '), '-keyout', key, '-out', certificate]);
  const site = changed(await read('nginx/quittance.conf'), {
    'listen 80;': `listen 127.0.0.1:${httpPort};`,
    'listen [::]:80;': '',
    'listen 443 ssl http2;': `listen 127.0.0.1:${httpsPort} ssl http2;`,
    'listen [::]:443 ssl http2;': '',
    '/etc/letsencrypt/live/billing.your-domain.tld/fullchain.pem': certificate,
    '/etc/letsencrypt/live/billing.your-domain.tld/privkey.pem': key,
    '/var/log/nginx/': `${folder}/`,
    'billing.your-domain.tld': 'localhost',
    'server 127.0.0.1:3000 max_fails=0;': ports
      .map((port) => `server 127.0.0.1:${port} max_fails=0;`)
      .join(' '),
    ...changes,
  });
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((what) => `${what}_temp_path ${folder}/${what};`)
    .join(' ');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const file = join(folder, 'nginx.conf');
  await writeFile(
    file,
    `${user} worker_processes 1; pid ${folder}/nginx.pid; error_log stderr;
     events {} http { access_log off; ${places} ${site} }`,
  );
  const args = ['-p', folder, '-c', file, '-g', 'daemon off;'];
  return { args, logs: ['quittance.log', 'quittance-error.log'] };
}

async function caddy({ folder, ports, changes }: ProxyPlace, httpPort: number, httpsPort: number) {
  const file = join(folder, 'Caddyfile');
  const text = changed(await read('caddy/Caddyfile'), {
    '\tservers {': `\tadmin off\n\tskip_install_trust\n\thttp_port ${httpPort}\n\thttps_port ${httpsPort}\n\tservers {`,
    'billing.your-domain.tld {': 'localhost {',
    '127.0.0.1:3000': ports.map((port) => `127.0.0.1:${port}`).join(' '),
    ...changes,
  });
  await writeFile(file, text);
  return { args: ['run', '--config', file, '--adapter', 'caddyfile'], logs: [] };
}

/** @throws where a text is not there, so that the test would try something else than our file */
function changed(text: string, changes: Record<string, string>): string {
  let result = text;
  for (const [from, to] of Object.entries(changes)) {
    if (!result.includes(from)) throw new Error(`the file has no ${from}`);
    result = result.replaceAll(from, to);
  }
  return result;
}

async function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
