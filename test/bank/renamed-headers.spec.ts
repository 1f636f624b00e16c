import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CsvHints, ParsedBankStatement } from '../../src/bank/domain/bank-statement.js';
import { hintsIn } from '../../src/bank/wire/csv-hints.js';
import { DomainError } from '../../src/kernel/domain-error.js';
import { NO_HINTS } from '../support/bank-files.js';
import { bankFile, readFile } from './read-bank-file.js';

// A header that no rule knows: money may be refused, and never changes its sign.

const FOLDER = new URL('../fixtures/bank/', import.meta.url);
const NEVER_SEEN = 'Qwxyz';

const fixtures = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.csv'))
  .toSorted();

const textOf = (name: string) => readFileSync(new URL(name, FOLDER)).toString('latin1');

/** The hints that a case sends with its file. */
function hintsOf(name: string): CsvHints {
  if (!name.startsWith('cases/')) return NO_HINTS;
  const right = name.replace(/(\.\d+)?\.csv$/, '.right.json');
  const { steps } = JSON.parse(readFileSync(new URL(right, FOLDER), 'utf8')) as {
    steps: { file?: string; query?: string }[];
  };
  const step = steps.find(({ file }) => file === name.slice('cases/'.length));
  return hintsIn(Object.fromEntries(new URLSearchParams(step?.query)));
}

const read = (text: string, hints: CsvHints) =>
  readFile(bankFile(Buffer.from(text, 'latin1'), 'csv', { hints }));

/** In the order of the file. A day or a fee may be lost with its column, and is told. */
const moves = ({ sections }: ParsedBankStatement): string[] =>
  sections.flatMap(({ entries }) =>
    entries.map(({ direction, amount }) => `${direction} ${amount.currency}`),
  );

/** Lines about the account have fewer cells than the header below them. */
const FEWEST_CELLS = 4;

function headerOf(text: string): { line: number; cells: string[]; delimiter: string } {
  const lines = text.split(/\r?\n/);
  const [found] = lines
    .flatMap((line, index) =>
      [';', ',', '\t'].map((delimiter) => ({
        line: index,
        cells: line.split(delimiter),
        delimiter,
      })),
    )
    .filter(({ cells }) => cells.length >= FEWEST_CELLS)
    .toSorted((one, other) => one.line - other.line || other.cells.length - one.cells.length);
  if (!found) throw new Error('no header');
  return found;
}

function renamed(text: string, place: number): string {
  const { line, cells, delimiter } = headerOf(text);
  const isQuoted = cells[place]?.trim().endsWith('"');
  const put = isQuoted ? `"${NEVER_SEEN}"` : NEVER_SEEN;
  const lines = text.split('\n');
  const end = lines[line]?.endsWith('\r') ? '\r' : '';
  lines[line] = cells.with(place, put).join(delimiter) + end;
  return lines.join('\n');
}

describe.each(fixtures)('%s', (name) => {
  const text = textOf(name);
  const hints = hintsOf(name);
  const before = moves(read(text, hints));
  const { cells } = headerOf(text);

  it.each(cells.map((cell, place) => [cell, place] as const))('without %s', (_, place) => {
    const changed = renamed(text, place);
    expect(changed).not.toBe(text);
    try {
      const after = read(changed, hints);
      expect(after.unused.length).toBeGreaterThan(0);
      expect(moves(after)).toEqual(before);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      expect(error.code).toBe('malformed_statement');
    }
  });
});
