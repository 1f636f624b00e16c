import { describe, expect, it } from 'vitest';
import type { CsvHints } from '../../src/bank/domain/bank-statement.js';
import { NO_HINTS } from '../support/bank-files.js';
import { bankFile, readFile, refusal } from './read-bank-file.js';

// Dates and amounts that can be read in one way only are read; the others by hint.

function entry(date: string, amount: string, hints: Partial<CsvHints> = {}, currency = 'EUR') {
  const text = `Date;Amount;Currency\n${date};${amount};${currency}\n`;
  const file = bankFile(Buffer.from(text), 'csv', { hints: { ...NO_HINTS, ...hints } });
  return readFile(file).sections[0]?.entries[0];
}
const DAY = '2026-11-18';

describe('a date', () => {
  it.each([
    '2026-11-18',
    '2026/11/18',
    '2026.11.18',
    '20261118',
    '18.11.2026',
    '18.11.26',
    '18.11.2026 09:10',
    '18. 11. 2026',
    '18/11/2026',
    '18/11/2026 09:10',
    '18-11-2026 09:10:11',
    '11/18/2026 9:10 PM',
    '11/18/2026, 09:10',
    '2026-11-18T09:10:11Z',
    '2026/11/18 09:10',
    '18 Nov 2026',
    '18-Nov-2026',
    '18-Nov-26',
    '18/NOV/2026',
    '18 November 2026',
    '18. November 2026',
    '18 nov. 2026',
    '18 novembre 2026',
    'Nov 18, 2026',
    'November 18 2026',
    '2026-Nov-18',
    '18 Nov 2026 09:10',
  ])('%s is read', (text) => {
    expect(entry(text, '1.00')?.bookedOn).toBe(DAY);
  });

  it.each([
    '03/11/2026',
    '03-11-2026',
    '18/11/26',
    '18-11-26',
    '18112026',
    '18 Foo 2026',
    '18 jui 2026',
    '31 Nov 2026',
    '2026-13-01',
    '2026/18/11',
    '18.13.2026',
    'Nov',
    '18 Nov',
  ])('%s is refused', (text) => {
    const { code, message } = refusal(() => entry(text, '1.00'));
    expect([code, message]).toEqual([
      'malformed_statement',
      expect.stringContaining('date_format'),
    ]);
  });

  it.each([
    ['18/11/26', 'dd/mm/yy'],
    ['11/18/26', 'mm/dd/yy'],
    ['18-11-26', 'dd-mm-yy'],
    ['11-18-26', 'mm-dd-yy'],
    ['26/11/18', 'yy/mm/dd'],
    ['26-11-18', 'yy-mm-dd'],
    ['18112026', 'ddmmyyyy'],
    ['11182026', 'mmddyyyy'],
    ['18/11/2026', 'dd/mm/yyyy'],
    ['18 Nov 2026', 'dd mmm yyyy'],
    ['18.11.26', 'dd.mm.yyyy'],
    ['2026/11/18', 'yyyy/mm/dd'],
    ['2026.11.18', 'yyyy.mm.dd'],
  ] as const)('%s is read as %s', (text, dateFormat) => {
    expect(entry(text, '1.00', { dateFormat })?.bookedOn).toBe(DAY);
    expect(refusal(() => entry('18 of 11', '1.00', { dateFormat })).code).toBe(
      'malformed_statement',
    );
  });
});

const withoutCurrency = (amount: string) =>
  readFile(bankFile(Buffer.from(`Date;Amount\n${DAY};${amount}\n`), 'csv'));

describe('an amount', () => {
  it.each([
    ['€12.50', 'EUR', 1250n, 'credit'],
    ['-€12.50', 'EUR', 1250n, 'debit'],
    ['€ -12.50', 'EUR', 1250n, 'debit'],
    ['12,50 €', 'EUR', 1250n, 'credit'],
    ['EUR 12.50', 'EUR', 1250n, 'credit'],
    ['12.50 kr', 'SEK', 1250n, 'credit'],
    ['Fr. 12.50', 'CHF', 1250n, 'credit'],
    ['(3.50)', 'EUR', 350n, 'debit'],
    ['€(3.50)', 'EUR', 350n, 'debit'],
    ['900.00 DR', 'EUR', 90_000n, 'debit'],
    ['900.00Cr', 'EUR', 90_000n, 'credit'],
    ['900,00 S', 'EUR', 90_000n, 'debit'],
    ['900,00 H', 'EUR', 90_000n, 'credit'],
    ['\u2212900,00', 'EUR', 90_000n, 'debit'],
    ['1,23,456.78', 'INR', 12_345_678n, 'credit'],
    ['12,34,56,789.00', 'INR', 12_345_678_900n, 'credit'],
    ['12,345', 'JPY', 12_345n, 'credit'],
    ['12.345', 'JPY', 12_345n, 'credit'],
    ['¥12,345', 'JPY', 12_345n, 'credit'],
    ['1,234,567', 'JPY', 1_234_567n, 'credit'],
  ])('%s %s is read', (text, currency, minor, direction) => {
    const read = entry(DAY, text, {}, currency);
    expect([read?.amount.minor, read?.direction]).toEqual([minor, direction]);
  });

  it.each([
    ['£12.50', 'EUR'],
    ['12.50 USD', 'EUR'],
    ['-(3.50)', 'EUR'],
    ['-900.00 DR', 'EUR'],
    ['900.00 XY', 'EUR'],
    ['(3.50', 'EUR'],
    ['€€3.50', 'EUR'],
    ['1,23.456', 'EUR'],
    ['1.23.456,00', 'EUR'],
    ['12,345', 'EUR'],
    ['DR', 'EUR'],
  ])('%s %s is refused', (text, currency) => {
    expect(refusal(() => entry(DAY, text, {}, currency)).code).toBe('malformed_statement');
  });

  it('names its currency by a sign that only one has, where no column does', () => {
    expect(withoutCurrency('12.50 €').sections[0]?.entries[0]?.amount.currency).toBe('EUR');
    expect(refusal(() => withoutCurrency('$12.50')).message).toContain('currency');
  });
});
