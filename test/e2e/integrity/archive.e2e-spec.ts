import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { columnNames } from '../../../src/integrity/infrastructure/archive/columns.js';
import { SEALED_TABLES } from '../../../src/integrity/infrastructure/sealed-tables.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import { aPlace } from '../../startup/program.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { type ArchivedYear, anArchivedYear } from '../../support/archives.js';
import { aRestoredCopy } from '../../support/restore.js';

// A closed year as a file that proves itself: written by the program, verified without a database.

let year: ArchivedYear;
beforeAll(async () => {
  year = await anArchivedYear();
});
afterAll(() => year.end());

const query = async <Row extends object>(sql: string) =>
  year.service.database.query<Row>(sql, [uuidOf('acc', year.client.accountId)]);

const changePayments = async (sql: string) =>
  year.service.database.query(`ALTER TABLE payments DISABLE TRIGGER USER; ${sql};
    ALTER TABLE payments ENABLE TRIGGER USER`);

const verifiedByPython = async (name: string) => {
  const page = await readFile(new URL('../../../docs/archive.md', import.meta.url), 'utf8');
  const [, program = ''] = /```python\n(.*?)```/s.exec(page) ?? [];
  const args = ['-c', program, join(year.place.folder, name)];
  return promisify(execFile)('python3', args);
};

interface Shown {
  ok: boolean;
  detail?: string;
  seals: number;
  tables: Record<string, number>;
  before: { sequence: number; digest: string };
  first: { sequence: number; digest: string };
  last: { sequence: number; digest: string };
  heads: number;
}

async function shown(name: string, ...options: string[]): Promise<Shown> {
  const { output, errors } = await year.verify(name, '--json', ...options);
  expect(errors).toBe('');
  return JSON.parse(output) as Shown;
}

describe('an archive of a closed year', () => {
  it('is verified without a database, and says what a person compares', async () => {
    const found = await shown('2025.archive');
    const elsewhere = await aPlace();
    const path = join(year.place.folder, '2025.archive');
    const alone = await elsewhere.command(['archive', 'verify', path, '--json']);
    expect(alone).toMatchObject({ code: 0, errors: '' });
    expect(JSON.parse(alone.output)).toEqual(found);
    // No database was started, and no secret made.
    expect(await readdir(elsewhere.folder)).toEqual([]);
    await elsewhere.remove();
    const seals = await query<{ sequence: bigint; digest: string }>(
      `SELECT sequence, encode(digest, 'hex') AS digest FROM seals WHERE account_id = $1
       ORDER BY sequence`,
    );
    // Of eight: the first is of 2024, the last of after the closing.
    expect(seals).toHaveLength(8);
    const headOf = (index: number) => {
      const { sequence = 0n, digest } = seals[index] ?? {};
      return { sequence: Number(sequence), digest };
    };
    expect(found).toMatchObject({
      ok: true,
      account_id: year.client.accountId,
      year: 2025,
      seals: 6,
      before: headOf(0),
      first: headOf(1),
      last: headOf(6),
    });
    const rows = Object.values(found.tables).reduce((sum, count) => sum + count, 0);
    const [sealed] = await query<{ rows: bigint }>(
      `SELECT sum(rows)::bigint AS rows FROM seals WHERE account_id = $1 AND sequence BETWEEN 2 AND 7`,
    );
    expect(BigInt(rows)).toBe(sealed?.rows);
    expect(Object.keys(found.tables).length).toBeGreaterThan(35);
  });

  it('shows each row as PostgreSQL does', async () => {
    const { tables } = await shown('2025.archive');
    for (const { name, columns, from, account, xact } of SEALED_TABLES) {
      if (!(name in tables)) continue;
      const names = columnNames(columns);
      const wanted = columns.map((column, index) => `${column} AS "${names[index]}"`).join(', ');
      const stored = await query<{ row: Record<string, unknown> }>(
        `SELECT to_jsonb(r) AS row FROM (SELECT ${wanted} FROM ${from}
           WHERE ${account} = $1 AND ${xact} >= (SELECT min(from_xact) FROM seals
             WHERE account_id = $1 AND sequence = 2) AND ${xact} < (SELECT through_xact FROM seals
             WHERE account_id = $1 AND sequence = 7)) r`,
      );
      const { output } = await year.verify('2025.archive', '--print', name);
      const printed = output
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      const same = (rows: Record<string, unknown>[]) => rows.map(comparable).toSorted();
      expect([name, same(printed)]).toEqual([name, same(stored.map(({ row }) => row))]);
    }
  });

  it('is read by nobody else, and overwrites nothing', async () => {
    expect((await stat(join(year.place.folder, '2025.archive'))).mode & 0o777).toBe(0o600);
    const again = await year.write('2025.archive');
    expect(again).toMatchObject({ code: 2, output: '' });
    expect(again.errors).toContain('is there already');
  });

  it('is the same for the API as before', async () => {
    const { body } = await year.client.get<{ data: object[] }>('/v1/finance/documents');
    expect(body.data.length).toBeGreaterThan(5);
    const [audit] = await query<{ after: object }>(
      `SELECT after FROM audit_entries WHERE action = 'cli.archive.write' AND account_id = $1`,
    );
    expect(audit?.after).toMatchObject({ year: '2025', to: '2025.archive' });
  });
});

/** Instants in one form, and keys in one order. */
function comparable(row: Record<string, unknown>): string {
  const entries = Object.entries(row).map(([key, value]) => {
    const isInstant = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
    return [key, isInstant ? new Date(value).toISOString() : value] as const;
  });
  return JSON.stringify(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

describe('heads that were kept', () => {
  it('are compared: by hand, and each line of a file', async () => {
    const { before, last, seals } = await shown('2025.archive');
    const expected = [
      '--expect-head',
      `${before.sequence}:${before.digest}`,
      `${last.sequence}:${last.digest}`,
    ];
    expect(await shown('2025.archive', ...expected)).toMatchObject({ ok: true, heads: 2 });
    // With that of the seal before.
    const file = await shown('2025.archive', '--heads', 'heads.jsonl');
    expect(file).toMatchObject({ ok: true, heads: seals + 1 });
    const other = `${last.sequence}:${'0'.repeat(64)}`;
    expect((await shown('2025.archive', '--expect-head', other)).detail).toBe(
      `seal 7: its digest is ${last.digest}, and ${'0'.repeat(64)} was kept`,
    );
    const later = `8:${last.digest}`;
    expect((await shown('2025.archive', '--expect-head', later)).detail).toBe(
      'seal 8 is not in the archive, which has 2 to 7',
    );
  });

  it('tell a chain that was made anew, but for what was lost and accepted', async () => {
    const heads = await readFile(join(year.place.folder, 'heads.jsonl'), 'utf8');
    const { last } = await shown('2025.archive');
    const lie = '1'.repeat(64);
    const file = join(year.place.folder, 'other.jsonl');
    await writeFile(file, heads.replace(last.digest, lie));
    const told = await shown('2025.archive', '--heads', 'other.jsonl');
    expect(told).toMatchObject({ ok: false, detail: expect.stringContaining(`${lie} was kept`) });
    const accepted = { account: year.client.accountId, sequence: 7, digest: lie };
    const line = JSON.stringify({ ...accepted, lost_accepted_at: '2026-01-10T00:00:00.000Z' });
    await writeFile(file, `${heads.replace(last.digest, lie)}${line}\n`);
    expect(await shown('2025.archive', '--heads', 'other.jsonl')).toMatchObject({ ok: true });
    await writeFile(file, 'no head\n');
    const none = await shown('2025.archive', '--heads', 'other.jsonl');
    expect(none.detail).toMatch(/other\.jsonl has no head of these seals$/);
    const gone = await year.verify('2025.archive', '--heads', 'gone.jsonl');
    expect(gone).toMatchObject({ code: 2, errors: expect.stringContaining('gone.jsonl') });
  });
});

describe('what is written', () => {
  it('is refused in one sentence where there is no such year, or no such table to print', async () => {
    for (const [wanted, sentence] of [
      ['2026', '2026 is not closed'],
      ['1999', '1999 is not closed'],
      ['x', '--year: x is no year'],
    ] as const) {
      const { code, errors } = await year.write('none.archive', wanted);
      expect([code, errors.trimEnd()]).toEqual([2, expect.stringContaining(sentence)]);
    }
    const empty = await year.write('none.archive', '2023');
    expect(empty.errors).toBe('nothing of 2023 is in the books of this account\n');
    expect(existsSync(join(year.place.folder, 'none.archive'))).toBe(false);
    const printed = await year.verify('2025.archive', '--print', 'clients');
    expect(printed.errors).toMatch(/^--print: clients is none of /);
  });

  it('is the same after dump and restore into another cluster', async () => {
    const copy = await aRestoredCopy(year.service.database);
    try {
      await migrate(copy.url);
      expect(await year.write('restored.archive', '2025', copy.url)).toMatchObject({ code: 0 });
      const proven = async (name: string) =>
        gunzipSync(await readFile(join(year.place.folder, name)))
          .toString()
          .split('\n')
          .slice(1, -2);
      const lines = await proven('2025.archive');
      expect(lines.length).toBeGreaterThan(200);
      expect(await proven('restored.archive')).toEqual(lines);
    } finally {
      await copy.drop();
    }
  });

  it('is told where a row was changed in the database before', async () => {
    await changePayments(`UPDATE payments SET note = 'other' WHERE note = 'note'`);
    try {
      const written = await year.write('forged.archive');
      expect(written).toMatchObject({ code: 1, errors: '' });
      expect(written.output).toMatch(
        /forged\.archive was written, and does not prove itself: seal 2, payments: a row is not as it was sealed\n$/,
      );
      const told = await shown('forged.archive');
      expect(told).toMatchObject({
        ok: false,
        detail: expect.stringContaining('seal 2, payments'),
      });
    } finally {
      await changePayments(`UPDATE payments SET note = 'note' WHERE note = 'other'`);
    }
  });
});

describe('the verifier of docs/archive.md', () => {
  it('agrees, and shares no code with ours', async () => {
    const { last } = await shown('2025.archive');
    expect((await verifiedByPython('2025.archive')).stdout).toBe(
      `${last.sequence}:${last.digest}\n`,
    );
  });

  it('tells a row that is missing', async () => {
    const lines = gunzipSync(await readFile(join(year.place.folder, '2025.archive')))
      .toString()
      .split('\n');
    const row = lines.findIndex((line) => line.startsWith('{"table":"payments"'));
    const changed = gzipSync(lines.toSpliced(row, 1).join('\n'));
    await writeFile(join(year.place.folder, 'missing.archive'), changed);
    await expect(verifiedByPython('missing.archive')).rejects.toThrow(
      'AssertionError: seal 2, payments',
    );
  });
});
