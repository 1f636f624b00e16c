import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ArchivedYear, anArchivedYear } from '../../support/archives.js';

// An archive that somebody changed, who can compute its last line anew.

let year: ArchivedYear;
/** Without their ends. */
let lines: string[];
const archive = async () => readFile(join(year.place.folder, '2025.archive'));

beforeAll(async () => {
  year = await anArchivedYear();
  lines = gunzipSync(await archive())
    .toString()
    .trimEnd()
    .split('\n');
});
afterAll(() => year.end());

/** A last line that fits: who changes an archive can compute it. */
function resealed(changed: readonly string[]): string[] {
  const body = changed.slice(0, -1);
  const kind = (name: string) => body.filter((line) => line.startsWith(`{"${name}"`)).length;
  const sha256 = createHash('sha256')
    .update(`${body.join('\n')}\n`)
    .digest('hex');
  return [...body, JSON.stringify({ end: { seals: kind('seal'), rows: kind('table') }, sha256 })];
}

/** @returns the sentence that verification ends with */
async function told(bytes: Buffer | readonly string[]): Promise<string> {
  const content = Buffer.isBuffer(bytes) ? bytes : gzipSync(`${bytes.join('\n')}\n`);
  await writeFile(join(year.place.folder, 'changed.archive'), content);
  const { code, output, errors } = await year.verify('changed.archive');
  expect([code, errors]).toEqual([1, '']);
  expect(output.trimEnd()).not.toContain('\n');
  return output.trimEnd().replace(/^.*changed\.archive: /, '');
}

const at = (text: string, from = 0) =>
  lines.findIndex((line, index) => index >= from && line.startsWith(text));
const ofTable = (table: string) => at(`{"table":"${table}"`);
/** With the seal that the line is of. */
const sealOf = (index: number) => {
  const seals = lines.slice(0, index).filter((line) => line.startsWith('{"seal"')).length;
  return (JSON.parse(lines[0] ?? '') as { first: number }).first + seals - 1;
};
const without = (index: number, count = 1) => lines.toSpliced(index, count);
const swapped = (one: number, other: number) =>
  lines.with(one, lines[other] ?? '').with(other, lines[one] ?? '');

describe('a changed archive', () => {
  it('tells the seal and the table of a changed row, also where all that is shown fits', async () => {
    const row = ofTable('payments');
    const text = lines[row] ?? '';
    const shownOtherwise = text.replace(/"amount":\d+/, '"amount":1');
    expect(shownOtherwise).not.toBe(text);
    expect(await told(resealed(lines.with(row, shownOtherwise)))).toBe(
      `seal ${sealOf(row)}, payments: a row is shown otherwise than it is sealed`,
    );
    // The amount in the bytes, and in what is shown.
    const { amount } = (JSON.parse(text) as { row: { amount: number } }).row;
    const bytes = Buffer.from((JSON.parse(text) as { bytes: string }).bytes, 'base64');
    const eight = Buffer.alloc(8);
    eight.writeBigInt64BE(BigInt(amount));
    const found = bytes.indexOf(eight);
    bytes.writeBigInt64BE(BigInt(amount + 1), found);
    const forged = text
      .replace(`"amount":${amount},`, `"amount":${amount + 1},`)
      .replace(/"bytes":"[^"]+"/, `"bytes":"${bytes.toString('base64')}"`);
    expect(await told(resealed(lines.with(row, forged)))).toMatch(
      new RegExp(`^seal ${sealOf(row)}, payments: a row is not (as it was sealed|in its place)$`),
    );
  });

  it.each(['transfers', 'payments', 'events', 'documents', 'document_lines'])(
    'tells a row of %s that is missing, twice there, or in another place',
    async (table) => {
      const row = ofTable(table);
      const place = `seal ${sealOf(row)}, ${table}: `;
      expect(await told(resealed(without(row)))).toMatch(place);
      expect(await told(resealed(without(row)))).toMatch(/\d+ rows are here, and \d+ were sealed$/);
      const twice = await told(resealed(lines.toSpliced(row, 0, lines[row] ?? '')));
      expect(twice).toMatch(place);
      const moved = await told(resealed(swapped(row, row + 1)));
      expect(moved).toBe(`${place}a row is not in its place`);
    },
  );

  it('tells a table that is missing, and one that is in another seal', async () => {
    const row = ofTable('payments');
    const count = lines.slice(row).findIndex((line) => !line.startsWith('{"table":"payments"'));
    expect(await told(resealed(without(row, count)))).toMatch(
      new RegExp(`^seal ${sealOf(row)}, payments: 0 rows are here`),
    );
    const last = lines.length - 1;
    const moved = without(row).toSpliced(last - 1, 0, lines[row] ?? '');
    expect(await told(resealed(moved))).toMatch(/^seal \d+, payments: /);
    const behind = lines.toSpliced(last, 0, lines[row] ?? '');
    expect(await told(resealed(behind))).toBe(
      `seal ${sealOf(last)}, payments: it covers no row of it`,
    );
  });

  it('tells seals that are swapped, missing, of another account or of another version', async () => {
    const one = at('{"seal"');
    const two = at('{"seal"', one + 1);
    const three = at('{"seal"', two + 1);
    const swap = [
      ...lines.slice(0, one),
      ...lines.slice(two, three),
      ...lines.slice(one, two),
      ...lines.slice(three),
    ];
    expect(await told(resealed(swap))).toBe('seal 2: seal 3 stands in its place');
    expect(await told(resealed(without(two, three - two)))).toBe(
      'seal 3: seal 4 stands in its place',
    );
    const last = at(
      '{"seal"',
      lines.findLastIndex((line) => line.startsWith('{"seal"')),
    );
    expect(await told(resealed(without(last, lines.length - 1 - last)))).toMatch(
      /^the archive ends with seal 6, and its first line says 7$/,
    );
    const other = lines.with(
      0,
      (lines[0] ?? '').replace(year.client.accountId, year.neighbour.accountId),
    );
    expect(await told(resealed(other))).toBe(
      'seal 2: it is of another account than the first line says',
    );
    const version = (lines[two] ?? '').replace('"version":2', '"version":3');
    expect(await told(resealed(lines.with(two, version)))).toMatch(
      /^seal 3: it is of version 3, which this program cannot verify/,
    );
    const digest = (lines[two] ?? '').replace(/"digest":"./, '"digest":"x');
    expect(await told(lines.with(two, digest))).toMatch(/is none of an archive$/);
    const anchor = (lines[0] ?? '').replace(/"anchor":"[^"]+"/, `"anchor":"${'0'.repeat(64)}"`);
    expect(await told(resealed(lines.with(0, anchor)))).toBe(
      'seal 2: it does not cover the seal before',
    );
    const rows = (lines[two] ?? '').replace(/"through_xact":/, '"through_xact":1');
    expect(await told(resealed(lines.with(two, rows)))).toBe(
      'seal 3: it is shown otherwise than it is sealed',
    );
  });

  it('tells another year, other columns, a last line that does not fit, and lines behind it', async () => {
    const head = lines[0] ?? '';
    const next = lines.with(0, head.replace('"year":2025', '"year":2026'));
    expect(await told(resealed(next))).toBe('seal 7, period_closings: no row closes 2026');
    const named = lines.with(0, head.replace('["debit","text"]', '["credit","text"]'));
    expect(await told(resealed(named))).toBe(
      'transfers: the first line names other columns than are sealed',
    );
    const typed = lines.with(0, head.replace('["debit","text"]', '["debit","bytea"]'));
    expect(await told(resealed(typed))).toMatch(/^seal \d+, transfers: a row has other columns/);
    const made = lines.with(0, head.replace(/"made_at":"./, '"made_at":"3'));
    expect(await told(made)).toBe('the lines have another SHA-256 than the last line says');
    const last = lines.at(-1) ?? '';
    expect(await told(lines.with(lines.length - 1, last.replace(/"rows":/, '"rows":1')))).toMatch(
      /^there are 6 seals/,
    );
    expect(await told([...lines, last])).toBe('something stands behind the last line');
  });

  it('tells that it is cut, wherever that is', async () => {
    const whole = await archive();
    for (const share of [0.01, 0.2, 0.5, 0.9, 0.9999]) {
      const sentence = await told(whole.subarray(0, Math.floor(whole.length * share)));
      expect(sentence).toMatch(/^the file is (cut off|empty)/);
    }
    for (const count of [1, 2, 50, lines.length - 1]) {
      expect(await told(lines.slice(0, count))).toMatch(
        /^the last line is missing: the file is cut off, after (seal \d|the first line)/,
      );
    }
    expect(await told(Buffer.alloc(0))).toMatch(/empty|cut off/);
    const middle = gunzipSync(whole).subarray(0, -5);
    expect(await told(gzipSync(middle))).toMatch(/^the file is cut off in the middle of a line/);
  });

  it('is told for each byte that is another one', async () => {
    const whole = await archive();
    // The first ten say who packed it; what they hold is packed content, with a checksum of its own.
    for (let index = 10; index < whole.length; index += Math.ceil(whole.length / 60)) {
      const changed = Buffer.from(whole);
      changed[index] = (changed[index] ?? 0) ^ 0x10;
      expect(await told(changed)).toMatch(/\w/);
    }
    const content = gunzipSync(whole);
    for (let index = 0; index < content.length; index += Math.ceil(content.length / 120)) {
      const changed = Buffer.from(content);
      changed[index] = (changed[index] ?? 0) ^ 0x01;
      expect(await told(gzipSync(changed))).toMatch(/\w/);
    }
  });

  it('is one sentence for whatever is no archive', async () => {
    const deep = '['.repeat(100_000);
    const of = (text: string | Buffer) => told(gzipSync(text));
    expect(await told(Buffer.from('no gzip'))).toMatch(/^the file is no gzip file/);
    expect(await told(createHash('sha512').update('x').digest())).toMatch(/^the file is no gzip/);
    for (const text of ['\n', '{}\n', 'null\n', '[1,2]\n', `${deep}\n`, '{"seal":1}\n']) {
      expect(await of(text)).toBe('this is no archive of Quittance');
    }
    expect(await of(Buffer.from([0xff, 0xfe, 0x0a]))).toBe('the first line is no text');
    expect(await of('{"quittance_archive":2}\n')).toMatch(/^the archive has the form 2/);
    expect(await of('{"quittance_archive":1}\n')).toBe('the first line is not as it was written');
    expect(await of('x'.repeat(70_000_000))).toMatch(/^a line is longer than any/);
    for (const odd of [
      'null',
      deep,
      '{"table":"payments","row":{},"bytes":"!"}',
      '{"seal":{"version":2},"digest":"","bytes":""}',
    ]) {
      expect(await told(lines.toSpliced(1, 0, odd))).toMatch(/is none of an archive$/);
    }
    const digest = '0'.repeat(64);
    for (const odd of ['', 'x', '\0\0\0\x02', '\x7f\xff\xff\xff', '\0\0\0\0']) {
      const seal = `{"seal":{"version":2},"digest":"${digest}","bytes":"${btoa(odd)}"}`;
      expect(await told(lines.with(1, seal))).toMatch(/seal/);
      const row = `{"table":"payments","row":{},"bytes":"${btoa(odd)}"}`;
      expect(await told(lines.toSpliced(2, 0, row))).toMatch(/payments/);
    }
    expect(await year.verify('none.archive')).toMatchObject({ code: 2, output: '' });
    expect((await year.verify('none.archive')).errors).toMatch(
      /none\.archive cannot be read: ENOENT\n$/,
    );
    expect((await year.verify('.')).errors).toMatch(/cannot be read: EISDIR\n$/);
  });
});
