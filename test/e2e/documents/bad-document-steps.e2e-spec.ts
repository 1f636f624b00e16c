import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { closeWithBooks, pathOf } from './document-calls.js';
import { contentsOf, expectProblem, pointersOf } from '../expectations.js';

// Credit notes, copies and write-offs that are asked for wrongly.

let service: TestService;
let client: TestClient;
let invoice: { id: string };
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
  invoice = await client.anInvoice({
    lines: [
      { description: 'A', quantity: '3', unit_amount: 1000, tax_rate: '19' },
      { description: 'B', unit_amount: 1000 },
    ],
  });
});
afterAll(() => closeWithBooks(service));

type Case = [name: string, over: object, code: string, pointers: string[]];

const CREDITS: Case[] = [
  ['position 0', { lines: [{ position: 0 }] }, 'invalid_integer', ['/lines/0/position']],
  ['position 10,001', { lines: [{ position: 10_001 }] }, 'invalid_integer', ['/lines/0/position']],
  ['position 3 of 2', { lines: [{ position: 3 }] }, 'unknown_line', ['/lines/0/position']],
  ['no position', { lines: [{ amount: 1 }] }, 'required', ['/lines/0/position']],
  [
    'a position twice',
    {
      lines: [
        { position: 1, amount: 1 },
        { position: 1, amount: 1 },
      ],
    },
    'said_twice',
    ['/lines/1/position'],
  ],
  [
    'quantity and amount',
    { lines: [{ position: 1, quantity: '1', amount: 1 }] },
    'said_twice',
    ['/lines/0/quantity'],
  ],
  [
    'quantity 0',
    { lines: [{ position: 1, quantity: '0' }] },
    'quantity_exceeds_line',
    ['/lines/0/quantity'],
  ],
  [
    'more than the line has',
    { lines: [{ position: 1, quantity: '3.000001' }] },
    'quantity_exceeds_line',
    ['/lines/0/quantity'],
  ],
  [
    'a negative quantity',
    { lines: [{ position: 1, quantity: '-1' }] },
    'quantity_exceeds_line',
    ['/lines/0/quantity'],
  ],
  [
    'an amount above the line',
    { lines: [{ position: 1, amount: 3571 }] },
    'amount_exceeds_creditable',
    ['/lines/0'],
  ],
  [
    'amount 0 of a line',
    { lines: [{ position: 1, amount: 0 }] },
    'amount_out_of_range',
    ['/lines/0/amount'],
  ],
  ['lines and amount', { lines: [{ position: 1 }], amount: 1 }, 'said_twice', ['/amount']],
  ['no line', { lines: [] }, 'too_few_items', ['/lines']],
  ['a line that is text', { lines: ['1'] }, 'invalid_object', ['/lines/0']],
  [
    '10,001 lines',
    { lines: Array.from({ length: 10_001 }, () => ({ position: 1 })) },
    'too_many_items',
    ['/lines'],
  ],
  ['amount 0', { amount: 0 }, 'amount_out_of_range', ['/amount']],
  ['a negative amount', { amount: -1 }, 'amount_out_of_range', ['/amount']],
  ['a fraction', { amount: 0.5 }, 'amount_not_integer', ['/amount']],
  ['more than the invoice', { amount: 4571 }, 'amount_exceeds_creditable', ['/amount']],
  ['2026-02-30', { issue_date: '2026-02-30' }, 'invalid_date', ['/issue_date']],
  ['NUL', { notes: '\0' }, 'invalid_text', ['/notes']],
  ['a lone surrogate', { notes: '\ud800' }, 'invalid_text', ['/notes']],
  ['a total', { total: 1 }, 'unknown_field', ['/total']],
  ['a number in metadata', { metadata: { a: 1 } }, 'invalid_metadata', ['/metadata/a']],
  ['an external id that is a list', { external_id: [] }, 'invalid_text', ['/external_id']],
  [
    'two wrong lines',
    { lines: [{ position: 3 }, { position: 2, amount: 1001 }] },
    'validation_failed',
    ['/lines/0/position', '/lines/1'],
  ],
];

describe('a credit note is refused with', () => {
  it.each(CREDITS)('%s', async (_, body, code, pointers) => {
    await client.bearer();
    const before = await contentsOf(service.database);
    const problem = expectProblem(
      await client.post(pathOf(invoice, 'credit-notes'), body),
      422,
      code,
    );
    expect(pointersOf(problem)).toEqual(pointers);
    expect(await contentsOf(service.database)).toEqual(before);
  });
});

describe('a step is refused with', () => {
  const COPIES: Case[] = [
    ['2026-02-30', { issue_date: '2026-02-30' }, 'invalid_date', ['/issue_date']],
    ['-1 days', { payment_terms_days: -1 }, 'invalid_integer', ['/payment_terms_days']],
    ['"true"', { issue: 'true' }, 'invalid_boolean', ['/issue']],
    ['lines', { lines: [] }, 'unknown_field', ['/lines']],
    [
      'a due date too early',
      { issue_date: '2026-02-02', due_date: '2026-02-01' },
      'due_before_issue',
      ['/due_date'],
    ],
    [
      'two ways to be due',
      { due_date: '2099-01-01', payment_terms_days: 1 },
      'said_twice',
      ['/payment_terms_days'],
    ],
  ];

  it.each(COPIES)('%s', async (_, body, code, pointers) => {
    const quote = await client.aQuote();
    for (const step of ['revise', 'duplicate', 'convert']) {
      const before = await contentsOf(service.database);
      const answer = await client.post(pathOf(quote, step), body);
      expect([step, pointersOf(expectProblem(answer, 422, code))]).toEqual([step, pointers]);
      expect(await contentsOf(service.database)).toEqual(before);
    }
  });

  it.each<Case>([
    ['a blank reason', { reason: ' ' }, 'invalid_text', ['/reason']],
    ['a reason of 501 characters', { reason: 'x'.repeat(501) }, 'invalid_text', ['/reason']],
    ['NUL', { reason: '\0' }, 'invalid_text', ['/reason']],
    ['an amount', { amount: 1 }, 'unknown_field', ['/amount']],
  ])('writing off: %s', async (_, body, code, pointers) => {
    const before = await contentsOf(service.database);
    const problem = expectProblem(await client.post(pathOf(invoice, 'write-off'), body), 422, code);
    expect(pointersOf(problem)).toEqual(pointers);
    expect(await contentsOf(service.database)).toEqual(before);
  });
});
