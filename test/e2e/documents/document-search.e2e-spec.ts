import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { idsOf, pageOf, pagesOf, type Query } from './list-calls.js';

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});

const listed = async (query: Query) => idsOf((await pageOf(client, query)).data);

describe('a search', () => {
  let found: string;
  beforeEach(async () => {
    const { id } = await client.anInvoice({
      number: 'INV-2026-00012',
      issue_date: '2026-03-01',
      external_id: 'erp-000777',
      purchase_order: 'PO 4711/A',
      customer: {
        name: 'Müller & Söhne',
        legal_name: 'Mueller Handelsgesellschaft mbH',
        email: 'rechnung@mueller-soehne.example',
        reference: 'Kostenstelle 0815',
      },
      notes: 'Ask Łucja O’Neill, +49 30 1234, or bob.smith@acme.example.',
      lines: [
        { description: 'Beratung im März; Straße 5', unit_amount: 1 },
        { description: 'Ромашка, 東京駅, Ａ４', unit_amount: 1 },
      ],
    });
    found = id;
    await client.aQuote({ lines: [{ description: 'Consulting 987', unit_amount: 1 }] });
  });

  it.each([
    'INV-2026-00012',
    'inv-2026',
    'INV-00012',
    'INV 2026 00012',
    '00012',
    '12',
    'inv 12',
    'INV-12',
    '2026-12',
    'INV202600012',
    'INV2026',
    '#12',
    'erp-000777',
    'erp-777',
    '777',
    'PO 4711/A',
    'PO4711',
    '4711/A',
    'po4711a',
    'müller',
    'MULLER',
    'mueller handels',
    'Müller & Söhne',
    'söhne, müller',
    'rechnung@mueller-soehne.example',
    'rechnung@',
    'soehne.ex',
    'kostenstelle 0815',
    "O'Neill",
    'o’neill',
    'neill',
    'łucja',
    'bob.smith@acme',
    '+49 30',
    'beratung marz',
    'straße',
    'ромаш',
    '東京',
    'a4',
    'mul   ---   & bera',
    '(inv',
  ])('for %j finds the document', async (q) => {
    expect(await listed({ q })).toEqual([found]);
    expect(await listed({ q, sort: 'total', kind: 'invoice' })).toEqual([found]);
  });

  it.each([
    'INV-2027-00012',
    'üller',
    'müller gmbh',
    'nv-2026',
    '0012',
    'mull-sohn-x',
    'bo.smith',
    '京',
    '!!!',
    '-',
    `'`,
    `\\`,
    `\\'`,
    `''''''`,
    `':* | 'zz`,
    'inv:* | !x',
    'zz & (',
    '<->',
    '%',
    '_',
    '$6',
    '\u{1F600}',
    '\u0301',
    '\u00AD',
    'x'.repeat(200),
    'x '.repeat(100),
    'ﷺ'.repeat(200),
  ])('for %j finds nothing', async (q) => {
    expect(await listed({ q })).toEqual([]);
  });

  it('follows a draft, and what issuing makes of it', async () => {
    const draft = await client.anInvoice({ issue: false, notes: 'before' });
    expect(await listed({ q: 'before' })).toEqual([draft.id]);
    await client.patch(`/v1/finance/documents/${draft.id}`, { notes: 'after', external_id: 'e-9' });
    expect(await listed({ q: 'before' })).toEqual([]);
    expect(await listed({ q: 'after e-9' })).toEqual([draft.id]);
    const { number } = await client.issue(draft);
    expect(await listed({ q: `${number} after` })).toEqual([draft.id]);
  });

  it('takes as many words as a document may have', async () => {
    const notes = Array.from({ length: 700 }, (_, index) => `㌕${index}㌖`).join(' ');
    const lines = Array.from({ length: 1000 }, (_, index) => ({
      description: Array.from({ length: 60 }, (_, word) => `w${index}x${word}㌕㌖`).join(' '),
      unit_amount: 1,
    }));
    const { id } = await client.anInvoice({ notes, lines });
    expect(await listed({ q: '㌕699' })).toEqual([id]);
    expect(await listed({ q: 'w0x59' })).toEqual([id]);
  });
});

/** Copies of an invoice with other lines, straight into the table, newest last. */
async function copies(count: number, words: string): Promise<void> {
  const invoice = await client.anInvoice();
  await service.database.query(
    `WITH copies AS MATERIALIZED (
       SELECT n, uuidv7() AS id FROM generate_series(1, ${count}) n
     ), made AS (
       INSERT INTO documents SELECT r.* FROM documents d, copies,
         LATERAL jsonb_populate_record(d, jsonb_build_object('document_id', id,
           'number', 'C-' || n, 'number_series', null, 'number_period', null,
           'number_sequence', null, 'created_at', d.created_at + n * interval '1 ms')) r
       WHERE (d.account_id, d.document_id) = ($1, $2)
     )
     INSERT INTO document_contents SELECT r.* FROM document_contents c, copies,
       LATERAL jsonb_populate_record(c, jsonb_build_object('document_id', id,
         'search', array_to_tsvector(search_lexemes(c.account_id, '${words} ' || n)))) r
     WHERE (c.account_id, c.document_id) = ($1, $2)`,
    [uuidOf('acc', client.accountId), uuidOf('doc', invoice.id)],
  );
}

describe('a search in thousands', () => {
  it('finds the last as surely as the first, in every order', async () => {
    await client.anInvoice({ notes: 'needle' });
    await copies(6000, 'straw');
    for (const sort of ['-created_at', 'created_at', '-number', 'total']) {
      expect(await listed({ q: 'needle', sort })).toHaveLength(1);
      expect(await listed({ q: 'straw 4711', sort })).toHaveLength(1);
    }
    const many = await pagesOf(client, { q: 'straw 59', sort: 'number', limit: 50 });
    expect(many.map(({ number }) => number)).toEqual(
      [59, ...range(590, 599), ...range(5900, 5999)].map((n) => `C-${n}`),
    );
    expect(
      (await pageOf(client, { q: 'straw', limit: 2 })).data.map(({ number }) => number),
    ).toEqual(['C-6000', 'C-5999']);
  });
});

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
