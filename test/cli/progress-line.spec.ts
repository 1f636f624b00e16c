import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProgressLine } from '../../src/cli/progress/progress-line.js';
import { durationText, TimeLeft } from '../../src/cli/progress/time-left.js';

const ERASE = '\r\u001b[2K';

const nowMs = () => Date.now();

describe('the line', () => {
  let written: string[] = [];
  const terminal = { columns: 60, write: (text: string) => written.push(text) };
  const aLine = (unit = 'checks') => new ProgressLine(terminal, 'integrity', unit, nowMs);

  beforeEach(() => {
    written = [];
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is painted at once, then twice a second, however often it is told', () => {
    const line = aLine();
    for (let done = 0; done < 1000; done += 1) line.show(done, 1000);
    expect(written).toEqual([`${ERASE}integrity: 0%, 0 of 1000 checks`]);
    vi.advanceTimersByTime(1000);
    expect(written).toHaveLength(3);
    line.end();
  });

  it('tells how long the rest will take, when it can', () => {
    const line = aLine('bytes');
    for (let halves = 0; halves <= 60; halves += 1) {
      line.show(halves * 1e7, 1.16e9);
      vi.advanceTimersByTime(500);
    }
    expect(written.at(-1)).toBe(`${ERASE}integrity: 51%, 0.6 of 1.2 GB, about 30 s left`);
    line.end();
  });

  it('leaves nothing behind, and comes back no more', () => {
    const line = aLine();
    line.show(1, 4);
    line.end();
    expect(written.at(-1)).toBe(ERASE);
    const count = written.length;
    line.show(2, 4);
    vi.advanceTimersByTime(5000);
    line.end();
    expect(written).toHaveLength(count);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('makes room for another line', () => {
    const line = aLine();
    line.clear();
    expect(written).toEqual([]);
    line.show(1, 4);
    line.clear();
    line.clear();
    expect(written.slice(1)).toEqual([ERASE]);
    vi.advanceTimersByTime(500);
    expect(written.at(-1)).toContain('1 of 4');
    line.end();
  });

  it('never goes on to a second row', () => {
    const narrow = { columns: 12, write: (text: string) => written.push(text) };
    const line = new ProgressLine(narrow, 'bank-statements.import', 'entries', nowMs);
    line.show(1, 4);
    expect(written).toEqual([`${ERASE}bank-statem`]);
    line.end();
  });

  it('is not there where there is nothing to do', () => {
    aLine().show(0, 0);
    expect(written).toEqual([]);
  });
});

/** After each second of a work of so many a second. */
function after(rates: number[], total: number): (number | undefined)[] {
  const left = new TimeLeft(0);
  let done = 0;
  return rates.map((rate, at) => left.after((at + 1) * 1000, (done += rate), total));
}

describe('the time left', () => {
  it('is not known at first, and not while nothing is done', () => {
    expect(after([5, 5], 100)).toEqual([undefined, expect.closeTo(18)]);
    expect(after([0, 0, 0, 0], 100)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('follows a rate that changes, slowly', () => {
    const before = Array.from({ length: 60 }, () => 10);
    const after60 = after([...before, 1], 1000).at(-1) ?? 0;
    // By the last second alone it would be 399.
    expect(after60).toBeGreaterThan(39);
    expect(after60).toBeLessThan(60);
    const slow = Array.from({ length: 120 }, () => 1);
    const later = after([...before, ...slow], 1000).at(-1) ?? 0;
    expect(later).toBeGreaterThan(200);
    expect(later).toBeLessThanOrEqual(280);
  });

  it('is never below nothing, if more is done than was there', () => {
    expect(after([50, 50, 50], 100).at(-1)).toBe(0);
  });

  it.each([
    [0, '1 s'],
    [7.2, '8 s'],
    [41, '45 s'],
    [89, '90 s'],
    [130, '3 min'],
    [7800, '2 h 10 min'],
  ])('of %d seconds is read as %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });
});
