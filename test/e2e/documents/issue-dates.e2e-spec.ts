import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type {
  DocumentBody,
  DocumentWarningBody,
} from '../../../src/documents/wire/document-body.js';
import { type TestClient, requestFor } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { historyOf, made } from './document-calls.js';
import { aSeries, changed } from './numbering.js';

// Numbers go on, and dates go back: never without a word, whatever way a document is issued.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.clock.set('2026-11-22T12:00:00Z');
  client = await service.aClient();
});

const DOCUMENTS = '/v1/finance/documents';
const LATE = 'date_before_last_issued';
/** The warnings of the date; an event has no others, for they are found again in the content. */
function dateWarnings({ warnings = [] }: DocumentBody) {
  const late = warnings.filter(({ code }) => code === LATE);
  return late.length > 0 ? late : undefined;
}
const warned = (body: DocumentBody) => dateWarnings(body)?.map(({ last_issued }) => last_issued);
const asLast = ({ id, number, issue_date }: DocumentBody) => [{ id, number, issue_date }];

async function eventOf(document: { id: string }) {
  const [event] = await service.database.query<{ data: { warnings?: DocumentWarningBody[] } }>(
    `SELECT data FROM events WHERE type LIKE '%.issued' AND data->'document'->>'id' = $1`,
    [document.id],
  );
  return event?.data;
}

describe('a document of a date before the last one issued', () => {
  it('is issued, with a warning in the answer, its event and its history', async () => {
    const last = await client.anInvoice({ issue_date: '2026-11-20' });
    const issued = await client.anInvoice({ issue_date: '2026-11-19' });
    const warnings = [
      {
        code: LATE,
        message: expect.stringMatching(
          /^INV-00002 is dated 2026-11-19, before INV-00001 of 2026-11-20, /,
        ),
        pointer: '/issue_date',
        last_issued: { id: last.id, number: 'INV-00001', issue_date: '2026-11-20' },
      },
    ];
    expect(issued).toMatchObject({ number: 'INV-00002', issue_date: '2026-11-19' });
    expect(dateWarnings(issued)).toEqual(warnings);
    expect((await eventOf(issued))?.warnings).toEqual(dateWarnings(issued));
    expect((await historyOf(client, issued)).map((one) => [one.type, one.warnings])).toEqual([
      ['document.created', []],
      ['document.issued', dateWarnings(issued)],
    ]);
    const { warnings: _, ...rest } = issued;
    expect(await client.read(issued)).toEqual(rest);
  });

  it('is warned of when the clock goes back, and only where it does', async () => {
    const dates: [string, boolean][] = [
      ['2026-11-22T12:00:00Z', false],
      ['2026-11-22T08:00:00Z', false],
      ['2026-11-21T23:00:00Z', true],
      ['2026-11-21T23:30:00Z', false],
      ['2025-11-22T12:00:00Z', true],
      ['2026-11-23T12:00:00Z', false],
    ];
    let last: DocumentBody | undefined;
    for (const [now, back] of dates) {
      service.clock.set(now);
      const issued = await client.anInvoice();
      expect([now, warned(issued)]).toEqual([now, back && last ? asLast(last) : undefined]);
      expect((await eventOf(issued))?.warnings).toEqual(dateWarnings(issued));
      last = issued;
    }
  });

  it('is warned of on every way to issue', async () => {
    const back = { issue: true, issue_date: '2026-11-01' };
    const quote = await client.aQuote();
    const invoice = await client.anInvoice({ issue_date: '2026-10-30' });
    const other = await client.anInvoice();
    const draft = await client.anInvoice({ issue: false, issue_date: '2026-11-01' });
    expect(draft.warnings).toBeUndefined();
    const issued = [await client.issue(draft)];
    const late = { issue_date: '2026-11-25' };
    for (const [document, step] of [
      [other, 'duplicate'],
      [other, 'revise'],
      [quote, 'convert'],
    ] as const) {
      await client.anInvoice(late);
      issued.push(await made(client, document, step, back));
    }
    await made(client, invoice, 'credit-notes', { amount: 100, ...late });
    const credited = { amount: 100, issue_date: '2026-11-01' };
    issued.push(await made(client, invoice, 'credit-notes', credited));
    expect(issued.map((one) => [one.number, one.issue_date, warned(one)?.[0]?.number])).toEqual([
      ['INV-00003', '2026-11-01', 'INV-00002'],
      ['INV-00005', '2026-11-01', 'INV-00004'],
      ['INV-00007', '2026-11-01', 'INV-00006'],
      ['INV-00009', '2026-11-01', 'INV-00008'],
      ['CRN-00002', '2026-11-01', 'CRN-00001'],
    ]);
    for (const one of issued) expect((await eventOf(one))?.warnings).toEqual(dateWarnings(one));
  });

  it('is warned of again in the answer to a repeat, byte for byte', async () => {
    await client.anInvoice();
    const body = requestFor({ issue_date: '2026-11-01' });
    const send = async () => client.post<DocumentBody>(DOCUMENTS, body, { 'Idempotency-Key': 'k' });
    const [first, again] = [await send(), await send()];
    expect(warned(first.body)).toHaveLength(1);
    expect([again.headers.get('idempotency-replayed'), again.text]).toEqual(['true', first.text]);
  });
});

describe('the last one issued', () => {
  it('is of the same series and period, void or not', async () => {
    await aSeries(client, { id: 'm', pattern: '{YYYY}{MM}-{SEQ}', reset: 'month' });
    const on = async (issue_date: string, over: object = {}) =>
      client.anInvoice({ issue_date, ...over });
    expect(warned(await on('2026-11-20'))).toBeUndefined();
    expect(warned(await on('2026-11-01', { series_id: 'invoice' }))).toBeUndefined();
    expect(warned(await on('2026-10-20'))).toBeUndefined();
    expect(warned(await client.aQuote({ issue_date: '2026-01-01' }))).toBeUndefined();
    const last = await client.void(await on('2026-10-21'));
    expect(warned(await on('2026-10-20'))).toEqual(asLast(last));
    expect(warned(await on('2026-11-19'))).toMatchObject([{ number: '202611-1' }]);
    const other = await service.aClient();
    expect(warned(await other.anInvoice({ issue_date: '2026-01-01' }))).toBeUndefined();
  });

  it('keeps the number that it was given, whatever the pattern is now', async () => {
    await client.anInvoice();
    await changed(client, 'invoice', { pattern: 'NEW-{SEQ:4}' });
    const issued = await client.anInvoice({ issue_date: '2026-11-01' });
    expect([issued.number, warned(issued)?.[0]?.number]).toEqual(['NEW-0002', 'INV-00001']);
  });

  it('is none of a number from elsewhere, whose order was made there', async () => {
    await client.anInvoice();
    const issued = await client.anInvoice({ issue_date: '2026-11-01', number: 'OLD-1' });
    expect(dateWarnings(issued)).toBeUndefined();
    await client.anInvoice({ issue_date: '2026-12-24', number: 'OLD-2' });
    expect(dateWarnings(await client.anInvoice())).toBeUndefined();
  });

  it('is the one whose transaction was waited for, when many issue at once', async () => {
    const dates = Array.from(
      { length: 40 },
      (_, n) => `2026-11-${String(1 + ((n * 7) % 20)).padStart(2, '0')}`,
    );
    const issued = await Promise.all(dates.map((issue_date) => client.anInvoice({ issue_date })));
    issued.sort((one, other) => (one.number ?? '').localeCompare(other.number ?? ''));
    const expected = issued.map((one, at) => {
      const last = issued[at - 1];
      return last && (one.issue_date ?? '') < (last.issue_date ?? '') ? asLast(last) : undefined;
    });
    expect(issued.map(warned)).toEqual(expected);
    expect(expected.filter((one) => one !== undefined).length).toBeGreaterThan(5);
  });
});

describe('a series that keeps its dates in order', () => {
  it('refuses a date before the last one, and gives no number for it', async () => {
    expect(await changed(client, 'invoice', { dates_in_order: true })).toMatchObject({
      dates_in_order: true,
    });
    await client.anInvoice({ issue_date: '2026-11-20' });
    const refused = await client.post<{ code: string }>(
      DOCUMENTS,
      requestFor({ issue_date: '2026-11-19' }),
    );
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'date_before_last_issued', number: 'INV-00001', issue_date: '2026-11-20' },
    });
    const same = await client.anInvoice({ issue_date: '2026-11-20' });
    expect([same.number, same.warnings]).toEqual(['INV-00002', undefined]);
    await changed(client, 'invoice', { dates_in_order: false });
    expect(warned(await client.anInvoice({ issue_date: '2026-11-19' }))).toEqual(asLast(same));
  });

  it('keeps them also where many are issued at once', async () => {
    await changed(client, 'invoice', { dates_in_order: true });
    const days = ['14', '11', '17', '12', '16', '13', '15', '10', '18', '19'];
    const answers = await Promise.all(
      days.map((day) =>
        client.post<DocumentBody>(DOCUMENTS, requestFor({ issue_date: `2026-11-${day}` })),
      ),
    );
    const issued = answers.filter(({ status }) => status === 201).map(({ body }) => body);
    const refused = answers.filter(({ status }) => status === 409);
    expect(issued.length + refused.length).toBe(days.length);
    const dates = issued
      .toSorted((a, b) => String(a.number).localeCompare(String(b.number)))
      .map(({ issue_date }) => issue_date);
    expect(dates.length).toBeGreaterThan(0);
    expect(dates).toEqual(dates.toSorted());
  });
});

it('an invoice of another century takes no number of a year with two digits', async () => {
  const books = await client.patch('/v1/finance/seller', { books_from: '1900-01-01' });
  expect(books.status).toBe(200);
  await aSeries(client, { id: 'y', pattern: '{YY}-{SEQ}', reset: 'year' });
  const old = requestFor({ issue_date: '1926-11-22' });
  expect(await client.post(DOCUMENTS, old)).toMatchObject({
    status: 422,
    body: { code: 'date_outside_series', errors: [{ pointer: '/issue_date' }] },
  });
  expect((await client.anInvoice()).number).toBe('26-1');
  await aSeries(client, { id: 'yyyy', pattern: '{YYYY}-{SEQ}', reset: 'year' });
  const dated = await client.post<DocumentBody>(DOCUMENTS, old);
  expect([dated.status, dated.body.number]).toEqual([201, '1926-1']);
});
