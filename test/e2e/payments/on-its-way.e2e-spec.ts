import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import {
  type DocumentAction,
  DOCUMENT_ACTIONS,
} from '../../../src/documents/domain/available-actions.js';
import type { PaymentLinkBody } from '../../../src/payments/collecting/wire/payment-link.js';
import type { TestClient } from '../../support/client.js';
import type { Answer } from '../../support/http.js';
import { sandboxDelivery } from '../../support/sandbox-delivery.js';
import { startTestService, type TestService } from '../../support/service.js';
import {
  answered,
  closeWithBooks,
  creditOf,
  good,
  historyOf,
  made,
  pathOf,
} from '../documents/document-calls.js';
import { next } from '../gateways/stripe-events.js';

// A payer has paid, and the money takes days. Each step of a document meanwhile, and then the money comes or does
// not: none is without a home and untold, and no link waits for ever.

let service: TestService;
let client: TestClient;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => closeWithBooks(service));
beforeEach(async () => {
  client = await service.aClient();
});

const DESPITE = { despite_processing: true };

interface Waiting {
  invoice: DocumentBody;
  link: PaymentLinkBody;
  /** Of the provider. */
  id: string;
}

async function tell(type: string, { link, id }: Waiting, data: object = {}): Promise<string> {
  const at = service.clock.now().toISOString();
  const body = { payment_id: id, payment_link_id: link.id, at, ...data };
  const delivery = sandboxDelivery(service, `payment.${type}`, body);
  const answer = await service.call<{ status: string }>('/v1/webhooks/sandbox', {
    method: 'POST',
    ...delivery,
  });
  return good(answer, 200).status;
}

const paid = (waiting: Waiting, over: object = {}) => {
  const { amount, currency } = waiting.link;
  const at = { paid_at: service.clock.now().toISOString() };
  return tell('succeeded', waiting, { amount, currency, ...at, ...over });
};
const failed = (waiting: Waiting) => tell('failed', waiting, { reason: 'no_funds' });

/** An invoice over 119.00 whose payer has paid, or a part of it. */
async function onItsWay(amount = 11_900, of?: DocumentBody): Promise<Waiting> {
  const invoice = of ?? (await client.anInvoice());
  const link = await client.aPaymentLink(invoice, { gateway: 'sandbox', amount });
  const waiting = { invoice, link, id: `sbx_${next()}` };
  await tell('processing', waiting);
  return waiting;
}

const linkNow = async ({ link }: Waiting) =>
  good(await client.get<PaymentLinkBody>(`/v1/finance/payment-links/${link.id}`), 200);
const unmatched = async () => {
  const path = '/v1/finance/unmatched-receipts';
  return good(await client.get<{ data: { amount: number; reason: string }[] }>(path), 200).data;
};

type Step = [
  name: string,
  call: (waiting: Waiting) => Promise<Answer<unknown>>,
  /** Its status, or the code of its refusal. */
  answer: number | string,
  /** The part of the money that is credit when it comes. `receipt`: it has no home. */
  credit: number | 'receipt',
];

const post =
  (step: string, body: object = {}) =>
  ({ invoice }: Waiting) =>
    client.post(pathOf(invoice, step), body);
const patch =
  (body: object) =>
  ({ invoice }: Waiting) =>
    client.patch(pathOf(invoice), body);
const answer =
  (how: 'accept' | 'reject') =>
  ({ invoice }: Waiting) =>
    answered(service, client, invoice, how);
const pay =
  (amount: number) =>
  ({ invoice }: Waiting) =>
    client.pay(invoice, { amount });

/** Each action of `available_actions`, as it is called without knowing of the money. */
const ACTIONS: Record<DocumentAction, Step> = {
  edit: ['edit', patch({ notes: 'x' }), 'document_not_draft', 0],
  delete: ['delete', ({ invoice }) => client.delete(pathOf(invoice)), 'document_not_draft', 0],
  issue: ['issue', post('issue'), 'document_not_draft', 0],
  accept: ['accept', answer('accept'), 'document_not_acceptable', 0],
  reject: ['reject', answer('reject'), 'payment_processing', 0],
  pay: ['pay', pay(11_900), 201, 11_900],
  credit: ['credit', post('credit-notes'), 201, 11_900],
  write_off: ['write off', post('write-off'), 'payment_processing', 0],
  reverse_write_off: ['ask again', post('write-off/reverse'), 'document_not_written_off', 0],
  claim_tax_relief: ['claim tax', post('tax-relief'), 'no_tax_to_relieve', 0],
  void: ['void', post('void'), 'payment_processing', 0],
  convert: ['convert', post('convert'), 'document_not_convertible', 0],
  revise: ['revise', post('revise'), 'payment_processing', 0],
  duplicate: ['duplicate', post('duplicate'), 201, 0],
};

/** First a step, then another one. */
const both = (first: Step[1], second: Step[1]) => async (waiting: Waiting) => {
  expect((await first(waiting)).status).toBeLessThan(300);
  return second(waiting);
};
const writeOff = post('write-off', DESPITE);

/** The same with the flag, and what else may be done to the document or its links. */
const OTHERS: Step[] = [
  ['void despite it', post('void', DESPITE), 200, 'receipt'],
  ['write off despite it', writeOff, 200, 0],
  ['write off despite it, and ask again', both(writeOff, post('write-off/reverse')), 200, 0],
  ['write off despite it, with tax', both(writeOff, post('tax-relief')), 200, 0],
  ['write off and void despite it', both(writeOff, post('void', DESPITE)), 200, 'receipt'],
  ['pay a part', pay(100), 201, 100],
  ['credit a part', post('credit-notes', { amount: 100 }), 201, 100],
  ['make a link', post('payment-links', { gateway: 'sandbox' }), 'payment_processing', 0],
  ['make a link despite it', post('payment-links', { gateway: 'sandbox', ...DESPITE }), 201, 0],
  [
    'cancel the link',
    ({ link }) => client.post(`/v1/finance/payment-links/${link.id}/cancel`),
    'payment_link_not_open',
    0,
  ],
  ['collect', post('collect'), 'payment_processing', 0],
  ['label', patch({ metadata: { a: 'b' } }), 200, 0],
];

const STEPS = [...DOCUMENT_ACTIONS.map((action) => ACTIONS[action]), ...OTHERS];

describe.each(STEPS)('while money is on its way: %s', (_name, call, said, credit) => {
  const stepped = async () => {
    const waiting = await onItsWay();
    const { status, body } = await call(waiting);
    expect(status < 300 ? status : (body as { code: string }).code).toBe(said);
    const before = await client.read(waiting.invoice);
    expect(before.amount_processing).toBe(11_900);
    return { waiting, before };
  };

  it('the money comes', async () => {
    const { waiting } = await stepped();
    await paid(waiting);
    const after = await client.read(waiting.invoice);
    const { status } = await linkNow(waiting);
    const told = (await historyOf(client, after)).map(({ type }) => type);
    expect(after.amount_processing).toBe(0);
    if (credit === 'receipt') {
      const kept = { amount: 11_900, reason: 'document_not_payable' };
      expect([status, await unmatched()]).toMatchObject(['unmatched', [kept]]);
      expect(told.slice(-2)).toEqual(['payment.unmatched', 'payment_link.unmatched']);
      return;
    }
    expect([status, await unmatched()]).toEqual(['paid', []]);
    expect([after.status, await creditOf(client, after.customer_id)]).toEqual(['paid', credit]);
    expect(told).toContain('payment_link.paid');
  });

  it('the money does not come', async () => {
    const { waiting, before } = await stepped();
    await failed(waiting);
    const { status } = await linkNow(waiting);
    const after = await client.read(waiting.invoice);
    const told = (await historyOf(client, after)).map(({ type }) => type);
    expect([status, told.at(-1), await unmatched()]).toEqual(['failed', 'payment_link.failed', []]);
    expect(after).toMatchObject({
      status: before.status,
      amount_due: before.amount_due,
      amount_processing: 0,
    });
    if (after.amount_due === 0) return;
    const again = await client.post(pathOf(after, 'payment-links'), { gateway: 'sandbox' });
    expect(good(again, 201)).toMatchObject({ amount: after.amount_due });
  });
});

const actionOf = (of: DocumentBody, name: DocumentAction) =>
  of.available_actions.find(({ action }) => action === name);

describe('money on its way', () => {
  it('is told by the document, which offers no step that it forbids', async () => {
    const waiting = await onItsWay(5000);
    const invoice = await client.read(waiting.invoice);
    expect(invoice).toMatchObject({ amount_due: 11_900, amount_processing: 5000, status: 'open' });
    for (const name of ['reject', 'void', 'revise', 'write_off'] as const) {
      expect(actionOf(invoice, name)).toMatchObject({
        available: false,
        code: 'payment_processing',
        reason: 'Money for this invoice is on its way at a provider: 50.00 EUR.',
      });
    }
    expect(actionOf(invoice, 'pay')).toMatchObject({ available: true });
    const { data } = good(
      await client.get<{ data: DocumentBody[] }>(`/v1/finance/documents?ids=${invoice.id}`),
      200,
    );
    expect(data).toMatchObject([{ amount_processing: 5000 }]);
    await failed(waiting);
    expect(actionOf(await client.read(invoice), 'void')).toMatchObject({ available: true });
  });

  it('leaves the rest to be asked for', async () => {
    const { invoice } = await onItsWay(5000);
    const path = pathOf(invoice, 'payment-links');
    expect((await client.post(path, { gateway: 'sandbox', amount: 6901 })).body).toMatchObject({
      code: 'payment_processing',
      amount_processing: 5000,
    });
    const rest = await client.post(path, { gateway: 'sandbox' });
    expect(good(rest, 201)).toMatchObject({ amount: 6900 });
    const second = { invoice, link: rest.body as unknown as PaymentLinkBody, id: `sbx_${next()}` };
    await tell('processing', second);
    expect(await client.read(invoice)).toMatchObject({ amount_processing: 11_900 });
    await paid(second);
    expect(await client.read(invoice)).toMatchObject({ amount_due: 5000, amount_processing: 5000 });
  });

  it('stands against the issue of a revision that was drafted before', async () => {
    const invoice = await client.anInvoice();
    const draft = await made(client, invoice, 'revise');
    const waiting = await onItsWay(11_900, invoice);
    const refused = await client.post(pathOf(draft, 'issue'));
    expect(refused.body).toMatchObject({ code: 'payment_processing' });
    await failed(waiting);
    good(await client.post(pathOf(draft, 'issue')), 200);
  });

  it('is warned of where the document will not need all of it', async () => {
    const warned = { warnings: [{ code: 'payment_processing' }] };
    const { invoice } = await onItsWay();
    expect((await client.pay(invoice, { amount: 100 })).body).toMatchObject(warned);
    const note = await client.post(pathOf(invoice, 'credit-notes'), { amount: 100 });
    expect(note.body['warnings']).toContainEqual(
      expect.objectContaining({ code: 'payment_processing', pointer: '/origin' }),
    );
    const several = await client.post('/v1/finance/payments', {
      amount: 100,
      method: 'cash',
      allocations: [{ document_id: invoice.id, amount: 100 }],
    });
    expect(several.body).toMatchObject(warned);
    const part = await onItsWay(100);
    const { body } = await client.pay(part.invoice, { amount: 100 });
    expect(body['warnings']).toEqual(undefined);
  });

  it('goes elsewhere in another currency, and its link ends', async () => {
    const waiting = await onItsWay();
    await paid(waiting, { currency: 'USD' });
    expect(await linkNow(waiting)).toMatchObject({ status: 'unmatched' });
    expect(await client.read(waiting.invoice)).toMatchObject({
      status: 'open',
      amount_processing: 0,
    });
    expect(await unmatched()).toMatchObject([{ reason: 'currency_mismatch' }]);
    // Late: the money is here already.
    await tell('processing', waiting);
    expect(await linkNow(waiting)).toMatchObject({ status: 'unmatched' });
  });

  it.each([
    ['void', () => post('void')],
    ['rejected', () => answer('reject')],
  ])('that is told late of a document that is %s waits for nothing', async (_state, step) => {
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice, { gateway: 'sandbox' });
    const waiting = { invoice, link, id: `sbx_${next()}` };
    expect((await step()(waiting)).status).toBe(200);
    const before = { at: new Date(service.clock.now().getTime() - 60_000).toISOString() };
    await paid(waiting);
    await tell('processing', waiting, before);
    expect(await linkNow(waiting)).toMatchObject({ status: 'unmatched' });
    expect(await client.read(invoice)).toMatchObject({ amount_processing: 0 });
  });

  it('is not waited for once its try has failed, whichever is told first', async () => {
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice, { gateway: 'sandbox' });
    await client.post(`/v1/finance/payment-links/${link.id}/cancel`);
    const waiting = { invoice, link, id: `sbx_${next()}` };
    await failed(waiting);
    const before = { at: new Date(service.clock.now().getTime() - 60_000).toISOString() };
    await tell('processing', waiting, before);
    expect(await linkNow(waiting)).toMatchObject({ status: 'canceled', failure: 'no_funds' });
  });
});
