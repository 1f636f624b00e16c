import { utimes } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidOf } from '../../src/kernel/ids.js';
import { sha256Of } from '../../src/platform/sha256.js';
import { FileStore } from '../../src/platform/file-store/file-store.js';
import { anotherPdf, aDraft, attached, fileOf } from '../e2e/documents/attachment-calls.js';
import { expectBooksToAgree, pathOf } from '../e2e/documents/document-calls.js';
import { StoreOfTests } from '../e2e/documents/file-store.js';
import type { TestClient } from '../support/client.js';
import { startTestService, type TestService } from '../support/service.js';
import { uuid } from '../support/statements.js';
import { aPlace, type Place, until } from './program.js';
import { FakeTerminal } from './terminals.js';

// Bytes of files are moved to the store and back, looked at, and deleted there once nobody needs them.

const DAY_MS = 86_400_000;

let store: StoreOfTests;
let service: TestService;
let client: TestClient;
let place: Place;
beforeAll(async () => {
  store = await StoreOfTests.start();
  service = await startTestService();
  client = await service.aClient();
  place = await aPlace();
});
afterAll(async () => {
  await place.remove();
  await service.close();
  await store.stop();
});
beforeEach(() => {
  store.proxy.mode = 'pass';
  store.proxy.before = async () => undefined;
  Object.assign(service.app.get(FileStore), { pauseMs: 0, pausedUntil: 0 });
});

const settings = (more: Record<string, string> = {}) => ({
  DATABASE_URL: service.database.url,
  DATABASE_OWNER_URL: service.database.ownerUrl,
  QUITTANCE_SECRET: service.config.secrets.join(','),
  ...store.env,
  ...more,
});
/** The JSON that it prints, and how it ends. */
type Told = Record<string, unknown> & { exit: number | null };

const command = async (args: string[], more?: Record<string, string>): Promise<Told> => {
  const { code, output, errors } = await place.command([...args, '--json'], settings(more));
  return { ...(JSON.parse(output || errors) as Record<string, unknown>), exit: code };
};
/** As a service that is started anew with the store, or without it. */
const configured = (isOn: boolean) =>
  Object.assign(service.config, { files: isOn ? store.config : null });
const counts = async () => {
  const [found] = await service.database.query<{ here: number; elsewhere: number }>(
    `SELECT (count(*) FILTER (WHERE content IS NOT NULL))::int AS here,
       (count(*) FILTER (WHERE content IS NULL))::int AS elsewhere
     FROM (SELECT pdf AS content FROM document_pdfs UNION ALL
       SELECT content FROM attachment_files) files`,
  );
  return found;
};
const audited = async () => {
  const rows = await service.database.query<{ action: string }>(
    `SELECT action FROM audit_entries WHERE action LIKE 'cli.files%' ORDER BY entry_id`,
  );
  return rows.map(({ action }) => action);
};
const invoices: { id: string; pdf: Buffer; file: Buffer; attachment: string }[] = [];
const allAreServed = async () => {
  for (const { id, pdf, file, attachment } of invoices) {
    expect((await client.get(pathOf({ id }, 'pdf'))).bytes.equals(pdf)).toBe(true);
    expect((await fileOf(client, { id }, attachment)).bytes.equals(file)).toBe(true);
  }
};

describe('cli files move', () => {
  beforeAll(async () => {
    for (let made = 0; made < 3; made += 1) {
      const draft = await aDraft(client);
      const file = anotherPdf();
      const { id: attachment } = await attached(client, draft, { content: file });
      const { id } = await client.issue(draft);
      const pdf = (await client.get(pathOf({ id }, 'pdf'))).bytes;
      invoices.push({ id, pdf, file, attachment });
    }
  });

  it('takes nothing from a row before the store has it', async () => {
    let puts = 0;
    store.proxy.before = async (method) => {
      puts += method === 'PUT' ? 1 : 0;
      if (puts > 2) store.proxy.mode = 'refuse';
    };
    const failed = await command(['files', 'move']);
    expect(failed).toMatchObject({ exit: 2, detail: expect.stringContaining('answers') as string });
    const after = await counts();
    expect(after).toMatchObject({ here: expect.any(Number) as number });
    expect(after!.elsewhere).toBeLessThan(3);
    expect(after!.here + after!.elsewhere).toBe(6);
    configured(true);
    store.proxy.before = async () => undefined;
    store.proxy.mode = 'pass';
    await allAreServed();
  });

  it('goes on where it was killed, beside those who write, and tells how far it is', async () => {
    configured(false);
    const before = await counts();
    const terminal = new FakeTerminal();
    const writing = aDraft(client).then((draft) => attached(client, draft));
    const { code, output } = await place.command(['files', 'move'], settings(), terminal);
    expect([code, output]).toEqual([0, expect.stringContaining('are in s3://')]);
    expect(terminal.lines[0]).toMatch(/^files\.move: 0%, 0 of \d files$/);
    await writing;
    const again = await command(['files', 'move']);
    expect(again).toMatchObject({ exit: 0, ok: true, damaged: [], stayed: 0 });
    expect(await counts()).toEqual({ here: 0, elsewhere: before!.here + before!.elsewhere + 1 });
    configured(true);
    await allAreServed();
    await expectBooksToAgree(service);
    expect(await audited()).toEqual(Array(3).fill('cli.files.move'));
  });

  it('leaves bytes that are not those of the digest, and says so', async () => {
    const invoice = await client.anInvoice();
    await service.database.query(
      `INSERT INTO document_pdfs (account_id, document_id, language, pdf, sha256, created_at)
       SELECT account_id, document_id, 'en', 'other', sha256('%PDF'), now() FROM documents
       WHERE document_id = $1`,
      [uuid(invoice)],
    );
    expect(await command(['files', 'move'])).toMatchObject({
      exit: 1,
      ok: false,
      damaged: [invoice.id],
    });
    await service.database.query(`BEGIN; ALTER TABLE document_pdfs DISABLE TRIGGER USER;
      DELETE FROM document_pdfs WHERE sha256 = sha256('%PDF');
      ALTER TABLE document_pdfs ENABLE TRIGGER USER; COMMIT`);
  });

  it('is for the owner of the tables alone, and says which variable is missing', async () => {
    const asService = { DATABASE_OWNER_URL: service.database.url };
    expect(await command(['files', 'move', '--back'], asService)).toMatchObject({
      exit: 2,
      code: 'configuration',
      detail: expect.stringContaining('DATABASE_OWNER_URL') as string,
    });
    expect(await command(['files', 'move'], { QUITTANCE_FILES_TO: '' })).toMatchObject({
      exit: 2,
      detail: expect.stringContaining('QUITTANCE_FILES_TO') as string,
    });
  });

  it('takes them back, as they were', async () => {
    const { elsewhere } = (await counts())!;
    const back = await command(['files', 'move', '--back']);
    expect(back).toMatchObject({ exit: 0, back: true, moved: elsewhere, ok: true });
    expect(await counts()).toEqual({ here: elsewhere, elsewhere: 0 });
    configured(false);
    await allAreServed();
    expect(await command(['files', 'move'])).toMatchObject({ moved: elsewhere });
    configured(true);
  });
});

describe('cli files verify', () => {
  it('finds objects that are gone, and those that were changed, and whose they are', async () => {
    const whole = await command(['files', 'verify', '--full']);
    expect(whole).toMatchObject({ exit: 0, ok: true, damaged: [] });
    expect(whole).toMatchObject({ read: (whole as unknown as { files: number }).files });
    const [lost, changed] = invoices as [(typeof invoices)[0], (typeof invoices)[0]];
    await store.lose(sha256Of(lost.pdf));
    await store.change(sha256Of(changed.file), Buffer.from(changed.file).fill(0, 0, 1));
    const accountId = client.accountId;
    const missing = {
      account_id: accountId,
      sha256: sha256Of(lost.pdf),
      found: 'missing',
      documents: [lost.id],
    };
    const rolling = await command(['files', 'verify']);
    expect(rolling).toMatchObject({ exit: 1, ok: false });
    expect(rolling['damaged']).toContainEqual(missing);
    const full = await command(['files', 'verify', '--full']);
    expect(full['damaged']).toEqual(
      expect.arrayContaining([
        missing,
        { ...missing, sha256: sha256Of(changed.file), found: 'changed', documents: [changed.id] },
      ]),
    );
    expect(full['damaged']).toHaveLength(2);
    // The way back from a copy of the store: the same bytes under the same name.
    await store.change(sha256Of(changed.file), changed.file);
    await store.put(`${uuidOf('acc', accountId)}/${sha256Of(lost.pdf)}`, lost.pdf);
    expect(await command(['files', 'verify', '--full'])).toMatchObject({ exit: 0 });
    await allAreServed();
  });

  it('finds all of them in an empty store, as on another machine', async () => {
    const empty = { QUITTANCE_FILES_TO: `${store.env.QUITTANCE_FILES_TO}-empty` };
    const found = await command(['files', 'verify'], empty);
    expect(found).toMatchObject({ exit: 1, ok: false });
    expect(found['damaged']).toHaveLength(Number(found['files']));
  });
});

const aged = async (sha256: string) => {
  const before = new Date(Date.now() - 2 * DAY_MS);
  for (const file of await store.pathsOf(sha256)) await utimes(file, before, before);
};
const isThere = async (sha256: string) => (await store.pathsOf(sha256)).length > 0;

describe('cli files prune', () => {
  it('deletes what no row names and is older than a day, and nothing else', async () => {
    const [kept, gone, young] = [anotherPdf(), anotherPdf(), anotherPdf()];
    const draft = await aDraft(client);
    const [, second, third] = [
      await attached(client, draft, { content: kept, name: 'a.pdf' }),
      await attached(client, draft, { content: gone, name: 'b.pdf' }),
      await attached(client, draft, { content: young, name: 'c.pdf' }),
    ];
    for (const { id } of [second, third]) await client.delete(pathOf(draft, `attachments/${id}`));
    for (const one of [kept, gone]) await aged(sha256Of(one));
    expect(await command(['files', 'prune'])).toMatchObject({ exit: 0, deleted: 1, locked: 0 });
    expect(await isThere(sha256Of(gone))).toBe(false);
    expect([await isThere(sha256Of(kept)), await isThere(sha256Of(young))]).toEqual([true, true]);
    // Attached again at once, its bytes stay in the database: another prune may be at work.
    const { id } = await attached(client, draft, { content: gone, name: 'd.pdf' });
    expect((await fileOf(client, draft, id)).bytes.equals(gone)).toBe(true);
    await allAreServed();
  });

  it('waits for one who has written and not committed, and lets the object stay', async () => {
    const draft = await aDraft(client);
    const content = anotherPdf();
    await store.put(`${uuidOf('acc', client.accountId)}/${sha256Of(content)}`, content);
    await aged(sha256Of(content));
    const { default: pg } = await import('pg');
    const writer = new pg.Client(service.database.url);
    await writer.connect();
    await writer.query('BEGIN');
    await writer.query(`INSERT INTO attachment_files VALUES ($1, $2, decode($3, 'hex'), NULL)`, [
      uuidOf('acc', client.accountId),
      uuid(draft),
      sha256Of(content),
    ]);
    const pruning = command(['files', 'prune']);
    const waits = until('it waits', async () => {
      const [{ waiting } = { waiting: 0 }] = await service.database.query<{ waiting: number }>(
        `SELECT count(*)::int AS waiting FROM pg_locks
         WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND NOT granted`,
      );
      return waiting > 0;
    });
    await Promise.race([waits, pruning]);
    expect(await isThere(sha256Of(content))).toBe(true);
    await writer.query('COMMIT');
    await writer.end();
    expect(await pruning).toMatchObject({ exit: 0, deleted: 0 });
    expect(await isThere(sha256Of(content))).toBe(true);
    await client.delete(pathOf(draft));
  });
});

const finding = async (more?: Record<string, string>) => {
  const { findings } = (await command(['doctor'], more)) as unknown as {
    findings: { check: string; ok: boolean; detail: string }[];
  };
  return findings.find(({ check }) => check === 'file_store');
};

describe('cli doctor', () => {
  it('writes, reads and deletes in the store, and names the variable to mend', async () => {
    const before = await store.names();
    expect(await finding()).toMatchObject({ ok: true, detail: expect.stringMatching(/deletes$/) });
    expect(await store.names()).toEqual(before);
    const wrong = { QUITTANCE_FILES_S3_SECRET: 'other' };
    expect(await finding(wrong)).toMatchObject({
      ok: false,
      detail: expect.stringContaining('QUITTANCE_FILES_S3_SECRET') as string,
    });
    expect(await finding({ QUITTANCE_FILES_TO: '' })).toMatchObject({
      ok: false,
      detail: expect.stringContaining('QUITTANCE_FILES_TO') as string,
    });
  });
});
