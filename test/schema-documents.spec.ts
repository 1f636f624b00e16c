import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DocumentBody } from '../src/documents/http/document-body.dto.js';
import { DOCUMENT_KINDS, type Lifecycle, NEXT } from '../src/documents/domain/lifecycle.js';
import { UuidV7Generator, uuidOf } from '../src/kernel/ids.js';
import type { TestClient } from './support/client.js';
import { startTestService, type TestService } from './support/service.js';
import { CHECK, FOREIGN, FROZEN, Statements, UNIQUE, uuid } from './support/statements.js';

// What the schema refuses of documents, whatever the code does: every step, sum and frozen column.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => service.close());

const ids = new UuidV7Generator();
const statements = new Statements(() => service.database);
const verdict = statements.verdict.bind(statements);
const set = statements.set.bind(statements);

/** Another document with the columns of this one, but for its number. */
const again = async (document: { id: string }, over: object) =>
  statements.copy('documents', 'document_id', uuid(document), {
    document_id: ids.next(),
    number: `X-${ids.next()}`,
    number_series: null,
    number_period: null,
    number_sequence: null,
    ...over,
  });

async function aCreditNote(invoice: { id: string }, body: object = {}): Promise<DocumentBody> {
  const path = `/v1/finance/documents/${invoice.id}/credit-notes`;
  const { status, text, body: made } = await client.post<DocumentBody>(path, body);
  if (status !== 201) throw new Error(text);
  return made;
}

/** An invoice of everything: discounts and charges of a line and of the whole, two tax groups. */
const aRichInvoice = async () =>
  client.anInvoice({
    external_id: `shop-${ids.next()}`,
    discounts: [{ percent: '10', reason: 'Loyalty' }],
    charges: [{ amount: 500, tax_rate: '19', reason: 'Freight' }],
    lines: [
      {
        description: 'Work',
        unit_amount: 10_000,
        tax_rate: '19',
        discounts: [{ amount: 100 }],
        charges: [{ amount: 50 }],
      },
      { description: 'Book', unit_amount: 1999, tax_rate: '7' },
    ],
  });

describe('the steps of a document', () => {
  /** What a row needs to be in a state; what is there stays, as an issued document wants. */
  const NEEDS: Record<Lifecycle, Record<string, string>> = {
    draft: {},
    open: {
      number: `'X-' || document_id`,
      issued_at: 'now()',
      issue_date: 'now()',
      due_date: 'now()',
      lapses_at: 'now()',
    },
    accepted: { accepted_at: 'now()' },
    rejected: { rejected_at: 'now()', rejection_reason: `'No'`, rejected_version: '1' },
    converted: { converted_at: 'now()' },
    uncollectible: { written_off_at: 'now()' },
    void: { voided_at: 'now()' },
  };
  const LIFECYCLES = Object.keys(NEEDS) as Lifecycle[];

  /** States that a kind has no way to. */
  const reachable = (kind: keyof typeof NEXT) =>
    LIFECYCLES.filter(
      (one) => one === 'draft' || Object.values(NEXT[kind]).some((next) => next.includes(one)),
    );

  const assignments = (lifecycle: Lifecycle) =>
    [
      `lifecycle = '${lifecycle}'`,
      ...(lifecycle === 'converted' ? [] : ['converted_at = NULL']),
      ...Object.entries(NEEDS[lifecycle]).map(
        ([name, sql]) => `${name} = coalesce(${name}, ${sql})`,
      ),
    ].join(', ');

  /** A row that was inserted in a state: no trigger asks how it came there. */
  async function placed(kind: string, lifecycle: Lifecycle): Promise<[string, string]> {
    const id = ids.next();
    const values = Object.keys(NEEDS[lifecycle]).map((name) => [
      name,
      { rejection_reason: 'No', rejected_version: 1 }[name] ?? new Date(),
    ]);
    const isDraft = lifecycle === 'draft';
    const over = {
      document_id: id,
      kind,
      lifecycle,
      number: isDraft ? null : `X-${id}`,
      ...(isDraft ? { issued_at: null } : {}),
      ...(lifecycle === 'open' ? {} : Object.fromEntries(values)),
    };
    return [id, await again(source, over)];
  }

  let source: DocumentBody;
  beforeAll(async () => {
    source = await client.anInvoice();
  });

  it.each(DOCUMENT_KINDS)(
    'of a kind %s are those of the state machine, and no other',
    async (kind) => {
      const taken: string[] = [];
      const refused: string[] = [];
      for (const from of reachable(kind)) {
        for (const to of LIFECYCLES.filter((one) => one !== from)) {
          const [id, inserted] = await placed(kind, from);
          expect([from, inserted]).toEqual([from, 'done']);
          const change = `UPDATE documents SET ${assignments(to)} WHERE document_id = '${id}'`;
          const answer = await verdict(change);
          if (answer === 'done') taken.push(`${from} ${to}`);
          else refused.push(`${from} ${to} ${answer}`);
        }
      }
      const legal = LIFECYCLES.flatMap((from) => NEXT[kind][from].map((to) => `${from} ${to}`));
      expect(taken.sort()).toEqual(legal.sort());
      expect(refused.filter((line) => !line.endsWith(FROZEN))).toEqual([]);
    },
  );

  it.each(DOCUMENT_KINDS)('leave out the states that a kind %s does not have', async (kind) => {
    const others = LIFECYCLES.filter((one) => !reachable(kind).includes(one));
    for (const lifecycle of others) {
      const [, answer] = await placed(kind, lifecycle);
      expect([lifecycle, answer]).toEqual([lifecycle, expect.stringContaining(CHECK)]);
    }
  });

  it('have the instants that they say', async () => {
    const [invoice, quote] = [await client.anInvoice(), await client.aQuote()];
    for (const bare of ['accepted', 'rejected', 'converted', 'void']) {
      expect(await set(quote, `lifecycle = '${bare}'`)).toMatch(CHECK);
    }
    expect(await set(invoice, `lifecycle = 'uncollectible'`)).toMatch(CHECK);
    expect(await set(invoice, 'voided_at = now()')).toMatch(CHECK);
    expect(await set(quote, 'converted_at = now()')).toMatch(CHECK);
    expect(await set(invoice, 'written_off_at = now()')).toMatch(CHECK);
    expect(await again(invoice, { lapses_at: null })).toMatch(CHECK);
  });

  it('keep the answer that a client gave', async () => {
    const [accepted, rejected] = [await client.aQuote(), await client.aQuote()];
    await set(accepted, assignments('accepted'));
    await set(rejected, assignments('rejected'));
    expect(await set(accepted, `accepted_at = accepted_at + interval '1 s'`)).toBe(FROZEN);
    expect(await set(accepted, `accepted_at = NULL`)).toBe(FROZEN);
    for (const other of [
      `rejection_reason = 'Yes'`,
      'rejected_at = now()',
      'rejected_version = 9',
    ]) {
      expect(await set(rejected, other)).toBe(FROZEN);
    }
  });
});

describe('an issued document', () => {
  it.each([
    'proforma = NOT proforma',
    `language = 'fr'`,
    `external_id = 'other'`,
    'external_id = NULL',
    'prices_include_tax = NOT prices_include_tax',
    'cash_rounding = 5',
    `discounts = '[]'`,
    `charges = '[]'`,
    'subtotal = subtotal + 1, discount_total = discount_total + 1',
    'charge_total = charge_total + 1, discount_total = discount_total + 1',
    'rounding = rounding + 1, total = total + 1',
    `origin = 'duplicate', origin_document_id = document_id`,
    'revision = revision + 1',
    `lapses_at = lapses_at + interval '1 s'`,
  ])('does not take %s', async (assignments) => {
    const invoice = await aRichInvoice();
    expect(await set(invoice, assignments)).toBe(FROZEN);
    expect(await set(await client.void(invoice), assignments)).toBe(FROZEN);
  });

  it.each([
    `origin = NULL, origin_document_id = NULL`,
    `origin = 'duplicate'`,
    'amount_applied = amount_applied - 1',
  ])('that is a credit note does not take %s', async (assignments) => {
    const note = await aCreditNote(await client.anInvoice());
    expect(await set(note, assignments)).toBe(FROZEN);
  });

  it.each([
    `unit = 'HUR'`,
    `exemption_reason = 'other'`,
    `discounts = '[]'`,
    `charges = '[]'`,
    'amount = amount + 1',
    'net = net + 1',
    'quantity = 2',
    'unit_amount = 1',
    'tax_rate = 7',
    `tax_category = 'E'`,
    `description = 'other'`,
    'position = position + 10',
  ])('keeps its lines from %s', async (assignment) => {
    const invoice = await aRichInvoice();
    const change = `UPDATE document_lines SET ${assignment} WHERE document_id = $1`;
    expect(await verdict(change, [uuid(invoice)])).toBe(FROZEN);
  });

  it.each([
    `exemption_code = 'VATEX-EU-AE'`,
    `exemption_reason = 'other'`,
    'base = base + 1',
    'tax = tax + 1',
    'tax_rate = tax_rate + 1',
    `tax_category = 'E'`,
  ])('keeps its tax groups from %s', async (assignment) => {
    const invoice = await aRichInvoice();
    const change = `UPDATE document_tax_groups SET ${assignment} WHERE document_id = $1`;
    expect(await verdict(change, [uuid(invoice)])).toBe(FROZEN);
  });

  it('takes labels, which are the seller’s own', async () => {
    const invoice = await aRichInvoice();
    expect(await set(invoice, `metadata = '{"a": "b"}', version = version + 1`)).toBe('done');
  });
});

describe('sums of a document', () => {
  const addUp = `${CHECK} documents_sums_add_up`;
  const within = `${CHECK} documents_paid_within_total`;
  const credited = `${CHECK} documents_credited_within_total`;
  const onOpen = `${CHECK} documents_money_only_on_open_invoices`;
  const settled = `${CHECK} documents_settled_when_nothing_is_due`;
  const applied = `${CHECK} documents_applied_within_total`;

  it.each([
    'subtotal',
    'discount_total',
    'charge_total',
    'net_total',
    'tax_total',
    'rounding',
    'total',
  ])('do not add up with another %s', async (column) => {
    const draft = await client.anInvoice({ issue: false });
    expect(await set(draft, `${column} = ${column} + 1`)).toBe(addUp);
  });

  it('are not below zero, but for the rounding', async () => {
    const draft = await client.anInvoice({ issue: false });
    const parts = { discount_total: '+', charge_total: '-', subtotal: '+' };
    for (const [part, sign] of Object.entries(parts)) {
      const change = `${part} = -1, net_total = net_total ${sign} (1)`;
      expect(await set(draft, change)).toMatch(CHECK);
    }
    expect(await set(draft, 'rounding = -1, total = total - 1')).toBe('done');
  });

  it('credit at most the total, beside what is paid', async () => {
    const invoice = await client.anInvoice();
    await client.pay(invoice);
    const credit = (amount: string, total = amount) =>
      `amount_credited = ${amount}, credit_notes_total = ${total}`;
    expect(await set(invoice, credit('total - amount_paid + 1'))).toBe(within);
    expect(await set(invoice, credit('-1'))).toMatch(CHECK);
    expect(await set(invoice, credit('0', 'total + 1'))).toBe(credited);
    expect(await set(invoice, credit('2', '1'))).toBe(credited);
    expect(await set(invoice, credit('1', '2'))).toBe('done');
  });

  it('are no money on drafts, quotes and credit notes, nor where nothing is owed', async () => {
    const invoice = await client.anInvoice();
    const others = [
      await client.anInvoice({ issue: false }),
      await client.aQuote(),
      await client.aQuote({ proforma: true }),
      await aCreditNote(invoice, { amount: 100 }),
      await client.void(await client.anInvoice()),
    ];
    for (const document of others) {
      expect(await set(document, 'amount_paid = 1')).toBe(onOpen);
      expect(await set(document, 'credit_notes_total = 1')).toBe(onOpen);
      const credit = 'amount_credited = 1, credit_notes_total = 1';
      expect(await set(document, credit)).toBe(onOpen);
    }
  });

  it('do not let a credited invoice be voided or rejected', async () => {
    const invoice = await client.anInvoice();
    await aCreditNote(invoice, { amount: 100 });
    expect(await set(invoice, `lifecycle = 'void', voided_at = now()`)).toBe(onOpen);
    const rejected = `lifecycle = 'rejected', rejected_at = now(), rejection_reason = 'No',
      rejected_version = 1`;
    expect(await set(invoice, rejected)).toBe(onOpen);
  });

  it('say since when nothing is due, and only then', async () => {
    const [invoice, quote] = [await client.anInvoice(), await client.aQuote()];
    const note = await aCreditNote(await client.anInvoice());
    const draft = await client.anInvoice({ issue: false });
    const voided = await client.void(await client.anInvoice());
    for (const document of [invoice, quote, note, draft, voided]) {
      expect(await set(document, 'settled_at = now()')).toBe(settled);
    }
    expect(await set(invoice, 'amount_paid = total')).toBe(settled);
    expect(await set(invoice, 'amount_paid = total, settled_at = now()')).toBe('done');
    expect(await set(invoice, 'settled_at = NULL')).toBe(settled);
    expect(await set(invoice, 'amount_paid = total - 1')).toBe(settled);
  });

  it('apply credit notes only, and at most their total', async () => {
    const [invoice, note] = [await client.anInvoice(), await aCreditNote(await client.anInvoice())];
    expect(await again(invoice, { amount_applied: 1 })).toBe(applied);
    expect(await again(note, { amount_applied: note.total + 1 })).toBe(applied);
    expect(await again(note, { amount_applied: -1 })).toBe(applied);
    expect(await again(note, { origin: 'duplicate' })).toBe(applied);
    expect(await again(note, {})).toBe('done');
  });
});

describe('what a document says of itself', () => {
  it('is one of the kinds, origins and revisions, and proforma for quotes', async () => {
    const invoice = await client.anInvoice();
    for (const over of [
      { kind: 'receipt' },
      { lifecycle: 'paid' },
      { proforma: true },
      { origin: 'duplicate' },
      { origin_document_id: uuid(invoice) },
      { origin: 'theft', origin_document_id: uuid(invoice) },
      { revision: 0 },
      { cash_rounding: 0 },
    ]) {
      expect([over, await again(invoice, over)]).toEqual([over, expect.stringMatching(CHECK)]);
    }
    const quote = { kind: 'quote', proforma: true };
    expect(await again(invoice, quote)).toBe('done');
  });

  it('is an origin of the same account', async () => {
    const invoice = await client.anInvoice();
    const stranger = await (await service.aClient()).anInvoice();
    for (const other of [ids.next(), uuid(stranger)]) {
      const over = { origin: 'duplicate', origin_document_id: other };
      expect(await again(invoice, over)).toMatch(FOREIGN);
    }
  });

  it('is an external id that no other document of the account has', async () => {
    const invoice = await aRichInvoice();
    expect(await again(invoice, {})).toBe(`${UNIQUE} documents_external_id`);
    const other = await (await service.aClient()).anInvoice({ external_id: invoice.external_id });
    expect(other.external_id).toBe(invoice.external_id);
    const draft = await client.anInvoice({ issue: false });
    const same = `external_id = '${invoice.external_id}'`;
    expect(await set(draft, same)).toBe(`${UNIQUE} documents_external_id`);
  });

  it('is not who it is: neither its id nor its account can be another', async () => {
    const invoice = await client.anInvoice();
    expect(await set(invoice, `document_id = '${ids.next()}'`)).toMatch(FOREIGN);
    expect(await set(invoice, `account_id = '${ids.next()}'`)).toMatch(FOREIGN);
  });
});

describe('a line', () => {
  it('is not below zero after its discounts', async () => {
    const draft = await client.anInvoice({ issue: false });
    const change = 'UPDATE document_lines SET amount = -1 WHERE document_id = $1';
    expect(await verdict(change, [uuid(draft)])).toMatch(CHECK);
  });
});

describe('what a credit note takes of a line', () => {
  it('is above zero, of a line that there is, once', async () => {
    const invoice = await client.anInvoice();
    const note = await aCreditNote(invoice, { lines: [{ position: 1, amount: 100 }] });
    const copy = async (over: object) =>
      statements.copy('credited_lines', 'credit_note_id', uuid(note), over);
    expect(await copy({})).toBe(`${UNIQUE} credited_lines_pkey`);
    expect(await copy({ credit_note_id: ids.next() })).toMatch(FOREIGN);
    expect(await copy({ position: 2 })).toMatch(FOREIGN);
    const other = uuid(await aCreditNote(await client.anInvoice(), { amount: 100 }));
    expect(await copy({ credit_note_id: other, amount: 0 })).toMatch(CHECK);
    expect(await copy({ credit_note_id: other, amount: -1 })).toMatch(CHECK);
    const stranger = uuidOf('acc', (await service.aClient()).accountId);
    expect(await copy({ account_id: stranger })).toMatch(FOREIGN);
  });
});

describe('customer credit', () => {
  let customer: string;
  let note: DocumentBody;
  beforeEach(async () => {
    const invoice = await client.anInvoice();
    await client.pay(invoice, { amount: 11_900 });
    note = await aCreditNote(invoice, { amount: 1000 });
    customer = uuidOf('cus', invoice.customer_id) ?? '';
  });

  it('never leaves a balance below zero', async () => {
    const balance = async (credit: string) =>
      verdict(`UPDATE customer_balances SET credit = ${credit} WHERE customer_id = $1`, [customer]);
    expect(await balance('credit')).toBe('done');
    expect(await balance('-1')).toBe(`${CHECK} customer_balances_not_negative`);
    const other = { currency: 'USD', credit: -1 };
    expect(await statements.copy('customer_balances', 'customer_id', customer, other)).toBe(
      `${CHECK} customer_balances_not_negative`,
    );
    const nobody = { customer_id: ids.next() };
    expect(await statements.copy('customer_balances', 'customer_id', customer, nobody)).toMatch(
      FOREIGN,
    );
  });

  it('comes from a payment or a credit note, never from both or nowhere', async () => {
    const copy = async (over: object) =>
      statements.copy('customer_credits', 'credit_note_id', uuid(note), {
        credit_id: ids.next(),
        ...over,
      });
    const [payment] = await service.database.query<{ payment_id: string }>(
      'SELECT payment_id FROM payments LIMIT 1',
    );
    expect(await copy({ credit_note_id: null })).toMatch(CHECK);
    expect(await copy({ payment_id: payment?.payment_id })).toMatch(CHECK);
    expect(await copy({ credit_note_id: ids.next() })).toMatch(FOREIGN);
    expect(await copy({ amount: 0 })).toMatch(CHECK);
  });
});

describe('who did it', () => {
  it('is a client, a portal link, a gateway or an operator', async () => {
    const invoice = await client.anInvoice();
    const event = { event_id: ids.next(), sequence: 99, actor_type: 'stranger' };
    expect(await statements.copy('events', 'document_id', uuid(invoice), event)).toMatch(CHECK);
  });
});

describe('a seller’s logo', () => {
  it('is an image of its own content, at most 1 MB and 4 megapixels', async () => {
    const account = uuidOf('acc', client.accountId);
    const insert = async (over: object = {}) => {
      const row = {
        type: 'image/png',
        width: 1,
        height: 1,
        image: Buffer.from([1]),
        sha: null,
        ...over,
      };
      return verdict(
        `INSERT INTO seller_logos VALUES ($1, coalesce($2, sha256($3)), $4, $5, $6, $3, now())`,
        [account, row.sha, row.image, row.type, row.width, row.height],
      );
    };
    expect(await insert({ type: 'image/svg+xml' })).toMatch(CHECK);
    expect(await insert({ width: 2001, height: 2000 })).toMatch(CHECK);
    expect(await insert({ height: 0 })).toMatch(CHECK);
    expect(await insert({ image: Buffer.alloc(0) })).toMatch(CHECK);
    expect(await insert({ image: Buffer.alloc(1_048_577) })).toMatch(CHECK);
    expect(await insert({ sha: Buffer.alloc(32) })).toBe(`${CHECK} seller_logos_content`);
    expect(await insert()).toBe('done');
    expect(await insert()).toBe(`${UNIQUE} seller_logos_pkey`);
  });
});
