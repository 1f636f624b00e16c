import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aPlace, NO_CHROMIUM, type Place } from './program.js';

/*
 * An operator whose extension is broken still saves, checks and reads the books. Nothing that may
 * write what the extension listens to runs without it.
 */

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));
const STACK = /^\s+at /m;
const BROKEN = { ...NO_CHROMIUM, QUITTANCE_EXTENSIONS: './broken.mjs' };

let place: Place;
let account = '';
beforeAll(async () => {
  place = await aPlace();
  await writeFile(join(place.folder, 'broken.mjs'), `throw new Error('no such day');`);
  const made = await place.command(['account', 'create', '--name', 'Acme', '--json']);
  account = (JSON.parse(made.output) as { account_id: string }).account_id;
});
afterAll(() => place.remove());

const UNREAD = 'QUITTANCE_EXTENSIONS: ./broken.mjs cannot be loaded: no such day.\n';

describe('an extension that cannot be read', () => {
  it.each<[string, string[]]>([
    ['integrity', ['integrity']],
    ['audit', ['audit', '--since', '2026-01-01']],
    ['list', ['account', 'list']],
    ['backup', ['backup', 'saved.backup']],
  ])('keeps %s from nothing, and is told in a sentence', async (name, args) => {
    const { code, output, errors } = await place.command(args, BROKEN);
    expect(errors).toBe(`${name} runs without what could not be read: ${UNREAD}`);
    expect(output).not.toBe('');
    expect(code).toBe(0);
  });

  it('does not stand in the way of a restore', async () => {
    const other = await aPlace();
    try {
      await writeFile(join(other.folder, 'broken.mjs'), `throw new Error('no such day');`);
      const file = join(place.folder, 'saved.backup');
      const { code, errors } = await other.command(['restore', file], BROKEN);
      expect(errors).toBe(`restore runs without what could not be read: ${UNREAD}`);
      expect(code).toBe(0);
      const listed = await other.command(['account', 'list', '--json'], BROKEN);
      expect(listed.output).toContain(account);
    } finally {
      await other.remove();
    }
  });

  it('is among what doctor finds, also where a gateway is of its provider', async () => {
    const env = { ...BROKEN, GATEWAYS: 'shop', GATEWAY_SHOP_PROVIDER: 'acme' };
    const { code, output, errors } = await place.command(['doctor', '--json'], env);
    const { findings } = JSON.parse(output) as { findings: { check: string; detail: string }[] };
    expect(findings.find(({ check }) => check === 'extensions')).toMatchObject({
      ok: false,
      detail: UNREAD.trim(),
    });
    expect(findings.find(({ check }) => check === 'database')).toMatchObject({ ok: true });
    expect(errors).toContain(UNREAD);
    expect(code).toBe(1);
  });

  it.each<[string, string[]]>([
    ['migrate', ['migrate']],
    ['a command that writes', ['account', 'create', '--name', 'Other']],
    ['the command of an extension', ['loyalty', 'points']],
  ])('keeps %s from running', async (_, args) => {
    expect(await place.command(args, BROKEN)).toEqual({ code: 2, output: '', errors: UNREAD });
  });

  it('keeps the service from starting', async () => {
    const { code, errors } = await place.run('main', [], BROKEN);
    expect(errors).toBe(`Quittance did not start.\n${UNREAD}`);
    expect(code).toBe(1);
  });
});

const define = async (parts: string) =>
  writeFile(
    join(place.folder, 'later.mjs'),
    `import { defineExtension } from '${SOURCES}extensions/extension.ts';
     export default defineExtension({ name: 'acme', quittance: '^0.2', ${parts} });`,
  );

describe('an extension that can be read, and breaks later', () => {
  it.each([
    [
      'its module',
      `module: { module: class M {}, providers: [{ provide: 'x', inject: ['none'] , useFactory() {} }] }`,
    ],
    ['a migration', `migrations: [{ name: '1', sql: 'no SQL' }]`],
    ['its commands', `commands: () => { throw new Error('no command'); }`],
  ])('by %s is in the way of start alone', async (_, parts) => {
    await define(parts);
    const env = { ...NO_CHROMIUM, QUITTANCE_EXTENSIONS: './later.mjs' };
    const checked = await place.run('cli', ['integrity'], env);
    expect(checked.errors).not.toMatch(STACK);
    expect(checked.output).toContain('no difference');
    expect(checked.code).toBe(0);
    const written = await place.run('cli', ['account', 'create', '--name', 'Other'], env);
    expect(written.output).toBe('');
    expect(written.code).not.toBe(0);
  });
});
