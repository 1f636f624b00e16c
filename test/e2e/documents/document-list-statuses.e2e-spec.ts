import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { LedgerBalancesBody } from '../../../src/books/wire/ledger.js';
import { DOCUMENT_STATUSES } from '../../../src/documents/domain/lifecycle.js';
import { dateIn } from '../../../src/kernel/clock.js';
import type { DocumentWish, TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { DOCUMENTS, idsOf, pageOf, pagesOf } from './list-calls.js';

// The public status is derived twice: in the domain for what is shown, in SQL for what is asked.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});

const BALANCES = '/v1/finance/ledger/balances';

const after = (days: number) =>
  dateIn('UTC', new Date(service.clock.now().getTime() + days * 86_400_000));

type Step = (document: DocumentBody) => Promise<unknown>;

const step =
  (name: string, body: object = {}): Step =>
  (document) =>
    client.post(`${DOCUMENTS}/${document.id}/${name}`, body);

const pay =
  (amount: number): Step =>
  (document) =>
    client.pay(document, { amount });

const answer =
  (name: 'accept' | 'reject'): Step =>
  async (document) => {
    const token = await client.aPortalToken(document);
    const body = name === 'reject' ? { reason: 'No' } : {};
    await service.call(`/v1/portal/${token}/${name}`, { method: 'POST', body });
  };

/** To whatever was made of the document last. */
const followUp =
  (name: string): Step =>
  async (document) => {
    const made = (await client.read(document)).follow_ups.at(-1);
    if (made) await client.post(`${DOCUMENTS}/${made.id}/${name}`);
  };

/** A step that is not allowed is refused, and changes nothing. A document is 119.00. */
const STEPS: Record<string, Step> = {
  issue: step('issue'),
  'pay a little': pay(100),
  'pay all': pay(11_900),
  'credit a little': step('credit-notes', { amount: 200 }),
  'credit all': step('credit-notes'),
  'void the credit note': followUp('void'),
  accept: answer('accept'),
  reject: answer('reject'),
  convert: step('convert'),
  revise: step('revise'),
  'issue what was made': followUp('issue'),
  'write off': step('write-off'),
  void: step('void'),
};

async function make(wish: DocumentWish, steps: string[]): Promise<DocumentBody> {
  const document = await client.anInvoice({ ...wish, issue: false });
  for (const name of steps) await STEPS[name]?.(document);
  return document;
}

const owed = (amounts: { amount_due: number }[]) =>
  amounts.reduce((sum, { amount_due }) => sum + amount_due, 0);

async function expectBothToAgree(): Promise<DocumentBody[]> {
  const all = await pagesOf(client, { limit: 100 });
  for (const status of DOCUMENT_STATUSES) {
    for (const sort of ['-created_at', 'due_date'] as const) {
      const expected = all.filter((document) => document.status === status);
      const shown = await pagesOf(client, { status, sort, limit: 7 });
      expect([status, shown.map((one) => one.status)]).toEqual([status, shown.map(() => status)]);
      expect([status, idsOf(shown).sort()]).toEqual([status, idsOf(expected).sort()]);
    }
  }
  for (const unpaid of [true, false]) {
    const shown = await pagesOf(client, { unpaid, limit: 100 });
    const expected = all.filter((document) => document.amount_due > 0 === unpaid);
    expect([unpaid, idsOf(shown)]).toEqual([unpaid, idsOf(expected)]);
    expect([unpaid, owed(shown)]).toEqual([unpaid, unpaid ? owed(all) : 0]);
  }
  const { data: balances } = (await client.get<LedgerBalancesBody>(BALANCES)).body;
  const receivables = balances.find(({ account }) => account === 'receivables');
  expect(owed(all)).toBe(receivables?.balance ?? 0);
  for (const is_overdue of [true, false]) {
    const shown = await pagesOf(client, { is_overdue, limit: 100 });
    const expected = all.filter((document) => document.is_overdue === is_overdue);
    expect([is_overdue, idsOf(shown)]).toEqual([is_overdue, idsOf(expected)]);
    expect(shown).toEqual(expected);
  }
  return all;
}

describe('a list by status', () => {
  it('shows the documents that show this status, on the due date and the day after', async () => {
    const due = { issue_date: after(0), due_date: after(2) };
    const quote = { kind: 'quote', ...due } as const;
    await make(due, []);
    await make(quote, []);
    await make(due, ['issue']);
    await make(quote, ['issue']);
    await make({ ...due, unitAmount: 0 }, ['issue']);
    await make(due, ['issue', 'pay a little']);
    await make(due, ['issue', 'pay all']);
    await make(due, ['issue', 'credit all']);
    await make(due, ['issue', 'pay a little', 'credit a little']);
    await make(due, ['issue', 'pay all', 'credit a little']);
    await make(due, ['issue', 'credit a little', 'void the credit note']);
    await make(due, ['issue', 'void']);
    await make(due, ['issue', 'reject']);
    await make(due, ['issue', 'write off']);
    await make(due, ['issue', 'write off', 'pay a little']);
    await make(due, ['issue', 'write off', 'pay all']);
    await make(due, ['issue', 'revise', 'issue what was made']);
    await make(quote, ['issue', 'accept']);
    await make(quote, ['issue', 'reject']);
    await make(quote, ['issue', 'void']);
    await make(quote, ['issue', 'convert']);
    await make(quote, ['issue', 'accept', 'convert', 'issue what was made']);
    const before = await expectBothToAgree();
    service.clock.advance({ days: 3 });
    const later = await expectBothToAgree();
    const statuses = new Set([...before, ...later].map(({ status }) => status));
    expect([...statuses].sort()).toEqual([...DOCUMENT_STATUSES].sort());
    const overdue = [before, later].map((all) => all.filter((one) => one.is_overdue).length);
    expect([overdue[0], overdue[1] ?? 0]).toEqual([0, expect.any(Number)]);
    expect(overdue[1]).toBeGreaterThan(3);
  });

  it('shows them whatever was done to them', async () => {
    const plan = fc.record({
      kind: fc.constantFrom('invoice' as const, 'quote' as const),
      dueIn: fc.integer({ min: 0, max: 3 }),
      steps: fc.array(fc.constantFrom(...Object.keys(STEPS)), { maxLength: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(plan, { minLength: 4, maxLength: 8 }), async (plans) => {
        client = await service.aClient();
        for (const { kind, dueIn, steps } of plans) {
          const due = { issue_date: after(0), due_date: after(dueIn) };
          await make({ kind, ...due }, ['issue', ...steps]);
        }
        service.clock.advance({ days: 2 });
        await expectBothToAgree();
      }),
      { numRuns: 8 },
    );
  });

  it('combines with other filters', async () => {
    const open = await client.anInvoice();
    const quote = await client.aQuote();
    await client.anInvoice({ issue: false });
    const { customer_id } = open;
    const listed = async (query: Record<string, string>) =>
      idsOf((await pageOf(client, query)).data);
    expect(await listed({ status: 'open' })).toEqual(idsOf([quote, open]));
    expect(await listed({ status: 'open', kind: 'quote' })).toEqual([quote.id]);
    expect(await listed({ status: 'open', customer_id })).toEqual([open.id]);
    expect(await listed({ status: 'open', q: 'globex', sort: 'total' })).toHaveLength(2);
    expect(await listed({ status: 'paid', is_overdue: 'true' })).toEqual([]);
    expect(await listed({ status: 'draft', is_overdue: 'false' })).toHaveLength(1);
  });
});
