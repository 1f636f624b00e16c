import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  appendFile,
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Debian packages without which there is no machine. */
const PROGRAMS = ['debootstrap', 'systemd-nspawn', 'slirp4netns', 'nsenter'];
/** As the machine sees the loopback of this one. */
const HOST = '10.0.2.2';
const AUTHORITIES = '/usr/local/share/ca-certificates';

interface MachineOptions {
  /** Such as `bookworm`. */
  suite: string;
  mirror: string;
  /** The unpacked suite is kept there from one run to the next. */
  cacheDir: string;
}

/**
 * A Debian as debootstrap makes it, with its own systemd as process 1, its own processes and its own
 * network: ports here and there have nothing to do with each other. Needs root.
 */
export class DebianMachine {
  private constructor(
    readonly root: string,
    private readonly leader: ChildProcess,
    private readonly network: ChildProcess,
    private readonly pid: number,
  ) {}

  static readonly host = HOST;

  /** Why there can be none here, or null. */
  static async lacks(): Promise<string | null> {
    if (process.getuid?.() !== 0) return 'it needs root';
    const found = await Promise.all(
      PROGRAMS.map(async (name) =>
        run('which', [name]).then(
          () => null,
          () => name,
        ),
      ),
    );
    const missing = found.filter((name) => name !== null);
    return missing.length > 0
      ? `${missing.join(', ')}: apt-get install debootstrap systemd-container slirp4netns`
      : null;
  }

  static async start({ suite, mirror, cacheDir }: MachineOptions): Promise<DebianMachine> {
    const archive = join(cacheDir, `${suite}.tar`);
    if (!existsSync(archive)) await bootstrap(suite, mirror, archive);
    const root = await mkdtemp(join(tmpdir(), 'quittance-debian-'));
    await run('tar', ['-C', root, '-xf', archive]);
    // A new folder is for its maker alone; on a machine all users read the root.
    await chmod(root, 0o755);
    // The machine trusts those whom this one trusts, and asks the same name servers.
    if (existsSync(AUTHORITIES)) {
      await cp(AUTHORITIES, join(root, AUTHORITIES), { recursive: true, dereference: true });
    }
    await writeFile(join(root, 'etc/resolv.conf'), await readFile('/etc/resolv.conf'));
    const leader = spawn(
      'systemd-nspawn',
      [
        '--quiet',
        '--boot',
        `--directory=${root}`,
        '--register=no',
        '--keep-unit',
        '--private-network',
        '--console=pipe',
        '--resolv-conf=off',
        '--hostname=debian',
      ],
      { stdio: 'ignore', env: { PATH: process.env['PATH'] } },
    );
    const pid = await initOf(leader);
    const network = spawn('slirp4netns', ['--configure', '--mtu=65520', String(pid), 'tap0'], {
      stdio: 'ignore',
    });
    const machine = new DebianMachine(root, leader, network, pid);
    await machine.booted();
    return machine;
  }

  /** Files of the machine, from here. */
  at(path: string): string {
    return join(this.root, path);
  }

  async knows(address: string, name: string): Promise<void> {
    await appendFile(this.at('etc/hosts'), `${address} ${name}\n`);
  }

  /** @returns the exit code; each line is told as it comes, of both outputs */
  async paste(script: string, told: (line: string) => void): Promise<number> {
    const child = spawn('nsenter', [...this.entering(), 'bash', '-c', `exec 2>&1\n${script}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    createInterface(child.stdout).on('line', told);
    return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)));
  }

  /** The output of a script. @throws with it, when it fails */
  async ask(script: string): Promise<string> {
    const lines: string[] = [];
    const code = await this.paste(script, (line) => lines.push(line));
    if (code !== 0) throw new Error(`${script}\n${lines.join('\n')}`);
    return lines.join('\n');
  }

  /** How to go in, and how to end what is left to run. */
  left(): string {
    const enter = this.entering().slice(0, 5).join(' ');
    return `nsenter ${enter} bash; kill ${this.network.pid} ${this.leader.pid}; rm -r ${this.root}`;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.leader.once('exit', resolve));
    this.network.kill();
    // Power off, as systemd understands it.
    this.leader.kill('SIGTERM');
    const late = sleep(60_000, 'late', { ref: false });
    if ((await Promise.race([ended, late])) === 'late') this.leader.kill('SIGKILL');
    await ended;
    await rm(this.root, { recursive: true, force: true });
  }

  private entering(): string[] {
    const trusted = process.env['NODE_EXTRA_CA_CERTS'];
    return [
      '--target',
      String(this.pid),
      '--all',
      '--root',
      '--wdns=/root',
      'env',
      '-i',
      'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      'HOME=/root',
      'LANG=C.UTF-8',
      'DEBIAN_FRONTEND=noninteractive',
      ...(trusted ? ['NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt'] : []),
    ];
  }

  private async booted(): Promise<void> {
    for (;;) {
      if (this.leader.exitCode !== null) throw new Error('the machine does not start');
      const state = await this.ask('systemctl is-system-running || true');
      if (/^(running|degraded)$/m.test(state)) return;
      await sleep(500);
    }
  }
}

async function bootstrap(suite: string, mirror: string, archive: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-debootstrap-'));
  try {
    await run('debootstrap', ['--include=dbus,systemd-sysv', suite, folder, mirror], {
      maxBuffer: 100_000_000,
    });
    await mkdir(join(archive, '..'), { recursive: true });
    await run('tar', ['-C', folder, '-cf', `${archive}.part`, '.']);
    await rename(`${archive}.part`, archive);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Process 1 of the machine, as this one knows it. */
async function initOf(leader: ChildProcess): Promise<number> {
  while (leader.exitCode === null) {
    // By its name: systemd-nspawn has a child before it, which ends.
    const { stdout } = await run('pgrep', ['-P', String(leader.pid), '-x', 'systemd']).catch(
      () => ({
        stdout: '',
      }),
    );
    if (/^\d+$/m.test(stdout)) return Number(stdout.split('\n')[0]);
    await sleep(200);
  }
  throw new Error('systemd-nspawn ended');
}
