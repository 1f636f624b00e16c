import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/http/document-body.dto.js';
import { aCreditNote } from '../../support/documents.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';
import { closeWithBooks, historyOf, patched, pathOf } from './document-calls.js';

// A line has an id that stays, and names by which its caller knows it.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => closeWithBooks(service));
beforeEach(async () => {
  client = await service.aClient();
});

const work = { description: 'Work', unit_amount: 10_000, external_id: 'row-1', sku: 'W-1' };
const book = { description: 'Book', unit_amount: 1_990, metadata: { shelf: '7' } };
const aDraft = (wish: object = {}) =>
  client.anInvoice({ issue: false, lines: [work, book], ...wish });
const idsOf = ({ lines }: DocumentBody) => lines.map(({ id }) => id ?? '');

describe('the id of a line', () => {
  it('stays when its draft changes, and when it is sent again, in any place', async () => {
    const draft = await aDraft();
    const [first = '', second = ''] = idsOf(draft);
    expect([first, second]).toEqual([
      expect.stringMatching(/^line_[0-9a-z]{26}$/),
      expect.stringMatching(/^line_[0-9a-z]{26}$/),
    ]);
    expect(first).not.toBe(second);
    const noted = await patched(client, draft, { notes: 'Thanks' });
    expect(noted.lines).toEqual(draft.lines);

    const lines = [{ ...book, id: second }, { description: 'New', unit_amount: 5 }, { ...work }];
    const moved = await patched(client, draft, { lines });
    const [kept, added, again] = idsOf(moved);
    expect(kept).toBe(second);
    expect(new Set([first, second, added, again]).size).toBe(4);
    const issued = await client.post<DocumentBody>(`${pathOf(draft)}/issue`);
    expect(idsOf(issued.body)).toEqual(idsOf(moved));
    expect(await client.read(issued.body)).toMatchObject({ lines: issued.body.lines });
  });

  it('is refused where the draft has no such line, and twice, all at once', async () => {
    const draft = await aDraft();
    const [first = ''] = idsOf(draft);
    const [foreign = ''] = idsOf(await aDraft());
    const lines = [first, first, foreign, 'line_1'].map((id) => ({ ...book, id }));
    const refused = await client.patch(pathOf(draft), { lines: lines.slice(0, 3) });
    expectProblem(refused, 422, 'validation_failed');
    expect(refused.body['errors']).toMatchObject([
      { pointer: '/lines/1/id', code: 'said_twice' },
      { pointer: '/lines/2/id', code: 'unknown_line' },
    ]);
    expectProblem(
      await client.patch(pathOf(draft), { lines: lines.slice(3) }),
      422,
      'unknown_line',
    );
    const body = { currency: 'EUR', customer: { name: 'Globex' }, lines: lines.slice(0, 1) };
    expectProblem(await client.post('/v1/finance/documents', body), 422, 'unknown_line');
    expectProblem(await client.post('/v1/finance/documents/preview', body), 422, 'unknown_line');
  });

  it('is its own on a duplicate, a revision and an invoice of a quote; the names go with it', async () => {
    const quote = await aDraft({ kind: 'quote', issue: true });
    const copies = await Promise.all(
      ['duplicate', 'convert'].map((step) =>
        client.post<DocumentBody>(`${pathOf(quote)}/${step}`, {}),
      ),
    );
    for (const { body } of copies) {
      expect(idsOf(body).filter((id) => idsOf(quote).includes(id))).toEqual([]);
      expect(body.lines).toMatchObject([
        { external_id: 'row-1', sku: 'W-1', metadata: {} },
        { external_id: null, sku: null, metadata: { shelf: '7' } },
      ]);
    }
    const invoice = await aDraft({ issue: true });
    const revised = await client.post<DocumentBody>(`${pathOf(invoice)}/revise`, {});
    expect(idsOf(revised.body).filter((id) => idsOf(invoice).includes(id))).toEqual([]);
    // Another id is nothing that a client would notice.
    const changes = await client.get<{ data: { field: string }[] }>(
      `${pathOf(revised.body)}/changes`,
    );
    expect(changes.body.data.filter(({ field }) => field.startsWith('/lines'))).toEqual([]);
  });
});

describe('the names of a line', () => {
  it('are in the history of an edit', async () => {
    const draft = await aDraft({ lines: [work] });
    const [id = ''] = idsOf(draft);
    const lines = [{ ...work, id, sku: 'W-2', metadata: { job: '9' } }];
    await patched(client, draft, { lines });
    const { changes } = (await historyOf(client, draft)).at(-1) as unknown as {
      changes: object[];
    };
    expect(changes).toEqual([
      { field: '/lines/0/sku', from: 'W-1', to: 'W-2' },
      { field: '/lines/0/metadata/job', from: null, to: '9' },
    ]);
  });

  it('of the caller are each on one line of a document', async () => {
    const lines = [work, book, { ...work }];
    const refused = await client.post('/v1/finance/documents', {
      customer: { name: 'Globex' },
      lines,
    });
    expectProblem(refused, 422, 'said_twice');
    expect(refused.body['errors']).toMatchObject([{ pointer: '/lines/2/external_id' }]);
  });
});

describe('a credit note', () => {
  it('names the lines of the invoice, whole and by line', async () => {
    const invoice = await aDraft({ issue: true });
    const [first, second] = idsOf(invoice);
    const part = await aCreditNote(client, invoice, { lines: [{ position: 2, amount: 100 }] });
    expect(part.lines).toMatchObject([{ credited_line_id: second, external_id: null }]);
    const other = await aDraft({ issue: true });
    const whole = await aCreditNote(client, other);
    expect(whole.lines.map(({ credited_line_id: id }) => id)).toEqual(idsOf(other));
    expect(whole.lines).toMatchObject([{ sku: 'W-1' }, { sku: null }]);
    const amount = await aCreditNote(client, invoice, { amount: 100 });
    expect(amount.lines).toMatchObject([{ credited_line_id: null }]);
    expect(first).not.toBe(second);
    expect(await client.read(whole)).toMatchObject({ lines: whole.lines });
  });
});
