import type { Chance } from '../../src/testing/chance.js';
import type { TestClient } from '../support/client.js';

/** Things of an account that calls have made so far. */
interface Made {
  customers: string[];
  items: string[];
  drafts: string[];
  invoices: string[];
  payments: string[];
}

type Step = (client: TestClient, made: Made, chance: Chance) => Promise<unknown>;

const FINANCE = '/v1/finance';

/** A call may be refused, as any may come at any time: then nothing happens. */
const STEPS: readonly Step[] = [
  async (client, { customers }) => {
    customers.push((await client.aCustomer()).id);
  },
  async (client, { customers }, chance) =>
    client.patch(at('customers', customers, chance), { reference: chance.hex(4) }),
  async (client, { customers }, chance) =>
    client.post(at('customers', customers, chance, chance.of(['archive', 'unarchive']))),
  async (client, { customers }, chance) => client.delete(at('customers', customers, chance)),
  async (client, { items }, chance) => {
    const { status, body } = await client.post<{ id: string }>(`${FINANCE}/items`, {
      name: chance.hex(4),
      tax_rate: '19',
    });
    if (status === 201) items.push(body.id);
  },
  async (client, { items }, chance) =>
    client.patch(at('items', items, chance), { name: chance.hex(4) }),
  async (client, { items }, chance) =>
    client.post(at('items', items, chance, chance.of(['archive', 'unarchive']))),
  async (client, { drafts }, chance) => {
    const kind = chance.of(['invoice', 'quote', 'credit_note']) as never;
    drafts.push((await client.anInvoice({ kind, issue: false })).id);
  },
  async (client, { drafts }, chance) =>
    client.patch(at('documents', drafts, chance), { metadata: { a: chance.hex(2) } }),
  async (client, { drafts }, chance) => client.delete(at('documents', drafts, chance)),
  async (client, { drafts, invoices }, chance) => {
    const path = at('documents', drafts, chance, 'issue');
    const { status, body } = await client.post<{ id: string; kind: string }>(path);
    if (status === 200 && body.kind === 'invoice') invoices.push(body.id);
  },
  async (client, { invoices, payments }, chance) => {
    if (invoices.length === 0) return;
    const amount = chance.of([1000, 2500, 11_900, 20_000]);
    const over = chance.isIn(50) ? { on_overpayment: 'credit' } : {};
    const { body } = await client.pay({ id: chance.of(invoices) }, { amount, ...over });
    const { id } = (body['payment'] ?? {}) as { id?: string };
    if (id) payments.push(id);
  },
  async (client, { payments }, chance) =>
    client.post(at('payments', payments, chance, 'reverse'), { reason: 'wrong' }),
  async (client, { payments }, chance) =>
    client.post(at('payments', payments, chance, 'refunds'), {
      amount: 500,
      method: 'bank_transfer',
    }),
  async (client, { invoices }, chance) =>
    client.post(at('documents', invoices, chance, chance.of(['void', 'write-off', 'duplicate']))),
  async (client, { invoices }, chance) =>
    client.post(at('documents', invoices, chance, 'credit-notes'), { amount: 500 }),
];

/** One of them; before there is one, an id that nothing has. */
function at(kind: string, ids: readonly string[], chance: Chance, step?: string): string {
  const id = ids.length > 0 ? chance.of(ids) : 'none';
  return `${FINANCE}/${kind}/${id}${step === undefined ? '' : `/${step}`}`;
}

/** Random calls of one account, which know what those before them have made. */
export class RandomCalls {
  private readonly made: Made = {
    customers: [],
    items: [],
    drafts: [],
    invoices: [],
    payments: [],
  };

  constructor(
    private readonly client: TestClient,
    private readonly chance: Chance,
  ) {}

  async make(count: number): Promise<void> {
    const { client, made, chance } = this;
    for (let done = 0; done < count; done += 1) {
      try {
        await chance.of(STEPS)(client, made, chance);
      } catch (error) {
        // A scene sets the clock on for days, and a token that was under way then is over.
        if (!String(error).includes('invalid_token')) throw error;
      }
    }
  }
}
