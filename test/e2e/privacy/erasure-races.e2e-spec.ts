import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dateIn } from '../../../src/kernel/clock.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { closeWithBooks } from '../documents/document-calls.js';

// Erasure, and each other call about the customer at the same moment: in both orders.

const NAME = 'Ada Lovelace';

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => closeWithBooks(service));

interface Person {
  id: string;
  externalId: string;
  /** Paid in full. */
  invoice: { id: string };
  payment: string;
}

let persons = 0;

async function aPerson(): Promise<Person> {
  const externalId = `crm-${(persons += 1)}`;
  const { id } = await client.aCustomer({ name: NAME, external_id: externalId });
  const invoice = await client.anInvoice({ customer: undefined, customer_id: id });
  const { body } = await client.pay(invoice, { amount: invoice.total });
  const { id: payment } = body['payment'] as { id: string };
  return { id, externalId, invoice, payment };
}

type Answer = { status: number; body: Record<string, unknown> };
type Call = (person: Person) => Promise<Answer>;

const of = ({ id }: Person) => `/v1/finance/customers/${id}`;
const ofInvoice = ({ invoice }: Person) => `/v1/finance/documents/${invoice.id}`;
const erase: Call = async (person) => client.post(`${of(person)}/erase`);
const lines = [{ description: 'A', unit_amount: 100, tax_rate: '19' }];

const schedule = ({ id }: Person) => ({
  name: 'Rent',
  document: { customer_id: id, lines },
  recurrence: { every: 'month' },
  action: 'draft',
  start_date: dateIn('UTC', service.clock.now()),
});

const CALLS: Record<string, Call> = {
  'a draft': ({ id }) => client.post('/v1/finance/documents', { customer_id: id, lines }),
  'an invoice': ({ id }) =>
    client.post('/v1/finance/documents', { customer_id: id, lines, issue: true }),
  'a copy of the invoice': (person) => client.post(`${ofInvoice(person)}/duplicate`),
  'a schedule': (person) => client.post('/v1/finance/schedules', schedule(person)),
  'a mandate': (person) =>
    client.post(`${of(person)}/mandates`, { gateway: 'sandbox', currency: 'EUR' }),
  'a link to the page': (person) => client.post(`${ofInvoice(person)}/portal-tokens`),
  'a message': (person) => client.post(`${ofInvoice(person)}/send`, { to: ['ada@example.com'] }),
  'a change': (person) => client.patch(of(person), { city: NAME }),
  'a put': ({ externalId }) =>
    client.put(`/v1/finance/customers/by-external-id/${externalId}`, { name: NAME, city: NAME }),
  'an archive': (person) => client.post(`${of(person)}/archive`),
  'a deletion': (person) => client.delete(of(person)),
  'a credit note': (person) => client.post(`${ofInvoice(person)}/credit-notes`, { amount: 100 }),
  'a refund': ({ payment }) =>
    client.post(`/v1/finance/payments/${payment}/refunds`, {
      amount: 100,
      method: 'bank_transfer',
      meaning: 'lowers_document',
    }),
  'a reversal': ({ payment }) => client.post(`/v1/finance/payments/${payment}/reverse`),
  'another erasure': erase,
};

/** Both calls, the first before the second, while somebody holds the customer. */
async function inOrder(person: Person, first: Call, second: Call): Promise<[Answer, Answer]> {
  const holder = await service.database.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(
      `SELECT FROM customers WHERE external_id = $1 AND account_id = (
         SELECT account_id FROM customers WHERE external_id = $1) FOR UPDATE`,
      [person.externalId],
    );
    const one = first(person);
    await Promise.race([one, service.database.untilBlocked()]);
    const other = second(person);
    await Promise.race([other, one, service.database.untilBlocked(2)]);
    await Promise.race([other, service.database.untilBlocked(1)]);
    await holder.query('COMMIT');
    return [await one, await other];
  } finally {
    await holder.end();
  }
}

const ERASED = [200, undefined];
const NOT_ERASABLE = [409, 'customer_not_erasable'];
const REFUSED = [409, 'customer_erased'];
const IN_USE = [409, 'customer_in_use'];
const MADE = [201, undefined];
const DONE = [200, undefined];

/** Answers of the erasure and of the other call, where erasure came first, and where it came second. */
const ANSWERS: Record<string, { first: unknown[]; second: unknown[] }> = {
  'a draft': { first: [ERASED, REFUSED], second: [NOT_ERASABLE, MADE] },
  'an invoice': { first: [ERASED, REFUSED], second: [NOT_ERASABLE, MADE] },
  'a copy of the invoice': { first: [ERASED, REFUSED], second: [NOT_ERASABLE, MADE] },
  'a schedule': { first: [ERASED, REFUSED], second: [NOT_ERASABLE, MADE] },
  'a mandate': { first: [ERASED, REFUSED], second: [NOT_ERASABLE, MADE] },
  'a link to the page': { first: [ERASED, REFUSED], second: [ERASED, MADE] },
  'a message': { first: [ERASED, REFUSED], second: [ERASED, MADE] },
  'a change': { first: [ERASED, REFUSED], second: [ERASED, DONE] },
  // Nobody has the id any more: it is another customer's.
  'a put': { first: [ERASED, MADE], second: [ERASED, DONE] },
  'an archive': { first: [ERASED, REFUSED], second: [ERASED, DONE] },
  'a deletion': { first: [ERASED, IN_USE], second: [ERASED, IN_USE] },
  'a credit note': { first: [ERASED, MADE], second: [NOT_ERASABLE, MADE] },
  'a refund': { first: [ERASED, MADE], second: [ERASED, MADE] },
  // It waits for no customer, so it is always there before.
  'a reversal': { first: [NOT_ERASABLE, DONE], second: [NOT_ERASABLE, DONE] },
  'another erasure': { first: [ERASED, ERASED], second: [ERASED, ERASED] },
};

/** Texts of the person where none may be, by table. */
async function leftOf({ id }: Person): Promise<string[]> {
  const rows = await service.database.query<{ place: string }>(
    `SELECT 'customers' AS place FROM customers
       WHERE customer_id = $1 AND erased_at IS NOT NULL AND (profile::text || search) ~* $2
     UNION ALL SELECT 'mail_messages' FROM mail_messages m JOIN documents d USING (document_id)
       JOIN customers c ON c.customer_id = d.customer_id
       WHERE c.customer_id = $1 AND c.erased_at IS NOT NULL AND m.recipients::text ~* $2
     UNION ALL SELECT 'schedules' FROM schedules s JOIN customers c USING (customer_id)
       WHERE c.customer_id = $1 AND c.erased_at IS NOT NULL`,
    [uuidOf('cus', id), 'ada|lovelace'],
  );
  return rows.map(({ place }) => place);
}

describe.each(Object.entries(CALLS))('erasure and %s', (name, call) => {
  it.each(['first', 'second'] as const)('at once, erasure %s', async (order) => {
    const person = await aPerson();
    const [one, other] = order === 'first' ? [erase, call] : [call, erase];
    const answers = await inOrder(person, one, other);
    const told = (order === 'first' ? answers : answers.toReversed()).map(({ status, body }) => [
      status,
      body['code'],
    ]);
    expect(told).toEqual(ANSWERS[name]?.[order]);
    expect(await leftOf(person)).toEqual([]);
  });
});
