import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { DomainError } from '../../src/kernel/domain-error.js';
import { Money } from '../../src/kernel/money.js';
import { bankEntryKeys } from '../../src/bank/domain/bank-entry-identity.js';
import { MOST_BANK_ENTRIES } from '../../src/bank/domain/bank-statement.js';
import { BankStatementThreads } from '../../src/bank/infrastructure/bank-statement-threads.js';
import { bankFixture } from '../support/bank-files.js';
import { bankBombs } from './bank-bombs.js';
import { bankFile, readFile } from './read-bank-file.js';

// Files of banks are read in threads: the same statements, fair shares, and an end to what they cost.

const V02 = bankFixture('camt053-v02.xml');
const V08 = bankFixture('camt053-v08.xml');
const CSV = 'Date;Amount;Currency\n2026-11-03;1.50;EUR\n2026-11-03;1.50;EUR\n';
const mostEntries = MOST_BANK_ENTRIES.ofRequest;
const camt = (text: string) => bankFile(Buffer.from(text), 'camt', { mostEntries });
const csv = (text: string) => bankFile(Buffer.from(text), 'csv', { mostEntries });
const bomb = ({ type, file }: { type: string; file: string }) =>
  type === 'text/csv' ? csv(file) : camt(file);

class Threads extends BankStatementThreads {
  override readWithinMs = 20_000;
  override largestHeapMb = 384;
}

/** Two readers for nearly all tests: to start one takes longer than to read most files. */
const threads = new Threads();
afterAll(() => threads.onModuleDestroy());

/** Readers that start with limits of their own. */
function limitedThreads(limits: { readWithinMs?: number; largestHeapMb?: number }): Threads {
  const limited = Object.assign(new Threads(), limits);
  onTestFinished(() => limited.onModuleDestroy());
  return limited;
}

const refusal = async (work: Promise<unknown>) =>
  work.then(
    () => 'read',
    (error: unknown) => (error instanceof DomainError ? error.code : String(error)),
  );

describe('a file that a thread reads', () => {
  it.each([
    ['camt.053', camt(V08)],
    ['CSV', csv(CSV)],
  ])('is the statement that it was: %s', async (_, file) => {
    const here = readFile(file);
    const read = await threads.read('a', file);
    expect(read).toEqual({
      ...here,
      sections: here.sections.map((section) => ({ ...section, keys: bankEntryKeys(section) })),
    });
    const [first] = read.sections.flatMap(({ entries }) => entries);
    expect(first?.amount).toBeInstanceOf(Money);
  });

  it('is refused with all that is wrong with it', async () => {
    const work = threads.read('a', csv('Date;Amount;Currency\nx;1.00;EUR\n2026-11-03;y;EUR\n'));
    await expect(work).rejects.toMatchObject({
      code: 'malformed_statement',
      errors: [{ pointer: '/rows/2/booked_on' }, { pointer: '/rows/3/amount' }],
    });
  });

  it('may have more entries in a command than in a request', async () => {
    const rows = CSV + '2026-11-03;1.00;EUR\n'.repeat(mostEntries);
    expect(await refusal(threads.read('a', csv(rows)))).toBe('malformed_statement');
    const read = await threads.read('a', {
      ...csv(rows),
      mostEntries: MOST_BANK_ENTRIES.ofCommand,
    });
    expect(read.sections[0]?.entries).toHaveLength(mostEntries + 2);
  });

  it('has an end to its time, and the next one is read', async () => {
    const hurried = limitedThreads({ readWithinMs: 1 });
    expect(await refusal(hurried.read('a', camt(V08)))).toBe('statement_too_large');
    hurried.readWithinMs = 20_000;
    expect(await refusal(hurried.read('a', camt(V08)))).toBe('read');
  });

  it('has an end to its memory, and the next one is read', async () => {
    const small = limitedThreads({ largestHeapMb: 16 });
    const file = camt(V02.replace('</Ntry>', `${'<a/>'.repeat(400_000)}</Ntry>`));
    expect(await refusal(small.read('a', file))).toBe('statement_too_large');
    expect(await refusal(small.read('a', camt(V08)))).toBe('read');
  });

  // Each took up to hours where its patterns had to be tried at each place.
  it.each(bankBombs().map((one) => [one.name, one] as const))(
    'of %s is read or refused',
    async (_, one) => {
      expect(['read', 'malformed_statement']).toContain(
        await refusal(threads.read('a', bomb(one))),
      );
    },
  );
});

describe('readers', () => {
  it('are shared: who sends many files waits for these, and nobody else does', async () => {
    const ends: string[] = [];
    const slow = camt(V02.replace('</Ntry>', `${'<a/>'.repeat(100_000)}</Ntry>`));
    const sent = (by: string, file = slow) => threads.read(by, file).then(() => ends.push(by));
    // Both readers have started, so that only the files take time.
    await Promise.all([threads.read('a', camt(V08)), threads.read('b', camt(V08))]);
    const many = Array.from({ length: 6 }, () => sent('many'));
    await Promise.all([...many, sent('one', camt(V08))]);
    expect(ends.indexOf('one')).toBeLessThan(2);
  });

  it('take so many files of one account, and still one of another', async () => {
    const answers = Array.from({ length: 12 }, () => refusal(threads.read('many', camt(V08))));
    expect(await refusal(threads.read('other', camt(V08)))).toBe('read');
    const codes = await Promise.all(answers);
    expect(codes.filter((code) => code === 'read')).toHaveLength(9);
    expect(codes.filter((code) => code === 'statement_busy')).toHaveLength(3);
  });

  it('take so many files of all', async () => {
    const accounts = Array.from({ length: 40 }, (_, index) => `account ${index}`);
    const codes = await Promise.all(accounts.map((by) => refusal(threads.read(by, camt(V08)))));
    expect(codes.filter((code) => code === 'statement_busy')).toHaveLength(6);
  });
});
