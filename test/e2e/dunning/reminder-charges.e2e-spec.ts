import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { TestClient } from '../../support/client.js';
import { textOf } from '../../support/pdf-text.js';
import { good } from '../documents/document-calls.js';
import {
  aCustomer,
  anInvoiceDue,
  type DunningStage,
  dunningStage,
  plan,
  PLAN,
  remindersOf,
} from './dunning-stage.js';

const STEPS = {
  business_steps: [
    { days: 7 },
    { days: 30, interest: true, lump_sum: true },
    { days: 60, interest: true },
  ],
  consumer_steps: [
    { days: 7 },
    { days: 30, interest: true, fees: [{ currency: 'EUR', amount: 250 }] },
  ],
};
// Of 2026: the base rate of the first half is known, that of the second is said here.
const RATES = { base_rates: [{ from: '2026-07-01', percent: '1.52' }] };

let stage: DunningStage;
let client: TestClient;

beforeAll(async () => {
  stage = await dunningStage('2026-05-01');
});
afterAll(() => stage.close());
afterEach(async () => {
  await client.patch(PLAN, { business_steps: null, consumer_steps: null });
  await stage.mails();
});
beforeEach(async () => {
  stage.service.clock.set('2026-05-01T10:00:00Z');
  client = await stage.service.aClient();
  await client.patch('/v1/finance/seller', { name: 'Acme', country: 'DE' });
  await plan(client, { ...STEPS, ...RATES });
});

const anInvoice = async (kind = 'business', over: object = {}) =>
  anInvoiceDue(client, '2026-06-01', {
    customer: undefined,
    customer_id: await aCustomer(client, { kind }),
    ...over,
  });

const documentOf = async (id: string | null) =>
  good(await client.get<DocumentBody>(`/v1/finance/documents/${id}`), 200);

const invoices = async () =>
  good(await client.get<{ data: DocumentBody[] }>('/v1/finance/documents?limit=100'), 200).data;

describe('what a letter asks for beside the debt', () => {
  it('is statutory interest by the day, and 40 EUR of a business', async () => {
    const invoice = await anInvoice();
    await stage.at('2026-06-08');
    const [, mail] = [...(await stage.at('2026-06-15')), ...(await stage.at('2026-07-10'))].slice(
      -2,
    );
    expect(mail ?? null).toBeNull();
    const [, second] = await remindersOf(client);
    // 1,000.00: 29 days at 10.27 % and 10 days at 10.52 %, by hand 8.1597... and 2.8822.
    expect(second).toMatchObject({
      made_on: '2026-07-10',
      charges: [
        {
          kind: 'interest',
          amount: 1104,
          document_id: invoice.id,
          parts: [
            {
              from: '2026-06-02',
              through: '2026-06-30',
              days: 29,
              owed: 100_000,
              percent: '10.27',
            },
            {
              from: '2026-07-01',
              through: '2026-07-10',
              days: 10,
              owed: 100_000,
              percent: '10.52',
            },
          ],
        },
        { kind: 'lump_sum', amount: 4000 },
      ],
    });
  });

  it('is on an invoice of its own, once the letter was sent, which nobody pays interest for', async () => {
    const invoice = await anInvoice();
    await stage.at('2026-06-08');
    await stage.round('2026-07-01');
    expect(await invoices()).toHaveLength(1);
    await stage.run();
    await stage.round();
    const [, second] = await remindersOf(client);
    const billed = await documentOf(second!.charges[0]!.billed_by);
    expect(billed).toMatchObject({
      status: 'open',
      customer_id: invoice.customer_id,
      total: second!.charges_amount,
      lines: [{ tax_category: 'O' }, { tax_category: 'O' }],
    });
    expect(second!.charges.map(({ status }) => status)).toEqual(['billed', 'billed']);
    await Promise.all([stage.round(), stage.round()]);
    expect(await invoices()).toHaveLength(2);
    const letters = await stage.at('2026-08-31');
    expect(letters.length).toBeGreaterThan(0);
    const about = await remindersOf(client, `&document_id=${billed.id}`);
    expect(about.flatMap(({ charges }) => charges)).toEqual([]);
    const third = (await remindersOf(client, `&document_id=${invoice.id}`)).at(-1);
    expect(third?.charges.map(({ kind }) => kind)).toEqual(['interest']);
  });

  it('is asked of a part of the debt for the days on which it was owed', async () => {
    const invoice = await anInvoice();
    await stage.at('2026-06-08');
    stage.service.clock.set('2026-06-21T10:00:00Z');
    await client.pay(invoice, { amount: 60_000 });
    await stage.at('2026-07-01');
    const [, second] = await remindersOf(client);
    const interest = second!.charges.find(({ kind }) => kind === 'interest');
    expect(interest?.parts.map(({ from, days, owed }) => [from, days, owed])).toEqual([
      ['2026-06-02', 19, 100_000],
      ['2026-06-21', 10, 40_000],
      ['2026-07-01', 1, 40_000],
    ]);
  });

  it('is a line of the next invoice where the plan says so, and comes back with its draft', async () => {
    await plan(client, { charges_on: 'next_document' });
    const invoice = await anInvoice();
    await stage.at('2026-06-08');
    await stage.at('2026-07-01');
    expect(await stage.round()).toBe(0);
    const of = { customer: undefined, customer_id: invoice.customer_id, issue: false };
    const draft = await anInvoiceDue(client, '2026-08-01', of);
    const [, second] = await remindersOf(client);
    expect(draft.total).toBe(100_000 + second!.charges_amount);
    expect(draft.lines).toMatchObject([{}, { tax_category: 'E' }, { tax_category: 'E' }]);
    const other = await anInvoiceDue(client, '2026-08-01', { ...of, issue: true });
    expect(other.total).toBe(100_000);
    await client.delete(`/v1/finance/documents/${draft.id}`);
    const next = await anInvoiceDue(client, '2026-08-01', { ...of, issue: true });
    expect(next.total).toBe(draft.total);
  });

  it('is free for a consumer at first, then interest from that letter on and the fee', async () => {
    await anInvoice('consumer');
    await stage.at('2026-06-08');
    await stage.at('2026-07-01');
    const [first, second] = await remindersOf(client);
    expect(first?.charges).toEqual([]);
    expect(second?.charges).toMatchObject([
      { kind: 'fee', amount: 250 },
      // 1,000.00 for 22 days at 6.27 % and 1 day at 6.52 %: 3.779 and 0.179.
      { kind: 'interest', amount: 396 },
    ]);
  });

  it('is not in a code that pays the document alone', async () => {
    const bank_accounts = [{ iban: 'DE89370400440532013000', currency: 'EUR' }];
    good(await client.patch('/v1/finance/seller', { bank_accounts }), 200);
    await anInvoice();
    const codes: boolean[] = [];
    for (const day of ['2026-06-08', '2026-07-01']) {
      const [mail] = await stage.at(day);
      codes.push(textOf(mail!.attachments[0]!.content).includes('Scan with'));
    }
    expect(codes).toEqual([true, false]);
  });

  it('is given up by a person', async () => {
    await anInvoice();
    await stage.at('2026-06-08');
    await stage.at('2026-07-01');
    const [, second] = await remindersOf(client);
    const path = `/v1/finance/reminders/${second!.id}/waive-charges`;
    expect(await client.post(path, {})).toMatchObject({
      status: 200,
      body: { charges_amount: 0, charges: [{ status: 'waived' }, { status: 'waived' }] },
    });
    expect(await stage.round()).toBe(0);
    expect(await client.post(path, {})).toMatchObject({
      status: 409,
      body: { code: 'charges_not_open' },
    });
  });

  it('waits for a day on which it can be billed, and says why', async () => {
    const invoice = await anInvoice();
    await stage.at('2026-06-08');
    await stage.at('2026-07-01');
    good(await client.post(`/v1/finance/customers/${invoice.customer_id}/archive`, {}), 200);
    expect(await stage.round()).toBe(0);
    expect((await remindersOf(client))[1]).toMatchObject({ charges_problem: 'customer_archived' });
    good(await client.post(`/v1/finance/customers/${invoice.customer_id}/unarchive`, {}), 200);
    expect(await stage.round('2026-07-02')).toBe(1);
    expect((await remindersOf(client))[1]).toMatchObject({ charges_problem: null });
  });
});

const refused = async (body: object) => {
  const answer = await client.patch<{
    code: string;
    errors: { pointer: string; code: string }[];
  }>(PLAN, body);
  return [answer.status, answer.body.code, ...answer.body.errors.map(({ pointer }) => pointer)];
};

describe('a plan', () => {
  const fees = [{ currency: 'EUR', amount: 250 }];

  it.each([
    [
      'of days that do not ascend',
      { business_steps: [{ days: 7 }, { days: 7 }] },
      'steps_not_ascending',
      '/business_steps/1/days',
    ],
    [
      'with a fee before the due date',
      { business_steps: [{ days: -1, fees }] },
      'no_charge_before_due',
      '/business_steps/0',
    ],
    [
      'with a lump sum of consumers',
      { consumer_steps: [{ days: 1 }, { days: 7, lump_sum: true }] },
      'lump_sum_of_consumer',
      '/consumer_steps/1/lump_sum',
    ],
    [
      'whose first reminder to consumers costs',
      { consumer_steps: [{ days: 7, fees }] },
      'first_reminder_is_free',
      '/consumer_steps/0',
    ],
    [
      'with fees beside the lump sum',
      {
        business_steps: [
          { days: 7, fees },
          { days: 9, lump_sum: true },
        ],
      },
      'fees_beside_lump_sum',
      '/business_steps/0/fees',
    ],
    [
      'with interest of consumers where the law is not known',
      { law: 'IE', consumer_steps: [{ days: 7 }, { days: 9, interest: true }] },
      'no_statutory_interest',
      '/consumer_steps/1/interest',
    ],
  ])('%s is refused', async (_, body, code, pointer) => {
    expect(await refused(body)).toEqual([422, code, pointer]);
  });

  it('with interest needs a rate of today, and a law', async () => {
    stage.service.clock.set('2027-03-01T10:00:00Z');
    expect(await refused({ letters_by: 'customer' })).toEqual([
      422,
      'base_rate_unknown',
      '/base_rates',
    ]);
    const base_rates = [...RATES.base_rates, { from: '2027-01-01', percent: '1.5' }];
    expect(await plan(client, { base_rates })).toMatchObject({ rates_known_until: '2027-06-30' });
    await client.patch('/v1/finance/seller', { country: 'US' });
    expect(await refused({ letters_by: 'customer' })).toEqual([422, 'unknown_law', '/law']);
  });

  it('and reminders of the mail settings exclude each other', async () => {
    const mail = await client.patch('/v1/finance/mail-settings', { reminder_days: [3] });
    expect(mail).toMatchObject({ status: 409, body: { code: 'reminders_by_dunning_plan' } });
    await plan(client, { business_steps: null, consumer_steps: null });
    good(await client.patch('/v1/finance/mail-settings', { reminder_days: [3] }), 200);
    const answer = await client.patch(PLAN, { business_steps: [{ days: 7 }] });
    expect(answer).toMatchObject({ status: 409, body: { code: 'reminders_by_mail_settings' } });
  });
});
