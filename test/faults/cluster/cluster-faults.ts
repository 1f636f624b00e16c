import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterNode } from './cluster-node.js';
import type { DatabaseCluster } from './cluster.js';
import type { KeptProgram } from './kept-program.js';
import type { Machines } from './machines.js';
import type { ServicePair } from './service-pair.js';

/** The parts that a fault is done to. */
export interface ClusterStage {
  machines: Machines;
  cluster: DatabaseCluster;
  pair: ServicePair;
}

/** A fault that was made, and how it is undone. */
interface Injury {
  /** The primary of before, where another one takes over. */
  victim?: ClusterNode;
  /** Lets the victim answer through its socket, before anything overwrites what it alone has. */
  reading?(): Promise<() => Promise<void>>;
  heal?(): Promise<void>;
}

export interface ClusterFault {
  name: string;
  /** How long it stays as it is. */
  holdMs: number;
  wound(stage: ClusterStage): Promise<Injury>;
}

/** Longer than Patroni's `ttl`, so that another node takes over. */
const TAKEN_OVER_MS = 40_000;
const SHORT_MS = 15_000;

export const CLUSTER_FAULTS: ClusterFault[] = [
  { name: 'postmaster killed', holdMs: 0, wound: killPostmaster },
  { name: 'primary killed', holdMs: 0, wound: async ({ cluster }) => off(await cluster.primary()) },
  { name: 'primary frozen', holdMs: TAKEN_OVER_MS, wound: freezePrimary },
  { name: 'primary PostgreSQL frozen', holdMs: 30_000, wound: freezeItsPostgres },
  { name: 'primary cut off', holdMs: TAKEN_OVER_MS, wound: cutPrimary },
  { name: 'primary parted from nodes', holdMs: TAKEN_OVER_MS, wound: partPrimary },
  {
    name: 'replica killed',
    holdMs: SHORT_MS,
    wound: async ({ cluster }) => ({ heal: (await off(await cluster.standby())).heal }),
  },
  { name: 'replica frozen', holdMs: SHORT_MS, wound: freezeReplica },
  { name: 'replica cut off', holdMs: SHORT_MS, wound: cutReplica },
  {
    name: 'etcd leader killed',
    holdMs: 5000,
    wound: async ({ cluster }) => killed((await cluster.etcdLeader()).etcd),
  },
  {
    name: 'etcd leader frozen',
    holdMs: SHORT_MS,
    wound: async ({ cluster }) => frozen((await cluster.etcdLeader()).etcd),
  },
  {
    name: 'all of etcd frozen',
    holdMs: 30_000,
    wound: async ({ cluster }) => frozen(...cluster.nodes.map(({ etcd }) => etcd)),
  },
  { name: 'HAProxy killed', holdMs: 5000, wound: async ({ pair }) => killed(pair.haproxy) },
  { name: 'HAProxy frozen', holdMs: 10_000, wound: async ({ pair }) => frozen(pair.haproxy) },
  { name: 'PgBouncer killed', holdMs: 5000, wound: async ({ pair }) => killed(pair.pgbouncer) },
  { name: 'PgBouncer frozen', holdMs: 10_000, wound: async ({ pair }) => frozen(pair.pgbouncer) },
  {
    name: 'switchover',
    holdMs: 5000,
    wound: async ({ cluster }) => cluster.switchover().then(() => ({})),
  },
  {
    name: 'service restarted',
    holdMs: 0,
    wound: async ({ pair }) => pair.restart().then(() => ({})),
  },
  {
    name: 'service killed',
    holdMs: 5000,
    wound: async ({ pair }) => pair.kill(0).then(() => ({})),
  },
  { name: 'primary alone then killed', holdMs: 0, wound: loseStandbysFirst },
];

async function killPostmaster({ cluster }: ClusterStage): Promise<Injury> {
  process.kill(await (await cluster.primary()).postmaster(), 'SIGKILL');
  // Patroni looks every few seconds, and begins it again where it is.
  await sleep(1000);
  return {};
}

async function off(node: ClusterNode) {
  await node.powerOff();
  return {
    victim: node,
    reading: async () => node.startedByHand(),
    heal: async () => node.start(),
  };
}

async function freezePrimary({ machines, cluster }: ClusterStage): Promise<Injury> {
  const node = await cluster.primary();
  await machines.signalAll(node.name, 'SIGSTOP');
  return {
    victim: node,
    reading: async () => {
      signal(await node.ofPostgres(), 'SIGCONT');
      return async () => undefined;
    },
    heal: async () => machines.signalAll(node.name, 'SIGCONT'),
  };
}

/** Patroni goes on beside a server that answers nothing. */
async function freezeItsPostgres({ cluster }: ClusterStage): Promise<Injury> {
  const node = await cluster.primary();
  const pids = await node.ofPostgres();
  signal(pids, 'SIGSTOP');
  return {
    victim: node,
    heal: async () => signal(pids, 'SIGCONT'),
  };
}

async function cutPrimary({ machines, cluster }: ClusterStage): Promise<Injury> {
  const node = await cluster.primary();
  await machines.cable(node.name, 'down');
  const heal = async () => machines.cable(node.name, 'up');
  return { victim: node, reading: asItIs, heal };
}

/** The service still reaches it, and its standbys and etcd do not. */
async function partPrimary({ machines, cluster }: ClusterStage): Promise<Injury> {
  const node = await cluster.primary();
  await machines.part(node.name);
  return { victim: node, reading: asItIs, heal: async () => machines.join(node.name) };
}

async function freezeReplica({ machines, cluster }: ClusterStage): Promise<Injury> {
  const node = await cluster.standby();
  await machines.signalAll(node.name, 'SIGSTOP');
  return { heal: async () => machines.signalAll(node.name, 'SIGCONT') };
}

async function cutReplica({ machines, cluster }: ClusterStage): Promise<Injury> {
  const node = await cluster.standby();
  await machines.cable(node.name, 'down');
  return { heal: async () => machines.cable(node.name, 'up') };
}

/** The primary alone has the last payments, and dies. */
async function loseStandbysFirst({ cluster }: ClusterStage): Promise<Injury> {
  const node = await cluster.primary();
  const replicas = await cluster.replicas();
  const pids = (await Promise.all(replicas.map(async (one) => one.ofPostgres()))).flat();
  signal(pids, 'SIGSTOP');
  // Longer than a statement may take.
  await sleep(25_000);
  await node.powerOff();
  signal(pids, 'SIGCONT');
  // Patroni knows that the standbys lack too much, and rightly waits for the machine that has it.
  await sleep(SHORT_MS);
  node.start();
  return {};
}

/** It is started again by itself. */
async function killed(program: KeptProgram): Promise<Injury> {
  program.signal('SIGKILL');
  return {};
}

async function frozen(...programs: KeptProgram[]): Promise<Injury> {
  for (const one of programs) one.signal('SIGSTOP');
  return {
    heal: async () => {
      for (const one of programs) one.signal('SIGCONT');
    },
  };
}

async function asItIs(): Promise<() => Promise<void>> {
  return async () => undefined;
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It ended by itself meanwhile.
    }
  }
}
