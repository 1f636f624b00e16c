import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidOf } from '../../../src/kernel/ids.js';
import { FileStore } from '../../../src/platform/file-store/file-store.js';
import { createLog } from '../../../src/platform/observability/log.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { uuid } from '../../support/statements.js';
import { type MailStage, mailStage, messageOf, send } from '../mail/mail-calls.js';
import { aDraft, anotherPdf, attach, attached, fileOf } from './attachment-calls.js';
import { expectBooksToAgree, good, made, pathOf } from './document-calls.js';
import { StoreOfTests } from './file-store.js';

// The bytes of PDFs and attachments in an object store: where they go, and what becomes of a caller
// when the store is away or has something else.

let store: StoreOfTests;
let stage: MailStage;
let service: TestService;
let client: TestClient;
let lines: string[];
beforeAll(async () => {
  store = await StoreOfTests.start();
  lines = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  stage = await mailStage({ files: store.config, log });
  ({ service } = stage);
  client = await service.aClient();
});
afterAll(async () => {
  await stage.close();
  await store.stop();
});
beforeEach(() => {
  store.proxy.mode = 'pass';
  store.proxy.before = async () => undefined;
  Object.assign(service.app.get(FileStore), { pauseMs: 0, pausedUntil: 0 });
  lines.length = 0;
});

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const accountOf = ({ accountId }: TestClient) => uuidOf('acc', accountId);
const pdfRow = async (of: { id: string }) => {
  const rows = await service.database.query<{ pdf: Buffer | null; sha256: string }>(
    `SELECT pdf, encode(sha256, 'hex') AS sha256 FROM document_pdfs WHERE document_id = $1`,
    [uuid(of)],
  );
  return rows[0];
};
const attachmentRows = async (sha256: string) =>
  service.database.query<{ elsewhere: boolean }>(
    `SELECT content IS NULL AS elsewhere FROM attachment_files WHERE sha256 = decode($1, 'hex')`,
    [sha256],
  );
const printed = async (of: { id: string }) => client.get(pathOf(of, 'pdf'));
const UNAVAILABLE = [503, 'file_store_unavailable'];
const UNREADABLE = [503, 'file_unreadable'];
/** Without its bytes: to show how two files differ takes minutes. */
const told = ({ status, body }: { status: number; body: object }) => [
  status,
  (body as { code?: string }).code,
];
const retryOf = ({ headers }: { headers: Headers }) => Number(headers.get('retry-after'));

describe('a PDF', () => {
  it('is in the store, named by its bytes, and its row has the digest alone', async () => {
    const invoice = await client.anInvoice();
    const first = await printed(invoice);
    expect(first.status).toBe(200);
    expect(await pdfRow(invoice)).toEqual({ pdf: null, sha256: digest(first.bytes) });
    expect(await store.names()).toContain(`${accountOf(client)}/${digest(first.bytes)}`);
    const again = await printed(invoice);
    expect(again.bytes.equals(first.bytes)).toBe(true);
    const token = await client.aPortalToken(invoice);
    const portal = await service.call(`/v1/portal/documents/${token}/pdf`);
    expect(portal.bytes.equals(first.bytes)).toBe(true);
    expect((await service.metrics()).text).toContain(
      'file_store_call_duration_seconds_count{call="get",outcome="done"}',
    );
  });

  it('is read for letters and e-invoices, too', async () => {
    const invoice = await client.anInvoice();
    const { bytes } = await printed(invoice);
    await send(client, invoice);
    const [mail] = await stage.mails();
    expect(mail?.attachments[0]?.content.equals(bytes)).toBe(true);
    const gets = () => store.proxy.calls.filter((call) => call.includes(digest(bytes))).length;
    const before = gets();
    const hybrid = await client.get(pathOf(invoice, 'pdf?profile=factur-x'));
    expect([hybrid.status, gets()]).toEqual([200, before + 1]);
  });

  it('is kept once, where two print it at the same time', async () => {
    const invoice = await client.anInvoice();
    const other = await startTestService({
      database: service.database,
      files: store.config,
      clock: service.clock,
    });
    try {
      const path = `${other.url}${pathOf(invoice, 'pdf')}`;
      const headers = { Authorization: `Bearer ${await client.bearer()}` };
      const [ours, theirs] = await Promise.all([printed(invoice), fetch(path, { headers })]);
      const kept = await pdfRow(invoice);
      expect([ours.status, theirs.status]).toEqual([200, 200]);
      expect(digest(ours.bytes)).toBe(kept?.sha256);
      expect(digest(Buffer.from(await theirs.arrayBuffer()))).toBe(kept?.sha256);
      expect((await printed(invoice)).bytes.equals(ours.bytes)).toBe(true);
    } finally {
      await other.close();
    }
  });

  it('is printed and kept in the database while the store is away', async () => {
    store.proxy.mode = 'refuse';
    const invoice = await client.anInvoice();
    const { status, bytes } = await printed(invoice);
    expect(status).toBe(200);
    expect((await pdfRow(invoice))?.pdf?.equals(bytes)).toBe(true);
    expect((await printed(invoice)).bytes.equals(bytes)).toBe(true);
    expect(lines.join('')).toContain('files move');
  });

  it('does not wait for a store that has just not answered', async () => {
    service.app.get(FileStore).pauseMs = 60_000;
    store.proxy.mode = 'refuse';
    await printed(await client.anInvoice());
    const before = store.proxy.calls.length;
    await printed(await client.anInvoice());
    expect(store.proxy.calls.length).toBe(before);
  });
});

describe('a store that does not give a file', () => {
  it('is told as such, and the message waits', async () => {
    const invoice = await client.anInvoice();
    await printed(invoice);
    store.proxy.mode = 'refuse';
    const answer = await printed(invoice);
    expect(told(answer)).toEqual(UNAVAILABLE);
    expect(retryOf(answer)).toBe(10);
    const message = await send(client, invoice);
    expect(await stage.mails()).toEqual([]);
    expect(await messageOf(client, message)).toMatchObject({
      status: 'queued',
      reason: expect.stringContaining('file_store_unavailable') as string,
    });
    store.proxy.mode = 'pass';
    expect((await printed(invoice)).status).toBe(200);
  });

  it('is given up in time where it hangs, and holds no connection of the database', async () => {
    const invoice = await client.anInvoice();
    await printed(invoice);
    store.proxy.mode = 'hang';
    const many = Array.from({ length: service.config.databasePoolSize + 5 }, async () =>
      printed(invoice),
    );
    const others = await client.get('/v1/finance/documents?limit=1');
    expect(others.status).toBe(200);
    for (const answer of await Promise.all(many)) expect(told(answer)).toEqual(UNAVAILABLE);
  });

  it('is told with the variable, where none is configured any more', async () => {
    const invoice = await client.anInvoice();
    await printed(invoice);
    const before = service.config.files;
    Object.assign(service.config, { files: null });
    try {
      expect(told(await printed(invoice))).toEqual(UNAVAILABLE);
      expect(lines.join('')).toContain('QUITTANCE_FILES_TO');
    } finally {
      Object.assign(service.config, { files: before });
    }
  });
});

describe('an object that is not as its row says', () => {
  const changes: [string, (sha256: string, bytes: Buffer) => Promise<void>][] = [
    ['missing', async (sha256) => store.lose(sha256)],
    ['cut off', async (sha256, bytes) => store.change(sha256, bytes.subarray(0, -10))],
    ['changed', async (sha256, bytes) => store.change(sha256, Buffer.from(bytes).fill(1, 0, 1))],
    ['huge', async (sha256) => store.change(sha256, Buffer.alloc(80_000_000))],
  ];

  it.each(changes)('is not sent, nor printed anew: %s', async (_, change) => {
    const invoice = await client.anInvoice();
    const { bytes } = await printed(invoice);
    await change(digest(bytes), bytes);
    const answer = await printed(invoice);
    expect(told(answer)).toEqual(UNREADABLE);
    expect(retryOf(answer)).toBe(3600);
    expect(await pdfRow(invoice)).toEqual({ pdf: null, sha256: digest(bytes) });
    expect(lines.filter((line) => line.includes('"level":"error"'))).toHaveLength(1);
    expect((await service.metrics()).text).toMatch(/files_unreadable_total\{found="\w+"\} [1-9]/);
    await store.change(digest(bytes), bytes);
  });

  it.each([true, false])('is read to its bound: with a length %s', async (tellsLength) => {
    const draft = await aDraft(client);
    const { id, sha256 } = await attached(client, draft);
    await store.change(sha256!, Buffer.alloc(60_000_000));
    Object.assign(store.proxy, { tellsLength, sent: 0 });
    expect(told(await fileOf(client, draft, id))).toEqual(UNREADABLE);
    expect(store.proxy.sent).toBeLessThan(30_000_000);
    store.proxy.tellsLength = true;
  });
});

describe('an attachment', () => {
  it('is in the store before its row, of which two may name one object', async () => {
    const [one, two] = [await aDraft(client), await aDraft(client)];
    const content = anotherPdf();
    const first = await attached(client, one, { content });
    const second = await attached(client, two, { content });
    expect(await attachmentRows(digest(content))).toEqual([
      { elsewhere: true },
      { elsewhere: true },
    ]);
    const named = (await store.names()).filter((name) => name.endsWith(digest(content)));
    expect(named).toEqual([`${accountOf(client)}/${digest(content)}`]);
    expect((await client.delete(pathOf(one, `attachments/${first.id}`))).status).toBe(204);
    const { status, bytes } = await fileOf(client, two, second.id);
    expect([status, bytes.equals(content)]).toEqual([200, true]);
  });

  it('goes along to the invoice of a quote', async () => {
    const quote = await client.aQuote({ issue: false });
    const content = anotherPdf();
    await attached(client, quote, { content });
    const accepted = await client.issue(quote);
    const token = await client.aPortalToken(accepted);
    await service.call(`/v1/portal/${token}/accept`, { method: 'POST' });
    const invoice = await made(client, accepted, 'convert');
    const [copy] = (invoice as unknown as { attachments: { id: string }[] }).attachments;
    expect(await attachmentRows(digest(content))).toHaveLength(2);
    expect((await fileOf(client, invoice, copy!.id)).bytes.equals(content)).toBe(true);
  });

  it('is kept in the database while the store is away', async () => {
    store.proxy.mode = 'refuse';
    const draft = await aDraft(client);
    const { id, sha256 } = await attached(client, draft);
    expect(await attachmentRows(sha256!)).toEqual([{ elsewhere: false }]);
    expect((await fileOf(client, draft, id)).status).toBe(200);
  });

  it('is not put for a document that does not take it, or is of another account', async () => {
    const stranger = await service.aClient();
    const issued = await client.anInvoice();
    const draft = await aDraft(client);
    const before = await store.names();
    expect((await attach(stranger, draft)).status).toBe(404);
    expect((await attach(client, issued)).status).toBe(409);
    expect(await store.names()).toEqual(before);
    const content = anotherPdf();
    const { id } = await attached(client, draft, { content });
    await attached(stranger, await aDraft(stranger), { content });
    const named = (await store.names()).filter((name) => name.endsWith(digest(content)));
    expect(named).toHaveLength(2);
    expect((await fileOf(stranger, draft, id)).status).toBe(404);
  });

  it('is refused where its object was deleted meanwhile, and then kept in the database', async () => {
    const draft = await aDraft(client);
    const content = anotherPdf();
    store.proxy.before = async (method) => {
      if (method !== 'PUT') return;
      await service.database.query(`INSERT INTO removed_files VALUES ($1, $2, now())`, [
        accountOf(client),
        Buffer.from(digest(content), 'hex'),
      ]);
    };
    const refused = await attach(client, draft, { content });
    expect(told(refused)).toEqual(UNAVAILABLE);
    expect(await attachmentRows(digest(content))).toEqual([]);
    const { id } = await attached(client, draft, { content });
    expect(await attachmentRows(digest(content))).toEqual([{ elsewhere: false }]);
    expect((await fileOf(client, draft, id)).status).toBe(200);
  });
});

describe('a process that only reads', () => {
  it('reads from the store, and puts nothing there', async () => {
    const [known, fresh] = [await client.anInvoice(), await client.anInvoice()];
    const { bytes } = await printed(known);
    const { readOnly } = service.config;
    Object.assign(service.config, { readOnly: true });
    try {
      const before = store.proxy.calls.filter((call) => call.startsWith('PUT')).length;
      expect((await printed(known)).bytes.equals(bytes)).toBe(true);
      expect((await printed(fresh)).status).toBe(200);
      const after = store.proxy.calls.filter((call) => call.startsWith('PUT')).length;
      expect([after, await pdfRow(fresh)]).toEqual([before, undefined]);
    } finally {
      Object.assign(service.config, { readOnly });
    }
  });
});

const verdict = async (sql: string) =>
  service.database.query(sql).then(
    () => 'done',
    (error: { code: string; constraint?: string }) => error.constraint ?? error.code,
  );
const withFile = async (draft: { id: string }) => {
  await attached(client, draft);
  return draft;
};
const fileBytes = async (of: { id: string }) => {
  const { data } = good(
    await client.get<{ data: { id: string }[] }>(pathOf(of, 'attachments')),
    200,
  );
  return (await fileOf(client, of, data[0]!.id)).bytes;
};

describe('the schema', () => {
  const OWN = { document_pdfs: 'pdf', attachment_files: 'content' } as const;
  it('lets bytes of that digest come back and go again, and nothing else change', async () => {
    const invoice = await client.issue(await withFile(await aDraft(client)));
    const { bytes } = await printed(invoice);
    const of = `WHERE document_id = '${uuid(invoice)}'`;
    const content = await fileBytes(invoice);
    for (const [table, column] of Object.entries(OWN)) {
      const whole = table === 'document_pdfs' ? bytes : content;
      const back = `UPDATE ${table} SET ${column} = decode('${whole.toString('hex')}', 'hex')`;
      const go = `UPDATE ${table} SET ${column} = NULL`;
      const seen = [
        await verdict(`UPDATE ${table} SET ${column} = '\\x00' ${of}`),
        await verdict(`${go} ${of}`),
        await verdict(`${back}, account_id = gen_random_uuid() ${of}`),
        await verdict(`${back}, sha256 = sha256('x') ${of}`),
        await verdict(`${back} ${of}`),
        await verdict(`${back} ${of}`),
        await verdict(`${go}, sha256 = sha256('x') ${of}`),
        await verdict(`${go} ${of}`),
      ];
      const refused = '23000';
      expect([table, ...seen]).toEqual([
        table,
        refused,
        refused,
        refused,
        refused,
        'done',
        refused,
        refused,
        'done',
      ]);
    }
    expect((await printed(invoice)).bytes.equals(bytes)).toBe(true);
    for (const table of Object.keys(OWN)) {
      expect(await verdict(`DELETE FROM ${table} ${of}`)).toBe('23000');
      expect(await verdict(`TRUNCATE ${table} CASCADE`)).toBe('23000');
    }
  });

  it('takes no row without bytes whose object was deleted', async () => {
    const draft = await aDraft(client);
    await service.database.query(`INSERT INTO removed_files VALUES ($1, sha256('gone'), now())`, [
      accountOf(client),
    ]);
    const insert = `INSERT INTO attachment_files VALUES
      ('${accountOf(client)}', '${uuid(draft)}', sha256('gone'), NULL)`;
    expect(await verdict(insert)).toBe('file_was_removed');
    expect(await verdict(insert.replace('NULL', `'gone'`))).toBe('done');
    await service.database.query(`DELETE FROM attachment_files WHERE sha256 = sha256('gone')`);
  });
});

it('and the books agree, with the bytes elsewhere', async () => {
  await expectBooksToAgree(service);
});
