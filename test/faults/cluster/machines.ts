import { spawnSync } from 'node:child_process';
import { KeptProgram } from './kept-program.js';
import { asPostgres, shell } from './shell.js';

const FIRST_NETWORK = 30;
const LAST_NETWORK = 39;

/** Two runs beside each other have a network each. */
const NUMBER = freeNumber();
const BRIDGE = `qha${NUMBER}`;
const NET = `10.77.${NUMBER}`;
const CALLER = `${NET}.1`;
export const NETWORK_RANGE = `${NET}.0/24`;

/** Those with a database; the fourth has the service with its proxies. */
export const NODE_NAMES = ['one', 'two', 'three'] as const;
export type NodeName = (typeof NODE_NAMES)[number];
type MachineName = NodeName | 'app';

const LAST: Record<MachineName, number> = { one: 11, two: 12, three: 13, app: 20 };

export const addressOf = (name: MachineName) => `${NET}.${LAST[name]}`;
const namespaceOf = (name: MachineName) => `${BRIDGE}-${name}`;

/** Network namespaces on one bridge: each is a machine with an address of its own. */
export class Machines {
  private constructor() {}

  static async make(): Promise<Machines> {
    const machines = new Machines();
    await shell('ip', 'link', 'add', BRIDGE, 'type', 'bridge');
    await shell('ip', 'addr', 'add', `${CALLER}/24`, 'dev', BRIDGE);
    await shell('ip', 'link', 'set', BRIDGE, 'up');
    for (const name of [...NODE_NAMES, 'app'] as const) await machines.add(name);
    return machines;
  }

  /** The command by which a program runs on a machine, as the user of PostgreSQL. */
  on(name: MachineName, ...command: string[]): string[] {
    return ['ip', 'netns', 'exec', namespaceOf(name), ...command];
  }

  onAsPostgres(name: MachineName, ...command: string[]): string[] {
    return this.on(name, ...asPostgres(...command));
  }

  /** The cable is drawn, or put in again. */
  async cable(name: MachineName, state: 'up' | 'down'): Promise<void> {
    await shell('ip', 'link', 'set', namespaceOf(name), state);
  }

  /** Nothing goes to the other nodes any more; the service still reaches it. */
  async part(name: NodeName): Promise<void> {
    for (const other of NODE_NAMES)
      if (other !== name) await this.route(name, 'add', 'blackhole', addressOf(other));
  }

  async join(name: NodeName): Promise<void> {
    for (const other of NODE_NAMES)
      if (other !== name) await this.route(name, 'del', 'blackhole', addressOf(other));
  }

  /** Sends a signal to all that runs on a machine, at once. */
  async signalAll(name: MachineName, signal: NodeJS.Signals): Promise<void> {
    for (const pid of await this.processes(name)) {
      try {
        process.kill(pid, signal);
      } catch {
        // Its parent took it along.
      }
    }
  }

  async processes(name: MachineName): Promise<number[]> {
    const found = await shell('ip', 'netns', 'pids', namespaceOf(name));
    return found.split('\n').filter(Boolean).map(Number);
  }

  async remove(): Promise<void> {
    KeptProgram.isOver = true;
    for (const name of [...NODE_NAMES, 'app'] as const) {
      await this.signalAll(name, 'SIGKILL').catch(() => undefined);
      await shell('ip', 'netns', 'del', namespaceOf(name)).catch(() => undefined);
      await shell('ip', 'link', 'del', namespaceOf(name)).catch(() => undefined);
    }
    await shell('ip', 'link', 'del', BRIDGE).catch(() => undefined);
  }

  private async add(name: MachineName): Promise<void> {
    const namespace = namespaceOf(name);
    await shell('ip', 'netns', 'add', namespace);
    const outside = namespace;
    await shell(
      'ip',
      'link',
      'add',
      outside,
      'type',
      'veth',
      'peer',
      'name',
      'net',
      'netns',
      namespace,
    );
    await shell('ip', 'link', 'set', outside, 'master', BRIDGE, 'up');
    const inside = async (...args: string[]) => shell('ip', '-n', namespace, ...args);
    await inside('addr', 'add', `${addressOf(name)}/24`, 'dev', 'net');
    await inside('link', 'set', 'net', 'up');
    await inside('link', 'set', 'lo', 'up');
  }

  private async route(name: NodeName, ...args: string[]): Promise<void> {
    await shell('ip', '-n', namespaceOf(name), 'route', ...args);
  }
}

/** @throws Error where runs that ended badly have all of them: see `ip netns list` */
function freeNumber(): number {
  const { stdout } = spawnSync('ip', ['netns', 'list'], { encoding: 'utf8' });
  for (let number = FIRST_NETWORK; number <= LAST_NETWORK; number += 1)
    if (!stdout.includes(`qha${number}-`)) return number;
  throw new Error('no network is free: `ip netns list` has those of earlier runs');
}
