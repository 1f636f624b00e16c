import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PERSONAL_COLUMNS } from '../../privacy/personal-columns.js';
import { sealAll } from '../../support/books.js';
import type { TestClient } from '../../support/client.js';
import { expectBooksToAgree, good, key } from '../documents/document-calls.js';
import { type MailStage, mailStage, wish } from '../mail/mail-calls.js';
import { aWholeLife, MARK, type WholeLife } from './whole-life.js';

// One person, whose every word is marked, in the order of a life: export, erasure, what comes later.

let stage: MailStage;
let client: TestClient;
let life: WholeLife;
beforeAll(async () => {
  stage = await mailStage();
  client = await stage.service.aClient();
  await wish(client, { send_receipts: true });
  life = await aWholeLife(stage, client);
});
afterAll(() => stage.close());

interface Exported {
  customer_id: string;
  records: { of: string; data: Record<string, unknown> }[];
}
type Erased = { erased_at: string; kept: { what: string; until: string | null }[] };

const at = (end = '') => `/v1/finance/customers/${life.customerId}${end}`;
const erase = (headers = {}) => client.post<Erased & { code: string }>(at('/erase'), {}, headers);
const found = async (list: string, query: string) =>
  good(await client.get<{ data: object[] }>(`/v1/finance/${list}?${query}`), 200).data.length;

/** Marks by column, such as `customers.profile`, in the whole database. */
async function marked(): Promise<Map<string, string[]>> {
  const { database } = stage.service;
  const columns = await database.query<{ table: string; column: string; type: string }>(
    `SELECT table_name AS "table", column_name AS "column", data_type AS type
     FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1, 2`,
  );
  const marks = new Map<string, string[]>();
  for (const { table, column, type } of columns) {
    const text = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`;
    const rows = await database.query<{ mark: string }>(
      `SELECT DISTINCT m[1] AS mark FROM "${table}",
         regexp_matches(lower(${text}), '${MARK}[a-z]+', 'g') AS m`,
    );
    if (rows.length === 0) continue;
    marks.set(
      `${table}.${column}`,
      rows.map(({ mark }) => mark),
    );
  }
  return marks;
}

describe('a person', () => {
  it('gets all that is stored', async () => {
    const marks = new Set([...(await marked()).values()].flat());
    expect(marks.size).toBeGreaterThan(35);
    const { body, text } = await client.get<Exported>(at('/personal-data'));
    expect([...marks].filter((mark) => !text.toLowerCase().includes(mark))).toEqual([]);
    expect(body.customer_id).toBe(life.customerId);
    const tables = new Set(body.records.map(({ of }) => of));
    const expected = [
      'customers',
      'document_pdfs',
      'bank_entries',
      'mandates',
      'gateway_deliveries',
    ];
    expect(expected.filter((of) => !tables.has(of))).toEqual([]);
    expect(text).toContain(life.invoice.id);
    const secrets = await stage.service.database.query<{ digest: string }>(
      `SELECT encode(token_sha256, 'hex') AS digest FROM portal_tokens`,
    );
    expect(secrets.filter(({ digest }) => text.includes(digest))).toEqual([]);
  });

  it('gets nothing of others, and is nobody to other accounts', async () => {
    const other = await client.aCustomer({ name: 'Initech' });
    const { text } = await client.get(at('/personal-data'));
    expect(text).not.toContain(other.id);
    const stranger = await stage.service.aClient();
    expect((await stranger.get(at('/personal-data'))).status).toBe(404);
    expect((await stranger.post(at('/erase'))).status).toBe(404);
    const reader = await stage.service.aClient({ scopes: ['documents:write'], of: client });
    expect((await reader.get(at('/personal-data'))).status).toBe(403);
    expect((await reader.post(at('/erase'))).status).toBe(403);
  });

  it('is not erased before all is ended', async () => {
    const { status, body } = await erase();
    expect([status, body]).toMatchObject([409, { code: 'customer_not_erasable' }]);
    const { detail } = body as unknown as { detail: string };
    for (const part of ['draft doc_', 'void it: doc_', 'mandate mand_', 'schedule sch_']) {
      expect(detail).toContain(part);
    }
    expect((await client.get(at())).body).toMatchObject({ erased_at: null });
  });

  it('is erased, but for what the page says is kept', async () => {
    await life.end();
    const page = await stage.service.call(`/v1/portal/${life.token}`);
    expect(page.status).toBe(200);
    const once = good(await erase(key('once')), 200);
    expect(once.kept.map(({ what }) => what)).toContain('documents');
    expect(once.kept[0]?.until).toBe(`${stage.service.clock.now().getUTCFullYear() + 10}-12-31`);
    const left = await marked();
    const wrong = [...left].filter(([column]) => PERSONAL_COLUMNS.get(column) !== 'kept');
    expect(wrong).toEqual([]);
    // The buyer as printed, and words of the bank, have to be there.
    expect(left.get('document_contents.customer')).toContain(`${MARK}name`);
    expect(left.get('bank_entries.remittance')).toEqual([`${MARK}remittance`]);
  });

  it('is erased once', async () => {
    const [first, second] = [await erase(key('once')), await erase()];
    expect(second.body.erased_at).toBe(first.body.erased_at);
    const told = await stage.service.database.query<{ data: unknown }>(
      `SELECT data FROM events WHERE type = 'customer.erased'`,
    );
    expect(told).toEqual([
      { data: { customer: { id: life.customerId, version: 3, archived_at: expect.any(String) } } },
    ]);
    type Audit = { data: { subject: string; before: unknown; after: unknown }[] };
    const { body } = await client.get<Audit>('/v1/audit?action=customer.erased');
    expect(body.data).toMatchObject([{ subject: life.customerId, before: null, after: null }]);
  });

  it('is not found, billed, changed or written to any more', async () => {
    expect(await found('customers', `q=${MARK}name&archived=all`)).toBe(0);
    expect(await found('customers', `email=${MARK}email@example.com&archived=all`)).toBe(0);
    expect(await found('documents', `q=${MARK}name`)).toBe(0);
    expect(await found('documents', `q=${life.invoice.number}`)).toBe(1);
    expect((await client.read(life.invoice)).customer).toMatchObject({ name: `${MARK}name` });
    const { customerId: customer_id } = life;
    const of = `/v1/finance/documents/${life.invoice.id}`;
    const bill = {
      customer_id,
      lines: [{ description: 'Work', unit_amount: 100, tax_rate: '19' }],
    };
    const answers = [
      await client.post('/v1/finance/documents', bill),
      await client.post(`${of}/duplicate`),
      await client.post(`${of}/send`, { kind: 'receipt', to: ['new@example.com'] }),
      await client.post(`${of}/portal-tokens`),
      await client.post(at('/mandates'), { gateway: 'sandbox', currency: 'EUR' }),
      await client.post(at('/unarchive')),
      await client.patch(at(), { name: 'Back' }),
    ];
    expect(answers.map(({ status, body }) => [status, body['code']])).toEqual(
      answers.map(() => [409, 'customer_erased']),
    );
    expect((await stage.service.call(`/v1/portal/${life.token}`)).status).toBe(404);
  });

  it('whose money comes late gets it booked, and no letter', async () => {
    await stage.mails();
    const late = await stage.service.deliverPaid(life.link);
    expect(late.status).toBe(200);
    expect(await stage.mails()).toEqual([]);
    const wrong = [...(await marked())].filter(([of]) => PERSONAL_COLUMNS.get(of) !== 'kept');
    expect(wrong).toEqual([]);
  });

  it('leaves sealed books that agree', async () => {
    await sealAll(stage.service);
    await expectBooksToAgree(stage.service);
  });
});
