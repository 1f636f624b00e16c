import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { TestClient } from '../../support/client.js';
import { oneIn } from '../../support/share.js';
import { balancesOf } from '../books/books.js';
import { creditOf, expectBooksToAgree, good } from '../documents/document-calls.js';
import { type MailStage, mailStage, wish } from '../mail/mail-calls.js';
import { disputeCalls, type Paid, permutations } from './dispute-calls.js';

/*
 * The same facts, whatever order they come in: figures, balances, credit, and what a client reads on
 * the pages, on the receipt and in the mail. A step that is refused makes no such order.
 */

let stage: MailStage;
let client: TestClient;
let calls: ReturnType<typeof disputeCalls>;
beforeAll(async () => {
  stage = await mailStage({ rateLimit: null });
  calls = disputeCalls(stage.service, () => client);
});
afterAll(() => stage.close());

interface Life {
  paid: Paid;
  notes: DocumentBody[];
}

/** Null where it is done; else the code of its refusal. */
type Fact = (life: Life) => Promise<string | null>;

const codeOf = (answer: { status: number; body: object }) =>
  answer.status < 300 ? null : String((answer.body as { code?: string }).code);

const money = { currency: 'EUR' };
const at = () => new Date(stage.service.clock.now().getTime() + 60_000).toISOString();

const pay: Fact = async ({ paid }) => {
  expect(await calls.pay(paid)).toBe('ok');
  return null;
};

const note =
  (amount: number): Fact =>
  async ({ paid, notes }) => {
    const path = `/v1/finance/documents/${paid.invoice.id}/credit-notes`;
    const answer = await client.post<DocumentBody>(path, { amount });
    if (answer.status === 201) notes.push(answer.body);
    return codeOf(answer);
  };

const refund =
  (amount: number): Fact =>
  async ({ paid }) => {
    const payment = await calls.paymentOf(paid);
    // Nobody can ask for money back that has not come.
    if (!payment) return 'payment_not_found';
    const path = `/v1/finance/payments/${payment.id}/refunds`;
    return codeOf(await client.post(path, { amount }));
  };

/** Each has a name of its own. */
const dashboard =
  (amount: number, name = 'a'): Fact =>
  async ({ paid: { id: payment_id } }) => {
    const data = { sandbox_refund_id: `re_${payment_id}_${name}`, payment_id, amount, ...money };
    await calls.send('refund.succeeded', { ...data, at: at() });
    return null;
  };

const reversal =
  (amount: number): Fact =>
  async ({ paid: { id: payment_id } }) => {
    const data = { payment_id, reversal_id: `rev_${payment_id}`, amount, ...money, at: at() };
    await calls.send('payment.reversed', data);
    return null;
  };

const dispute =
  (amount: number): Fact =>
  async ({ paid }) => {
    await calls.tell('dispute.opened', paid, { amount, at: 60 });
    await calls.tell('dispute.lost', paid, { amount, at: 61 });
    return null;
  };

const SETS: Record<string, Record<string, Fact>> = {
  'all goes back, and a note takes it off': {
    pay,
    note: note(11_900),
    refund: refund(11_900),
  },
  'a part goes back, of which a note takes off less': {
    pay,
    note: note(4000),
    refund: refund(5000),
  },
  'a part goes back, of which a note takes off more': {
    pay,
    note: note(4000),
    refund: refund(3000),
  },
  // Of different notes the older one would be another one.
  'two notes, and a part goes back at the provider': {
    pay,
    first: note(3500),
    second: note(3500),
    dashboard: dashboard(5000),
  },
  'the provider takes all of it back': { pay, note: note(11_900), reversal: reversal(11_900) },
  'the payer wins the money back': { pay, note: note(4000), dispute: dispute(11_900) },
  'a part goes each way': {
    pay,
    note: note(4000),
    refund: refund(2000),
    dashboard: dashboard(3000),
    reversal: reversal(6900),
  },
  'two parts go back, and the rest is disputed': {
    pay,
    note: note(6000),
    first: dashboard(2000),
    second: dashboard(1000, 'b'),
    dispute: dispute(8900),
  },
};

/** The codes of the steps that an order makes impossible. */
const IMPOSSIBLE = new Set(['payment_not_found', 'payment_reversed', 'document_not_creditable']);

async function live(order: readonly [string, Fact][]): Promise<object | string> {
  // Letters of an order that ended early.
  await stage.mails();
  client = await stage.service.aClient();
  await wish(client, { send_receipts: true });
  const life: Life = { paid: await calls.linked(), notes: [] };
  for (const [, fact] of order) {
    const code = await fact(life);
    if (code !== null) return code;
  }
  return stateOf(life);
}

async function stateOf({ paid: { invoice }, notes }: Life) {
  const { service } = stage;
  const figures = async ({ id }: { id: string }) => {
    const found = good(await client.get<DocumentBody>(`/v1/finance/documents/${id}`), 200);
    const amounts = Object.entries(found).filter(([name]) => name.startsWith('amount_'));
    return { status: found.status, total: found.total, ...Object.fromEntries(amounts) };
  };
  const ofNotes = await Promise.all(notes.map(figures));
  const mails = (await stage.mails()).map(({ text }) => wordsOf(text ?? ''));
  return {
    invoice: await figures(invoice),
    // Their numbers follow from the order: they are told apart by their amounts.
    notes: ofNotes.sort((one, other) => one.total - other.total),
    credit: await creditOf(client, invoice.customer_id),
    balances: await balancesOf(service, client),
    page: await textOf(invoice, ''),
    receipt: await textOf(invoice, '/receipt'),
    notePages: (await Promise.all(notes.map(async (one) => textOf(one, '')))).sort(),
    mails,
  };
}

async function textOf(document: { id: string }, ending: string): Promise<string> {
  const token = await client.aPortalToken(document);
  const headers = { accept: 'text/html' };
  const { text } = await stage.service.call(`/v1/portal/${token}${ending}`, { headers });
  return wordsOf(text);
}

/** Rows are listed as they happened: the words are the same, their order is history. */
function wordsOf(html: string): string {
  return html
    .replaceAll(/<(style|script)[^]*?<\/\1>/g, '')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll(/https?:\S+/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .sort()
    .join('\n');
}

describe.each(Object.entries(SETS))('%s', (_name, facts) => {
  const orders = permutations(Object.entries(facts));
  it('is the same in every order', { timeout: orders.length * 10_000 }, async () => {
    const usual = await live(orders[0]!);
    expect(usual).toBeInstanceOf(Object);
    let possible = 0;
    for (const order of oneIn(8, orders)) {
      const words = order.map(([name]) => name).join(' > ');
      const state = await live(order);
      if (typeof state === 'string') {
        expect([words, [...IMPOSSIBLE]]).toEqual([words, expect.arrayContaining([state])]);
        continue;
      }
      possible += 1;
      expect([words, state]).toEqual([words, usual]);
    }
    if (process.env['TEST_FULL']) expect(possible).toBeGreaterThan(1);
  });
});

it('leaves books that agree', async () => {
  await expectBooksToAgree(stage.service);
});
