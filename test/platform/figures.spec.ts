import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { SystemClock } from '../../src/kernel/clock.js';
import { Figures, LOOK_UPS_DUE } from '../../src/platform/observability/figures.js';
import { configForTests } from '../../src/testing/service/service-config.js';
import { createLog } from '../../src/platform/observability/log.js';
import { Metrics } from '../../src/platform/observability/metrics.js';
import { ServiceStatus, shownDuration } from '../../src/platform/observability/service-status.js';
import { statusText } from '../../src/platform/observability/status-page.js';

const LATE = { name: 'late_seconds', help: 'How late it is.' };
const SIGN = { state: 'behind', above: 60, says: 'It is late', next: 'begin it' } as const;

let lines: string[];
let metrics: Metrics;
let figures: Figures;
let status: ServiceStatus;
let reads: number;

beforeEach(() => {
  lines = [];
  reads = 0;
  metrics = new Metrics();
  const log = createLog('info', { write: (line) => lines.push(line) });
  const clock = new SystemClock();
  figures = new Figures(metrics, clock, log);
  status = new ServiceStatus(figures, clock, configForTests(0, ''));
});

const scraped = async () => {
  const text = await metrics.registry.metrics();
  return text.split('\n').filter((line) => /^(late|look|waiting|figures)_/.test(line));
};

const counting = (seconds: number) => async () => {
  reads += 1;
  await sleep(1);
  return { seconds };
};

describe('figures of the installation', () => {
  it('are read once for all who look within some seconds', async () => {
    figures.measure(LATE, counting(1));
    await Promise.all([scraped(), scraped(), status.report(), scraped()]);
    expect([reads, await scraped()]).toEqual([1, ['late_seconds 1']]);
    figures.keptMs = 0;
    await scraped();
    expect(reads).toBe(2);
  });

  it('are absent where they cannot be read, counted, and told once by the log', async () => {
    figures.keptMs = 0;
    let broken = false;
    figures.measure(LATE, async () => {
      if (broken) throw new Error('no connection');
      return { seconds: 5 };
    });
    expect(await scraped()).toEqual(['late_seconds 5']);
    broken = true;
    expect(await scraped()).not.toContain('late_seconds 5');
    const [line, ...others] = await scraped();
    expect([line, others]).toEqual([
      expect.stringMatching(/^figures_failed_total\{figure="late_seconds"\} \d$/),
      [],
    ]);
    expect(lines.filter((one) => one.includes('figures could not be read'))).toHaveLength(1);
    expect(await status.report()).toMatchObject({
      state: 'failed',
      lines: [{ state: 'failed', value: null, shown: 'could not be read', metric: 'late_seconds' }],
    });
  });

  it('that hang hold up nobody, and are asked for only once', async () => {
    figures.keptMs = 0;
    let begun = 0;
    figures.measure({ ...LATE, name: 'late_one_seconds' }, async () => {
      begun += 1;
      return new Promise(() => {});
    });
    figures.measure(LATE, counting(1));
    figures.longestMs = 20;
    for (const _ of [1, 2, 3]) expect(await scraped()).toContain('late_seconds 1');
    expect(begun).toBe(1);
  });

  it('may share a name, each for a value of its label', async () => {
    const now = new Date();
    const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);
    figures.measureDue(LOOK_UPS_DUE, 'refunds', async () => ({ count: 2, oldest: ago(1000) }));
    figures.measureDue(LOOK_UPS_DUE, 'mandates', async () => ({ count: 0, oldest: null }));
    const sign = { says: 'Money', next: 'look' };
    figures.measureForPerson('money', sign, async () => ({ count: 3, oldest: ago(7300) }));
    expect(await scraped()).toEqual([
      'look_ups_due{of="refunds"} 2',
      'look_ups_due{of="mandates"} 0',
      expect.stringMatching(/^look_up_oldest_due_seconds\{of="refunds"\} 1000(\.\d+)?$/),
      'look_up_oldest_due_seconds{of="mandates"} 0',
      'waiting_for_person{what="money"} 3',
      expect.stringMatching(/^waiting_for_person_seconds\{what="money"\} 7300(\.\d+)?$/),
    ]);
    const { state, lines: told } = await status.report();
    expect([state, told.map((line) => [line.state, line.what, line.shown])]).toEqual([
      'behind',
      [
        ['behind', 'Providers are to be asked about refunds', '16 min 40 s'],
        ['waits', 'Money', '3'],
        ['fine', 'Providers are to be asked about mandates', '0 s'],
      ],
    ]);
  });
});

describe('the status', () => {
  it('has the worst first, each with its next step, and what is alike once where it is fine', async () => {
    const label = 'job';
    const failed = { state: 'failed', says: 'Jobs that failed', next: 'the log' } as const;
    figures.measure({ ...LATE, signs: [SIGN] }, async () => ({ seconds: 61 }));
    figures.measure({ name: 'a_jobs', help: 'Jobs.', label, signs: [failed] }, async () => ({
      mail: 0,
      seals: 1,
    }));
    figures.measure({ name: 'b_jobs', help: 'Jobs.', label, signs: [failed] }, async () => ({
      mail: 0,
      seals: 0,
    }));
    const report = await status.report();
    expect(statusText(report).split('\n').slice(1)).toEqual([
      '',
      'Failed',
      '  Jobs that failed, seals: 1',
      '    next: the log',
      '',
      'Behind',
      '  It is late: 1 min 1 s',
      '    next: begin it',
      '',
      'Fine',
      '  Jobs that failed: none',
    ]);
    expect(statusText(report)).toMatch(/^Something has failed\. \d{4}-.*, version \d/);
  });

  it.each([
    [59, 'fine'],
    [60, 'fine'],
    [60.5, 'behind'],
  ])('begins above its limit: %f is %s', async (seconds, state) => {
    figures.measure({ ...LATE, signs: [SIGN] }, async () => ({ seconds }));
    expect(await status.report()).toMatchObject({ state, lines: [{ state }] });
  });

  it.each([
    [0, '0 s'],
    [59.6, '1 min'],
    [7500, '2 h 5 min'],
    [86_400, '1 d'],
    [90_061, '1 d 1 h'],
  ])('shows %f seconds as %s', (seconds, shown) => {
    expect(shownDuration(seconds)).toBe(shown);
  });
});
