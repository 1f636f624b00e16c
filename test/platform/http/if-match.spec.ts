import { describe, expect, it } from 'vitest';
import { ifMatch } from '../../../src/platform/http/if-match.js';

const read = (header?: string) =>
  ifMatch({ headers: header === undefined ? {} : { 'if-match': header } });

describe('If-Match', () => {
  it('is null, which allows any version, where it is absent or *', () => {
    expect(read()).toBeNull();
    expect(read('*')).toBeNull();
    expect(read(' * ')).toBeNull();
  });

  it.each<[string, number[]]>([
    ['"1"', [1]],
    ['"2147483647"', [2_147_483_647]],
    ['"1", "22","3"', [1, 22, 3]],
    [' , "1",, "2" ,', [1, 2]],
    ['"1"\t,\t"2"', [1, 2]],
    // Well-formed, and never ours: If-Match compares strongly, and a version has one spelling.
    ['W/"1"', []],
    ['W/"1", "2"', [2]],
    ['"01"', []],
    ['"0"', []],
    ['"-1"', []],
    ['"1.0"', []],
    ['"12345678901"', []],
    ['""', []],
    ['"abc"', []],
    ['"a,b", "3"', [3]],
    ['"\xfc"', []],
    ['"*"', []],
  ])('%j names %j', (header, versions) => {
    expect(read(header)).toEqual(versions);
  });

  it.each([
    '',
    ' ',
    ',',
    '1',
    '"1',
    '1"',
    "'1'",
    '"1" "2"',
    '"1"; "2"',
    '*, "1"',
    '"1", *',
    'w/"1"',
    'W/ "1"',
    'W/1',
    '"a b"',
    '"\u007f"',
    '"1"x',
    `${'"1",'.repeat(5000)}x`,
    `"1"${','.repeat(50_000)}x`,
    `"1"${' '.repeat(50_000)}x`,
  ])('refuses %#', (header) => {
    expect(() => read(header)).toThrow(
      expect.objectContaining({ status: 400, code: 'invalid_if_match' }),
    );
  });
});
