import { describe, expect, it } from 'vitest';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { type Cell, csvLine, csvOf } from '../../src/books/wire/csv.js';
import { runsOf } from '../support/share.js';

/** Characters that do not show, and quotes. */
const PASSED_OVER = /^[\p{Z}\p{C}\p{DI}"]+/u;
const withoutApostrophes = (cells: string[]) => cells.map((cell) => cell.replaceAll("'", ''));
const UNITS = [...'=+-@＝＋－＠;,\t\r\n "\'a1\u200b\ufeff\u0000\u00ad\u034f\u3164'];

describe('a line of CSV', () => {
  it.each<[Cell[], string]>([
    [['a', 1, -2n, null, ''], '"a",1,-2,,""'],
    [['a,b', 'say "hi"', 'two\r\nlines'], '"a,b","say ""hi""","two\r\nlines"'],
    [['=1+1', '+49', '-1', '@SUM(A1)'], `"'=1+1","'+49","'-1","'@SUM(A1)"`],
    [['\t=1', '\r=1', '\n=1', '\ta'], `"'\t'=1","'\r'=1","'\n'=1","'\ta"`],
    [['＝1', '＋1', '－1', '＠A'], `"'＝1","'＋1","'－1","'＠A"`],
    [['="a,b"'], `"'=""a,b"""`],
    [['a;=1', 'a\t+1', 'a\n-1', 'a\r@A', 'a;b'], `"a;'=1","a\t'+1","a\n'-1","a\r'@A","a;b"`],
    [
      ['  =1', '\u200b=1', '\ufeff\0=1', '\u00ad@A'],
      `"'  =1","'\u200b=1","'\ufeff\0=1","'\u00ad@A"`,
    ],
    [['a;\u2060 =1', '"=1'], `"a;'\u2060 =1","'""=1"`],
    [['a=1', 'a -1', 'ü', 'x@y.example'], '"a=1","a -1","ü","x@y.example"'],
  ])('of %o is as RFC 4180 and spreadsheets want it', (cells, line) => {
    expect(csvLine(cells)).toBe(`${line}\r\n`);
  });

  it('runs nothing, wherever a reader parts the cells and whatever it passes over', () => {
    const text = fc.string({ unit: fc.constantFrom(...UNITS), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (cells) => {
        const line = csvLine(cells).slice(0, -2);
        const [read = []] = parse(line) as string[][];
        // As one who knows quotes reads it, and as one who parts cells elsewhere.
        for (const part of [...read, ...line.split(/[;\t\r\n]/)]) {
          expect(part.replace(PASSED_OVER, '')).not.toMatch(/^[=+\-@＝＋－＠]/);
        }
        expect(withoutApostrophes(read)).toEqual(withoutApostrophes(cells));
      }),
      runsOf(3000),
    );
  });

  it('follows one header, however many parts the file comes in', async () => {
    const parts: string[] = [];
    for await (const part of csvOf(['b', 'a'], pages())) parts.push(part);
    expect(parts).toEqual(['"b","a"\r\n2,1\r\n', '4,3\r\n']);
  });
});

async function* pages() {
  yield [{ a: 1, b: 2 }];
  yield [{ a: 3, b: 4 }];
}
