import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { publicId } from '../../../src/kernel/ids.js';
import { MessageRepository } from '../../../src/mail/infrastructure/message.repository.js';
import type { TestClient } from '../../support/client.js';
import { sandboxDelivery } from '../../support/sandbox-delivery.js';
import { textOf } from '../../support/pdf-text.js';
import { good } from '../documents/document-calls.js';
import {
  aCustomer,
  anInvoiceDue,
  type DunningStage,
  dunningOf,
  dunningStage,
  plan,
  remindersOf,
  say,
} from './dunning-stage.js';

const STEPS = { business_steps: [{ days: -3 }, { days: 7 }, { days: 14 }, { days: 30 }] };

let stage: DunningStage;
let client: TestClient;

beforeAll(async () => {
  stage = await dunningStage('2026-03-01');
});
afterAll(() => stage.close());
// Rounds are about all accounts: what one test leaves behind is not for the next.
afterEach(async () => {
  await plan(client, { business_steps: null, consumer_steps: null });
  await stage.mails();
});
beforeEach(async () => {
  stage.service.clock.set('2026-03-01T10:00:00Z');
  client = await stage.service.aClient();
  await client.patch('/v1/finance/seller', { name: 'Acme', country: 'DE' });
});

const anInvoice = async (over: object = {}) =>
  anInvoiceDue(client, '2026-03-20', {
    customer: undefined,
    customer_id: await aCustomer(client),
    ...over,
  });

describe('the steps of a plan', () => {
  it('come each once, on their days, with their own words', async () => {
    await plan(client, STEPS);
    const { number, id } = await anInvoice();
    const seen: [string, string | undefined][] = [];
    for (let day = 10; day <= 60; day += 1) {
      const date = new Date(Date.UTC(2026, 2, day)).toISOString().slice(0, 10);
      for (const mail of await stage.at(date)) seen.push([date, mail.subject]);
      expect(await stage.at(date)).toEqual([]);
    }
    expect(seen).toEqual([
      ['2026-03-17', `Payment is due soon: Invoice ${number} from Acme`],
      ['2026-03-27', `Payment reminder: Invoice ${number} from Acme`],
      ['2026-04-03', `Payment reminder no. 2: Invoice ${number} from Acme`],
      ['2026-04-19', `Last payment reminder: Invoice ${number} from Acme`],
    ]);
    expect(await dunningOf(client, { id })).toMatchObject({
      steps_behind: 4,
      last_on: '2026-04-19',
      next_step: null,
      waits_for: 'no_step_left',
    });
  });

  it('are as far apart as planned where the first came late, and say nothing of before the due date', async () => {
    await plan(client, { ...STEPS, due_from: '2026-01-01' });
    await anInvoice();
    const days: string[] = [];
    for (const day of [
      '2026-04-10',
      '2026-04-11',
      '2026-04-16',
      '2026-04-17',
      '2026-05-02',
      '2026-05-03',
    ])
      if ((await stage.at(day)).length > 0) days.push(day);
    expect(days).toEqual(['2026-04-10', '2026-04-17', '2026-05-03']);
    expect((await remindersOf(client)).map(({ step }) => step)).toEqual([2, 3, 4]);
  });

  it('leave alone what was due before the plan', async () => {
    const old = await anInvoiceDue(client, '2026-03-01', {
      customer: undefined,
      customer_id: await aCustomer(client),
    });
    stage.service.clock.set('2026-03-05T10:00:00Z');
    await plan(client, STEPS);
    expect(await stage.at('2026-03-12')).toEqual([]);
    expect(await dunningOf(client, old)).toMatchObject({
      waits_for: 'due_before_plan',
      next_on: null,
    });
    await plan(client, { due_from: '2026-02-01' });
    expect(await stage.at('2026-03-12')).toHaveLength(1);
  });

  it('are made once by two processes, and after a clock that was set back', async () => {
    await plan(client, STEPS);
    await anInvoice();
    await Promise.all([stage.round('2026-03-27'), stage.round(), stage.round()]);
    expect(await stage.round('2026-03-20')).toBe(0);
    expect(await stage.at('2026-03-28')).toHaveLength(1);
    expect(await stage.at('2026-03-28')).toEqual([]);
    expect(await remindersOf(client)).toHaveLength(1);
  });

  it('are those of the kind of the customer, and a customer of no kind is a consumer', async () => {
    await plan(client, { business_steps: [{ days: 5 }], consumer_steps: [{ days: 9 }] });
    const business = await anInvoice();
    const consumer = await anInvoice({
      customer_id: await aCustomer(client, { kind: 'consumer' }),
    });
    const unknown = await anInvoice({ customer_id: await aCustomer(client, { kind: undefined }) });
    await stage.at('2026-03-25');
    const next = async (one: { id: string }) => (await dunningOf(client, one)).next_on;
    expect(await next(consumer)).toBe('2026-03-29');
    expect(await next(unknown)).toBe('2026-03-29');
    expect(await remindersOf(client)).toMatchObject([
      { documents: [{ document_id: business.id }] },
    ]);
  });

  it('begin anew for money that is owed again', async () => {
    await plan(client, STEPS);
    const invoice = await anInvoice();
    const paid = await client.pay(invoice, { amount: 100_000 });
    await stage.at('2026-03-28');
    expect(await dunningOf(client, invoice)).toMatchObject({ waits_for: 'settled' });
    const { id } = paid.body['payment'] as { id: string };
    good(await client.post(`/v1/finance/payments/${id}/reverse`, { reason: 'returned' }), 200);
    expect(await stage.at('2026-03-28')).toHaveLength(1);
  });
});

describe('nobody is reminded', () => {
  beforeEach(() => plan(client, { business_steps: [{ days: 7 }] }));

  it('until the day is over that was promised', async () => {
    const invoice = await anInvoice();
    for (const promised_until of ['2026-02-28', '2027-03-03']) {
      const answer = await client.patch(`/v1/finance/documents/${invoice.id}/dunning`, {
        promised_until,
      });
      expect(answer).toMatchObject({ status: 422, body: { code: 'promise_out_of_reach' } });
    }
    await say(client, invoice, { promised_until: '2026-04-02', note: 'called' });
    expect(await stage.at('2026-03-27')).toEqual([]);
    expect(await dunningOf(client, invoice)).toMatchObject({
      waits_for: 'promised',
      note: 'called',
    });
    expect(await stage.at('2026-04-02')).toEqual([]);
    expect(await stage.at('2026-04-03')).toHaveLength(1);
  });

  it('while it is paused', async () => {
    const invoice = await anInvoice();
    await say(client, invoice, { paused: true });
    expect(await stage.at('2026-03-27')).toEqual([]);
    await say(client, invoice, { paused: false });
    expect(await stage.at('2026-03-27')).toHaveLength(1);
  });

  it('of what was paid, or is covered by credit that is there', async () => {
    const customer_id = await aCustomer(client);
    const [first, second] = [await anInvoice({ customer_id }), await anInvoice({ customer_id })];
    await client.pay(first, { amount: 150_000, on_overpayment: 'credit' });
    await client.pay(second, { amount: 60_000 });
    expect(await stage.at('2026-03-27')).toEqual([]);
    expect(await dunningOf(client, second)).toMatchObject({ waits_for: 'credit_covers' });
  });

  it('of money that is on its way', async () => {
    const invoice = await anInvoice();
    const link = await client.aPaymentLink(invoice, { gateway: 'sandbox' });
    const at = stage.service.clock.now().toISOString();
    const data = { payment_id: `sbx_${link.id}`, payment_link_id: link.id, at };
    const told = sandboxDelivery(stage.service, 'payment.processing', data);
    good(await stage.service.call('/v1/webhooks/sandbox', { method: 'POST', ...told }), 200);
    expect(await stage.at('2026-03-27')).toEqual([]);
    expect(await dunningOf(client, invoice)).toMatchObject({ waits_for: 'payment_on_its_way' });
  });

  it('by a letter that a payment, a promise or a pause has overtaken', async () => {
    const invoices = [await anInvoice(), await anInvoice(), await anInvoice(), await anInvoice()];
    await stage.round('2026-03-27');
    await client.pay(invoices[0]!, { amount: 100_000 });
    await client.pay(invoices[1]!, { amount: 40_000 });
    await say(client, invoices[2]!, { promised_until: '2026-04-02' });
    const [mail, ...more] = await stage.mails();
    expect(more).toEqual([]);
    expect(mail?.text).toContain(invoices[3]!.number);
    const [paid, partly, promised] = await remindersOf(client);
    for (const one of [paid, partly, promised])
      expect(one).toMatchObject({ status: 'canceled', reason: 'overtaken' });
    const [second] = await stage.at('2026-03-27');
    expect(second?.text).toContain('600.00');
    expect(await stage.at('2026-04-03')).toHaveLength(1);
  });
});

describe('a letter', () => {
  beforeEach(() => plan(client, { business_steps: [{ days: 7 }, { days: 14 }] }));

  it('that is overtaken after its process died while it sent it may have left', async () => {
    const invoice = await anInvoice();
    await stage.round('2026-03-27');
    // The process that takes it dies.
    const now = stage.service.clock.serverNow();
    const taken = await stage.service.app.get(MessageRepository).takeDue(now, now, 'oldest');
    expect(taken).toMatchObject({ kind: 'dunning', reason: null, attempts: 1 });
    const path = `/v1/finance/messages/${publicId('msg', taken!.id)}`;
    expect((await client.get(path)).body).toMatchObject({ status: 'queued', reason: 'being_sent' });
    await client.pay(invoice, { amount: 100_000 });
    expect(await stage.mails()).toEqual([]);
    expect(await remindersOf(client)).toMatchObject([
      { status: 'canceled', reason: 'may_have_left' },
    ]);
  });

  it('that nobody can get waits for a person, and goes on from the day on which it went by post', async () => {
    const customer_id = await aCustomer(client, { email: undefined });
    const invoice = await anInvoice({ customer_id });
    expect(await stage.at('2026-03-27')).toEqual([]);
    const [failed] = await remindersOf(client, '&status=failed');
    expect(failed).toMatchObject({ reason: 'no_address', amount: 100_000 });
    expect(await stage.at('2026-04-03')).toEqual([]);
    expect(await dunningOf(client, invoice)).toMatchObject({ waits_for: 'letter_failed' });
    const sent = await client.post(`/v1/finance/reminders/${failed!.id}/mark-sent`, {});
    expect(sent).toMatchObject({ status: 200, body: { status: 'sent', sent_to: [] } });
    expect(await dunningOf(client, invoice)).toMatchObject({ next_on: '2026-04-10' });
    const again = await client.post(`/v1/finance/reminders/${failed!.id}/mark-sent`, {});
    expect(again).toMatchObject({ status: 409, body: { code: 'reminder_not_failed' } });
  });

  it('that leaves by a clock set back brings the next step no nearer', async () => {
    const invoice = await anInvoice({ customer_id: await aCustomer(client, { email: null }) });
    await stage.at('2026-03-31');
    const [failed] = await remindersOf(client);
    stage.service.clock.set('2026-03-29T10:00:00Z');
    await client.post(`/v1/finance/reminders/${failed!.id}/mark-sent`, {});
    const dunning = await dunningOf(client, invoice);
    expect(dunning).toMatchObject({ last_on: '2026-03-31', next_on: '2026-04-07' });
  });

  it('has its paper in the language of the document', async () => {
    const customer_id = await aCustomer(client, { language: 'de' });
    const { number } = await anInvoice({ customer_id });
    const [mail] = await stage.at('2026-03-27');
    expect(mail?.subject).toBe(`Zahlungserinnerung: Rechnung ${number} von Acme`);
    const text = textOf(mail!.attachments[0]!.content);
    for (const said of [
      'Zahlungserinnerung',
      number!,
      '1.000,00',
      'Globex GmbH',
      'Bitte zahlen Sie',
    ])
      expect(text).toContain(said);
    const [reminder] = await remindersOf(client);
    const pdf = await client.get(`/v1/finance/reminders/${reminder?.id}/pdf`);
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
  });

  it('says the seller’s own words', async () => {
    const words = [{ language: 'en', subject: 'Did you forget us?', text: 'We miss your money.' }];
    await plan(client, { business_steps: [{ days: 7, words }] });
    await anInvoice();
    const [mail] = await stage.at('2026-03-27');
    expect(mail?.subject).toBe('Did you forget us?');
    expect(mail?.text).toContain('We miss your money.');
  });

  it('of several documents is one for a customer and a currency', async () => {
    await plan(client, { letters_by: 'customer' });
    const customer_id = await aCustomer(client);
    const of = { customer: undefined, customer_id };
    const first = await anInvoiceDue(client, '2026-03-18', of);
    const second = await anInvoiceDue(client, '2026-03-22', of);
    await anInvoiceDue(client, '2026-05-22', of);
    await anInvoiceDue(client, '2026-03-18', { ...of, currency: 'CHF' });
    const mails = await stage.at('2026-03-25');
    expect(mails).toHaveLength(2);
    const euros = (await remindersOf(client)).find(({ currency }) => currency === 'EUR');
    expect(euros).toMatchObject({
      amount: 200_000,
      documents: [
        { document_id: first.id, step: 1 },
        { document_id: second.id, step: null },
      ],
    });
    await stage.at('2026-03-29');
    await stage.at('2026-04-01');
    const steps = (await remindersOf(client, '&document_id=' + second.id)).map(({ documents }) =>
      documents.map(({ step }) => step),
    );
    expect(steps).toEqual([
      [1, null],
      [null, 1],
      [2, null],
    ]);
  });

  it('of several documents lists none that is held back, also behind its last step', async () => {
    await plan(client, { business_steps: [{ days: 3 }], letters_by: 'customer' });
    const of = { customer: undefined, customer_id: await aCustomer(client) };
    const first = await anInvoiceDue(client, '2026-03-10', of);
    await stage.at('2026-03-13');
    await say(client, first, { paused: true });
    const second = await anInvoiceDue(client, '2026-03-20', of);
    expect(await stage.at('2026-03-23')).toHaveLength(1);
    expect(await remindersOf(client, '&document_id=' + second.id)).toMatchObject([
      { status: 'sent', documents: [{ document_id: second.id, step: 1 }] },
    ]);
  });
});
