import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { UuidV7Generator, uuidOf } from '../../src/kernel/ids.js';
import type { TestClient } from '../support/client.js';
import { aCreditNote } from '../support/documents.js';
import { startTestService, type TestService } from '../support/service.js';
import { CHECK, FOREIGN, FROZEN, Statements, UNIQUE, uuid } from '../support/statements.js';

// The schema is the last guard: whatever the code does, these statements are refused.

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
const copy = statements.copy.bind(statements);
const set = statements.set.bind(statements);

/** A payment by a provider, with its credit: everything that money leaves behind. */
async function aProviderPayment(): Promise<string> {
  const invoice = await client.anInvoice();
  const link = await client.aPaymentLink(invoice, { amount: 11_900 });
  await service.deliverPaid(link, 12_000);
  const [payment] = await service.database.query<{ payment_id: string }>(
    'SELECT payment_id FROM payments WHERE document_id = $1',
    [uuid(invoice)],
  );
  return payment?.payment_id ?? '';
}

const APPEND_ONLY = `
  allocations audit_entries bank_entries bank_entry_mentions bank_statements chart_settings collections conversions credited_lines
  customer_credits debit_retries debtors dispute_parts dispute_steps disputes e_invoices events exchange_rates extension_seals
  gateways mail_letters mandates payment_reversals payments payout_lines payout_undoings payouts pending_documents
    period_closings provider_events provider_failures provider_payout_waits provider_payouts
    provider_receipts provider_reversals refund_credit_notes refund_meanings refund_names
    refund_parts refund_undoings seals seals_seen seller_logos tax_reliefs
  transfers unmatched_item_steps unmatched_items unmatched_receipts vat_methods`
  .trim()
  .split(/\s+/);

describe('append-only tables', () => {
  beforeAll(async () => {
    await aProviderPayment();
  });

  it('are these', async () => {
    const found = await service.database.query(
      `SELECT DISTINCT tgrelid::regclass::text AS name FROM pg_trigger
       WHERE tgfoid = 'refuse_change'::regproc AND tgtype & 57 = 56 ORDER BY 1`,
    );
    expect(found).toEqual(APPEND_ONLY.map((name) => ({ name })));
  });

  it.each(APPEND_ONLY)('%s refuses UPDATE, DELETE and TRUNCATE', async (table) => {
    const [column] = await service.database.query<{ name: string }>(
      `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum = 1`,
      [table],
    );
    const change = `UPDATE ${table} SET ${column?.name} = ${column?.name}`;
    expect(await verdict(change)).toBe(FROZEN);
    expect(await verdict(`DELETE FROM ${table}`)).toBe(FROZEN);
    expect(await verdict(`TRUNCATE ${table} CASCADE`)).toBe(FROZEN);
    expect(await verdict(`WITH gone AS (DELETE FROM ${table} RETURNING 1) SELECT 1`)).toBe(FROZEN);
  });

  it.each(['documents', 'customers', 'accounts'])('are not emptied through %s', async (table) => {
    expect(await verdict(`TRUNCATE ${table} CASCADE`)).toBe(FROZEN);
  });
});

describe('an issued document', () => {
  it.each([
    `kind = 'quote'`,
    `number = 'INV-99999'`,
    `number_sequence = 99999`,
    `number_series = 'quote'`,
    `number_period = '2026'`,
    `currency = 'USD'`,
    `issue_date = issue_date + 1`,
    `due_date = due_date + 1`,
    `purchase_order = 'other'`,
    'amount_prepaid = 1',
    `subtotal = subtotal + 1, net_total = net_total + 1, total = total + 1`,
    `tax_total = tax_total + 1, total = total + 1`,
    `issued_at = issued_at + interval '1 s'`,
    `lifecycle = 'draft', number = NULL, issued_at = NULL`,
  ])('does not take %s', async (assignments) => {
    const issued = [await client.anInvoice(), await client.aQuote()];
    const voided = await client.void(await client.anInvoice());
    for (const document of [...issued.slice(0, /quote/.test(assignments) ? 1 : 2), voided]) {
      expect(await set(document, assignments)).toBe(FROZEN);
    }
  });

  it('does not take another customer', async () => {
    const [invoice, other] = [await client.anInvoice(), await client.anInvoice()];
    const customer = uuidOf('cus', other.customer_id);
    expect(await set(invoice, `customer_id = '${customer}'`)).toBe(FROZEN);
  });

  it.each(['document_lines', 'document_tax_groups'])('keeps its %s', async (table) => {
    const id = uuid(await client.anInvoice());
    const of = `WHERE document_id = '${id}'`;
    const column = table === 'document_lines' ? 'net' : 'tax';
    expect(await verdict(`UPDATE ${table} SET ${column} = ${column} + 1 ${of}`)).toBe(FROZEN);
    expect(await verdict(`DELETE FROM ${table} ${of}`)).toBe(FROZEN);
    expect(await verdict(`TRUNCATE ${table} CASCADE`)).toBe(FROZEN);
    const over = table === 'document_lines' ? { position: 2 } : { tax_rate: 7 };
    expect(await copy(table, 'document_id', id, over)).toBe(FROZEN);
  });

  it('is not deleted, while a draft is', async () => {
    const remove = 'DELETE FROM documents WHERE document_id = $1';
    expect(await verdict(remove, [uuid(await client.anInvoice())])).toBe(FROZEN);
    expect(await verdict(remove, [uuid(await client.anInvoice({ issue: false }))])).toBe('done');
  });

  it('takes the sums and the ends that it is for', async () => {
    const [paid, ended] = [await client.anInvoice(), await client.anInvoice()];
    expect(await set(paid, 'amount_paid = 100, version = version + 1')).toBe('done');
    expect(await set(ended, `lifecycle = 'void', voided_at = now()`)).toBe('done');
  });
});

const all = (sum: bigint) => `subtotal = ${sum}, net_total = ${sum}, total = ${sum}`;

describe('sums of a document', () => {
  const within = `${CHECK} documents_paid_within_total`;
  const onOpen = `${CHECK} documents_money_only_on_open_invoices`;

  it('stay between nothing and the total', async () => {
    const invoice = await client.anInvoice();
    expect(await set(invoice, 'amount_paid = -1')).toBe(within);
    expect(await set(invoice, 'amount_paid = total + 1')).toBe(within);
    expect(await set(invoice, 'amount_paid = total, settled_at = now()')).toBe('done');
  });

  it('are zero on a draft, a void or rejected document, and a quote', async () => {
    const draft = await client.anInvoice({ issue: false });
    const quote = await client.aQuote();
    const voided = await client.void(await client.anInvoice());
    const rejected = await client.anInvoice();
    const path = `/v1/portal/${await client.aPortalToken(rejected)}/reject`;
    const answer = await service.call(path, { method: 'POST', body: { reason: 'No' } });
    expect(answer.body).toEqual({ success: true });
    for (const document of [draft, voided, rejected]) {
      expect(await set(document, 'amount_paid = 1')).toBe(onOpen);
    }
    expect(await set(quote, 'amount_paid = 1')).toBe(`${CHECK} documents_only_invoices_take_money`);
  });

  it('say of no document but an issued invoice that something was paid before', async () => {
    const prepaid = `${CHECK} documents_amount_prepaid_is_of_issued_invoice`;
    const draft = await client.anInvoice({ issue: false });
    expect(await set(draft, 'amount_prepaid = 1')).toBe(prepaid);
    const quote = await client.aQuote({ issue: false });
    expect(await set(quote, 'amount_prepaid = 1')).toBe(prepaid);
  });

  it('do not let a document with money be voided or rejected', async () => {
    const invoice = await client.anInvoice();
    await client.pay(invoice);
    expect(await set(invoice, `lifecycle = 'void', voided_at = now()`)).toBe(onOpen);
    const rejected = `lifecycle = 'rejected', rejected_at = now(), rejection_reason = 'No',
      rejected_version = 1`;
    expect(await set(invoice, rejected)).toBe(onOpen);
  });

  it('and what came to them later keep to their rules', async () => {
    const [invoice, quote] = [await client.anInvoice(), await client.aQuote()];
    const draft = await client.anInvoice({ issue: false });
    const note = await aCreditNote(client, await client.anInvoice());
    const ofInvoice = `${CHECK} documents_tax_relief_is_a_list_of_an_invoice`;
    expect(await set(invoice, 'amount_disputed = -1')).toBe(
      `${CHECK} documents_disputed_not_negative`,
    );
    expect(await set(invoice, 'amount_undecided = 1')).toBe(
      `${CHECK} documents_undecided_within_refunded`,
    );
    expect(await set(invoice, `tax_relief = '{}'`)).toBe(ofInvoice);
    expect(await set(quote, `tax_relief = '[]'`)).toBe(ofInvoice);
    expect(await set(invoice, `tax_relief = '[]'`)).toBe('done');
    expect(await set(quote, `accepted_by = 'Ada'`)).toBe(`${CHECK} documents_accepted_by_somebody`);
    expect(await set(draft, `cash_discounts = '{}'`)).toBe(
      `${CHECK} documents_cash_discounts_is_a_list`,
    );
    expect(await set(invoice, `collection_method = 'by_hand'`)).toBe(
      `${CHECK} documents_collection_method_known`,
    );
    expect(await set(note, `collection_method = 'send_invoice'`)).toBe(
      `${CHECK} documents_credit_notes_are_not_collected`,
    );
    expect(await set(invoice, `collection_method = 'send_invoice'`)).toBe('done');
  });

  it('add up, at most 10^13', async () => {
    const draft = await client.anInvoice({ issue: false });
    expect(await set(draft, 'total = total + 1')).toMatch(CHECK);
    expect(await set(draft, 'net_total = -1, total = tax_total - 1')).toMatch(CHECK);
    const most = 10n ** 13n;
    expect(await set(draft, `${all(most)}, tax_total = 0`)).toBe('done');
    expect(await set(draft, all(most + 1n))).toMatch(CHECK);
  });
});

describe('numbers', () => {
  it('are taken once for each kind and account', async () => {
    const invoice = await client.anInvoice();
    const another = { document_id: ids.next() };
    const twice = await copy('documents', 'document_id', uuid(invoice), another);
    expect(twice).toBe(`${UNIQUE} documents_number`);
    const elsewhere = { number_series: null, number_period: null, number_sequence: null };
    const quote = { ...another, kind: 'quote', ...elsewhere };
    expect(await copy('documents', 'document_id', uuid(invoice), quote)).toBe('done');
  });

  it('have a place in their series, which is taken once and was counted', async () => {
    const invoice = await client.anInvoice();
    const again = async (over: object) =>
      copy('documents', 'document_id', uuid(invoice), {
        document_id: ids.next(),
        number: `X-${ids.next()}`,
        ...over,
      });
    expect(await again({})).toBe(`${UNIQUE} documents_number_sequence`);
    expect(await again({ number_period: '1999' })).toBe(`${FOREIGN} documents_number_counter`);
    expect(await again({ number_series: 'web' })).toBe(`${FOREIGN} documents_number_counter`);
    for (const part of ['number_series', 'number_period', 'number_sequence']) {
      expect(await again({ [part]: null })).toMatch(CHECK);
    }
    expect(await again({ number_sequence: 0 })).toMatch(CHECK);
  });

  it('come from a count that only goes up by one', async () => {
    const invoice = await client.anInvoice();
    const of = `WHERE account_id = (SELECT account_id FROM documents
      WHERE document_id = '${uuid(invoice)}') AND series = 'invoice'`;
    const counter = async (assignments: string) =>
      verdict(`UPDATE number_counters SET ${assignments} ${of}`);
    expect(await counter('last_sequence = last_sequence + 2')).toBe(FROZEN);
    const told = (period: string, to: number) => `INSERT INTO audit_entries
      (account_id, entry_id, action, subject, actor_type, after, occurred_at)
      SELECT account_id, gen_random_uuid(), 'numbering.skipped', series, 'operator',
        jsonb_build_object('period', '${period}', 'from', last_sequence + 1, 'to', last_sequence + ${to}),
        now() FROM number_counters ${of}`;
    for (const other of [told('2026', 2), told('', 3)]) await service.database.query(other);
    expect(await counter('last_sequence = last_sequence + 2')).toBe(FROZEN);
    await service.database.query(told('', 2));
    expect(await counter('last_sequence = last_sequence + 2')).toBe('done');
    expect(await counter('last_sequence = last_sequence - 1')).toBe(FROZEN);
    expect(await counter('first_sequence = first_sequence + 1')).toBe(FROZEN);
    expect(await counter(`period = '2026'`)).toBe(FROZEN);
    expect(await verdict(`DELETE FROM number_counters ${of}`)).toBe(FROZEN);
    expect(await verdict('TRUNCATE number_counters CASCADE')).toBe(FROZEN);
    expect(await verdict(`DELETE FROM number_series ${of}`)).toMatch(FOREIGN);
  });

  it('have one default series for each kind', async () => {
    await client.anInvoice();
    const second = `UPDATE number_series SET is_default = true WHERE series = 'proforma'`;
    expect(await verdict(second)).toBe(`${UNIQUE} number_series_default`);
  });

  it('are had by everything but a draft', async () => {
    const [draft, invoice] = [await client.anInvoice({ issue: false }), await client.anInvoice()];
    expect(await set(draft, `number = 'INV-1'`)).toMatch(CHECK);
    expect(await set(draft, `lifecycle = 'open', issued_at = now()`)).toMatch(CHECK);
    expect(await set(invoice, 'number = NULL')).toBe(FROZEN);
  });
});

describe('a payment', () => {
  let paymentId: string;
  beforeEach(async () => {
    paymentId = await aProviderPayment();
  });

  const again = async (over: object) =>
    copy('payments', 'payment_id', paymentId, {
      payment_id: ids.next(),
      provider_payment_id: `pi_${ids.next()}`,
      ...over,
    });

  it('is above zero, at most 10^13, and applied within itself', async () => {
    expect(await again({ amount: 0, applied: 0 })).toMatch(CHECK);
    expect(await again({ amount: -1, applied: 0 })).toMatch(CHECK);
    expect(await again({ amount: 10 ** 13 + 1 })).toMatch(CHECK);
    const applied = `${CHECK} payments_applied_within_amount`;
    expect(await again({ amount: 5, applied: 6 })).toBe(applied);
    expect(await again({ amount: 5, applied: -1 })).toBe(applied);
    expect(await again({ amount: 5, applied: 5 })).toBe('done');
  });

  it('has the currency and the account of its document', async () => {
    expect(await again({ currency: 'USD' })).toMatch(FOREIGN);
    const stranger = uuidOf('acc', (await service.aClient()).accountId);
    expect(await again({ account_id: stranger, payment_link_id: null })).toMatch(FOREIGN);
    expect(await again({ document_id: ids.next(), payment_link_id: null })).toMatch(FOREIGN);
  });

  it('has a link of its own document', async () => {
    const other = await client.anInvoice();
    expect(await again({ document_id: uuid(other) })).toMatch(FOREIGN);
  });

  it('comes once from a provider, as its receipt and its event', async () => {
    const twice = `INSERT INTO payments SELECT (jsonb_populate_record(p, $1)).* FROM payments p
      WHERE payment_id = $2`;
    const over = JSON.stringify({ payment_id: ids.next() });
    expect(await verdict(twice, [over, paymentId])).toBe(`${UNIQUE} payments_provider`);
    for (const table of ['provider_receipts', 'provider_events']) {
      const same = `INSERT INTO ${table} SELECT * FROM ${table} LIMIT 1`;
      expect(await verdict(same)).toBe(`${UNIQUE} ${table}_pkey`);
    }
  });

  it('says who reported it', async () => {
    const nobody = { gateway: null, provider_payment_id: null, client_id: null };
    expect(await again(nobody)).toMatch(CHECK);
    expect(await again({ provider_payment_id: null })).toMatch(CHECK);
  });

  it('gives no credit of zero, nor to nobody', async () => {
    const plain = await client.pay(await client.anInvoice());
    const paid = uuidOf('pay', (plain.body['payment'] as { id: string }).id);
    const credit = async (over: object) =>
      copy('customer_credits', 'payment_id', paymentId, {
        credit_id: ids.next(),
        payment_id: paid,
        ...over,
      });
    expect(await credit({ amount: 0 })).toMatch(CHECK);
    expect(await credit({ payment_id: ids.next() })).toMatch(FOREIGN);
    expect(await credit({})).toBe('done');
  });
});

describe('a payment link', () => {
  it('asks for more than zero, in the currency of its document', async () => {
    const link = await client.aPaymentLink(await client.anInvoice());
    const id = uuidOf('plink', link.id) ?? '';
    const again = async (over: object) =>
      copy('payment_links', 'payment_link_id', id, { payment_link_id: ids.next(), ...over });
    expect(await again({ amount: 0 })).toMatch(CHECK);
    expect(await again({ currency: 'USD' })).toMatch(FOREIGN);
    expect(await again({ status: 'paid' })).toMatch(CHECK);
    expect(await again({})).toBe('done');
  });
});

/** A row of this image, or of the expressions given. */
const insertLogo = async (over: {
  sha256?: string;
  image?: Buffer;
  width?: number;
  type?: string;
}) => {
  const { sha256 = 'sha256($2)', image = Buffer.from('x'), width = 1, type = 'image/png' } = over;
  return verdict(
    `INSERT INTO seller_logos (account_id, sha256, content_type, width, height, image, created_at)
     VALUES ($1, ${sha256}, '${type}', ${width}, 1000, $2, now())`,
    [uuidOf('acc', client.accountId), image],
  );
};

describe('a logo', () => {
  it('is found by what it is', async () => {
    expect(await insertLogo({ sha256: 'sha256($2::bytea || $2::bytea)' })).toBe(
      `${CHECK} seller_logos_content`,
    );
    expect(await insertLogo({})).toBe('done');
  });

  it('is a PNG or JPEG of at most 4 megapixels and 1 MB', async () => {
    const image = Buffer.from('y');
    expect(await insertLogo({ image, type: 'image/svg+xml' })).toMatch(CHECK);
    expect(await insertLogo({ image, width: 4001 })).toMatch(CHECK);
    expect(await insertLogo({ image, width: 0 })).toMatch(CHECK);
    expect(await insertLogo({ image: Buffer.alloc(1_048_577) })).toMatch(CHECK);
    expect(await insertLogo({ image: Buffer.alloc(0) })).toMatch(CHECK);
    expect(await insertLogo({ image: Buffer.alloc(1_048_576), width: 4000 })).toBe('done');
  });
});
