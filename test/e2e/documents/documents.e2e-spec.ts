import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import { requestFor, type TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { contentsOf, expectProblem } from '../expectations.js';

// Documents from draft to void; what they refuse is in bad-documents.e2e-spec.ts,
// and repeats of a request are in document-repeats.e2e-spec.ts.

interface PageBody {
  data: DocumentBody[];
  has_more: boolean;
  next_cursor: string | null;
}

const DOCUMENTS = '/v1/finance/documents';

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});

const issue = (document: { id: string }) =>
  client.post<DocumentBody>(`${DOCUMENTS}/${document.id}/issue`);
const voided = (document: { id: string }) =>
  client.post<DocumentBody>(`${DOCUMENTS}/${document.id}/void`);

async function page(query: Record<string, string | number> = {}): Promise<PageBody> {
  const text = new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]));
  const answer = await client.get<PageBody>(`${DOCUMENTS}?${text}`);
  expect(answer.status).toBe(200);
  return answer.body;
}

describe('a document', () => {
  it('is a draft without a number until it is issued', async () => {
    const draft = await client.anInvoice({ issue: false });
    expect(draft).toMatchObject({ status: 'draft', number: null, version: 1 });
    const issued = await issue(draft);
    expect(issued.status).toBe(200);
    expect(issued.body).toMatchObject({ status: 'open', number: 'INV-00001', amount_due: 11_900 });
    expect(issued.body.issue_date).toBe(service.clock.now().toISOString().slice(0, 10));
    expect(Date.parse(issued.body.due_date ?? '')).toBe(
      Date.parse(issued.body.issue_date ?? '') + 30 * 86_400_000,
    );
    expect(issued.body.version).toBeGreaterThan(draft.version);
  });

  it('is issued at once where that is asked for', async () => {
    const invoice = await client.anInvoice();
    const quote = await client.aQuote();
    expect([invoice.status, invoice.number]).toEqual(['open', 'INV-00001']);
    expect([quote.status, quote.number]).toEqual(['open', 'QUO-00001']);
    expectProblem(await issue(invoice), 409, 'document_not_draft');
  });

  it('has the totals of EN 16931', async () => {
    const document = await client.anInvoice({
      lines: [
        { description: 'A', quantity: '3', unit_amount: 3333, tax_rate: '19' },
        // 499.5 is rounded on its line, half up.
        { description: 'B', quantity: 1.5, unit_amount: 333, tax_rate: 19 },
        { description: 'C', unit_amount: 105, tax_rate: '7.0' },
        { description: 'D', quantity: '2', unit_amount_decimal: '0.4', tax_rate: '7' },
        { description: 'E', unit_amount: 1000, tax_category: 'AE' },
      ],
    });
    expect(document.lines.map((line) => line.net_amount)).toEqual([9999, 500, 105, 1, 1000]);
    // 1994.81 and 7.42: one rounding a group.
    expect(document.tax_groups).toMatchObject([
      { tax_category: 'S', tax_rate: '19', taxable_amount: 10_499, tax_amount: 1995 },
      { tax_category: 'S', tax_rate: '7', taxable_amount: 106, tax_amount: 7 },
      { tax_category: 'AE', tax_rate: '0', taxable_amount: 1000, tax_amount: 0 },
    ]);
    expect(document).toMatchObject({ net_total: 11_605, tax_total: 2002, total: 13_607 });
    expect([document.amount_paid, document.amount_due]).toEqual([0, 13_607]);
  });

  it.each([
    ['JPY', 1250, 1250],
    ['EUR', 1250, 1250],
    ['KWD', 1250, 1250],
  ])('in %s counts minor units', async (currency, unitAmount, total) => {
    const document = await client.anInvoice({ currency, unitAmount, taxRate: '0' });
    expect([document.currency, document.total]).toEqual([currency, total]);
  });

  it('is read as it was answered, with its version as ETag', async () => {
    const made = await client.anInvoice({
      // The lower rate first: an order of our own would show.
      lines: [
        { description: 'Book', unit_amount: 1000, tax_rate: '7' },
        { description: 'Pen', unit_amount: 500, tax_rate: '19', quantity: '2.50' },
      ],
      notes: 'Thank you',
      purchase_order: 'PO 7',
      metadata: { project: 'apollo', 'order/line': '1' },
    });
    const read = await client.get<DocumentBody>(`${DOCUMENTS}/${made.id}`);
    expect(read.status).toBe(200);
    expect(read.body).toEqual(made);
    expect(read.headers.get('etag')).toBe(`"${made.version}"`);
    await client.pay(made, { amount: 500 });
    const paid = await client.get<DocumentBody>(`${DOCUMENTS}/${made.id}`);
    expect(paid.headers.get('etag')).toBe(`"${paid.body.version}"`);
    expect(paid.body.version).toBeGreaterThan(made.version);
  });

  it('keeps every key of its metadata', async () => {
    const metadata = { hasOwnProperty: 'a', toString: 'b', valueOf: 'c' };
    expect((await client.anInvoice({ metadata })).metadata).toEqual(metadata);
  });

  it('never loses a key of its metadata that is named constructor', async () => {
    const body = requestFor({ metadata: { constructor: 'a' } });
    const answer = await client.post<DocumentBody>(DOCUMENTS, body);
    const outcome = answer.status === 201 ? answer.body.metadata : answer.status;
    expect([{ constructor: 'a' }, 400, 422]).toContainEqual(outcome);
  });

  it('is void at last, which keeps its number', async () => {
    const invoice = await client.anInvoice();
    const answer = await voided(invoice);
    expect([answer.status, answer.body.status]).toEqual([200, 'void']);
    expect(answer.body.number).toBe(invoice.number);
    expect(answer.body.status_transitions.voided_at).not.toBeNull();
    expectProblem(await voided(invoice), 409, 'document_not_voidable');
    expectProblem(await client.pay(invoice), 409, 'document_not_payable');
    expect((await client.anInvoice()).number).toBe('INV-00002');
  });

  it('is not voided while money is on it, nor as a draft', async () => {
    const partly = await client.anInvoice();
    await client.pay(partly, { amount: 1 });
    const paid = await client.anInvoice();
    await client.pay(paid, { amount: 11_900 });
    const draft = await client.anInvoice({ issue: false });
    const before = await contentsOf(service.database);
    for (const document of [partly, paid, draft]) {
      const problem = expectProblem(await voided(document), 409, 'document_not_voidable');
      expect(problem['document_status']).toBe((await client.read(document)).status);
    }
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it('is overdue from the day after its due date, in the zone of its account', async () => {
    const kiribati = await service.aClient({ timeZone: 'Pacific/Kiritimati' });
    service.clock.set('2036-06-11T09:30:00Z');
    try {
      const dates = { issue_date: '2036-06-01', due_date: '2036-06-11' };
      const here = await client.anInvoice(dates);
      const there = await kiribati.anInvoice(dates);
      expect([here.is_overdue, there.is_overdue]).toEqual([false, false]);
      // Past midnight there, fourteen hours ahead.
      service.clock.set('2036-06-11T10:30:00Z');
      expect((await client.read(here)).is_overdue).toBe(false);
      expect((await kiribati.read(there)).is_overdue).toBe(true);
      service.clock.set('2036-06-12T00:30:00Z');
      expect((await client.read(here)).is_overdue).toBe(true);
    } finally {
      service.clock.set(new Date());
    }
  });

  it('stays as it was issued when seller and customer change', async () => {
    const invoice = await client.anInvoice();
    const draft = await client.anInvoice({
      issue: false,
      customer: undefined,
      customer_id: invoice.customer_id,
    });
    const renamed = { email: null, address: [], country: null, tax_id: null };
    await service.database.query('UPDATE accounts SET seller = $1 WHERE account_id = $2', [
      { ...renamed, name: 'New seller' },
      uuidOf('acc', client.accountId),
    ]);
    await service.database.query('UPDATE customers SET profile = $1', [
      { ...renamed, name: 'New customer' },
    ]);
    const kept = await client.read(invoice);
    expect([kept.seller, kept.customer]).toEqual([invoice.seller, invoice.customer]);
    const { warnings: _, ...later } = (await issue(draft)).body;
    expect([later.seller.name, later.customer.name]).toEqual(['New seller', 'New customer']);
    expect(await client.read(draft)).toEqual(later);
  });
});

describe('numbers', () => {
  it('have no gap and no double when 50 are issued at once and some of them fail', async () => {
    const day = { issue_date: '2026-03-02' };
    const drafts = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        client.anInvoice({
          ...day,
          issue: false,
          purchase_order: index % 5 === 0 ? 'break' : 'keep',
        }),
      ),
    );
    // This fails after the number was taken, as a crash would.
    await service.database.query(`
      CREATE FUNCTION break_some() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'broken by the test'; END $$;
      CREATE TRIGGER break_some BEFORE UPDATE ON documents FOR EACH ROW
        WHEN (NEW.purchase_order = 'break') EXECUTE FUNCTION break_some()`);
    const answers = await Promise.all(drafts.map((draft) => issue(draft)));
    const refused = await Promise.all(drafts.slice(1, 5).map((draft) => issue(draft)));
    await service.database.query('DROP TRIGGER break_some ON documents');
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(40);
    expect(refused.map(({ status }) => status)).toEqual([409, 409, 409, 409]);
    const late = await Promise.all(
      drafts.filter((draft) => draft.purchase_order === 'break').map((draft) => issue(draft)),
    );
    expect(late.map(({ status }) => status)).toEqual(late.map(() => 200));
    const numbers = (await page({ limit: 100 })).data.map(({ number }) => number).sort();
    const expected = numbers.map((_, index) => `INV-${String(index + 1).padStart(5, '0')}`);
    expect(numbers).toEqual(expected);
    expect(numbers).toHaveLength(50);
  });

  it('of a draft that is issued 10 times at once is one', async () => {
    const draft = await client.anInvoice({ issue: false });
    const answers = await Promise.all(Array.from({ length: 10 }, () => issue(draft)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    expect((await client.anInvoice()).number).toBe('INV-00002');
  });
});
