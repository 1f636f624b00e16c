import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { requestFor } from '../../support/client.js';
import { sandboxDelivery } from '../../support/sandbox-delivery.js';
import { startTestService, type TestService } from '../../support/service.js';

// No fact is dated into a future that nobody asked for, or before there were books.

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
const SELLER = '/v1/finance/seller';

/** The two bounds that every date of a fact has, and the calls that take one. */
const FACTS: Record<string, (date: string) => Promise<{ status: number; body: object }>> = {
  'CreateDocumentRequest.issue_date': async (issue_date) =>
    client.post(DOCUMENTS, requestFor({ issue_date })),
  'PutDocumentRequest.issue_date': async (issue_date) =>
    client.put(`${DOCUMENTS}/by-external-id/${issue_date}`, requestFor({ issue_date })),
  'PatchDocumentRequest.issue_date': async (issue_date) => {
    const draft = await client.anInvoice({ issue: false });
    await client.patch(`${DOCUMENTS}/${draft.id}`, { issue_date });
    return client.post(`${DOCUMENTS}/${draft.id}/issue`);
  },
  'CopyDocumentRequest.issue_date': async (issue_date) => {
    const invoice = await client.anInvoice();
    return client.post(`${DOCUMENTS}/${invoice.id}/duplicate`, { issue: true, issue_date });
  },
  'CreateCreditNoteRequest.issue_date': async (issue_date) => {
    const invoice = await client.anInvoice({ issue_date: '2016-01-01' });
    return client.post(`${DOCUMENTS}/${invoice.id}/credit-notes`, { issue_date });
  },
  'RecordPaymentRequest.paid_at': async (day) =>
    client.pay(await client.anInvoice(), { paid_at: `${day}T12:00:00Z` }),
  'PrepaymentRequest.paid_at': async (day) => {
    const prepayments = [{ amount: 100, method: 'cash', paid_at: noonOf(day) }];
    return client.post(DOCUMENTS, requestFor({ prepayments }));
  },
  'RecordReceiptRequest.paid_at': async (day) =>
    client.post('/v1/finance/payments', {
      amount: 100,
      currency: 'EUR',
      method: 'cash',
      customer_id: (await client.aCustomer()).id,
      paid_at: `${day}T12:00:00Z`,
    }),
  'RefundPaymentRequest.refunded_at': async (day) => {
    const path = await paidLongAgo();
    return client.post(`${path}/refunds`, { method: 'cash', refunded_at: noonOf(day) });
  },
  'ReverseRequest.reversed_at': async (day) =>
    client.post(`${await paidLongAgo()}/reverse`, { reversed_at: noonOf(day) }),
  'MoveRequest.moved_at': async (day) => {
    const { id: to, customer_id } = await client.anInvoice({ issue_date: LONG_AGO });
    const money = { amount: 100, currency: 'EUR', method: 'cash', paid_at: noonOf(LONG_AGO) };
    const receipt = { ...money, customer_id };
    const paid = await client.post<{ payment: { id: string } }>('/v1/finance/payments', receipt);
    const path = `/v1/finance/payments/${paid.body.payment.id}/allocations`;
    return client.post(path, { from: 'credit', to, moved_at: noonOf(day) });
  },
  'ReverseRefundRequest.reversed_at': async (day) => {
    const refund = { method: 'cash', refunded_at: noonOf(LONG_AGO) };
    const { body } = await client.post<{ refund: { id: string } }>(
      `${await paidLongAgo()}/refunds`,
      refund,
    );
    const path = `/v1/finance/refunds/${body.refund.id}/reverse`;
    return client.post(path, { reversed_at: noonOf(day) });
  },
  'RefundReceiptRequest.refunded_at': async (day) =>
    client.post(`${await receivedLongAgo()}/refunds`, {
      method: 'cash',
      refunded_at: noonOf(day),
    }),
  'AssignReceiptRequest.assigned_at': async (day) => {
    const { id: document_id } = await client.anInvoice({ issue_date: LONG_AGO });
    const body = { document_id, assigned_at: noonOf(day) };
    return client.post(`${await receivedLongAgo()}/assign`, body);
  },
  'WriteOffRequest.date': async (date) => {
    const invoice = await client.anInvoice({ issue_date: LONG_AGO });
    return client.post(`${DOCUMENTS}/${invoice.id}/write-off`, { date });
  },
  'ClaimTaxReliefRequest.date': async (date) => {
    const invoice = await client.anInvoice();
    await client.post(`${DOCUMENTS}/${invoice.id}/write-off`);
    return client.post(`${DOCUMENTS}/${invoice.id}/tax-relief`, { date });
  },
  'RecordPayoutRequest.sent_on': async (sent_on) => recordPayout(sent_on),
  'FailPayoutRequest.failed_on': async (failed_on) => {
    const { body } = await recordPayout(LONG_AGO);
    return client.post(`${PAYOUTS}/${body['id'] as string}/fail`, { failed_on });
  },
};

/** The first day of the books; a fact that follows another one is not dated before that. */
const LONG_AGO = '2016-01-01';
const PAYOUTS = '/v1/finance/payouts';
const noonOf = (day: string) => `${day}T12:00:00Z`;

/** @returns the path of the payment */
async function paidLongAgo(): Promise<string> {
  const invoice = await client.anInvoice({ issue_date: LONG_AGO });
  const { body } = await client.pay(invoice, { paid_at: noonOf(LONG_AGO) });
  return `/v1/finance/payments/${(body.payment as { id: string }).id}`;
}

/** @returns the path of an unmatched receipt */
async function receivedLongAgo(): Promise<string> {
  const invoice = await client.anInvoice();
  const { id } = await client.aPaymentLink(invoice, { gateway: 'sandbox' });
  await client.post(`${DOCUMENTS}/${invoice.id}/void`);
  await paidAtProvider({ id, paid_at: noonOf(LONG_AGO) });
  const receipts = await client.get<{ data: { id: string }[] }>('/v1/finance/unmatched-receipts');
  return `/v1/finance/unmatched-receipts/${receipts.body.data[0]!.id}`;
}

let payouts = 0;
async function recordPayout(sent_on: string) {
  const provider_payout_id = `po_${(payouts += 1)}`;
  const money = { amount: 100, currency: 'EUR', gateway: 'sandbox' };
  return client.post(PAYOUTS, { ...money, provider_payout_id, sent_on });
}

async function paidAtProvider({ id, paid_at }: { id: string; paid_at: string }) {
  const sent = { payment_id: id, payment_link_id: id, amount: 11_900, currency: 'EUR' };
  const delivery = sandboxDelivery(service, 'payment.succeeded', { ...sent, paid_at });
  return service.call('/v1/webhooks/sandbox', { method: 'POST', ...delivery });
}

/** Dates of no fact: they say when something ends, or where the books begin. */
const NO_FACTS: Record<string, string> = {
  'CreateDocumentRequest.due_date': 'a term',
  'PatchDocumentRequest.due_date': 'a term',
  'PutDocumentRequest.due_date': 'a term',
  'CopyDocumentRequest.due_date': 'a term',
  'CreateDocumentRequest.supply_date': 'printed, and not booked',
  'PatchDocumentRequest.supply_date': 'printed, and not booked',
  'PutDocumentRequest.supply_date': 'printed, and not booked',
  'CreateDocumentRequest.tax_point_date': 'printed, and not booked',
  'PatchDocumentRequest.tax_point_date': 'printed, and not booked',
  'PutDocumentRequest.tax_point_date': 'printed, and not booked',
  'ServicePeriodRequest.start': 'printed, and not booked',
  'ServicePeriodRequest.end': 'printed, and not booked',
  'PatchSellerRequest.books_from': 'a bound itself; never in the future, below',
  'CreateClientRequest.expires_at': 'the end of an access',
  'PatchClientRequest.expires_at': 'the end of an access',
  'RotateClientRequest.expires_at': 'the end of an access',
  'AdvanceTestClockRequest.to': 'where a clock is to stand; bounded in test-clock.e2e',
  'ReplayWebhooksRequest.from': 'the time of events that are sent again',
  'ReplayWebhooksRequest.to': 'the time of events that are sent again',
  'ExchangeRateRequest.day': 'a price of that day; never in the future, in currencies.e2e',
  'RecordPayoutRequest.arrives_on': 'a promise of the provider',
  'SetVatMethodRequest.from': 'a setting that may begin later',
  'CreateScheduleRequest.start_date': 'the first of periods to come, or with backdated a year ago',
  'CreateScheduleRequest.trial_end': 'a term',
  'CreateScheduleRequest.end_date': 'a term',
  'PatchScheduleRequest.end_date': 'a term',
  'EndScheduleRequest.end_date': 'a term',
  'DunningBaseRateRequest.from': 'a half year, past or to come',
  'PatchDunningPlanRequest.due_from': 'a wish; it may be long ago or to come',
  'PatchDocumentDunningRequest.promised_until':
    'a wish; from today to a year ahead, in reminder-steps.e2e',
  'MovePeriodRequest.runs_on': 'a wish; from today to a year ahead, in schedules.e2e',
  'SkipPeriodRequest.period_start': 'names a period',
  'PriceChangeRequest.from': 'a price that may begin later',
  'ReportUsageRequest.used_on': 'no fact; never in the future, in schedule-money.e2e',
  'CollectDocumentRequest.charge_date': 'a wish; from today to 90 days ahead, in collections.e2e',
};

describe('dates of facts', () => {
  it('are all of the fields of requests that are dates', async () => {
    const { body } = await service.call<{ components: { schemas: Record<string, Schema> } }>(
      '/v1/openapi.json',
    );
    const found = Object.entries(body.components.schemas)
      .filter(([name]) => name.endsWith('Request'))
      .flatMap(([name, { properties = {} }]) =>
        Object.entries(properties)
          .filter(([, { format }]) => format === 'date' || format === 'date-time')
          .map(([field]) => `${name}.${field}`),
      );
    expect(found.sort()).toEqual([...Object.keys(FACTS), ...Object.keys(NO_FACTS)].sort());
  });

  it('stand in the table of docs/books.md', () => {
    const page = readFileSync(new URL('../../../docs/books.md', import.meta.url), 'utf8');
    const section = page.split(/^## /m).find((part) => part.startsWith('Dates\n')) ?? '';
    const rows = section.matchAll(/^\| `(\w+)`/gm);
    const named = new Set([...rows].map(([, field]) => field));
    const fields = Object.keys(FACTS).map((name) => name.split('.')[1]);
    expect(fields.filter((field) => !named.has(field))).toEqual([]);
  });

  it.each(Object.entries(FACTS))('%s has two bounds', async (name, call) => {
    const [shape, field] = name.split('.');
    const late = field === 'issue_date' ? '2027-02-21' : '2026-11-23';
    const within = shape === 'PrepaymentRequest' ? '/prepayments/0' : '';
    const errors = [{ pointer: `${within}/${field}` }];
    expect(await call('2015-12-31')).toMatchObject({
      status: 422,
      body: { code: 'date_too_early', errors },
    });
    expect(await call(late)).toMatchObject({
      status: 422,
      body: { code: field === 'paid_at' ? 'paid_at_in_future' : 'date_in_future', errors },
    });
    const ok = name === 'ClaimTaxReliefRequest.date' ? '2026-11-22' : '2026-11-01';
    expect((await call(ok)).status).toBeLessThan(300);
  });
});

interface Schema {
  properties?: Record<string, { format?: string }>;
}

describe('the date of a document', () => {
  it('follows the settings of the account', async () => {
    const patched = { books_from: '2026-03-05', issue_days_ahead: 1 };
    const { status, body } = await client.patch(SELLER, patched);
    expect([status, body]).toEqual([200, expect.objectContaining(patched)]);
    const codes = [];
    for (const issue_date of ['2026-03-04', '2026-03-05', '2026-11-23', '2026-11-24']) {
      const answer = await client.post(DOCUMENTS, requestFor({ issue_date }));
      codes.push(answer.body['code'] ?? answer.status);
    }
    expect(codes).toEqual(['date_too_early', 201, 201, 'date_in_future']);
    const cleared = await client.patch(SELLER, { books_from: null, issue_days_ahead: null });
    expect(cleared.body).toMatchObject({ books_from: '2016-01-01', issue_days_ahead: 90 });
  });

  it('begins no books in the future, and changes them with settings:write only', async () => {
    const tomorrow = await client.patch(SELLER, { books_from: '2026-11-23' });
    expect(tomorrow.body).toMatchObject({ status: 422, code: 'date_in_future' });
    const scopes = ['documents:read', 'documents:write'];
    const writer = await service.aClient({ scopes, of: client });
    for (const patch of [{ books_from: '2026-01-01' }, { issue_days_ahead: 1 }]) {
      const { body } = await writer.patch(SELLER, patch);
      expect(body).toMatchObject({ code: 'insufficient_scope' });
    }
  });

  it('of a credit note is not before that of its invoice, also where none is said', async () => {
    const ahead = await client.anInvoice({ issue_date: '2026-12-01' });
    const path = `${DOCUMENTS}/${ahead.id}/credit-notes`;
    const before = await client.post(path, { amount: 100, issue_date: '2026-11-30' });
    expect(before.body).toMatchObject({ status: 422, code: 'date_too_early' });
    const unsaid = await client.post(path, { amount: 100 });
    expect(unsaid.body).toMatchObject({ issue_date: '2026-12-01' });
  });
});

describe('the date of a provider', () => {
  it.each([
    ['1970-01-01T00:00:00Z', '2026-11-22', 'The provider dated it 1970-01-01T00:00:00.000Z'],
    ['2999-01-01T00:00:00Z', '2026-11-22', 'The provider dated it 2999-01-01T00:00:00.000Z'],
    ['2026-11-20T08:00:00Z', '2026-11-20', null],
  ])('%s counts for %s', async (paid_at, day, note) => {
    const invoice = await client.anInvoice();
    const { id } = await client.aPaymentLink(invoice, { gateway: 'sandbox' });
    const answer = await paidAtProvider({ id, paid_at });
    expect(answer.body).toEqual({ status: 'ok' });
    const { body } = await client.get<{ data: { paid_at: string; note: string | null }[] }>(
      `${DOCUMENTS}/${invoice.id}/payments`,
    );
    expect(body.data[0]!.paid_at.slice(0, 10)).toBe(day);
    expect(body.data[0]!.note).toEqual(note && expect.stringContaining(note));
  });
});
