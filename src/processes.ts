import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';
import {
  longestStopMs,
  type OpenDatabase,
  openMigrated,
  prepareGateways,
  type Service,
} from './boot.js';
import type { Providers } from './gateways/index.js';
import type { Config } from './platform/config/config.js';
import type { DatabaseUrls } from './platform/database/roles.js';
import type { Log } from './platform/observability/log.js';
import { Metrics } from './platform/observability/metrics.js';
import { MetricsServer } from './platform/observability/metrics-server.js';
import { within } from './platform/within.js';

/** The first process sets it for the others. It is no setting of the operator's. */
const PLACE = 'QUITTANCE_PROCESS_PLACE';
const AGAIN_MS = 1000;

/** In the first process it asks the others for their metrics, and in those it answers. */
const METRICS = new AggregatorRegistry();

/** One of several processes, as the first one tells it. */
export interface ProcessPlace {
  /** 0 does the jobs. */
  place: number;
  of: number;
  database: DatabaseUrls;
}

type ToFirst = { kind: 'ready' };
type ToOther = { kind: 'stop' };

/** Null: this process is the first, or alone. */
export function placeOf(environment: NodeJS.ProcessEnv): ProcessPlace | null {
  const told = environment[PLACE];
  return cluster.isWorker && told !== undefined ? (JSON.parse(told) as ProcessPlace) : null;
}

/** The settings of one of several: they share the connections, and one does the jobs. */
export function configOf(config: Config, { place, of }: ProcessPlace): Config {
  const databasePoolSize = Math.max(2, Math.ceil(config.databasePoolSize / of));
  const own = { ...config, databasePoolSize, metrics: null };
  if (place === 0) return own;
  return {
    ...own,
    demo: false,
    doesJobs: false,
    sealSeconds: 0,
    integrityHours: 0,
    mailSeconds: 0,
  };
}

/** Tells the first process that this one is ready, and from now on its metrics when it asks. */
export function join({ app }: Service, onStop: () => void): void {
  process.on('message', (message: ToOther) => {
    if (message.kind === 'stop') onStop();
  });
  AggregatorRegistry.setRegistries(app.get(Metrics).registry);
  tell(process, { kind: 'ready' });
}

/**
 * The first of several processes. It opens the database, starts the others, which share a port, and
 * starts one again that ends. It answers no request itself, but those for the metrics of all.
 */
export class Processes {
  private readonly workers = new Map<number, Worker>();
  private readonly starting = new Set<Worker>();
  private isStopping = false;
  private metrics?: MetricsServer;

  private constructor(
    private readonly config: Config,
    private readonly log: Log,
    private readonly database: OpenDatabase,
  ) {}

  /** @throws ConfigError, or an error without words where another process has said what is wrong */
  static async start(config: Config, log: Log, providers: Providers): Promise<Processes> {
    await prepareGateways(config, providers);
    let processes: Processes | undefined;
    const database = await openMigrated(config, log, () => {
      void Promise.resolve(processes?.stop()).finally(() => process.exit(1));
    });
    processes = new Processes(config, log, database);
    try {
      await processes.serveMetrics();
      // The first alone: what keeps it from starting is told once.
      await processes.add(0);
      const others = Array.from({ length: config.processes - 1 }, (_, index) => index + 1);
      await Promise.all(others.map((place) => processes?.add(place)));
      return processes;
    } catch (error) {
      await processes.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    const workers = [...this.workers.values()];
    const ended = workers.map(
      (worker) => new Promise<void>((resolve) => worker.once('exit', () => resolve())),
    );
    for (const worker of workers) {
      // One that starts does not listen yet, and has no request under way.
      if (this.starting.has(worker)) worker.process.kill('SIGTERM');
      else tell(worker, { kind: 'stop' });
    }
    try {
      await within(longestStopMs(this.config), 'the processes', Promise.all(ended));
    } catch {
      this.log.warn({}, 'processes that did not stop in time are killed');
      for (const worker of workers) worker.process.kill('SIGKILL');
      await Promise.all(ended);
    }
    await this.metrics?.stop();
    await this.database.stop();
  }

  private async serveMetrics(): Promise<void> {
    const { metrics } = this.config;
    if (!metrics) return;
    this.metrics = await MetricsServer.start(metrics, this.log, async () =>
      METRICS.clusterMetrics(),
    );
  }

  /** Resolves when it is ready. */
  private async add(place: number): Promise<void> {
    const told: ProcessPlace = { place, of: this.config.processes, database: this.database.urls };
    const worker = cluster.fork({ [PLACE]: JSON.stringify(told) });
    this.workers.set(place, worker);
    this.starting.add(worker);
    await new Promise<void>((resolve, reject) => {
      worker.on('message', (message: ToFirst) => {
        if (message.kind === 'ready') {
          this.starting.delete(worker);
          resolve();
        }
      });
      worker.once('exit', () => {
        this.workers.delete(place);
        this.starting.delete(worker);
        reject(new NotStarted());
      });
    });
    worker.once('exit', (code, signal) => void this.replace(place, code, signal));
  }

  private async replace(place: number, code: number, signal: string): Promise<void> {
    if (this.isStopping) return;
    this.log.error({ place, code, signal }, 'a process of the service ended, and is started again');
    while (!this.isStopping) {
      const isReady = await this.add(place).then(
        () => true,
        () => false,
      );
      if (isReady) return;
      await sleep(AGAIN_MS);
    }
  }
}

/** It has said itself why. */
export class NotStarted extends Error {}

/** A process that is gone needs no message any more. */
function tell(whom: Worker | NodeJS.Process, message: ToFirst | ToOther): void {
  whom.send?.(message, undefined, {}, () => undefined);
}
