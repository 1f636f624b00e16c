import { expect } from 'vitest';
import { IntegrityJob } from '../../src/integrity/application/integrity-job.js';
import { SealsRepository } from '../../src/integrity/index.js';
import type { IntegrityBody, IntegrityRunBody } from '../../src/integrity/wire/integrity.js';
import { type IdPrefix, UuidV7Generator, uuidOf } from '../../src/kernel/ids.js';
import { anItem } from '../e2e/every-route.js';
import type { TestClient } from './client.js';
import { aCamt053, bankFixture, type EntryWish } from './bank-files.js';
import { aCreditNote, aRichInvoice } from './documents.js';
import { sandboxDelivery } from './sandbox-delivery.js';
import type { TestService } from './service.js';
import { PATIENCE_MS } from './patience.js';

const ids = new UuidV7Generator();
export const uuidIn = (prefix: IdPrefix, { id }: { id: string }) => uuidOf(prefix, id) ?? '';

/** Until no transaction of now is under way, those of other tests included: seals stop before it. */
export async function untilAllHaveEnded(service: TestService): Promise<void> {
  const [now] = await service.database.query<{ end: string }>(
    'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS end',
  );
  await until(service, `pg_snapshot_xmin(pg_current_snapshot()) >= '${now?.end}'::xid8`);
}

/**
 * Seals all that is written, in one seal for each account: transactions of other tests, which hold
 * the horizon back, are waited for first.
 */
export async function sealAll(service: TestService): Promise<void> {
  await untilAllHaveEnded(service);
  const seals = service.app.get(SealsRepository);
  await until(
    service,
    `NOT EXISTS (SELECT FROM events
       WHERE xact >= (SELECT coalesce(max(through_xact), 0) FROM seals))`,
    () => seals.sealNext(),
  );
}

async function until(service: TestService, condition: string, work?: () => unknown): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    await work?.();
    const [found] = await service.database.query<{ met: boolean }>(`SELECT ${condition} AS met`);
    if (found?.met) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('a transaction of another test never ends');
}

/** Books with at least one row in every table of money, and what led to them. */
export async function booksOfEverything(service: TestService, client: TestClient): Promise<void> {
  const { id: customer_id } = await client.aCustomer();
  const ofThem = { customer: undefined, customer_id };
  const invoice = await client.anInvoice({ lines: 2, ...ofThem });
  const paid = await client.pay(invoice, { amount: 2500, note: 'note', reference: 'ref' });
  const { payment } = paid.body as { payment: { id: string } };
  await aRichInvoice(client);
  const link = await client.aPaymentLink(await client.anInvoice());
  await service.deliverPaid(link, 13_000);
  const credited = await client.anInvoice(ofThem);
  await aCreditNote(client, credited, { lines: [{ position: 1, amount: 500 }] });
  await client.post('/v1/finance/vat-methods', { method: 'cash', from: '2027-01-01' });
  const lost = await client.anInvoice();
  await client.post(`/v1/finance/documents/${lost.id}/write-off`, { tax_relief: true });
  const voided = await client.anInvoice();
  const late = await client.aPaymentLink(voided);
  await client.void(voided);
  await service.deliverPaid(late);
  const receipt = await client.post<{ payment: { id: string } }>('/v1/finance/payments', {
    amount: 3000,
    method: 'cash',
    allocations: [
      { document_id: invoice.id, amount: 1000 },
      { document_id: credited.id, amount: 1500 },
    ],
  });
  const received = { amount: 110, currency: 'USD', exchange_rate: '0.92', rate_source: 'bank' };
  await client.pay(credited, { amount: 100, received });
  const wrong = await client.pay(credited, { amount: 100 });
  const ofWrong = (wrong.body as { payment: { id: string } }).payment.id;
  await client.post(`/v1/finance/payments/${ofWrong}/reverse`, { reason: 'wrong' });
  const move = { from: invoice.id, to: 'credit', amount: 200 };
  await client.post(`/v1/finance/payments/${receipt.body.payment.id}/allocations`, move);
  await client.anInvoice({ kind: 'quote' });
  const { number } = await client.anInvoice(ofThem);
  const entries = [
    { amount: '119.00', text: number ?? '', bankReference: '1' },
    { amount: '7.00', bankReference: '2' },
  ];
  const file = aCamt053(entries);
  await client.post('/v1/finance/bank-statements', file, { 'content-type': 'application/xml' });
  await bankFilesAgain(client, entries);
  await client.post('/v1/finance/periods/2020-01/close');
  await client.putRates([{ base: 'EUR', quote: 'USD', rate: '1.08', day: '2026-01-02' }]);
  await supported(client);
  await prints(service);
  await receipts(service);
  await refunds(service, uuidIn('pay', payment), uuidIn('doc', invoice));
  await reversals(service, client);
  await payouts(service, client);
  await waitingPayout(service);
  await loweringRefund(client);
}

/** One that names a payment which nobody has told yet. */
async function waitingPayout({ database }: TestService): Promise<void> {
  await database.query(`
    INSERT INTO provider_payouts (gateway, event_id, event_type, provider_payout_id, status, amount,
        fee, currency, sent_on, told_at, lines, received_at)
      VALUES ('sandbox', 'evt_waits', 'payout.paid', 'po_waits', 'sent', 500, 0, 'EUR', '2026-01-02',
        now(), '[{"kind":"payment","provider_id":"pay_waits","amount":"500","fee":"0"}]', now());
    INSERT INTO provider_payout_waits (gateway, provider_id, kind, provider_payout_id, since)
      VALUES ('sandbox', 'pay_waits', 'payment', 'po_waits', now())`);
}

/** With its credit note. */
async function loweringRefund(client: TestClient): Promise<void> {
  const invoice = await client.anInvoice();
  const paid = await client.pay(invoice, { amount: 11_900 });
  const { payment } = paid.body as { payment: { id: string } };
  const asked = { amount: 1190, method: 'cash', meaning: 'lowers_document' };
  await client.post(`/v1/finance/payments/${payment.id}/refunds`, asked);
}

/** Another file tells of the same entries, and one has a batch in parts. */
async function bankFilesAgain(client: TestClient, entries: readonly EntryWish[]): Promise<void> {
  for (const file of [aCamt053(entries, 'S-2'), bankFixture('cases/camt-pairs-1.1.xml')]) {
    await client.post('/v1/finance/bank-statements', file, { 'content-type': 'application/xml' });
  }
}

/** One with lines that the bank has, and one that failed. */
async function payouts(service: TestService, client: TestClient): Promise<void> {
  const sent_on = service.clock.now().toISOString().slice(0, 10);
  const said = { gateway: 'gateway-a', currency: 'EUR', sent_on };
  const line = { kind: 'adjustment', amount: 800, fee: 100, provider_id: 'txn_1' };
  const [atBank, failed] = [
    { ...said, provider_payout_id: 'po_1', amount: 700, arrives_on: sent_on, descriptor: 'SHOP' },
    { ...said, provider_payout_id: 'po_2', amount: 300, fee: 10 },
  ];
  const made = await client.post<{ id: string }>('/v1/finance/payouts', {
    ...atBank,
    lines: [line],
  });
  const other = await client.post<{ id: string }>('/v1/finance/payouts', failed);
  await client.post(`/v1/finance/payouts/${other.body.id}/fail`, { reason: 'closed account' });
  const entries = await client.get<{ data: { id: string }[] }>(
    '/v1/finance/bank-entries?status=proposed',
  );
  const entry = `/v1/finance/bank-entries/${entries.body.data[0]?.id}`;
  await client.post(`${entry}/confirm`, { payout_id: made.body.id });
}

/** A payment that its provider takes back, and a failure of one that was never reported. */
async function reversals(service: TestService, client: TestClient): Promise<void> {
  const link = await client.aPaymentLink(await client.anInvoice(), { gateway: 'sandbox' });
  const tell = async (kind: string, data: object) => {
    const delivery = sandboxDelivery(service, kind, data);
    await service.call('/v1/webhooks/sandbox', { method: 'POST', ...delivery });
  };
  const of = { payment_id: ids.next(), payment_link_id: link.id };
  const at = service.clock.now().toISOString();
  await tell('payment.succeeded', { ...of, amount: link.amount, currency: 'EUR', paid_at: at });
  await tell('payment.reversed', { ...of, at });
  await tell('payment.reversed', { payment_id: ids.next(), at });
  const disputed = await client.aPaymentLink(await client.anInvoice(), { gateway: 'sandbox' });
  const money = { payment_id: ids.next(), amount: disputed.amount, currency: 'EUR' };
  await tell('payment.succeeded', { ...money, payment_link_id: disputed.id, paid_at: at });
  const told = { dispute_id: ids.next(), fee: 1500, withdrawn: 500, evidence_due_by: at, at };
  await tell('dispute.opened', { ...money, ...told });
  await tell('dispute.opened', { ...money, ...told, payment_id: ids.next() });
  await dashboardRefund(service, client);
  const item = await anItem(service, client);
  await client.post(`/v1/finance/unmatched-items/${item}/close`, { reason: 'seen to' });
}

/** One that a person recorded, and that its provider tells of afterwards. */
async function dashboardRefund(service: TestService, client: TestClient): Promise<void> {
  const invoice = await client.anInvoice();
  const link = await client.aPaymentLink(invoice, { gateway: 'sandbox' });
  await service.deliverPaid(link);
  const path = `/v1/finance/documents/${invoice.id}/payments`;
  const { data } = (await client.get<{ data: { id: string }[] }>(path)).body;
  await client.post(`/v1/finance/payments/${data[0]?.id}/refunds`, {
    amount: 700,
    method: 'other',
  });
  const [receipt] = await service.database.query<{ id: string }>(
    'SELECT provider_payment_id AS id FROM payments WHERE payment_id = $1',
    [uuidIn('pay', data[0] ?? { id: '' })],
  );
  const told = { sandbox_refund_id: 'sbx_refund', payment_id: receipt?.id, amount: 700 };
  const delivery = sandboxDelivery(service, 'refund.succeeded', { ...told, currency: 'EUR' });
  await service.call('/v1/webhooks/sandbox', { method: 'POST', ...delivery });
}

/** An invoice with two files, each with bytes of its own. */
async function supported(client: TestClient): Promise<void> {
  const draft = await client.anInvoice({ issue: false });
  for (const name of ['a.csv', 'b.csv']) {
    const path = `/v1/finance/documents/${draft.id}/attachments?name=${name}`;
    await client.post(path, Buffer.from(`name\n${name}\n`), { 'Content-Type': 'text/csv' });
  }
  await client.issue(draft);
}

/** As the renderer stores them, and as a provider opens a link, without either. */
async function prints({ database }: TestService): Promise<void> {
  await database.query(`
    INSERT INTO document_pdfs (account_id, document_id, language, pdf, sha256, created_at)
      SELECT account_id, document_id, 'en', '%PDF', sha256('%PDF'), now() FROM documents
      WHERE issued_at IS NOT NULL ORDER BY document_id LIMIT 2;
    INSERT INTO e_invoices (account_id, document_id, profile, release, xml, sha256, created_at)
      SELECT account_id, document_id, 'peppol', '2026-05', '<Invoice/>', sha256('<Invoice/>'), now()
      FROM documents WHERE issued_at IS NOT NULL ORDER BY document_id LIMIT 2;
    UPDATE payment_links SET url = 'https://pay.example/1', provider_object_id = 'cs_1',
        page_expires_at = now()
      WHERE payment_link_id = (SELECT min(payment_link_id::text)::uuid FROM payment_links)`);
}

/** Receipts without a home, as they are kept of what provider receipts say. */
async function receipts({ database }: TestService): Promise<void> {
  await database.query(`
    INSERT INTO unmatched_receipts (account_id, receipt_id, gateway, provider_payment_id, amount,
        currency, reason, document_id, payment_link_id, link_reference, paid_at, received_at)
      SELECT r.account_id, gen_random_uuid(), r.gateway, r.provider_payment_id, r.amount, r.currency,
        r.unmatched_reason, l.document_id, r.payment_link_id, r.link_reference, r.paid_at,
        r.received_at
      FROM provider_receipts r LEFT JOIN payment_links l USING (account_id, payment_link_id)
      WHERE r.unmatched_reason IS NOT NULL AND r.account_id IS NOT NULL ON CONFLICT DO NOTHING;
    INSERT INTO transfers (account_id, transfer_id, fact, fact_id, debit, credit, amount, currency,
        effective_on, recorded_at)
      SELECT account_id, gen_random_uuid(), 'receipt.unmatched', receipt_id,
        'gateway_clearing/' || currency, 'unmatched_receipts/' || currency, amount, currency,
        paid_at::date, received_at
      FROM unmatched_receipts u
      WHERE NOT EXISTS (SELECT FROM transfers t WHERE t.fact_id = u.receipt_id)`);
}

/** One by hand, of a document; one under way, of credit; one of credit that came back. */
async function refunds({ database }: TestService, payment: string, document: string) {
  const [byHand, underWay, undone] = [ids.next(), ids.next(), ids.next()];
  const columns = `(account_id, refund_id, payment_id, customer_id, currency, amount, from_credit,
    method, gateway, paid_from, status, client_id, requested_at, settled_at, next_look_at)`;
  await database.query(`
    INSERT INTO refunds ${columns}
      SELECT account_id, '${byHand}', payment_id, customer_id, currency, 500, 0, 'bank_transfer', NULL,
        'cash', 'succeeded', client_id, now(), now(), NULL FROM payments WHERE payment_id = '${payment}';
    INSERT INTO refund_parts SELECT account_id, '${byHand}', '${document}', 500 FROM payments
      WHERE payment_id = '${payment}';
    UPDATE documents SET amount_refunded = 500 WHERE document_id = '${document}';
    UPDATE payments SET returned = 500 WHERE payment_id = '${payment}';
    INSERT INTO transfers (account_id, transfer_id, fact, fact_id, debit, credit, amount, currency,
        document_id, customer_id, effective_on, recorded_at)
      SELECT account_id, gen_random_uuid(), 'payment.refunded', '${byHand}', 'receivables/EUR',
        'cash/EUR', 500, 'EUR', '${document}', customer_id, now()::date, now()
      FROM payments WHERE payment_id = '${payment}';
    INSERT INTO refunds ${columns}
      SELECT account_id, '${underWay}', payment_id, customer_id, currency, 300, 300, method, gateway,
        'gateway_clearing', 'pending', '${ids.next()}', now(), NULL, now() FROM payments WHERE gateway IS NOT NULL;
    INSERT INTO refunds ${columns}
      SELECT account_id, '${undone}', payment_id, customer_id, currency, 200, 200, method, gateway,
        'gateway_clearing', 'succeeded', '${ids.next()}', now(), now(), NULL FROM payments
      WHERE gateway IS NOT NULL;
    INSERT INTO refund_undoings (account_id, refund_id, kind, reason, undone_at)
      SELECT account_id, refund_id, 'returned', 'declined', now() FROM refunds
      WHERE refund_id = '${undone}';
    INSERT INTO transfers (account_id, transfer_id, fact, fact_id, debit, credit, amount, currency,
        customer_id, effective_on, recorded_at)
      SELECT account_id, gen_random_uuid(), fact, refund_id, debit, credit, 200, 'EUR', customer_id,
        now()::date, now()
      FROM refunds, (VALUES
        ('payment.refunded', 'customer_credit/EUR', 'gateway_clearing/EUR'),
        ('refund.returned', 'gateway_clearing/EUR', 'customer_credit/EUR')
      ) AS l (fact, debit, credit) WHERE refund_id = '${undone}';
    INSERT INTO customer_credits (account_id, credit_id, customer_id, payment_id, currency, amount,
        created_at)
      SELECT account_id, gen_random_uuid(), customer_id, payment_id, 'EUR', c.amount, now()
      FROM refunds r, (VALUES (-200), (200)) AS c (amount) WHERE refund_id = '${undone}';
    UPDATE payments SET returned = 300 WHERE gateway IS NOT NULL;
    UPDATE customer_balances b SET reserved = 300 FROM payments p
      WHERE p.gateway IS NOT NULL AND p.customer_id = b.customer_id`);
}

/** Asks for a check of an account's books, makes it, and reads what it found. */
export async function checkedBooks(
  { app }: Pick<TestService, 'app'>,
  client: TestClient,
  query = '',
): Promise<IntegrityBody> {
  const path = '/v1/finance/integrity';
  const asked = await client.post<IntegrityRunBody>(`${path}/runs`, {});
  expect(asked.status).toBe(201);
  await app.get(IntegrityJob).run();
  const run = () => client.get<IntegrityRunBody>(`${path}/runs/${asked.body.id}`);
  // The service's own round may have taken it.
  await expect
    .poll(async () => (await run()).body.status, { timeout: PATIENCE_MS })
    .toBe('finished');
  const { status, body, text } = await client.get<IntegrityBody>(`${path}${query}`);
  if (status !== 200) throw new Error(text);
  return body;
}
