import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { configured, folderOfPostgres, PASSWORDS } from './configured.js';
import { KeptProgram } from './kept-program.js';
import { addressOf, type Machines, type NodeName } from './machines.js';
import { POSTGRES_BIN, shell } from './shell.js';

const ANSWERS_WITHIN_MS = 2000;

/** A machine with PostgreSQL, Patroni and a member of etcd. */
export class ClusterNode {
  private constructor(
    readonly name: NodeName,
    private readonly machines: Machines,
    private readonly folder: string,
    readonly etcd: KeptProgram,
    readonly patroni: KeptProgram,
  ) {}

  static async make(
    name: NodeName,
    machines: Machines,
    parent: string,
    isSynchronous: boolean,
  ): Promise<ClusterNode> {
    const folder = await folderOfPostgres(join(parent, name));
    for (const below of ['etcd', 'socket']) await folderOfPostgres(join(folder, below));
    const values = {
      NAME: name,
      ADDRESS: addressOf(name),
      SYNCHRONOUS: String(isSynchronous),
    };
    const program = async (file: string, command: (path: string) => string[]) => {
      const line = machines.onAsPostgres(name, ...command(await configured(file, folder, values)));
      return new KeptProgram({ line, log: join(folder, `${file}.log`) });
    };
    const etcd = await program('etcd.yaml', (path) => ['etcd', '--config-file', path]);
    const patroni = await program('patroni.yaml', (path) => ['patroni', path]);
    return new ClusterNode(name, machines, folder, etcd, patroni);
  }

  get patroniFile(): string {
    return join(this.folder, 'patroni.yaml');
  }

  /** Patroni answers 200 on one node alone. */
  async isPrimary(): Promise<boolean> {
    return (await this.restStatus('primary')) === 200;
  }

  async isStreaming(): Promise<boolean> {
    return (await this.restStatus('replica?lag=1MB')) === 200;
  }

  async isSynchronousStandby(): Promise<boolean> {
    return (await this.restStatus('synchronous')) === 200;
  }

  async leadsEtcd(): Promise<boolean> {
    try {
      const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
      const url = `http://${addressOf(this.name)}:2379/v2/stats/self`;
      const answer = await fetch(url, { signal });
      return ((await answer.json()) as { state: string }).state === 'StateLeader';
    } catch {
      return false;
    }
  }

  async postmaster(): Promise<number> {
    const [pid] = (await readFile(join(this.folder, 'data/postmaster.pid'), 'utf8')).split('\n', 1);
    return Number(pid);
  }

  /** The postmaster and all backends. */
  async ofPostgres(): Promise<number[]> {
    const postmaster = await this.postmaster();
    const children = await shell('ps', '-o', 'pid=', '--ppid', String(postmaster)).catch(() => '');
    return [postmaster, ...children.split('\n').map(Number).filter(Boolean)];
  }

  /** Through its socket, so that it answers without a network, too. */
  async query<Row extends object>(
    text: string,
    values: unknown[] = [],
    database = 'quittance',
  ): Promise<Row[]> {
    const client = new pg.Client({
      host: join(this.folder, 'socket'),
      user: 'postgres',
      password: PASSWORDS.SUPERUSER,
      database,
      connectionTimeoutMillis: ANSWERS_WITHIN_MS,
      query_timeout: 20_000,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<Row>(text, values)).rows;
    } finally {
      client.end().catch(() => undefined);
    }
  }

  /** Its server by hand, without Patroni, to read what it alone has; stopped again by the answer. */
  async startedByHand(): Promise<() => Promise<void>> {
    const data = join(this.folder, 'data');
    const control = async (...args: string[]) => {
      const [program = '', ...line] = this.machines.onAsPostgres(
        this.name,
        `${POSTGRES_BIN}/pg_ctl`,
        '-D',
        data,
        '-l',
        join(this.folder, 'by-hand.log'),
        '-w',
        ...args,
      );
      await shell(program, ...line);
    };
    await control('start', '-o', "-c synchronous_standby_names=''");
    return async () => control('stop', '-m', 'fast');
  }

  /** Everything on the machine begins, as when its power comes back. */
  start(): void {
    this.etcd.start();
    this.patroni.start();
  }

  /** SIGKILL of everything on the machine; nothing starts it again. */
  async powerOff(): Promise<void> {
    this.etcd.letGo();
    this.patroni.letGo();
    await this.machines.signalAll(this.name, 'SIGKILL');
    while ((await this.machines.processes(this.name)).length > 0) await sleep(50);
  }

  private async restStatus(path: string): Promise<number> {
    try {
      const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
      const answer = await fetch(`http://${addressOf(this.name)}:8008/${path}`, { signal });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      return 0;
    }
  }
}
