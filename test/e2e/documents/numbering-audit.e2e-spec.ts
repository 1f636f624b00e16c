import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import { IntegrityQuery } from '../../../src/integrity/index.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { tries } from '../../support/share.js';
import { contentsOf, expectProblem } from '../expectations.js';
import { accountOf, aSeries, audited, changed } from './numbering.js';

// No number is missing and none is there twice, and the audit sees it if one is.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});

const uuid = (document: { id: string }) => uuidOf('doc', document.id) ?? '';
const WHOLE = { gaps: [], gap_count: 0, skipped: [], skipped_count: 0, doubles: 0, strays: 0 };

/** The numbers of this account, as the check of the whole database sees them. */
async function differences(): Promise<string[]> {
  const found = await service.app.get(IntegrityQuery).differences();
  const mine = found.differences.filter(({ id }) => id === client.accountId);
  return mine.map(({ stored, derived }) => `${stored}; ${derived}`);
}

/** The audit of the invoices, which the check of the whole database must agree with. */
async function found() {
  const { periods, complete } = await audited(client, 'invoice');
  const [period] = periods;
  // The other check must see the same, but for the text of a number.
  const rewritten = period?.gap_count === 0 && period.strays === 1;
  const seen = (await differences()).length > 0;
  expect({ complete, seen }).toEqual({ complete, seen: !complete && !rewritten });
  return { ...period, complete };
}

const ISSUES = tries({ pushed: 300, full: 1000 });
const FAILING = ISSUES / 20;
const ISSUED = ISSUES - FAILING;
const numberAt = (at: number) => `INV-${String(at).padStart(5, '0')}`;

async function drafts(): Promise<DocumentBody[]> {
  const made: DocumentBody[] = [];
  while (made.length < ISSUES) {
    const batch = Array.from({ length: 50 }, (_, at) =>
      client.anInvoice({
        issue: false,
        issue_date: '2026-03-02',
        purchase_order: (made.length + at) % (ISSUES / FAILING) === 7 ? 'break' : 'keep',
      }),
    );
    made.push(...(await Promise.all(batch)));
  }
  return made;
}

describe(`${ISSUES} concurrent issues of which ${FAILING} fail`, () => {
  it(`give ${ISSUED} numbers with no gap and no double, and wait instead of failing`, async () => {
    const wanted = await drafts();
    // This fails after the number was taken, as a crash would.
    await service.database.query(`
      CREATE FUNCTION break_some() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'broken by the test'; END $$;
      CREATE TRIGGER break_some BEFORE UPDATE ON documents FOR EACH ROW
        WHEN (NEW.purchase_order = 'break' AND NEW.number IS NOT NULL) EXECUTE FUNCTION break_some()`);
    const answers = await Promise.all(
      wanted.map(({ id }) => client.post<DocumentBody>(`/v1/finance/documents/${id}/issue`)),
    );
    await service.database.query('DROP TRIGGER break_some ON documents');
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toEqual(wanted.map((draft) => (draft.purchase_order === 'break' ? 500 : 200)));

    const numbers = answers.flatMap(({ status, body }) => (status === 200 ? [body.number] : []));
    expect(numbers.sort()).toEqual(Array.from({ length: ISSUED }, (_, at) => numberAt(at + 1)));
    const ends = { first_number: numberAt(1), last_number: numberAt(ISSUED) };
    const period = { first: 1, last: ISSUED, ...ends };
    expect(await audited(client, 'invoice')).toEqual({
      series_id: 'invoice',
      kind: 'invoice',
      pattern: 'INV-{SEQ:5}',
      reset: 'never',
      periods: [{ period: '', ...period, count: ISSUED, voided: 0, ...WHOLE }],
      complete: true,
    });
    expect(await differences()).toEqual([]);
    expect((await client.anInvoice()).number).toBe(numberAt(ISSUED + 1));
  });
});

describe('an audit', () => {
  it('counts void documents, which keep their numbers, and leaves drafts out', async () => {
    await aSeries(client, { id: 'y', pattern: '{YYYY}-{SEQ:2}', reset: 'year' });
    for (const issue_date of ['2025-01-31', '2026-02-01', '2026-02-02']) {
      await client.anInvoice({ issue_date });
    }
    await client.void(await client.anInvoice({ issue_date: '2026-02-03' }));
    const draft = await client.anInvoice({ issue: false });
    const wants = `UPDATE documents SET number_series = 'y' WHERE document_id = $1`;
    await service.database.query(wants, [uuid(draft)]);
    await client.anInvoice({ issue_date: '2025-12-31' });
    const of2025 = { first: 1, last: 2, first_number: '2025-01', last_number: '2025-02' };
    const of2026 = { first: 1, last: 3, first_number: '2026-01', last_number: '2026-03' };
    expect(await audited(client, 'y')).toMatchObject({
      periods: [
        { period: '2025', ...of2025, count: 2, voided: 0, ...WHOLE },
        { period: '2026', ...of2026, count: 3, voided: 1, ...WHOLE },
      ],
      complete: true,
    });
  });

  it('of a raised count that nothing has used finds it complete', async () => {
    await changed(client, 'invoice', { next: 10 });
    expect(await audited(client, 'invoice')).toMatchObject({
      periods: [{ first: null, last: null, first_number: null, count: 0, ...WHOLE }],
      complete: true,
    });
    expect(await differences()).toEqual([]);
  });

  it('changes nothing', async () => {
    await client.anInvoice();
    const before = await contentsOf(service.database);
    await audited(client, 'invoice');
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it('wants the right to read documents', async () => {
    const payer = await service.aClient({ scopes: ['payments:read'], of: client });
    const answer = await payer.get('/v1/finance/numbering/invoice/audit');
    expectProblem(answer, 403, 'insufficient_scope');
  });
});

describe('an audit of books that were tampered with', () => {
  let invoices: DocumentBody[];
  beforeEach(async () => {
    invoices = [];
    for (let count = 0; count < 6; count += 1) invoices.push(await client.anInvoice());
  });

  const GUARDED = ['documents', 'document_lines', 'document_tax_groups', 'number_counters'];

  /** As the owner of the tables, who may turn their triggers off. */
  async function tamper(sql: string, ...values: unknown[]): Promise<void> {
    const owner = await service.database.connect();
    const turn = async (how: string) => {
      for (const table of GUARDED) await owner.query(`ALTER TABLE ${table} ${how} TRIGGER USER`);
    };
    try {
      await owner.query('BEGIN');
      await turn('DISABLE');
      await owner.query(sql, values);
      await turn('ENABLE');
      await owner.query('COMMIT');
    } finally {
      await owner.end();
    }
  }
  const remove = async (...places: number[]) =>
    tamper(
      'DELETE FROM documents WHERE document_id = ANY ($1)',
      places.map((place) => uuid(invoices[place - 1] ?? { id: '' })),
    );
  const update = async (place: number, assignments: string) =>
    tamper(
      `UPDATE documents SET ${assignments} WHERE document_id = $1`,
      uuid(invoices[place - 1] ?? { id: '' }),
    );

  it('finds all whole before', async () => {
    expect(await found()).toMatchObject({ first: 1, last: 6, count: 6, ...WHOLE, complete: true });
  });

  it('finds what was deleted: first, last and in between', async () => {
    await remove(1, 3, 4, 6);
    expect(await found()).toEqual({
      period: '',
      first: 1,
      last: 6,
      first_number: 'INV-00002',
      last_number: 'INV-00005',
      count: 2,
      voided: 0,
      ...WHOLE,
      gaps: [
        { from: 1, to: 1 },
        { from: 3, to: 4 },
        { from: 6, to: 6 },
      ],
      gap_count: 4,
      complete: false,
    });
  });

  it('finds that everything was deleted', async () => {
    await remove(1, 2, 3, 4, 5, 6);
    expect(await found()).toMatchObject({
      first_number: null,
      count: 0,
      gaps: [{ from: 1, to: 6 }],
      gap_count: 6,
      complete: false,
    });
  });

  it('finds a document that became a draft again', async () => {
    await update(
      2,
      `lifecycle = 'draft', number = NULL, issued_at = NULL, issued_xact = NULL,
       number_series = NULL, number_period = NULL, number_sequence = NULL`,
    );
    expect(await found()).toMatchObject({ gaps: [{ from: 2, to: 2 }], complete: false });
  });

  it('finds a document that left its series', async () => {
    await update(2, `number_series = NULL, number_period = NULL, number_sequence = NULL`);
    expect(await found()).toMatchObject({ gaps: [{ from: 2, to: 2 }], complete: false });
  });

  it('finds a counter that was put back', async () => {
    const put = 'UPDATE number_counters SET last_sequence = 3 WHERE account_id = $1';
    await tamper(put, accountOf(client));
    await remove(5);
    expect(await found()).toMatchObject({
      last: 3,
      last_number: 'INV-00006',
      count: 5,
      strays: 2,
      gap_count: 0,
      complete: false,
    });
  });

  it('finds a counter that was deleted, which only a missing key lets happen', async () => {
    const gone = async () =>
      tamper('DELETE FROM number_counters WHERE account_id = $1', accountOf(client));
    await expect(gone()).rejects.toMatchObject({ constraint: 'documents_number_counter' });
    const [key] = await service.database.query<{ rule: string }>(
      `SELECT pg_get_constraintdef(oid) AS rule FROM pg_constraint
       WHERE conname = 'documents_number_counter'`,
    );
    await service.database.query(`ALTER TABLE documents DROP CONSTRAINT documents_number_counter`);
    await gone();
    expect(await found()).toMatchObject({ first: null, count: 6, strays: 6, complete: false });
    const again = `INSERT INTO number_counters VALUES ($1, 'invoice', '', 1, 6)`;
    await tamper(again, accountOf(client));
    await service.database.query(
      `ALTER TABLE documents ADD CONSTRAINT documents_number_counter ${key?.rule}`,
    );
  });

  it('finds a number that was rewritten', async () => {
    await update(2, `number = 'INV-00099'`);
    expect(await found()).toMatchObject({ count: 6, gap_count: 0, strays: 1, complete: false });
  });

  it('finds a double, which only a missing key lets in', async () => {
    const copied = `INSERT INTO documents SELECT (jsonb_populate_record(d, jsonb_build_object(
        'document_id', gen_random_uuid(), 'number', 'INV-3', 'number_sequence', 3))).*
      FROM documents d WHERE document_id = $1`;
    const copy = async () => tamper(copied, uuid(invoices[0] ?? { id: '' }));
    const key = 'documents_number_sequence';
    await expect(copy()).rejects.toMatchObject({ constraint: key });
    await service.database.query(`ALTER TABLE documents DROP CONSTRAINT ${key}`);
    await copy();
    expect(await found()).toMatchObject({ count: 7, ...WHOLE, doubles: 1, complete: false });
    await tamper(`DELETE FROM documents WHERE number = 'INV-3'`);
    await service.database.query(`ALTER TABLE documents ADD CONSTRAINT ${key}
      UNIQUE (account_id, number_series, number_period, number_sequence)`);
  });

  it('shows at most 100 gaps, and counts the others', async () => {
    const put = 'UPDATE number_counters SET last_sequence = 606 WHERE account_id = $1';
    await tamper(put, accountOf(client));
    const [one] = invoices;
    await tamper(
      `INSERT INTO documents SELECT (jsonb_populate_record(d, jsonb_build_object(
         'document_id', gen_random_uuid(), 'number', 'INV-' || n, 'number_sequence', n))).*
       FROM documents d, generate_series(8, 606, 4) n WHERE document_id = $1`,
      uuid(one ?? { id: '' }),
    );
    const { gaps, ...rest } = await found();
    expect(gaps).toHaveLength(100);
    expect(gaps?.slice(0, 2)).toEqual([
      { from: 7, to: 7 },
      { from: 9, to: 11 },
    ]);
    expect(rest).toMatchObject({ last: 606, count: 156, gap_count: 450, complete: false });
  });
});
