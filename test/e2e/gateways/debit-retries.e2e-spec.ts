import { describe, expect, it } from 'vitest';
import { Collections } from '../../../src/payments/collecting/application/mandates/collections.service.js';
import type { PortalDocumentBody } from '../../../src/portal/wire/portal.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { StubDebit } from '../../support/gocardless-api.js';
import {
  aPayer,
  anInvoiceOf,
  bank,
  client,
  collect,
  day,
  debits,
  deliver,
  linksOf,
  look,
  onlyDebit,
  other,
  payAll,
  round,
  service,
  stub,
  tells,
  typesOf,
  withDebits,
} from './debits.js';

withDebits();

const SETTINGS = '/v1/finance/payment-settings';
type Invoice = { id: string };
const plan = async (...days: number[]) =>
  expect((await client.patch(SETTINGS, { debit_retry_days: days })).status).toBe(200);
const last = (): StubDebit => debits().at(-1) ?? onlyDebit();
const fails = async (cause = 'insufficient_funds', debit = last()) => {
  debit.status = 'failed';
  const event = tells('payments.failed', { payment: debit.id });
  const told = { ...event, details: { origin: 'bank', cause } };
  await deliver([told]);
  return told;
};
const planned = async (invoice: Invoice) => {
  const path = `/v1/portal/${await client.aPortalToken(invoice)}`;
  const headers = { accept: 'application/json' };
  const { body } = await service.call<PortalDocumentBody>(path, { headers });
  return body.planned_collection;
};
const givenUp = async () => {
  const rows = await service.database.query<{ data: { reason: string; retries: number } }>(
    `SELECT data FROM events WHERE account_id = $1 AND type = 'collection.given_up' ORDER BY event_id`,
    [uuidOf('acc', client.accountId)],
  );
  return rows.map(({ data: { reason, retries } }) => [reason, retries]);
};
/** An invoice whose first debit failed, with a plan of these days. */
const aFailure = async (days: number[] = [3, 7], cause?: string) => {
  await plan(...days);
  const payer = await aPayer();
  const invoice = await anInvoiceOf(payer.customer, 5);
  await round();
  const told = await fails(cause);
  return { ...payer, invoice, told };
};
const later = async (days: number, of = service) => {
  service.clock.advance({ days });
  return round(of);
};

describe('a debit that failed', () => {
  it('is tried again by the plan, each once, and then given up', async () => {
    const { invoice } = await aFailure();
    expect(await planned(invoice)).toMatchObject({ amount: 11_900, charge_on: day(3) });
    expect(await later(2)).toBe(0);
    expect(await later(1)).toBe(1);
    expect(last()).toMatchObject({ amount: 11_900, charge_date: day(0) });
    expect(await round()).toBe(0);
    await fails();
    expect(await planned(invoice)).toMatchObject({ charge_on: day(7) });
    expect(await later(6)).toBe(0);
    expect(await later(1)).toBe(1);
    expect(await givenUp()).toEqual([]);
    await fails();
    expect(await givenUp()).toEqual([['plan_used_up', 2]]);
    expect(await planned(invoice)).toBeNull();
    expect(await later(60)).toBe(0);
    expect(debits()).toHaveLength(3);
    expect((await linksOf(invoice)).map(({ status }) => status)).toEqual(Array(3).fill('failed'));
    expect(await client.read(invoice)).toMatchObject({ status: 'open', amount_due: 11_900 });
  });

  it('is paid by the second try', async () => {
    const { invoice } = await aFailure();
    await later(3);
    await bank(last(), 'submitted', 'confirmed');
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_paid: 11_900 });
    expect(await later(60)).toBe(0);
    expect(await givenUp()).toEqual([]);
  });

  it('is not tried again without a plan, and nothing more is told', async () => {
    const { invoice } = await aFailure([]);
    expect(await planned(invoice)).toBeNull();
    expect(await later(60)).toBe(0);
    expect(await typesOf()).not.toContain('collection.given_up');
  });

  it('is planned once, however often its provider tells', async () => {
    const { told, invoice } = await aFailure([3]);
    await Promise.all([deliver([told]), deliver([{ ...told, id: 'EVOTHER' }])]);
    expect(await planned(invoice)).toMatchObject({ charge_on: day(3) });
    await later(3);
    await deliver([told]);
    await deliver([{ ...told, id: 'EVTHIRD' }]);
    expect(await later(60)).toBe(0);
    expect(debits()).toHaveLength(2);
    expect(await givenUp()).toEqual([]);
  });

  it('is tried once by two processes at once, round after round', async () => {
    const { invoice } = await aFailure();
    service.clock.advance({ days: 3 });
    const begun = await Promise.all([round(), round(other), round(), round(other)]);
    expect(begun.reduce((sum, some) => sum + some)).toBe(1);
    await round(other);
    expect(debits()).toHaveLength(2);
    expect(await linksOf(invoice)).toHaveLength(2);
  });

  it('is tried so many days behind its last failure where the provider tries again itself', async () => {
    const { invoice } = await aFailure();
    service.clock.advance({ days: 2 });
    await bank(last(), 'resubmission_requested');
    expect(await planned(invoice)).toBeNull();
    expect(await later(2)).toBe(0);
    await fails();
    expect(await planned(invoice)).toMatchObject({ charge_on: day(3) });
    expect(await later(3)).toBe(1);
    await fails();
    expect(await planned(invoice)).toMatchObject({ charge_on: day(7) });
  });

  it('is not tried earlier, nor twice, by a clock that is set back', async () => {
    const { invoice } = await aFailure();
    const of = {
      accountId: uuidOf('acc', client.accountId) ?? '',
      documentId: uuidOf('doc', invoice.id) ?? '',
    };
    const now = async () => service.app.get(Collections).retry(of);
    service.clock.advance({ days: -2 });
    expect(await now()).toBeUndefined();
    expect(await round()).toBe(0);
    expect(await later(5)).toBe(1);
    service.clock.advance({ days: -5 });
    expect(await round()).toBe(0);
    expect(await later(5)).toBe(0);
    expect(await now()).toBeUndefined();
    expect(debits()).toHaveLength(2);
  });

  it('whose try is not answered is found by its key, and debited once', async () => {
    const { invoice } = await aFailure([3]);
    stub.losesAnswer = true;
    await later(3);
    expect(await linksOf(invoice)).toMatchObject([{ status: 'failed' }, { status: 'open' }]);
    await round();
    await look();
    await bank(last(), 'submitted', 'confirmed');
    expect(debits()).toHaveLength(2);
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_paid: 11_900 });
  });

  it('whose process died before the call is sent by the next one', async () => {
    await aFailure([3]);
    stub.failure = 500;
    await later(3);
    stub.failure = null;
    await round();
    expect(debits()).toHaveLength(1);
    await look();
    expect(debits()).toHaveLength(2);
  });
});

describe('what is owed then', () => {
  it('is all that is debited', async () => {
    const { invoice } = await aFailure();
    await client.pay(invoice, { amount: 5000 });
    expect(await planned(invoice)).toMatchObject({ amount: 6900, charge_on: day(3) });
    expect(await later(3)).toBe(1);
    expect(last()).toMatchObject({ amount: 6900 });
  });

  it('is nothing after a payment, a void or a write-off', async () => {
    const { customer, invoice } = await aFailure();
    const [voided, lost] = [await anInvoiceOf(customer, 5), await anInvoiceOf(customer, 5)];
    await round();
    for (const debit of debits().slice(1)) await fails('insufficient_funds', debit);
    await payAll(invoice);
    await client.void(voided);
    await client.post(`/v1/finance/documents/${lost.id}/write-off`, {});
    for (const one of [invoice, voided, lost]) expect(await planned(one)).toBeNull();
    expect(await later(60)).toBe(0);
    expect(debits()).toHaveLength(3);
    expect(await givenUp()).toEqual([]);
  });

  it('is nothing where somebody else paid while the debit was at the bank', async () => {
    await plan(3);
    const { customer } = await aPayer();
    const invoice = await anInvoiceOf(customer, 5);
    await round();
    await bank(last(), 'submitted');
    await payAll(invoice);
    await fails('bank_account_closed');
    expect(await givenUp()).toEqual([]);
    expect(await later(60)).toBe(0);
  });

  it('is debited for the rest when a part is paid after the try began', async () => {
    const { invoice } = await aFailure();
    await later(3);
    await client.pay(invoice, { amount: 5000 });
    expect(await round()).toBe(0);
    await look();
    expect(last()).toMatchObject({ status: 'cancelled' });
    expect(await round()).toBe(1);
    expect(debits().map(({ amount }) => amount)).toEqual([11_900, 11_900, 6900]);
    await fails();
    expect(await planned(invoice)).toMatchObject({ amount: 6900, charge_on: day(7) });
  });

  it('waits for other money that is on its way', async () => {
    const { invoice } = await aFailure();
    const link = await client.aPaymentLink(invoice, { gateway: 'gocardless' });
    const say = async (status: string) =>
      service.database.query(
        `WITH own AS (UPDATE documents SET amount_processing = $3 WHERE document_id = $4)
         UPDATE payment_links SET status = $2, processing_at = now(), failed_at = now(),
           failure = 'refused'
         WHERE payment_link_id = $1`,
        [
          uuidOf('plink', String(link.id)),
          status,
          status === 'processing' ? 11_900 : 0,
          uuidOf('doc', invoice.id),
        ],
      );
    await say('processing');
    expect(await planned(invoice)).toBeNull();
    expect(await later(4)).toBe(0);
    await say('failed');
    expect(await planned(invoice)).toMatchObject({ charge_on: day(0) });
    expect(await round()).toBe(1);
  });

  it('is debited by hand instead: that is the try', async () => {
    const { invoice } = await aFailure([3]);
    expect((await collect(invoice)).status).toBe(201);
    expect(await later(3)).toBe(0);
    await fails();
    expect(await givenUp()).toEqual([['plan_used_up', 1]]);
    expect((await collect(invoice)).status).toBe(201);
    await fails();
    expect(await givenUp()).toHaveLength(2);
    expect(debits()).toHaveLength(3);
  });

  it('is due again, and tried again, after a debit that failed late', async () => {
    await plan(3);
    const { customer } = await aPayer();
    const invoice = await anInvoiceOf(customer, 5);
    await round();
    await bank(last(), 'submitted', 'confirmed', 'failed');
    expect(await client.read(invoice)).toMatchObject({ status: 'open' });
    expect(await planned(invoice)).toMatchObject({ charge_on: day(3) });
    expect(await later(3)).toBe(1);
    await bank(last(), 'submitted', 'confirmed', 'failed');
    expect(await givenUp()).toEqual([['plan_used_up', 1]]);
  });

  it('is not debited again where the payer disputes the debit', async () => {
    const { invoice } = await aFailure();
    await later(3);
    await bank(last(), 'submitted', 'confirmed', 'charged_back');
    expect(await client.read(invoice)).toMatchObject({ amount_due: 11_900 });
    expect(await planned(invoice)).toBeNull();
    expect(await later(60)).toBe(0);
    expect(debits()).toHaveLength(2);
  });
});

describe('a debit that is not tried again', () => {
  it('because its bank says that it never works is given up at once', async () => {
    await aFailure([3, 7], 'bank_account_closed');
    expect(await givenUp()).toEqual([['never_works', 0]]);
    expect(await later(60)).toBe(0);
  });

  it('because its provider refuses the try, by what that says', async () => {
    const { name, invoice } = await aFailure();
    Object.assign(stub.objects[`/mandates/${name}`] ?? {}, { status: 'cancelled' });
    await later(3);
    expect(await linksOf(invoice)).toMatchObject([
      { failure: 'insufficient_funds' },
      { failure: 'mandate_is_inactive' },
    ]);
    expect(await givenUp()).toEqual([['never_works', 1]]);
  });

  it('because its mandate ended is told in the next round', async () => {
    const { mandate, invoice } = await aFailure();
    await client.post(`/v1/finance/mandates/${mandate.id}/cancel`);
    expect(await planned(invoice)).toBeNull();
    await Promise.all([round(), round(other)]);
    expect(await givenUp()).toEqual([['mandate_not_active', 0]]);
    expect(await later(60)).toBe(0);
  });

  it('because its document says so', async () => {
    const { invoice } = await aFailure();
    const body = { collection_method: 'send_invoice' };
    await client.patch(`/v1/finance/documents/${invoice.id}`, body);
    expect(await planned(invoice)).toBeNull();
    expect(await later(3)).toBe(0);
    expect(await givenUp()).toEqual([['paid_by_client', 0]]);
  });

  it('because the plan is another one now', async () => {
    const { invoice, customer } = await aFailure([3, 7]);
    await plan(20);
    // The client was told of that day.
    expect(await planned(invoice)).toMatchObject({ charge_on: day(3) });
    expect(await later(3)).toBe(1);
    await fails();
    expect(await givenUp()).toEqual([['plan_used_up', 1]]);
    await plan(2);
    await anInvoiceOf(customer, 5);
    await round();
    await fails();
    await plan();
    await round();
    expect(await givenUp()).toEqual([
      ['plan_used_up', 1],
      ['plan_used_up', 0],
    ]);
    expect(await later(60)).toBe(0);
  });
});

describe('the plan', () => {
  it('is none until it is set, and is read as it was written', async () => {
    const first = await client.get(SETTINGS);
    expect(first.body).toMatchObject({ debit_retry_days: [], version: 1 });
    await plan(60, 1, 1, 1, 1);
    const next = await client.get(SETTINGS);
    expect(next.body).toMatchObject({ debit_retry_days: [60, 1, 1, 1, 1], version: 2 });
    await client.patch(SETTINGS, { refund_meaning: 'owed_again' });
    const after = await client.get(SETTINGS);
    expect(after.body).toMatchObject({ debit_retry_days: [60, 1, 1, 1, 1] });
  });

  it.each([[[0]], [[61]], [[1.5]], [['3']], [[1, 1, 1, 1, 1, 1]], [3], [[null]]])(
    'refuses %j',
    async (days) => {
      const answer = await client.patch(SETTINGS, { debit_retry_days: days });
      const { errors } = answer.body as { errors?: { code: string }[] };
      expect([answer.status, errors?.[0]?.code]).toEqual([422, 'invalid_debit_retry_days']);
    },
  );
});
