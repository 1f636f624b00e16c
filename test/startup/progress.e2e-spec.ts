import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bankFixture } from '../support/bank-files.js';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { aPlace, NO_CHROMIUM, type Place } from './program.js';
import { ERASE, FakeTerminal } from './terminals.js';

// Long commands say on a terminal how far they have come, and do the same without one. Those of the
// embedded database are in backup.e2e-spec.ts.

describe('a command with a database of the operator', () => {
  let place: Place;
  let database: TestDatabase;
  let env: Record<string, string>;
  const accounts: string[] = [];

  beforeAll(async () => {
    place = await aPlace();
    database = await aDatabase({ migrated: false });
    env = { ...NO_CHROMIUM, DATABASE_URL: database.url };
  });
  afterAll(async () => {
    await place.remove();
    await database.drop();
  });

  it('migrates as it does without a terminal', async () => {
    const other = await aDatabase({ migrated: false });
    try {
      const terminal = new FakeTerminal();
      const seen = await place.command(['migrate'], env, terminal);
      const unseen = await place.command(['migrate'], { ...env, DATABASE_URL: other.url });
      expect(seen).toEqual(unseen);
      const count = seen.output.trim().split('\n').length;
      expect(terminal.lines[0]).toBe(`migrate: 0%, 0 of ${count} migrations`);
      expect(terminal.text.endsWith(ERASE)).toBe(true);
      const applied = 'SELECT name FROM migrations ORDER BY id';
      expect(await database.query(applied)).toEqual(await other.query(applied));
    } finally {
      await other.drop();
    }
  });

  it('imports the same entries', async () => {
    const file = join(place.folder, 'statement.xml');
    writeFileSync(file, bankFixture('camt053-v02.xml'));
    const terminals = [new FakeTerminal(), undefined];
    const counts = [];
    for (const terminal of terminals) {
      const made = await place.command(['account', 'create', '--name', 'Acme', '--json'], env);
      const { account_id } = JSON.parse(made.output) as { account_id: string };
      accounts.push(account_id);
      const args = ['bank-statements', 'import', file, '--account', account_id];
      const { code, output, errors } = await place.command(args, env, terminal);
      expect({ code, errors }).toEqual({ code: 0, errors: '' });
      counts.push(output.replace(/^statement .*\n/, ''));
    }
    expect(counts[0]).toBe(counts[1]);
    expect(terminals[0]?.lines[0]).toBe('bank-statements.import: 0%, 0 of 3 entries');
    const entries = await database.query<{ rows: bigint }>(
      `SELECT count(*)::int AS rows FROM bank_entries GROUP BY account_id`,
    );
    expect(entries).toEqual([{ rows: 4 }, { rows: 4 }]);
  });

  it('finds the same differences', async () => {
    const terminal = new FakeTerminal();
    const seen = await place.command(['integrity'], env, terminal);
    expect(seen).toEqual(await place.command(['integrity'], env));
    expect(terminal.lines[0]).toMatch(/^integrity: 0%, 0 of \d+ checks$/);
  });

  it.each([
    ['asked for JSON', ['integrity', '--json'], {}],
    ['on a terminal that knows no codes', ['integrity'], { TERM: 'dumb' }],
  ])('shows nothing when %s', async (_, args, more) => {
    const terminal = new FakeTerminal();
    const { code } = await place.command(args, { ...env, ...more }, terminal);
    expect({ code, text: terminal.text }).toEqual({ code: 0, text: '' });
  });

  it('leaves no line behind when it fails', async () => {
    const terminal = new FakeTerminal();
    const file = join(place.folder, 'statement.xml');
    const args = ['bank-statements', 'import', file, '--account', accounts[0] ?? ''];
    await database.query('ALTER TABLE bank_entries RENAME TO other_entries');
    const { code } = await place.command(args, env, terminal);
    await database.query('ALTER TABLE other_entries RENAME TO bank_entries');
    expect(code).toBe(2);
    expect(terminal.text === '' || terminal.text.endsWith(ERASE)).toBe(true);
  });
});
