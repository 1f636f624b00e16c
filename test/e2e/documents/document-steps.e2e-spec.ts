import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { EXPIRES, answered, closeWithBooks, good, historyOf, pathOf } from './document-calls.js';
import { expectProblem } from '../expectations.js';

// The steps and dates that end a document, and who did what.

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

describe('writing off', () => {
  it('gives up what is due, which may still be paid', async () => {
    const invoice = await client.anInvoice();
    await client.pay(invoice, { amount: 1900 });
    const off = good(await post(invoice, 'write-off', { reason: 'Insolvency' }), 200);
    expect(off).toMatchObject({
      status: 'uncollectible',
      amount_paid: 1900,
      amount_due: 0,
      amount_written_off: 10_000,
      is_overdue: false,
      status_transitions: { written_off_at: expect.any(String), paid_at: null },
    });
    expectProblem(await post(invoice, 'write-off'), 409, 'nothing_to_write_off');
    expectProblem(await post(invoice, 'void'), 409, 'document_not_voidable');
    expect((await client.pay(invoice, { amount: 4000 })).body['status']).toBe('uncollectible');
    expect((await client.pay(invoice, { amount: 6000 })).body['status']).toBe('paid');
    expect(await client.read(invoice)).toMatchObject({
      status: 'paid',
      status_transitions: { written_off_at: expect.any(String), paid_at: expect.any(String) },
    });
  });

  it('is taken back, so that the rest is asked for again', async () => {
    const invoice = await client.anInvoice();
    await client.pay(invoice, { amount: 1900 });
    good(await post(invoice, 'write-off'), 200);
    const back = good(await post(invoice, 'write-off/reverse', { reason: 'A dividend' }), 200);
    expect(back).toMatchObject({
      status: 'partially_paid',
      amount_due: 10_000,
      amount_written_off: 0,
      status_transitions: { written_off_at: null },
    });
    expectProblem(await post(invoice, 'write-off/reverse'), 409, 'document_not_written_off');
    good(await post(invoice, 'write-off'), 200);
    const { data } = (
      await client.get<{ data: { fact: string; debit: string; amount: number }[] }>(
        `/v1/finance/ledger?document_id=${invoice.id}&account=bad_debt&sort=recorded_at`,
      )
    ).body;
    expect(data.map(({ fact, debit, amount }) => [fact, debit, amount])).toEqual([
      ['document.written_off', 'bad_debt', 10_000],
      ['document.write_off_reversed', 'receivables', 10_000],
      ['document.written_off', 'bad_debt', 10_000],
    ]);
  });

  it('with nothing paid leaves the way to void open', async () => {
    const invoice = await client.anInvoice();
    good(await post(invoice, 'write-off'), 200);
    expect((await client.void(invoice)).status).toBe('void');
  });

  it.each(['draft', 'quote', 'paid', 'void'])(
    'is refused of a document that is %s',
    async (which) => {
      const document =
        which === 'quote'
          ? await client.aQuote()
          : await client.anInvoice({ issue: which !== 'draft' });
      if (which === 'paid') await client.pay(document, { amount: 11_900 });
      if (which === 'void') await client.void(document);
      expectProblem(await post(document, 'write-off'), 409, 'nothing_to_write_off');
    },
  );
});

describe('a date, in the time zone of the account', () => {
  it('ends a quote after its last day', async () => {
    const auckland = await service.aClient({ timeZone: 'Pacific/Auckland' });
    const quote = await auckland.aQuote(EXPIRES);
    const token = await auckland.aPortalToken(quote);
    // 2026-12-01 begins there at 11:00 UTC of the day before.
    service.clock.set('2026-11-30T10:59:50Z');
    expect((await auckland.read(quote)).status).toBe('open');
    service.clock.set('2026-11-30T11:00:01Z');
    expect(await auckland.read(quote)).toMatchObject({
      status: 'expired',
      status_transitions: { expired_at: '2026-11-30T11:00:00.000Z' },
    });
    const accepted = await service.call(`/v1/portal/${token}/accept`, { method: 'POST' });
    expectProblem(accepted, 409, 'document_not_acceptable');
  });

  it('makes an invoice overdue, until it is settled', async () => {
    const auckland = await service.aClient({ timeZone: 'Pacific/Auckland' });
    const invoice = await auckland.anInvoice(EXPIRES);
    service.clock.set('2026-11-30T10:59:50Z');
    expect((await auckland.read(invoice)).is_overdue).toBe(false);
    service.clock.set('2026-11-30T11:00:01Z');
    expect(await auckland.read(invoice)).toMatchObject({ status: 'open', is_overdue: true });
    good(await auckland.post(pathOf(invoice, 'credit-notes')), 201);
    expect(await auckland.read(invoice)).toMatchObject({ status: 'paid', is_overdue: false });
  });

  it('is the day of issue', async () => {
    const auckland = await service.aClient({ timeZone: 'Pacific/Auckland' });
    service.clock.set('2026-11-30T11:00:01Z');
    expect(await auckland.anInvoice({ payment_terms_days: 0 })).toMatchObject({
      issue_date: '2026-12-01',
      due_date: '2026-12-01',
      is_overdue: false,
    });
  });
});

describe('the history', () => {
  it('tells who did what: client, portal, gateway', async () => {
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice, { amount: 1900 });
    await service.deliverPaid(link);
    await client.pay(invoice, { amount: 10_000 });
    const entries = await historyOf(client, invoice);
    expect(entries.map(({ sequence }) => sequence)).toEqual(entries.map((_, index) => index + 1));
    const steps = entries.filter(({ type }) => type.startsWith('document.'));
    expect(steps.map(({ type, from, to, actor }) => [type, from, to, actor?.type])).toEqual([
      ['document.created', null, 'draft', 'client'],
      ['document.issued', 'draft', 'open', 'client'],
      ['document.partially_paid', 'open', 'partially_paid', 'gateway'],
      ['document.paid', 'partially_paid', 'paid', 'client'],
    ]);
    expect(steps.map(({ actor }) => actor?.id)).toEqual([
      client.id,
      client.id,
      'gateway-a',
      client.id,
    ]);
    expect(steps.map(({ version }) => version)).toEqual([1, 2, 3, 4]);
    const quote = await client.aQuote();
    await saying(quote, 'reject');
    expect((await historyOf(client, quote)).at(-1)).toMatchObject({
      type: 'document.rejected',
      actor: { type: 'portal' },
      from: 'open',
      to: 'rejected',
      version: 3,
    });
  });
});
