import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { atTime } from '../kernel/clock.js';
import { Config } from './config/config.js';
import { isReadOnlyError } from './database/database-error.js';
import { Log } from './observability/log.js';
import { tracing } from './tracing/tracing.js';

/** A round that is under way when we stop is waited for, or left alone; or one more follows it. */
type AtStop = 'wait' | 'leave' | 'once more';

interface JobOptions {
  /** Of its rounds in traces. */
  name?: string;
  /** Not only in the process that does the jobs. */
  inEachProcess?: boolean;
  /** It changes nothing, so that a service that only reads does it, too. */
  onlyReads?: boolean;
  atStop?: AtStop;
}

/** Work in rounds, never two of them at once in this process. */
export class Job {
  private timer?: NodeJS.Timeout;
  /** The one under way, or the last one. It never fails. */
  private round: Promise<void> = Promise.resolve();
  private isRunning = false;
  /** Whether the last round that ended has failed. */
  hasFailed = false;
  private readonly ending = new AbortController();
  readonly stopping = this.ending.signal;

  /** @param everyMs 0: never, since another process does it */
  constructor(
    private readonly everyMs: number,
    private readonly run: () => Promise<unknown>,
    /** Tells of a failure that ends no round, too; `of` says what it is about. */
    readonly failed: (error: unknown, of?: object) => void,
    private readonly name = 'job',
  ) {}

  /** A long round looks here between its steps. */
  get isStopping(): boolean {
    return this.stopping.aborted;
  }

  start(): void {
    if (this.everyMs > 0) this.timer = setInterval(() => void this.begin(), this.everyMs).unref();
  }

  /** A round now, unless one is under way. @returns when it has ended */
  async begin(): Promise<void> {
    if (this.everyMs > 0 && !this.isRunning && !this.isStopping) this.round = this.runOnce();
    await this.round;
  }

  /** One that is under way may have begun too early. */
  async beginAnew(): Promise<void> {
    await this.round;
    await this.begin();
  }

  async stop(atStop: AtStop = 'wait'): Promise<void> {
    this.ending.abort();
    clearInterval(this.timer);
    if (atStop === 'leave') return;
    await this.round;
    if (atStop === 'once more' && this.everyMs > 0) await this.runOnce();
  }

  /**
   * Takes one after the other: those that are not taken before we stop are found by the next process.
   * One that fails does not keep the others.
   * @returns how many were taken
   */
  async workOff<Item>(
    most: number,
    take: () => Promise<Item | undefined>,
    work: (item: Item) => Promise<unknown>,
    nameOf: (item: Item) => object,
  ): Promise<number> {
    let taken = 0;
    while (taken < most && !this.isStopping) {
      const item = await take();
      if (item === undefined) break;
      taken += 1;
      await work(item).catch((error: unknown) => this.failed(error, nameOf(item)));
    }
    return taken;
  }

  /**
   * Those that were found, one after the other, until we stop. One that fails does not keep the others.
   * @param work whether it did anything
   * @returns how many did
   */
  async each<Item>(
    items: readonly Item[],
    work: (item: Item) => Promise<unknown>,
    nameOf: (item: Item) => object,
  ): Promise<number> {
    let count = 0;
    for (const item of items) {
      if (this.isStopping) break;
      try {
        if (await work(item)) count += 1;
      } catch (error) {
        this.failed(error, nameOf(item));
      }
    }
    return count;
  }

  private async runOnce(): Promise<void> {
    this.isRunning = true;
    try {
      // A request may have begun it, and a round is for all.
      await atTime(null, async () => tracing.round(this.name, this.run));
      this.hasFailed = false;
    } catch (error) {
      this.hasFailed = true;
      this.failed(error);
    } finally {
      this.isRunning = false;
    }
  }
}

/**
 * Starts the jobs with the application. They end in `onModuleDestroy`: connections that they need are
 * closed in `onApplicationShutdown`.
 */
@Injectable()
export class Jobs implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly all: { job: Job; atStop: AtStop; failure: string }[] = [];
  /** Those whose last round the database refused, as it takes no changes. */
  private readonly refused = new Set<Job>();

  constructor(
    private readonly config: Config,
    private readonly log: Log,
  ) {}

  /**
   * @param everyMs 0: never; or as the configuration says
   * @param failure the words of the log for it
   */
  every(
    everyMs: number | ((config: Config) => number),
    failure: string,
    run: () => Promise<unknown>,
    { name, inEachProcess = false, onlyReads = false, atStop = 'wait' }: JobOptions = {},
  ): Job {
    const { readOnly, doesJobs } = this.config;
    const isOurs = readOnly ? onlyReads : inEachProcess || doesJobs;
    const ms = typeof everyMs === 'number' ? everyMs : everyMs(this.config);
    let isRefused = false;
    const failed = (error: unknown, of?: object) => {
      isRefused = isReadOnlyError(error);
      if (isRefused) this.noteRefused(job);
      else this.log.warn({ error, ...of }, failure);
    };
    const round = async () => {
      isRefused = false;
      const done = await run();
      if (!isRefused) this.noteTaken(job);
      return done;
    };
    const job = new Job(isOurs ? ms : 0, round, failed, name);
    this.all.push({ job, atStop, failure });
    return job;
  }

  /** By the words of the log for it, whether the last round of a job has failed. */
  get hasFailed(): ReadonlyMap<string, boolean> {
    return new Map(this.all.map(({ job, failure }) => [failure, job.hasFailed]));
  }

  /** A line for all of them, and none for each round. */
  private noteRefused(job: Job): void {
    if (this.refused.size === 0) {
      this.log.warn(
        {},
        'the database takes no changes: it follows another one, or was made read-only; jobs wait until it does',
      );
    }
    this.refused.add(job);
  }

  private noteTaken(job: Job): void {
    if (!this.refused.delete(job) || this.refused.size > 0) return;
    this.log.info({}, 'the database takes changes again, and jobs go on');
  }

  onApplicationBootstrap(): void {
    for (const { job } of this.all) job.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.all.map(({ job, atStop }) => job.stop(atStop)));
  }
}
