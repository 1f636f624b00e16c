import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { atTime } from '../../src/kernel/clock.js';
import { TestClock } from '../../src/testing/test-clock.js';
import type { Config } from '../../src/platform/config/config.js';
import { Jobs } from '../../src/platform/jobs.js';
import { CommonRefusal } from '../../src/kernel/common-refusals.js';
import { createLog } from '../../src/platform/observability/log.js';

const lines: string[] = [];
const log = createLog('info', { write: (line) => lines.push(line) });
const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

let jobs: Jobs;
let run: ReturnType<typeof vi.fn<() => Promise<unknown>>>;

const inProcess = (doesJobs: boolean, readOnly = false) =>
  (jobs = new Jobs({ doesJobs, readOnly } as Config, log));

/** One round that takes so long. */
const takesOnce = (ms: number) =>
  run.mockImplementationOnce(async () => new Promise((resolve) => setTimeout(resolve, ms)));

async function workOff(most: number, work: (item: number) => Promise<unknown>): Promise<number> {
  const due = [1, 2, 3];
  const job = jobs.every(10, 'it failed', run);
  return job.workOff(
    most,
    async () => due.shift(),
    work,
    (item) => ({ item }),
  );
}

beforeEach(() => {
  vi.useFakeTimers();
  lines.length = 0;
  run = vi.fn<() => Promise<unknown>>().mockResolvedValue(undefined);
  inProcess(true);
});
afterEach(() => vi.useRealTimers());

async function roundsIn(ms: number): Promise<number> {
  jobs.onApplicationBootstrap();
  await vi.advanceTimersByTimeAsync(ms);
  return run.mock.calls.length;
}

describe('of a service that only reads', () => {
  it('those that change nothing are done, and no last round of the others', async () => {
    inProcess(true, true);
    jobs.every(10, 'it failed', run, { inEachProcess: true, atStop: 'once more' });
    expect(await roundsIn(35)).toBe(0);
    await jobs.onModuleDestroy();
    expect(run).not.toHaveBeenCalled();
    inProcess(true, true).every(10, 'it failed', run, { onlyReads: true });
    expect(await roundsIn(35)).toBe(3);
  });
});

describe('on a database that takes no changes', () => {
  it('jobs tell it once for all, and once that they go on', async () => {
    const refused = CommonRefusal.database_read_only.of();
    const other = vi.fn<() => Promise<unknown>>().mockRejectedValue({ code: '25006' });
    run.mockRejectedValue(refused);
    jobs.every(10, 'it failed', run);
    const items = jobs.every(10, 'it failed, too', other);
    await roundsIn(55);
    items.failed(refused, { document: 'doc_1' });
    expect(logged()).toEqual([
      expect.objectContaining({
        level: 'warn',
        msg: expect.stringContaining('the database takes no changes') as string,
      }),
    ]);
    expect(lines.join('')).not.toContain('stack');
    run.mockResolvedValue(1);
    await vi.advanceTimersByTimeAsync(20);
    expect(lines).toHaveLength(1);
    other.mockResolvedValue(1);
    await vi.advanceTimersByTimeAsync(20);
    expect(logged()[1]).toMatchObject({ level: 'info' });
    expect(lines).toHaveLength(2);
    run.mockRejectedValue(new Error('another one'));
    await vi.advanceTimersByTimeAsync(10);
    expect(logged()[2]).toMatchObject({ msg: 'it failed' });
  });
});

describe('a job', () => {
  it('has rounds from the start of the application on', async () => {
    jobs.every(10, 'it failed', run);
    await vi.advanceTimersByTimeAsync(100);
    expect(run).not.toHaveBeenCalled();
    expect(await roundsIn(35)).toBe(3);
  });

  it('is done by one process, or by each', async () => {
    inProcess(false);
    const job = jobs.every(10, 'it failed', run);
    await job.begin();
    expect(await roundsIn(35)).toBe(0);
    inProcess(false).every(10, 'it failed', run, { inEachProcess: true });
    expect(await roundsIn(35)).toBe(3);
  });

  it('is off at 0', async () => {
    jobs.every(0, 'it failed', run);
    expect(await roundsIn(35)).toBe(0);
  });

  it('never has two rounds at once', async () => {
    jobs.every(10, 'it failed', run);
    takesOnce(25);
    expect(await roundsIn(35)).toBe(1);
    await vi.advanceTimersByTimeAsync(10);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('goes on after a round that failed, and says so', async () => {
    jobs.every(10, 'it failed', run);
    run.mockRejectedValueOnce(new Error('no luck'));
    expect(await roundsIn(25)).toBe(2);
    expect(logged()).toMatchObject([{ msg: 'it failed' }]);
  });

  it('begins anew after the round that is under way', async () => {
    const job = jobs.every(10, 'it failed', run);
    takesOnce(25);
    void job.begin();
    void job.beginAnew();
    await vi.advanceTimersByTimeAsync(20);
    expect(run).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(10);
    expect(run).toHaveBeenCalledTimes(2);
  });
});

describe('the end of the process', () => {
  it.each([
    { atStop: 'wait', isWaitedFor: true, rounds: 1 },
    { atStop: 'leave', isWaitedFor: false, rounds: 1 },
    { atStop: 'once more', isWaitedFor: true, rounds: 2 },
  ] as const)('may $atStop', async ({ atStop, isWaitedFor, rounds }) => {
    const job = jobs.every(10, 'it failed', run, { atStop });
    takesOnce(100);
    expect(await roundsIn(15)).toBe(1);
    const ended = vi.fn<() => void>();
    const stopping = jobs.onModuleDestroy().then(ended);
    await vi.advanceTimersByTimeAsync(50);
    expect(job.isStopping).toBe(true);
    expect(ended).toHaveBeenCalledTimes(isWaitedFor ? 0 : 1);
    await vi.advanceTimersByTimeAsync(50);
    await stopping;
    await job.begin();
    await vi.advanceTimersByTimeAsync(50);
    expect(run).toHaveBeenCalledTimes(rounds);
  });
});

describe('what is due', () => {
  it('is worked off to its end, or to the bound', async () => {
    expect(await workOff(10, run)).toBe(3);
    expect(await workOff(2, run)).toBe(2);
  });

  it('is not kept by one that fails', async () => {
    run.mockRejectedValueOnce(new Error('no luck'));
    expect(await workOff(10, run)).toBe(3);
    expect(logged()).toMatchObject([{ msg: 'it failed', item: 1 }]);
  });

  it('is left to the next process when we stop', async () => {
    expect(await workOff(10, async () => jobs.onModuleDestroy())).toBe(1);
  });
});

describe('a round that a request began', () => {
  it('is in the time of nobody', async () => {
    const clock = new TestClock();
    const seen: number[] = [];
    run.mockImplementation(async () => seen.push(clock.now().getFullYear()));
    const job = jobs.every(10, 'it failed', run);
    await atTime(new Date('2044-05-06T07:08:09Z'), () => job.begin());
    expect(seen).toEqual([clock.serverNow().getFullYear()]);
  });
});
