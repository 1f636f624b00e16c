import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../src/documents/wire/document-body.js';
import { UuidV7Generator, uuidOf } from '../../src/kernel/ids.js';
import type { TestClient } from '../support/client.js';
import { aCreditNote, aRichInvoice } from '../support/documents.js';
import { startTestService, type TestService } from '../support/service.js';
import { CHECK, FOREIGN, Statements, UNIQUE, uuid } from '../support/statements.js';

// The schema's refusals about sums and parts of a document, whatever the code does.

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
const another = statements.another.bind(statements);

const credit = (amount: string, total = amount) =>
  `amount_credited = ${amount}, credit_notes_total = ${total}`;

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

  it('give back at most what was paid, and waive at most what is left', async () => {
    const invoice = await client.anInvoice();
    await client.pay(invoice);
    expect(await set(invoice, 'amount_refunded = -1')).toBe(within);
    expect(await set(invoice, 'amount_refunded = amount_paid + 1')).toBe(within);
    expect(await set(invoice, 'amount_waived = -1')).toBe(within);
    expect(await set(invoice, 'amount_waived = total - amount_paid + 1')).toBe(within);
    expect(await set(invoice, 'amount_waived = total - amount_paid')).toMatch(CHECK);
    const settled = 'amount_waived = total - amount_paid, settled_at = now()';
    expect(await set(invoice, settled)).toBe('done');
    expect(await set(invoice, 'amount_refunded = 1, settled_at = now()')).toMatch(CHECK);
    const owed = 'amount_waived = 0, settled_at = NULL, amount_refunded = amount_paid';
    expect(await set(invoice, owed)).toBe('done');
  });

  it('credit at most the total, beside what is paid', async () => {
    const invoice = await client.anInvoice();
    await client.pay(invoice);
    expect(await set(invoice, credit('total - amount_paid + 1', 'total'))).toBe(within);
    expect(await set(invoice, credit('-1'))).toMatch(CHECK);
    expect(await set(invoice, credit('0', 'total + 1'))).toBe(credited);
    expect(await set(invoice, credit('2', '1'))).toBe(credited);
    expect(await set(invoice, credit('1', '2'))).toBe('done');
  });

  it('are no money on drafts, quotes and credit notes, nor where nothing is owed', async () => {
    const invoice = await client.anInvoice();
    const others = [
      await client.anInvoice({ issue: false }),
      await client.void(await client.anInvoice()),
    ];
    const notInvoices = [
      await client.aQuote(),
      await client.aQuote({ proforma: true }),
      await aCreditNote(client, invoice, { amount: 100 }),
    ];
    for (const document of notInvoices) {
      for (const money of ['amount_paid = 1', 'credit_notes_total = 1']) {
        expect(await set(document, money)).toMatch(CHECK);
      }
    }
    for (const document of others) {
      expect(await set(document, 'amount_paid = 1')).toBe(onOpen);
      expect(await set(document, 'credit_notes_total = 1')).toBe(onOpen);
      expect(await set(document, credit('1'))).toBe(onOpen);
    }
  });

  it('do not let a credited invoice be voided or rejected', async () => {
    const invoice = await client.anInvoice();
    await aCreditNote(client, invoice, { amount: 100 });
    expect(await set(invoice, `lifecycle = 'void', voided_at = now()`)).toBe(onOpen);
    const rejected = `lifecycle = 'rejected', rejected_at = now(), rejection_reason = 'No',
      rejected_version = 1`;
    expect(await set(invoice, rejected)).toBe(onOpen);
  });

  it('say since when nothing is due, and only then', async () => {
    const [invoice, quote] = [await client.anInvoice(), await client.aQuote()];
    const note = await aCreditNote(client, await client.anInvoice());
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
    const [invoice, note] = [
      await client.anInvoice(),
      await aCreditNote(client, await client.anInvoice()),
    ];
    expect(await another(invoice, { amount_applied: 1 })).toBe(applied);
    expect(await another(note, { amount_applied: note.total + 1 })).toBe(applied);
    expect(await another(note, { amount_applied: -1 })).toBe(applied);
    expect(await another(note, { origin: 'duplicate' })).toBe(applied);
    expect(await another(note, {})).toBe('done');
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
      expect([over, await another(invoice, over)]).toEqual([over, expect.stringMatching(CHECK)]);
    }
    const quote = { kind: 'quote', proforma: true };
    expect(await another(invoice, quote)).toBe('done');
  });

  it('is an origin of the same account', async () => {
    const invoice = await client.anInvoice();
    const stranger = await (await service.aClient()).anInvoice();
    for (const other of [ids.next(), uuid(stranger)]) {
      const over = { origin: 'duplicate', origin_document_id: other };
      expect(await another(invoice, over)).toMatch(FOREIGN);
    }
  });

  it('is an external id that no other document of the account has', async () => {
    const invoice = await aRichInvoice(client);
    expect(await another(invoice, {})).toBe(`${UNIQUE} documents_external_id`);
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

  it('has one sign', async () => {
    const draft = await client.anInvoice({ issue: false });
    const back = 'UPDATE document_lines SET quantity = -quantity WHERE document_id = $1';
    expect(await verdict(back, [uuid(draft)])).toMatch(CHECK);
  });
});

describe('what a credit note takes of a line', () => {
  it('is not zero, has one sign, and is of a line that there is, once', async () => {
    const invoice = await client.anInvoice();
    const note = await aCreditNote(client, invoice, { lines: [{ position: 1, amount: 100 }] });
    const copy = async (over: object) =>
      statements.copy('credited_lines', 'credit_note_id', uuid(note), over);
    expect(await copy({})).toBe(`${UNIQUE} credited_lines_pkey`);
    expect(await copy({ credit_note_id: ids.next() })).toMatch(FOREIGN);
    expect(await copy({ position: 2 })).toMatch(FOREIGN);
    const other = uuid(await aCreditNote(client, await client.anInvoice(), { amount: 100 }));
    expect(await copy({ credit_note_id: other, amount: 0 })).toMatch(CHECK);
    expect(await copy({ credit_note_id: other, amount: -1, quantity: 1 })).toMatch(CHECK);
    expect(await copy({ credit_note_id: other, amount: 1, quantity: -1 })).toMatch(CHECK);
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
    note = await aCreditNote(client, invoice, { amount: 1000 });
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
