import { setTimeout as sleep } from 'node:timers/promises';
import { ClusterNode } from './cluster-node.js';
import { PASSWORDS } from './configured.js';
import { type Machines, NODE_NAMES } from './machines.js';
import { shell } from './shell.js';

const WHOLE_WITHIN_MS = 180_000;
const LOOK_MS = 200;

/** Three nodes of which one takes changes. */
export class DatabaseCluster {
  private constructor(
    readonly nodes: readonly ClusterNode[],
    private readonly machines: Machines,
    readonly isSynchronous: boolean,
  ) {}

  static async start(
    machines: Machines,
    folder: string,
    isSynchronous: boolean,
  ): Promise<DatabaseCluster> {
    const nodes: ClusterNode[] = [];
    for (const name of NODE_NAMES)
      nodes.push(await ClusterNode.make(name, machines, folder, isSynchronous));
    for (const { etcd } of nodes) etcd.start();
    const cluster = new DatabaseCluster(nodes, machines, isSynchronous);
    // Two nodes copy the first one.
    nodes[0]!.patroni.start();
    const primary = await cluster.primary();
    for (const node of nodes) if (node !== primary) node.patroni.start();
    await cluster.untilWhole();
    const query = async (text: string) => primary.query(text, [], 'postgres');
    await query(`CREATE ROLE quittance_owner LOGIN CREATEROLE PASSWORD '${PASSWORDS.APPLICATION}'`);
    await query(`CREATE DATABASE quittance OWNER quittance_owner`);
    return cluster;
  }

  /** @throws Error where none takes changes for long */
  async primary(): Promise<ClusterNode> {
    const until = Date.now() + WHOLE_WITHIN_MS;
    while (Date.now() < until) {
      for (const node of this.nodes) if (await node.isPrimary()) return node;
      await sleep(LOOK_MS);
    }
    throw new Error('no node became the primary');
  }

  async replicas(): Promise<ClusterNode[]> {
    const primary = await this.primary();
    return this.nodes.filter((node) => node !== primary);
  }

  /** The one that payments wait for; in an asynchronous cluster any. */
  async standby(): Promise<ClusterNode> {
    const replicas = await this.replicas();
    for (const node of replicas) if (await node.isSynchronousStandby()) return node;
    return replicas[0]!;
  }

  /** Until all three serve, and one is waited for where one should be. */
  async untilWhole(): Promise<void> {
    const until = Date.now() + WHOLE_WITHIN_MS;
    while (!(await this.isWhole())) {
      if (Date.now() > until) throw new Error(`the cluster is not whole:\n${await this.list()}`);
      await sleep(LOOK_MS * 2);
    }
  }

  async list(): Promise<string> {
    return this.control('list');
  }

  async switchover(): Promise<void> {
    const [from, to] = [await this.primary(), await this.standby()];
    const names = ['--master', from.name, '--candidate', to.name];
    await this.control('switchover', ...names, '--force', 'quittance');
  }

  async etcdLeader(): Promise<ClusterNode> {
    for (const node of this.nodes) {
      if (await node.leadsEtcd()) return node;
    }
    return this.nodes[0]!;
  }

  private async isWhole(): Promise<boolean> {
    let [primaries, streaming, synchronous] = [0, 0, 0];
    for (const node of this.nodes) {
      if (await node.isPrimary()) primaries += 1;
      else if (await node.isStreaming()) streaming += 1;
      if (this.isSynchronous && (await node.isSynchronousStandby())) synchronous += 1;
    }
    return primaries === 1 && streaming === 2 && (!this.isSynchronous || synchronous === 1);
  }

  private async control(...args: string[]): Promise<string> {
    const [node] = this.nodes;
    const line = ['patronictl', '-c', node!.patroniFile, ...args];
    const [program = '', ...rest] = this.machines.onAsPostgres('app', ...line);
    return shell(program, ...rest);
  }
}
