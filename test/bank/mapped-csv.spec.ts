import { describe, expect, it } from 'vitest';
import type { KeptHints } from '../../src/bank/domain/mappings/bank-file-mapping.js';
import { isReadAs, type SaidHints, saidOver } from '../../src/bank/domain/mappings/said-hints.js';
import { type CsvFile, readMappedCsv } from '../../src/bank/domain/mappings/mapped-csv.js';
import { refusal } from './read-bank-file.js';

// Which mapping a file is read by: one that is surely of its bank account, and otherwise none.

const HEADER = ['Date', 'Amount', 'Currency', 'Way', 'Mine', 'Yours'];

/** Of a CSV file that is parted already, how often it is gone through as a whole. */
function aFile(...rows: string[][]): CsvFile & { times: () => number } {
  let times = 0;
  const lines = [HEADER, ...rows].map((cells, index) => ({ line: index + 1, cells }));
  return {
    rows: () => {
      times += 1;
      return lines;
    },
    head: () => lines.slice(0, 20),
    times: () => times,
  };
}

const row = (mine: string, yours = '', way = 'X') => [
  '2026-11-18',
  '1.00',
  'EUR',
  way,
  mine,
  yours,
];

const aMapping = (id: string, hints: SaidHints, header = HEADER): KeptHints => ({
  id: `00000000-0000-7000-8000-00000000000${id.length}`,
  bankAccount: id,
  header,
  hints: { debitWords: ['X'], ...hints },
});

const MINE = { columns: ['account=Mine', 'direction=Way'] };
const YOURS = { columns: ['account=Yours', 'direction=Way'] };

const readBy = (file: CsvFile, kept: KeptHints[], said: SaidHints = {}) => {
  const { mappingId, sections } = readMappedCsv(file, said, kept);
  const { bankAccount = null } = kept.find(({ id }) => id === mappingId) ?? {};
  return [bankAccount, sections.map(({ account }) => account)];
};

describe('a mapping', () => {
  it('is that of the account which the file tells by it', () => {
    const kept = [aMapping('A', MINE), aMapping('BB', MINE)];
    expect(readBy(aFile(row('A')), kept)).toEqual(['A', ['A']]);
    expect(readBy(aFile(row('BB'), row('BB')), kept)).toEqual(['BB', ['BB']]);
  });

  it('is none where two could be meant', () => {
    const kept = [aMapping('A', MINE), aMapping('BB', YOURS)];
    expect(readBy(aFile(row('A', 'BB')), kept)).toEqual([null, [null]]);
    expect(readBy(aFile(row('A', 'BB', 'D')), kept, MINE)).toEqual(['A', ['A']]);
  });

  it('is none for several accounts, for another header, and for no account', () => {
    const kept = [aMapping('A', MINE)];
    for (const rows of [[row('A'), row('BB')], [row('')], [row('BB')]]) {
      expect(readBy(aFile(...rows), kept)).toEqual([null, [null]]);
    }
    const other = [aMapping('A', MINE, HEADER.slice(1))];
    expect(readBy(aFile(row('A')), other)).toEqual([null, [null]]);
  });

  it('refuses a file with entries of no account beside its own', () => {
    const kept = [aMapping('A', MINE)];
    const mixed = () => readBy(aFile(row('A'), row('')), kept);
    expect(refusal(mixed)).toMatchObject({
      code: 'bank_file_mapping_mismatch',
      context: { mapping_id: expect.stringMatching(/^bmap_/) },
    });
    const hints = { ...MINE, debitWords: ['X'] };
    expect(readBy(aFile(row('A'), row('')), kept, hints)).toEqual([null, ['A', null]]);
  });

  it('costs no more than two looks at the rows, however many are alike', () => {
    const kept = Array.from({ length: 9 }, (_, index) => aMapping('A'.repeat(index + 1), MINE));
    const file = aFile(row('AAA'));
    expect(readBy(file, kept)).toEqual(['AAA', ['AAA']]);
    expect(file.times()).toBe(2);
  });
});

describe('hints', () => {
  it.each<[string, SaidHints, SaidHints, SaidHints]>([
    [
      'a field',
      { decimal: 'point' },
      { decimal: 'comma', currency: 'EUR' },
      { decimal: 'point', currency: 'EUR' },
    ],
    [
      'a column',
      { columns: ['amount=B'] },
      { columns: ['amount=A', 'balance=C'] },
      { columns: ['amount=B', 'balance=C'] },
    ],
    [
      'a header',
      { columns: ['amount=A'] },
      { columns: ['balance=a', 'fee=F'] },
      { columns: ['amount=A', 'fee=F'] },
    ],
    ['an ignored header', { ignored: ['A'] }, { columns: ['amount=A'] }, { ignored: ['A'] }],
    [
      'a column that was ignored',
      { columns: ['amount=A'] },
      { ignored: ['A', 'B'] },
      { columns: ['amount=A'], ignored: ['B'] },
    ],
    [
      'a word',
      { creditWords: ['x'] },
      { debitWords: ['X', 'Y'] },
      { creditWords: ['x'], debitWords: ['Y'] },
    ],
    ['no bank account', {}, { account: 'A', decimal: 'comma' }, { decimal: 'comma' }],
  ])('that are sent come before kept ones: %s', (_, now, kept, both) => {
    expect(saidOver(now, kept)).toEqual(both);
  });

  it.each<[SaidHints, SaidHints, boolean]>([
    [{}, { decimal: 'comma' }, true],
    [{ decimal: 'comma' }, { decimal: 'comma', account: 'A' }, true],
    [{ columns: ['fee=F'] }, { columns: ['amount=A', 'fee=F'] }, true],
    [{ decimal: 'comma' }, {}, false],
    [{ account: 'A' }, { account: 'B' }, false],
    [{ ignored: ['A'] }, { ignored: ['A', 'B'] }, false],
    [{ columns: ['fee=G'] }, { columns: ['amount=A', 'fee=F'] }, false],
  ])('%j are how a file was read by %j: %s', (now, read, isSo) => {
    expect(isReadAs(now, read)).toBe(isSo);
  });
});
