import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { NumberPattern } from '../../src/documents/domain/numbering/number-pattern.js';
import {
  assertPattern,
  assertYear,
  BUILT_IN_SERIES,
  type NumberSeries,
  periodOf,
  raised,
  type Reset,
  RESETS,
} from '../../src/documents/domain/numbering/number-series.js';
import { DomainError } from '../../src/kernel/domain-error.js';
import { runsOf } from '../support/share.js';

const format = (pattern: string, date: string, sequence: bigint) =>
  NumberPattern.parse(pattern).format(date, sequence);
const read = (pattern: string, number: string) => NumberPattern.parse(pattern).read(number);
const collide = (one: string, other: string) =>
  NumberPattern.parse(one).canCollideWith(NumberPattern.parse(other));

/** The code and pointer of the refusal, or nothing. */
function refusal(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    const { code, errors } = error as DomainError;
    return [code, ...errors.map(({ pointer }) => pointer)].join(' ');
  }
}

/** Characters that mean something to regular expressions or to LIKE are among them. */
const literal = fc.string({
  unit: fc.constantFrom(
    'A',
    'b',
    '0',
    '1',
    '9',
    '-',
    '/',
    '.',
    '*',
    '\\',
    '(',
    '%',
    '_',
    'É',
    '号',
  ),
  maxLength: 4,
});
const dateToken = fc.constantFrom('{YYYY}', '{YY}', '{MM}');
const sequenceToken = fc.constantFrom('{SEQ}', '{SEQ:1}', '{SEQ:3}', '{SEQ:5}', '{SEQ:12}');
const pattern = fc
  .tuple(literal, dateToken, literal, sequenceToken, literal, dateToken)
  .chain((parts) => fc.shuffledSubarray([0, 1, 2, 4, 5]).map((kept) => ({ parts, kept })))
  .map(({ parts, kept }) =>
    [...kept, 3]
      .sort()
      .map((at) => parts[at])
      .join(''),
  )
  .filter((text) => NumberPattern.faultOf(text) === undefined);
const date = fc
  .tuple(fc.integer({ min: 2000, max: 2099 }), fc.integer({ min: 1, max: 12 }))
  .map(([year, month]) => `${year}-${String(month).padStart(2, '0')}-15`);
const sequence = fc.oneof(
  fc.bigInt({ min: 1n, max: 120n }),
  fc.bigInt({ min: 1n, max: 999_999_999_999_999_999n }),
);
const reset = fc.constantFrom(...RESETS);

describe('a pattern', () => {
  it.each([
    ['INV-{SEQ:5}', 'INV-00042'],
    ['INV-{YYYY}-{SEQ:5}', 'INV-2026-00042'],
    ['{YY}{MM}/{SEQ}', '2603/42'],
    ['{SEQ:1}', '42'],
    ['{SEQ:12} of {YYYY}', '000000000042 of 2026'],
    ['{MM}{SEQ:2}{YYYY}', '03422026'],
  ])('%s gives %s', (text, number) => {
    expect(format(text, '2026-03-31', 42n)).toBe(number);
  });

  it('grows beyond its width', () => {
    expect(format('R{SEQ:2}', '2026-01-01', 99n)).toBe('R99');
    expect(format('R{SEQ:2}', '2026-01-01', 100n)).toBe('R100');
    expect(format('R{SEQ:2}', '2026-01-01', 10n ** 15n)).toBe('R1000000000000000');
  });

  it.each([
    ['{SEQ}'],
    ['Rechnung №{SEQ:12}'],
    ['請求書-{YYYY}-{SEQ:4}'],
    ['{SEQ}'.padStart(40, 'x')],
    ['{YYYY}{YYYY}{SEQ}'],
  ])('may be %s', (text) => {
    expect(NumberPattern.faultOf(text)).toBeUndefined();
  });

  it.each([
    ['no text', ''],
    ['41 characters', '{SEQ}'.padStart(41, 'x')],
    ['no sequence', 'INV-{YYYY}'],
    ['two sequences', '{SEQ}-{SEQ:5}'],
    ['a width of 0', '{SEQ:0}'],
    ['a width of 13', '{SEQ:13}'],
    ['a padded width', '{SEQ:05}'],
    ['a width that is no number', '{SEQ:x}'],
    ['an unknown token', '{DD}{SEQ}'],
    ['a token in small letters', '{seq}{SEQ}'],
    ['a width on a year', '{YYYY:4}{SEQ}'],
    ['an empty token', '{}{SEQ}'],
    ['a lone opening brace', '{{SEQ}'],
    ['a lone closing brace', '{SEQ}}'],
    ['a NUL', '\0{SEQ}'],
    ['a line break', 'a\n{SEQ}'],
    ['a tab', 'a\t{SEQ}'],
    ['a delete character', '\u007f{SEQ}'],
    ['a no-break space', 'a\u00a0{SEQ}'],
    ['a zero-width space', 'a\u200b{SEQ}'],
    ['a right-to-left override', '\u202e{SEQ}'],
    ['half a surrogate pair', '\ud800{SEQ}'],
    ['a private character', '\ue000{SEQ}'],
    ['a leading space', ' {SEQ}'],
    ['a trailing space', '{SEQ} '],
  ])('does not have %s', (_, text) => {
    expect(NumberPattern.faultOf(text)).toMatch(/\w/);
    expect(refusal(() => assertPattern(text, 'never'))).toBe('invalid_pattern /pattern');
  });

  it('names what is strange in it', () => {
    expect(NumberPattern.faultOf('INV-{QQ}-{SEQ}')).toContain('{QQ}');
  });

  it.each<[Reset, string, boolean]>([
    ['never', '{SEQ}', true],
    ['never', '{MM}{SEQ}', true],
    ['year', '{SEQ}', false],
    ['year', '{MM}{SEQ}', false],
    ['year', '{YY}{SEQ}', true],
    ['year', '{YYYY}{SEQ}', true],
    ['month', '{YYYY}{SEQ}', false],
    ['month', '{MM}{SEQ}', false],
    ['month', '{YY}{MM}{SEQ}', true],
    ['month', '{SEQ}-{MM}-{YYYY}', true],
  ])('that starts again: %s, %s: %s', (when, text, fits) => {
    expect(refusal(() => assertPattern(text, when))).toBe(
      fits ? undefined : 'invalid_pattern /pattern',
    );
  });
});

describe('a period', () => {
  it.each<[Reset, string]>([
    ['never', ''],
    ['year', '2026'],
    ['month', '2026-11'],
  ])('of a count that starts again each %s is "%s"', (when, period) => {
    expect(periodOf(when, '2026-11-20')).toBe(period);
  });
});

describe('a number', () => {
  it.each([
    ['INV-{SEQ:5}', 'INV-00001'],
    ['INV-{SEQ:5}', 'INV-99999'],
    ['INV-{SEQ:5}', 'INV-100000'],
    ['INV-{YYYY}-{SEQ}', 'INV-2031-1'],
    ['{YY}{MM}{SEQ:2}', '311201'],
    ['{YYYY}{YY}{SEQ}', '2031317'],
    ['{SEQ}{YYYY}', '12026'],
  ])('of %s could be %s', (text, number) => {
    expect(read(text, number)).toBeDefined();
  });

  it.each([
    ['INV-{SEQ:5}', 'INV-0001'],
    ['INV-{SEQ:5}', 'INV-000001'],
    ['INV-{SEQ:5}', 'INV-00000'],
    ['INV-{SEQ:5}', 'inv-00001'],
    ['INV-{SEQ:5}', 'INV-00001 '],
    ['INV-{SEQ:5}', 'INV-0000A'],
    ['INV-{SEQ:5}', 'INV-٠٠٠٠١'],
    ['INV-{SEQ:5}', 'QUO-00001'],
    ['INV-{SEQ:5}', ''],
    ['INV.{SEQ:5}', 'INV-00001'],
    ['{SEQ}', '0'],
    ['{SEQ}', '-1'],
    ['{SEQ}', '1234567890123456789'],
    ['{YY}{MM}{SEQ:2}', '311301'],
    ['{YY}{MM}{SEQ:2}', '310001'],
    ['{YYYY}{YY}{SEQ}', '2031327'],
    ['{YYYY}-{SEQ}', '20x1-1'],
    ['{YYYY}{SEQ:5}', '2026'],
  ])('of %s could not be %j', (text, number) => {
    expect(read(text, number)).toBeUndefined();
  });

  it('is taken apart into what it was made of', () => {
    fc.assert(
      fc.property(pattern, reset, date, sequence, (text, when, day, count) => {
        fc.pre(refusal(() => assertPattern(text, when)) === undefined);
        const found = read(text, format(text, day, count));
        expect(found?.sequence).toBe(count);
        expect(periodOf(when, found?.month ?? '')).toBe(periodOf(when, day));
      }),
      runsOf(2000),
    );
  });

  it('is given once: other sequences and other periods have other numbers', () => {
    const place = fc.tuple(date, sequence);
    fc.assert(
      fc.property(pattern, reset, place, place, (text, when, one, other) => {
        fc.pre(refusal(() => assertPattern(text, when)) === undefined);
        const same = one[1] === other[1] && periodOf(when, one[0]) === periodOf(when, other[0]);
        fc.pre(!same);
        expect(format(text, ...one)).not.toBe(format(text, ...other));
      }),
      runsOf(2000),
    );
  });

  it('is given once in every century, as far as its series takes the year', () => {
    let met = 0;
    fc.assert(
      fc.property(pattern, reset, date, sequence, (text, when, day, count) => {
        fc.pre(refusal(() => assertPattern(text, when)) === undefined);
        const parsed = { series: 'web', pattern: NumberPattern.parse(text) };
        const taken = (one: string) =>
          refusal(() => assertYear(parsed, periodOf(when, one), one)) === undefined;
        expect(taken(day)).toBe(true);
        for (const century of ['19', '21']) {
          const other = `${century}${day.slice(2)}`;
          if (when === 'never' || !taken(other)) continue;
          met += 1;
          expect(format(text, other, count)).not.toBe(format(text, day, count));
        }
      }),
      runsOf(2000),
    );
    expect(met).toBeGreaterThan(30);
  });

  it('is found by the expression of its pattern, its sequence in the middle', () => {
    fc.assert(
      fc.property(pattern, date, sequence, (text, day, count) => {
        const number = format(text, day, count);
        const { expression } = NumberPattern.parse(text);
        const [, head = '', middle = '', tail = ''] = new RegExp(expression).exec(number) ?? [];
        expect(BigInt(middle)).toBe(count);
        expect(head + middle + tail).toBe(number);
      }),
      runsOf(2000),
    );
  });

  it('is read from any text without fault', () => {
    const text = fc.string({ unit: 'binary', maxLength: 20 });
    fc.assert(
      fc.property(pattern, fc.oneof(text, literal), (own, number) => {
        const found = read(own, number);
        if (found) expect(format(own, found.month, found.sequence)).toBe(number);
      }),
    );
  });
});

describe('two patterns', () => {
  it.each([
    ['INV-{SEQ:5}', 'INV-{SEQ:5}'],
    ['INV-{SEQ:5}', 'INV-{SEQ:3}'],
    ['INV-{YYYY}-{SEQ}', 'INV-{YY}26-{SEQ:3}'],
    ['INV-2026-{SEQ}', 'INV-{YYYY}-{SEQ:7}'],
    // The 20260001st of the one.
    ['INV-{SEQ:5}', 'INV-{YYYY}{SEQ:4}'],
    ['{SEQ}1', '1{SEQ}'],
    ['1{SEQ}', '12{SEQ:3}34'],
    // First in 1234.
    ['12{SEQ}', '{SEQ}34'],
  ])('%s and %s can collide', (one, other) => {
    expect([collide(one, other), collide(other, one)]).toEqual([true, true]);
  });

  it.each([
    ['INV-{SEQ:5}', 'QUO-{SEQ:5}'],
    ['INV-{SEQ:5}', 'INV-{YYYY}-{SEQ:5}'],
    ['INV-{YYYY}-{SEQ}', 'INV-{MM}-{SEQ}'],
    ['{MM}-{SEQ}', '20-{SEQ}'],
    // Zeros only pad: 001 is no number of the first.
    ['{SEQ:2}', '0{SEQ:2}'],
    ['{SEQ}A', '{SEQ}B'],
    ['A{SEQ}', '{SEQ}'],
  ])('%s and %s cannot', (one, other) => {
    expect([collide(one, other), collide(other, one)]).toEqual([false, false]);
  });

  it('that give one number can collide', () => {
    const small = fc
      .array(fc.constantFrom('0', '1', '2', '{YY}', '{MM}'), { maxLength: 3 })
      .chain((parts) =>
        fc
          .tuple(fc.nat(parts.length), fc.integer({ min: 1, max: 3 }))
          .map(([at, width]) =>
            [...parts.slice(0, at), `{SEQ:${width}}`, ...parts.slice(at)].join(''),
          ),
      );
    let met = 0;
    fc.assert(
      fc.property(small, small, date, sequence, (one, other, day, count) => {
        const number = format(one, day, count);
        if (!read(other, number)) return;
        met += 1;
        expect([collide(one, other), collide(other, one)]).toEqual([true, true]);
      }),
      runsOf(3000),
    );
    expect(met).toBeGreaterThan(100);
  });

  it('are apart among those that are built in', () => {
    for (const one of BUILT_IN_SERIES) {
      expect(refusal(() => assertPattern(one.pattern, one.reset))).toBeUndefined();
      for (const other of BUILT_IN_SERIES) {
        expect(collide(one.pattern, other.pattern)).toBe(one === other);
      }
    }
  });
});

describe('a counter', () => {
  const series: NumberSeries = {
    series: 'web',
    kind: 'invoice',
    pattern: 'W{SEQ}',
    reset: 'never',
    isDefault: false,
    datesInOrder: false,
    startAt: 100n,
    createdAt: null,
  };
  const raise = (counter: { first: bigint; last: bigint } | undefined, next: bigint) =>
    raised(series, '', counter, next);

  it('is raised before its first number', () => {
    expect(raise(undefined, 123n)).toEqual({ first: 123n, last: 122n });
    expect(raise({ first: 123n, last: 122n }, 150n)).toEqual({ first: 150n, last: 149n });
    expect(raise({ first: 123n, last: 122n }, 110n)).toEqual({ first: 110n, last: 109n });
  });

  it('stays where it is told to be already', () => {
    expect(raise({ first: 100n, last: 104n }, 105n)).toEqual({ first: 100n, last: 104n });
  });

  it('is not moved after its first number, nor below its start', () => {
    for (const next of [99n, 104n, 106n]) {
      expect(refusal(() => raise({ first: 100n, last: 104n }, next))).toBe('counter_not_raisable');
    }
    expect(refusal(() => raise(undefined, 99n))).toBe('counter_not_raisable');
  });
});
