import { describe, expect, it } from '@jest/globals';
import { type Cell, csvLine, csvOf } from '../../../src/platform/http/csv.js';

describe('a line of CSV', () => {
  it.each<[Cell[], string]>([
    [['a', 1, -2n, null, ''], 'a,1,-2,,'],
    [['a,b', 'say "hi"', 'two\r\nlines'], '"a,b","say ""hi""","two\r\nlines"'],
    [['=1+1', '+49', '-1', '@SUM(A1)'], "'=1+1,'+49,'-1,'@SUM(A1)"],
    [['\t=1', '\r=1', '\n=1'], `'\t=1,"'\r=1","'\n=1"`],
    [['＝1', '＋1', '－1', '＠A'], "'＝1,'＋1,'－1,'＠A"],
    [['="a,b"'], '"\'=""a,b"""'],
    [['a=1', ' -', 'ü'], 'a=1, -,ü'],
  ])('of %j is as RFC 4180 and spreadsheets want it', (cells, line) => {
    expect(csvLine(cells)).toBe(`${line}\r\n`);
  });

  it('follows one header, however many parts the file comes in', async () => {
    const parts: string[] = [];
    for await (const part of csvOf(['b', 'a'], pages())) parts.push(part);
    expect(parts).toEqual(['b,a\r\n2,1\r\n', '4,3\r\n']);
  });
});

async function* pages() {
  yield [{ a: 1, b: 2 }];
  yield [{ a: 3, b: 4 }];
}
