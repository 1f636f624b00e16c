import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BankFileMappingBody } from '../../../src/bank/wire/bank-file-mapping.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';
import { ENTRIES, entriesOf, importFile, STATEMENTS } from './bank-calls.js';
import { closeWithBooks } from '../documents/document-calls.js';

// How CSV files of a bank account are read: told once, known from then on, and never guessed.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  client = await service.aClient();
});
afterAll(() => closeWithBooks(service));

const MAPPINGS = '/v1/finance/bank-file-mappings';
const ONE = 'DE89370400440532013000';
const OTHER = 'NL91ABNA0417164300';
const SIDES = { column_direction: 'Way' };

/** Ambiguous amounts, and a direction in a column that nobody knows: it is refused without hints. */
const aFile = (text: string, { way = 'X', amount = '1.234', header = 'Way' } = {}) =>
  `Date;Text;Amount;Currency;${header}\n2026-11-18;${text};${amount};EUR;${way}\n`;

/** The same, and each row tells its account in a column that nobody knows. */
const namingFile = (text: string, account: string, way = 'X') =>
  `Date;Text;Amount;Currency;Way;Whose\n2026-11-18;${text};1.234;EUR;${way};${account}\n`;

/** A charge of a credit card, that says nothing of its direction. */
const charges = (text: string, rest = '') =>
  `Date;Text;Amount;Currency;Account${rest}\n2026-11-18;${text};5,00;EUR;${ONE}\n`;

const TOLD = { ...SIDES, decimal: 'comma', debit_words: 'X', credit_words: 'Y' };
const NAMED = { ...TOLD, column_account: 'Whose' };

async function send(file: string, hints: Record<string, string> = {}, by = client) {
  return importFile(by, file, { type: 'text/csv', query: `?${new URLSearchParams(hints)}` });
}

async function mappings(by = client): Promise<BankFileMappingBody[]> {
  return (await by.get<{ data: BankFileMappingBody[] }>(MAPPINGS)).body.data;
}

const told = async () => (await mappings()).map(({ bank_account, hints }) => [bank_account, hints]);

describe('a mapping', () => {
  it('is told once with a file, and known for all later ones of its bank account', async () => {
    const first = await send(aFile('a'), { ...TOLD, account: ONE });
    expect([first.status, first.body.mapping_id]).toEqual([201, null]);
    const [mapping] = await mappings();
    expect(mapping).toEqual({
      id: expect.stringMatching(/^bmap_/),
      bank_account: ONE,
      hints: TOLD,
      header: ['Date', 'Text', 'Amount', 'Currency', 'Way'],
      told_at: expect.any(String),
      told_by: client.id,
    });
    // A header that has more still has all that is named.
    const file = aFile('b').replace('Way\n', 'Way;Note\n');
    const later = await send(file, { account: 'de89 3704 0044 0532 0130 00' });
    expect(later.body).toMatchObject({
      mapping_id: mapping?.id,
      counts: { debits: 1 },
      unused_columns: ['Note'],
      sections: [{ account: ONE }],
    });
    expect((await client.get(`${STATEMENTS}/${later.body.id}`)).body).toEqual(later.body);
    expect((await client.get(`${MAPPINGS}/${mapping?.id}`)).body).toEqual(mapping);
    expect(await mappings()).toEqual([mapping]);
    const amounts = (await entriesOf(client)).map(({ amount, direction }) => [amount, direction]);
    expect(amounts).toEqual([
      [123_400, 'debit'],
      [123_400, 'debit'],
    ]);
  });

  it('is found by the header where the file tells its account, and of no other account', async () => {
    await send(namingFile('a', ONE), NAMED);
    const later = await send(namingFile('b', ONE));
    expect(later.body).toMatchObject({ counts: { debits: 1 }, sections: [{ account: ONE }] });
    expect(later.body.mapping_id).toBe((await mappings())[0]?.id);
    for (const file of [
      namingFile('c', OTHER),
      `${namingFile('d', ONE)}2026-11-18;e;1.234;EUR;X;${OTHER}\n`,
      aFile('f'),
    ]) {
      expectProblem(await send(file), 422, 'malformed_statement');
    }
    expectProblem(await send(aFile('g'), { account: OTHER }), 422, 'malformed_statement');
    const names = { ...NAMED, debit_words: 'Y', credit_words: 'X' };
    await send(namingFile('h', OTHER), names);
    const both = [await send(namingFile('i', ONE)), await send(namingFile('j', OTHER))];
    expect(both.map(({ body }) => body.counts.debits)).toEqual([1, 0]);
    expect(await told()).toEqual([
      [OTHER, names],
      [ONE, NAMED],
    ]);
  });

  it('is for no file that does not tell its account, as two at one bank have one header', async () => {
    await send(aFile('a'), { ...TOLD, account: ONE });
    expectProblem(await send(aFile('b')), 422, 'malformed_statement');
    // Another account has its own mapping, or none.
    expectProblem(await send(aFile('b'), { account: OTHER }), 422, 'malformed_statement');
    expect(await entriesOf(client)).toHaveLength(1);
  });

  it('comes behind what is sent, column by column and word by word', async () => {
    await send(aFile('a'), { ...TOLD, account: ONE });
    const [mapping] = await mappings();
    const sent = { account: ONE, decimal: 'point', credit_words: 'X' };
    const { body } = await send(aFile('b', { amount: '1.23' }), sent);
    expect(body).toMatchObject({ counts: { debits: 0, unmatched: 1 }, mapping_id: mapping?.id });
    const [entry] = await entriesOf(client, `statement_id=${body.id}`);
    expect(entry).toMatchObject({ amount: 123, direction: 'credit' });
    const now = { ...SIDES, decimal: 'point', credit_words: 'X' };
    expect(await told()).toEqual([[ONE, now]]);
    const third = await send(aFile('later', { amount: '-5.00' }), {
      account: ONE,
      ignore_columns: 'Way',
    });
    expect(third.body).toMatchObject({ counts: { debits: 1 } });
    const { column_direction: _, ...left } = now;
    expect(await told()).toEqual([[ONE, { ...left, ignore_columns: 'Way' }]]);
    expect((await mappings())[0]?.id).toBe(mapping?.id);
  });

  it('is not told by files without hints, without an account, or of several', async () => {
    const plain = 'Date;Text;Amount;Currency\n2026-11-18;a;5,00;EUR\n';
    expect((await send(plain, { account: ONE })).status).toBe(201);
    expect((await send(aFile('b'), TOLD)).status).toBe(201);
    const two = `${namingFile('c', ONE)}2026-11-18;d;1.234;EUR;X;${OTHER}\n`;
    expect((await send(two, NAMED)).status).toBe(201);
    expectProblem(await send(aFile('e'), { account: ONE }), 422, 'malformed_statement');
    expect(await mappings()).toEqual([]);
  });

  it('that does not fit a changed header is named, and gives way to hints that are sent', async () => {
    await send(aFile('a'), { ...TOLD, account: ONE });
    const [mapping] = await mappings();
    const changed = aFile('b', { header: 'Whither' });
    const refused = await send(changed, { account: ONE });
    expectProblem(refused, 422, 'bank_file_mapping_mismatch');
    expect(refused.body).toMatchObject({
      mapping_id: mapping?.id,
      detail: expect.stringMatching(/column_direction \(Way\).*DELETE the mapping/),
    });
    expect(await entriesOf(client)).toHaveLength(1);
    const anew = { ...TOLD, column_direction: 'Whither', account: ONE };
    expect((await send(changed, anew)).body).toMatchObject({ counts: { debits: 1 } });
    const { account: _, ...kept } = anew;
    expect(await told()).toEqual([[ONE, kept]]);
    // It is named, too, where a value cannot be read by it.
    const wrong = await send(aFile('c', { header: 'Whither', way: 'Z' }), { account: ONE });
    expectProblem(wrong, 422, 'malformed_statement');
    expect(wrong.body).toMatchObject({ mapping_id: mapping?.id });
  });

  it('counts for a file that names its account, though its header changed', async () => {
    await send(charges('a'), { unsigned_amounts: 'debit' });
    const { body } = await send(charges('b', ';Note'));
    expect(body).toMatchObject({ counts: { debits: 1, unmatched: 0 } });
    expect(body.mapping_id).toBe((await mappings())[0]?.id);
  });
});

describe('the same bytes', () => {
  it('are the statement that they were, with the same said and with nothing', async () => {
    const hints = { ...TOLD, account: ONE };
    const first = await send(aFile('a'), hints);
    const all: Record<string, string>[] = [hints, {}, { account: ONE }];
    for (const same of all) {
      expect([await send(aFile('a'), same)].map(({ status, body }) => [status, body])).toEqual([
        [201, first.body],
      ]);
    }
    const refused = await send(aFile('a'), { ...hints, decimal: 'point' });
    expectProblem(refused, 409, 'statement_read_otherwise');
    expect(await entriesOf(client)).toHaveLength(1);
  });

  it('are it, too, when the mapping has changed or gone meanwhile', async () => {
    const hints = { ...TOLD, account: ONE };
    await send(aFile('a'), hints);
    const byMapping = await send(aFile('b'), { account: ONE });
    const otherwise = { ...hints, debit_words: 'Y', credit_words: 'X' };
    await send(aFile('c'), otherwise);
    const again = async () => {
      expect((await send(aFile('b'), { account: ONE })).body).toEqual(byMapping.body);
      expect((await send(aFile('b'), hints)).body).toEqual(byMapping.body);
      expect((await send(aFile('a'), hints)).status).toBe(201);
      const now = await send(aFile('b'), otherwise);
      expectProblem(now, 409, 'statement_read_otherwise');
      expect(now.body).toMatchObject({ bank_statement_id: byMapping.body.id });
    };
    await again();
    await client.delete(`${MAPPINGS}/${(await mappings())[0]?.id}`);
    await again();
    expect(await entriesOf(client)).toHaveLength(3);
    // A repeated file tells nothing.
    expect(await mappings()).toEqual([]);
  });

  it('are read by what is known once their first reading was taken back', async () => {
    const first = await send(namingFile('a', ONE), NAMED);
    await client.delete(`${STATEMENTS}/${first.body.id}`);
    const second = await send(namingFile('a', ONE));
    expect(second.body).toMatchObject({ counts: { debits: 1, known_before: 0 } });
    expect(second.body.mapping_id).toBe((await mappings())[0]?.id);
  });
});

describe('mappings', () => {
  it('are deleted once, and then unknown again', async () => {
    await send(aFile('a'), { ...TOLD, account: ONE });
    const [mapping] = await mappings();
    const path = `${MAPPINGS}/${mapping?.id}`;
    const reader = await service.aClient({ of: client, scopes: ['payments:read'] });
    expect([(await reader.get(path)).status, (await reader.delete(path)).status]).toEqual([
      200, 403,
    ]);
    const key = { 'idempotency-key': 'k' };
    for (const _ of [1, 2]) expect((await client.delete(path, key)).status).toBe(204);
    expectProblem(await client.delete(path), 404, 'bank_file_mapping_not_found');
    expectProblem(await client.get(path), 404, 'bank_file_mapping_not_found');
    expectProblem(await client.get(`${MAPPINGS}/x`), 404, 'bank_file_mapping_not_found');
    expectProblem(await send(aFile('b'), { account: ONE }), 422, 'malformed_statement');
    const { body } = await client.get<{ data: { before: object; after: object }[] }>(
      '/v1/audit?action=bank_file_mapping.*',
    );
    expect(body.data).toMatchObject([
      { action: 'bank_file_mapping.deleted', subject: mapping?.id, after: null },
      { action: 'bank_file_mapping.created', after: { bank_account: '****3000' } },
    ]);
  });

  it('are of one account alone', async () => {
    const stranger = await service.aClient();
    await send(namingFile('a', ONE), NAMED);
    const [mapping] = await mappings();
    expect(await mappings(stranger)).toEqual([]);
    const path = `${MAPPINGS}/${mapping?.id}`;
    expectProblem(await stranger.get(path), 404, 'bank_file_mapping_not_found');
    expectProblem(await stranger.delete(path), 404, 'bank_file_mapping_not_found');
    expectProblem(await send(namingFile('b', ONE), {}, stranger), 422, 'malformed_statement');
    const hers = { account: ONE };
    expectProblem(await send(aFile('b'), hers, stranger), 422, 'malformed_statement');
    expect(await mappings()).toEqual([mapping]);
  });

  it('told at the same time end as one of them', async () => {
    const files = Array.from({ length: 6 }, (_, index) => aFile(`f${index}`));
    const wishes = files.map((_, index) => ({
      ...TOLD,
      account: ONE,
      booked_states: index % 2 === 0 ? 'A' : 'B',
    }));
    await client.bearer();
    // All have looked for the mapping before one of them can keep it.
    const held = service.database.query(
      'BEGIN; LOCK TABLE bank_file_mappings IN SHARE MODE; SELECT pg_sleep(1); COMMIT',
    );
    await setTimeout(100);
    const answers = await Promise.all(files.map((file, index) => send(file, wishes[index])));
    await held;
    expect(answers.map(({ status }) => status)).toEqual(files.map(() => 201));
    const kept = await mappings();
    expect(kept).toHaveLength(1);
    const { account, ...first } = wishes[0] ?? {};
    expect([account, kept[0]?.hints]).toEqual([
      ONE,
      { ...first, booked_states: expect.stringMatching(/^[AB]$/) },
    ]);
    expect(await entriesOf(client)).toHaveLength(6);
  });

  it('are at most a hundred, in pages', async () => {
    await send(aFile('a'), { ...TOLD, account: ONE });
    await service.database.query(
      `INSERT INTO bank_file_mappings
       SELECT account_id, gen_random_uuid(), 'A' || n, header, hints, told_at, client_id
       FROM bank_file_mappings, generate_series(1, 99) n WHERE mapping_id = (
         SELECT max(mapping_id::text)::uuid FROM bank_file_mappings)`,
    );
    const answer = await send(aFile('b'), { ...TOLD, account: OTHER });
    expectProblem(answer, 409, 'too_many_bank_file_mappings');
    expect(await entriesOf(client)).toHaveLength(1);
    expect((await send(aFile('c'), { ...TOLD, booked_states: 'A', account: ONE })).status).toBe(
      201,
    );
    const page = await client.get(`${MAPPINGS}?limit=60&include=total_count`);
    expect(page.body).toMatchObject({ has_more: true, total_count: 100 });
    const next = await client.get<{ data: object[] }>(
      `${MAPPINGS}?limit=60&cursor=${page.body['next_cursor']}`,
    );
    expect(next.body.data).toHaveLength(40);
    expect((await client.get(`${ENTRIES}?limit=1`)).status).toBe(200);
  });
});
