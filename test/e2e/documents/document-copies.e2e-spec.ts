import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import {
  EXPIRES,
  answered,
  closeWithBooks,
  good,
  made,
  patched,
  pathOf,
} from './document-calls.js';
import { contentsOf, expectProblem } from '../expectations.js';

// Documents that are made of others: revisions, conversions and duplicates.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => closeWithBooks(service));
beforeEach(async () => {
  client = await service.aClient();
});
afterEach(() => service.clock.set(new Date()));

const post = (of: { id: string }, step: string, body: object = {}) =>
  client.post<DocumentBody>(pathOf(of, step), body);
const saying = (of: { id: string }, answer: 'accept' | 'reject') =>
  answered(service, client, of, answer);

/** The common part of two documents of the same content. */
const contentOf = ({
  lines,
  discounts,
  charges,
  tax_groups,
  total,
  notes,
  metadata,
  customer,
}: DocumentBody) => ({
  lines: lines.map((line) => ({ ...line, id: null })),
  discounts,
  charges,
  tax_groups,
  total,
  notes,
  metadata,
  customer,
});

const RICH = {
  lines: [
    {
      description: 'A',
      quantity: '1.5',
      unit: 'HUR',
      unit_amount: 999,
      tax_rate: '19',
      discount: { percent: '3' },
    },
    {
      description: 'B',
      unit_amount_decimal: '0.125',
      quantity: '100',
      tax_category: 'AE',
      tax_exemption_reason: 'Reverse',
    },
  ],
  discount: { amount: 10, reason: 'Round' },
  charges: [{ amount: 500, tax_rate: '7' }],
  notes: 'Notes',
  metadata: { a: 'b' },
  external_id: 'shop-1',
  cash_rounding: 5,
};

describe('a revision', () => {
  it.each(['invoice', 'quote'] as const)(
    'of an open %s voids it when it is issued',
    async (kind) => {
      const first = await client.anInvoice({ kind, ...RICH });
      const draft = await made(client, first, 'revise');
      expect(draft).toMatchObject({
        kind,
        status: 'draft',
        number: null,
        revision: 2,
        external_id: null,
        issue_date: null,
        origin: { relation: 'revision', id: first.id, number: first.number },
      });
      expect(contentOf(draft)).toEqual(contentOf(first));
      expect((await client.read(first)).status).toBe('open');
      await patched(client, draft, { notes: 'Better' });
      const second = await client.issue(draft);
      expect([second.status, second.number === first.number]).toEqual(['open', false]);
      expect(await client.read(first)).toMatchObject({
        status: 'void',
        number: first.number,
        follow_ups: [{ relation: 'revision', id: second.id, number: second.number }],
        status_transitions: { voided_at: expect.any(String) },
      });
    },
  );

  it('of a rejected quote, and of one that has expired', async () => {
    const rejected = await client.aQuote();
    await saying(rejected, 'reject');
    const expired = await client.aQuote(EXPIRES);
    service.clock.set('2026-12-01T00:00:01Z');
    expect((await client.read(expired)).status).toBe('expired');
    for (const quote of [rejected, expired]) {
      const next = await made(client, quote, 'revise', { issue: true });
      expect(next).toMatchObject({ status: 'open', revision: 2 });
      expect((await client.read(quote)).status).toBe('void');
    }
  });

  it('of a revision counts on, and each says what it changed', async () => {
    const first = await client.aQuote({ notes: 'a' });
    const draft = await made(client, first, 'revise');
    await patched(client, draft, {
      notes: 'b',
      lines: [{ description: 'Consulting', quantity: '2', unit_amount: 10_000, tax_rate: '19' }],
    });
    const second = await client.issue(draft);
    const third = await made(client, second, 'revise', { issue: true });
    expect(third.revision).toBe(3);
    const changesOf = async (of: DocumentBody) =>
      good(
        await client.get<{ data: { field: string; from: string; to: string }[] }>(
          pathOf(of, 'changes'),
        ),
        200,
      ).data;
    expect(await changesOf(first)).toEqual([]);
    const changes = await changesOf(second);
    expect(changes).toContainEqual({ field: '/notes', from: 'a', to: 'b' });
    expect(changes).toContainEqual({ field: '/lines/0/quantity', from: '1', to: '2' });
    expect(changes).toContainEqual({ field: '/total', from: '11900', to: '23800' });
    expect(await changesOf(third)).toEqual([]);
  });

  it('loses with 409 when another one was issued before', async () => {
    const invoice = await client.anInvoice();
    const [one, two] = [
      await made(client, invoice, 'revise'),
      await made(client, invoice, 'revise'),
    ];
    await client.issue(one);
    const before = await contentsOf(service.database);
    const problem = expectProblem(await post(two, 'issue'), 409, 'document_not_revisable');
    expect(problem['document_status']).toBe('void');
    expect(await contentsOf(service.database)).toEqual(before);
    expect((await client.read(two)).status).toBe('draft');
  });

  it('of ten at once is issued once, and takes one number', async () => {
    const invoice = await client.anInvoice();
    const drafts: DocumentBody[] = [];
    for (let i = 0; i < 10; i += 1) drafts.push(await made(client, invoice, 'revise'));
    const answers = await Promise.all(drafts.map((draft) => post(draft, 'issue')));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array<number>(9).fill(409),
    ]);
    expect((await client.anInvoice()).number).toBe('INV-00003');
  });

  it('against a payment: one of the two wins', async () => {
    for (let round = 0; round < 5; round += 1) {
      const invoice = await client.anInvoice();
      const draft = await made(client, invoice, 'revise');
      const [issued, paid] = await Promise.all([post(draft, 'issue'), client.pay(invoice)]);
      expect([
        [200, 409],
        [409, 201],
      ]).toContainEqual([issued.status, paid.status]);
    }
  });

  it('is refused of what is paid, accepted, void or a draft', async () => {
    const paid = await client.anInvoice();
    await client.pay(paid);
    const accepted = await client.aQuote();
    await saying(accepted, 'accept');
    const gone = await client.anInvoice();
    await client.void(gone);
    const draft = await client.anInvoice({ issue: false });
    for (const one of [paid, accepted, gone, draft]) {
      expectProblem(await post(one, 'revise'), 409, 'document_not_revisable');
    }
  });
});

describe('a conversion', () => {
  it('makes an invoice of an open quote, with dates of its own', async () => {
    const quote = await client.aQuote({ ...RICH, ...EXPIRES, payment_terms_days: undefined });
    const draft = await made(client, quote, 'convert', { payment_terms_days: 14 });
    expect(draft).toMatchObject({
      kind: 'invoice',
      status: 'draft',
      revision: 1,
      issue_date: null,
      due_date: null,
      external_id: null,
      origin: { relation: 'conversion', id: quote.id, number: quote.number },
    });
    expect(contentOf(draft)).toEqual(contentOf(quote));
    expect(await client.read(quote)).toMatchObject({
      status: 'converted',
      follow_ups: [{ relation: 'conversion', id: draft.id, number: null }],
      status_transitions: { converted_at: expect.any(String), accepted_at: null },
    });
    service.clock.set('2026-12-24T12:00:00Z');
    const invoice = await client.issue(draft);
    expect(invoice).toMatchObject({
      number: 'INV-00001',
      issue_date: '2026-12-24',
      due_date: '2027-01-07',
    });
  });

  it('of an accepted quote may issue at once', async () => {
    const quote = await client.aQuote();
    await saying(quote, 'accept');
    const invoice = await made(client, quote, 'convert', { issue: true, due_date: '2099-01-01' });
    expect(invoice).toMatchObject({ status: 'open', number: 'INV-00001', due_date: '2099-01-01' });
    expect(await client.read(quote)).toMatchObject({
      status: 'converted',
      status_transitions: { accepted_at: expect.any(String), converted_at: expect.any(String) },
    });
    expectProblem(await post(quote, 'convert'), 409, 'document_not_convertible');
    expectProblem(await post(quote, 'void'), 409, 'document_not_voidable');
  });

  it('is refused of a quote that is rejected, expired or void, and of an invoice', async () => {
    const rejected = await client.aQuote();
    await saying(rejected, 'reject');
    const gone = await client.aQuote();
    await client.void(gone);
    const invoice = await client.anInvoice();
    const expired = await client.aQuote(EXPIRES);
    service.clock.set('2026-12-01T00:00:01Z');
    for (const [one, status] of [
      [rejected, 'rejected'],
      [gone, 'void'],
      [invoice, 'open'],
      [expired, 'expired'],
    ] as const) {
      const problem = expectProblem(await post(one, 'convert'), 409, 'document_not_convertible');
      expect(problem['document_status']).toBe(status);
    }
  });

  it('of ten at once happens once', async () => {
    const quote = await client.aQuote();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post(quote, 'convert', { issue: true })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array<number>(9).fill(409),
    ]);
    expect((await client.anInvoice()).number).toBe('INV-00002');
  });

  it('against a rejection: one of the two wins', async () => {
    for (let round = 0; round < 5; round += 1) {
      const quote = await client.aQuote();
      const token = await client.aPortalToken(quote);
      const reject = { method: 'POST', body: { reason: 'No' } };
      const [converted, rejected] = await Promise.all([
        post(quote, 'convert'),
        service.call(`/v1/portal/${token}/reject`, reject),
      ]);
      expect([
        [201, 409],
        [409, 200],
      ]).toContainEqual([converted.status, rejected.status]);
    }
  });
});

describe('a proforma invoice', () => {
  it('is a quote of a series of its own, and becomes an invoice', async () => {
    const proforma = await client.aQuote({ proforma: true });
    expect(proforma).toMatchObject({
      kind: 'quote',
      proforma: true,
      number: 'PRO-00001',
      series_id: 'proforma',
    });
    expectProblem(await client.pay(proforma), 409, 'document_not_payable');
    const invoice = await made(client, proforma, 'convert', { issue: true });
    expect(invoice).toMatchObject({
      kind: 'invoice',
      proforma: false,
      number: 'INV-00001',
      series_id: 'invoice',
    });
  });

  it('stays one when it is revised and duplicated', async () => {
    const proforma = await client.aQuote({ proforma: true });
    const copy = await made(client, proforma, 'duplicate', { issue: true });
    const revision = await made(client, proforma, 'revise', { issue: true });
    expect([copy.number, revision.number]).toEqual(['PRO-00002', 'PRO-00003']);
    expect([copy.proforma, revision.proforma]).toEqual([true, true]);
  });
});

describe('a duplicate', () => {
  it('of a document in any state is a draft of its own', async () => {
    const draft = await client.anInvoice({ ...RICH, issue: false });
    const gone = await client.anInvoice();
    await client.void(gone);
    const paid = await client.anInvoice();
    await client.pay(paid, { amount: 11_900 });
    const rejected = await client.aQuote();
    await saying(rejected, 'reject');
    const converted = await client.aQuote();
    await made(client, converted, 'convert');
    for (const one of [draft, gone, paid, rejected, converted]) {
      const source = await client.read(one);
      const copy = await made(client, one, 'duplicate');
      expect(copy).toMatchObject({
        kind: one.kind,
        status: 'draft',
        number: null,
        revision: 1,
        external_id: null,
        amount_paid: 0,
        origin: one === draft ? null : { relation: 'duplicate', id: one.id },
      });
      expect(contentOf(copy)).toEqual(contentOf(source));
      expect(await client.read(one)).toEqual(source);
      expect((await client.issue(copy)).status).toBe('open');
    }
  });
});
