import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';
import {
  longestStopMs,
  type OpenDatabase,
  openMigrated,
  prepareGateways,
  type Service,
} from './boot.js';
import type { Installation } from './extensions/installation.js';
import type { Together } from './drain.js';
import type { Config } from './platform/config/config.js';
import { withoutJobs } from './platform/config/roles.js';
import type { DatabaseUrls } from './platform/database/roles.js';
import type { Log } from './platform/observability/log.js';
import { Metrics } from './platform/observability/metrics.js';
import { MetricsServer } from './platform/observability/metrics-server.js';
import { ServiceStatus, type StatusReport } from './platform/observability/service-status.js';
import { within } from './platform/within.js';

/** The first process sets it for the others. It is no setting of the operator's. */
const PLACE = 'QUITTANCE_PROCESS_PLACE';
const AGAIN_MS = 1000;
/** A process that ends so often before it was ready ends the service. */
const MOST_STARTS = 5;
/** A process that has said why ends with it: to start it again would only say it twice. */
const SAID_WHY = 1;
/** A connection that the first one has taken needs less until another one has it. */
const HANDED_OVER_MS = 50;
const TOGETHER_MS = 3000;
const ANSWER_MS = 5000;

/** One of several processes, as the first one tells it. */
export interface ProcessPlace {
  /** 0 does the jobs. */
  place: number;
  of: number;
  database: DatabaseUrls;
}

type Step = Parameters<Together>[0];
/** All that the first one asks the others, and what they tell. */
interface Answers {
  status: StatusReport;
  metrics: MetricObjectWithValues<MetricValue<string>>[];
}
type Question = keyof Answers;
type ToFirst =
  | { kind: 'ready' }
  | { kind: 'draining'; step: Step }
  | { kind: 'answer'; question: Question; answer: Answers[Question] };
type ToOther =
  | { kind: 'stop' }
  | { kind: 'draining'; step: Step }
  | { kind: 'question'; question: Question };

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
  return { ...withoutJobs(own), demo: false };
}

/** Tells the first process that this one is ready, and from now on metrics and status when it asks. */
export function join({ app }: Service, onStop: () => void): void {
  const answers: { [Asked in Question]: () => Promise<Answers[Asked]> } = {
    status: async () => app.get(ServiceStatus).report(),
    metrics: async () => app.get(Metrics).registry.getMetricsAsJSON(),
  };
  const answer = async (question: Question) =>
    tell(process, { kind: 'answer', question, answer: await answers[question]() });
  process.on('message', (message: ToOther) => {
    if (message.kind === 'stop') onStop();
    if (message.kind === 'question') void answer(message.question);
  });
  tell(process, { kind: 'ready' });
}

/** Waits for the other processes. One that is stopped alone is let go at once. */
export const together: Together = async (step) => {
  let onMessage: ((message: ToOther) => void) | undefined;
  const told = new Promise<void>((resolve) => {
    onMessage = (message) => {
      if (message.kind === 'draining' && message.step === step) resolve();
    };
    process.on('message', onMessage);
    tell(process, { kind: 'draining', step });
  });
  await Promise.race([told, sleep(TOGETHER_MS)]);
  if (onMessage) process.off('message', onMessage);
};

/**
 * The first of several processes. It opens the database, starts the others, which share a port, and
 * starts one again that ends. It answers no request itself, but those for the metrics of all.
 */
export class Processes {
  private readonly workers = new Map<number, Worker>();
  private readonly starting = new Set<Worker>();
  private readonly drained: Record<Step, Set<Worker>> = { calm: new Set(), closed: new Set() };
  private isStopping = false;
  private metrics?: MetricsServer;

  private constructor(
    private readonly config: Config,
    private readonly log: Log,
    private readonly database: OpenDatabase,
  ) {}

  /** @throws ConfigError, or an error without words where another process has said what is wrong */
  static async start(
    config: Config,
    log: Log,
    installation: Installation,
    signal: AbortSignal,
  ): Promise<Processes> {
    await prepareGateways(config, installation.providers);
    let processes: Processes | undefined;
    const database = await openMigrated(config, log, installation, () => {
      void Promise.resolve(processes?.stop()).finally(() => process.exit(1));
    });
    processes = new Processes(config, log, database);
    try {
      signal.throwIfAborted();
      await processes.serveMetrics();
      await Promise.race([processes.addAll(), abortOf(signal)]);
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
    this.metrics = await MetricsServer.start(metrics, this.log, {
      metrics: () => within(ANSWER_MS, 'the metrics', this.readMetrics()),
      status: () => within(ANSWER_MS, 'the status', this.status()),
    });
  }

  /** Of all that serve: one that starts has counted nothing. @throws Error while none does */
  private async readMetrics(): Promise<string> {
    const serving = [...this.workers.values()].filter((worker) => !this.starting.has(worker));
    const told = await Promise.all(serving.map((worker) => answerOf(worker, 'metrics')));
    const metrics = told.filter((one) => one !== null);
    if (metrics.length === 0) throw new Error('all processes start');
    return AggregatorRegistry.aggregate(metrics).metrics();
  }

  /** Of the process that does the jobs. @throws Error while that one starts again */
  private async status(): Promise<StatusReport> {
    const worker = this.workers.get(0);
    const isServing = worker !== undefined && !this.starting.has(worker);
    const report = isServing ? await answerOf(worker, 'status') : null;
    if (!report) throw new Error('the process that knows it starts');
    return report;
  }

  private async addAll(): Promise<void> {
    const [first, ...others] = Array.from({ length: this.config.processes }, (_, place) => place);
    // The first alone: what keeps it from starting is told once.
    await this.addInTime(first ?? 0);
    await Promise.all(others.map((place) => this.addInTime(place)));
  }

  /** Again where something killed it, such as a lack of memory; not where it has said why it ends. */
  private async addInTime(place: number): Promise<void> {
    for (let starts = 1; ; starts += 1) {
      try {
        return await this.add(place);
      } catch (error) {
        const isLast = starts === MOST_STARTS || (error as NotStarted).code === SAID_WHY;
        if (isLast && !this.isStopping) this.log.error({ place, starts }, 'the service ends');
        if (isLast || this.isStopping) throw error;
        await sleep(AGAIN_MS);
      }
    }
  }

  /**
   * Resolves when it is ready.
   * @throws NotStarted when it ends before that, which the log has told
   */
  private async add(place: number): Promise<void> {
    if (this.isStopping) throw new NotStarted(null);
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
        if (message.kind === 'draining') void this.letGo(worker, message.step);
      });
      worker.once('exit', (code: number | null, signal: string | null) => {
        this.workers.delete(place);
        const wasReady = !this.starting.delete(worker);
        if (!this.isStopping) {
          const { pid } = worker.process;
          const what = wasReady ? 'ended, and is started again' : 'ended before it was ready';
          this.log.error({ place, pid, code, signal }, `a process of the service ${what}`);
        }
        reject(new NotStarted(code));
        if (wasReady) void this.replace(place);
      });
    });
  }

  private async replace(place: number): Promise<void> {
    while (!this.isStopping) {
      const isReady = await this.add(place).then(
        () => true,
        () => false,
      );
      if (isReady) return;
      await sleep(AGAIN_MS);
    }
  }

  /** All go on when the last of them has come so far: no connection finds the port half closed. */
  private async letGo(worker: Worker, step: Step): Promise<void> {
    const come = this.drained[step].add(worker);
    const isAlone = !this.isStopping || this.starting.has(worker);
    if (isAlone) return tell(worker, { kind: 'draining', step });
    const all = [...this.workers.values()].filter((one) => !this.starting.has(one));
    if (!all.every((one) => come.has(one))) return undefined;
    if (step === 'calm') await sleep(HANDED_OVER_MS);
    for (const one of all) tell(one, { kind: 'draining', step });
    return undefined;
  }
}

/** The log has told it. */
export class NotStarted extends Error {
  constructor(readonly code: number | null) {
    super();
  }
}

async function abortOf(signal: AbortSignal): Promise<never> {
  await once(signal, 'abort');
  throw signal.reason;
}

/** Null where it ends before it has told. */
async function answerOf<Asked extends Question>(
  worker: Worker,
  question: Asked,
): Promise<Answers[Asked] | null> {
  return new Promise((resolve) => {
    const end = (answer: Answers[Asked] | null) => {
      worker.off('message', listen).off('exit', onExit);
      resolve(answer);
    };
    const onExit = () => end(null);
    const listen = (message: ToFirst) => {
      if (message.kind !== 'answer' || message.question !== question) return;
      end(message.answer as Answers[Asked]);
    };
    worker.on('message', listen).on('exit', onExit);
    tell(worker, { kind: 'question', question });
  });
}

/** A process that is gone needs no message any more. */
function tell(whom: Worker | NodeJS.Process, message: ToFirst | ToOther): void {
  whom.send?.(message, undefined, {}, () => undefined);
}
