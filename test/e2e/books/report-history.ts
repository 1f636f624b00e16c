import fc from 'fast-check';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import { addDays } from '../../../src/kernel/clock.js';
import type { TestClient } from '../../support/client.js';
import { pathOf } from '../documents/document-calls.js';

/** The day on which each history ends. */
export const TODAY = '2026-06-15';

/** Places in lists that are not there yet; amounts as shares of what is possible, in percent. */
export interface Step {
  what: (typeof STEPS)[number];
  document: number;
  customer: number;
  /** Up to 150: more than is due. */
  share: number;
  /** Before today; below zero ahead, which only a document can be. */
  days: number;
  currency: 'EUR' | 'JPY';
}

const STEPS = [
  'issue',
  'issue',
  'pay',
  'pay',
  'pay',
  'pay from credit',
  'pay from credit',
  'credit',
  'credit',
  'void',
  'write off',
  'take a write-off back',
  'reject',
  'move to credit',
  'move to another',
  'move to another',
  'reverse',
  'refund',
  'refund',
] as const;

export const aHistory = fc.array(
  fc.record(
    {
      what: fc.constantFrom(...STEPS),
      document: fc.nat(30),
      customer: fc.nat(2),
      share: fc.integer({ min: 1, max: 150 }),
      days: fc.integer({ min: -30, max: 150 }),
      currency: fc.constantFrom('EUR' as const, 'JPY' as const),
    },
    { noNullPrototype: true },
  ),
  { minLength: 30, maxLength: 40, size: 'max' },
);

export interface Told {
  customers: string[];
  documents: DocumentBody[];
  payments: { id: string; document_id: string }[];
  /** How often each step was not refused. */
  done: Map<string, number>;
}

/** Does what can be done; what is refused changes nothing. */
export async function tell(client: TestClient, history: readonly Step[]): Promise<Told> {
  const told: Told = { customers: [], documents: [], payments: [], done: new Map() };
  for (let at = 0; at < 3; at += 1) told.customers.push((await client.aCustomer()).id);
  await client.patch('/v1/finance/payment-settings', {
    underpayment_tolerance: [{ currency: 'EUR', amount: 500 }],
  });
  for (const step of history) {
    const answer = await doStep(client, told, step);
    if (answer && answer.status < 300) {
      told.done.set(step.what, (told.done.get(step.what) ?? 0) + 1);
    } else if (answer && answer.status >= 500) {
      throw new Error(answer.text);
    }
  }
  return told;
}

async function doStep(client: TestClient, told: Told, step: Step) {
  const { what, share, days } = step;
  if (what === 'issue') return issue(client, told, step);
  const document = told.documents[step.document % Math.max(told.documents.length, 1)];
  if (!document) return undefined;
  const on = addDays(TODAY, -Math.max(0, days));
  const now = await client.read(document);
  const amount = Math.max(1, Math.round((now.amount_due * share) / 100));
  switch (what) {
    case 'pay':
    case 'pay from credit': {
      const method = what === 'pay' ? 'bank_transfer' : 'credit_balance';
      const paid_at = `${on}T10:00:00Z`;
      const answer = await client.pay(document, {
        amount: what === 'pay' ? amount : Math.ceil(amount / 10),
        method,
        paid_at,
        ...(what === 'pay' && { on_overpayment: 'credit' }),
      });
      const payment = answer.body['payment'] as { id: string } | undefined;
      if (payment) told.payments.push({ id: payment.id, document_id: document.id });
      return answer;
    }
    case 'credit': {
      const left = now.amount_creditable;
      const body = { amount: Math.max(1, Math.min(left, Math.round((left * share) / 100))) };
      const answer = await client.post<DocumentBody>(pathOf(document, 'credit-notes'), {
        ...body,
        issue_date: addDays(TODAY, -days),
      });
      if (answer.status === 201) told.documents.push(answer.body);
      return answer;
    }
    case 'void':
      return client.post(pathOf(document, 'void'));
    case 'write off':
      return client.post(pathOf(document, 'write-off'));
    case 'take a write-off back': {
      const lost = await listOf(client, 'status=uncollectible');
      return lost[0] && client.post(pathOf(lost[0], 'write-off/reverse'));
    }
    case 'reject': {
      const token = await client.aPortalToken(document).catch(() => undefined);
      return token && client.post(`/v1/portal/${token}/reject`, { reason: 'No' });
    }
    default:
      return ofPayment(client, told, step);
  }
}

async function listOf(client: TestClient, filter: string): Promise<DocumentBody[]> {
  const path = `/v1/finance/documents?limit=100&${filter}`;
  return (await client.get<{ data: DocumentBody[] }>(path)).body.data;
}

async function issue(client: TestClient, told: Told, { customer, days, share, currency }: Step) {
  const issue_date = addDays(TODAY, -days);
  const answer = await client.post<DocumentBody>('/v1/finance/documents', {
    customer_id: told.customers[customer],
    currency,
    issue: true,
    issue_date,
    due_date: addDays(issue_date, share),
    ...(share % 3 === 0 && { cash_rounding: 5 }),
    lines: [
      { description: 'Work', unit_amount: 100 * share + 7, tax_rate: '19' },
      ...(share % 2 === 0 ? [{ description: 'Book', unit_amount: 913, tax_rate: '7' }] : []),
    ],
  });
  if (answer.status === 201) told.documents.push(answer.body);
  return answer;
}

async function ofPayment(client: TestClient, told: Told, { what, document, share }: Step) {
  const payment = told.payments[document % Math.max(told.payments.length, 1)];
  if (!payment) return undefined;
  const path = `/v1/finance/payments/${payment.id}`;
  if (what === 'reverse' || what === 'refund') {
    const { body } = await client.get<{ amount_refundable: number; paid_at: string }>(path);
    // Of some it is told that they happened on the day of their payment.
    const at = share % 2 === 0 ? body.paid_at : undefined;
    if (what === 'reverse') return client.post(`${path}/reverse`, { reversed_at: at });
    const amount = Math.ceil((body.amount_refundable * Math.min(share, 100)) / 100);
    return client.post(`${path}/refunds`, { amount, method: 'bank_transfer', refunded_at: at });
  }
  const paid = told.documents.find(({ id }) => id === payment.document_id);
  const others = told.documents.filter(
    (one) =>
      one !== paid && one.customer_id === paid?.customer_id && one.currency === paid.currency,
  );
  const to = what === 'move to credit' ? 'credit' : others[share % others.length]?.id;
  const { body } = await client.get<{ paid_at: string }>(path);
  // A day that is before the money, a move or an invoice is refused.
  const moved_at = share % 2 === 0 ? body.paid_at : undefined;
  return client.post(`${path}/allocations`, { from: payment.document_id, to, moved_at });
}
