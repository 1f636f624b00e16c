import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HeldMail } from '../../../src/mail/index.js';
import { MailWorker } from '../../../src/mail/application/mail-worker.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import { HeldRefunds } from '../../../src/payments/index.js';
import { CheckoutLookUps } from '../../../src/payments/inbox/application/checkouts/checkout-look-ups.js';
import { PaymentListReads } from '../../../src/payments/inbox/application/checkouts/payment-list-reads.js';
import { RestoredLookUps } from '../../../src/payments/inbox/application/checkouts/restored-look-ups.js';
import { RefundLookUps } from '../../../src/payments/returning/application/refunds/refund-look-ups.js';
import { IntegrityQuery } from '../../../src/integrity/index.js';
import { untilAllHaveEnded } from '../../support/books.js';
import type { TestClient } from '../../support/client.js';
import type { TestDatabase } from '../../support/database.js';
import { MailCatcher } from '../../support/mail-catcher.js';
import { type ProviderStub, startProviderStub } from '../../support/provider-stub.js';
import { aRestoredCopy } from '../../support/restore.js';
import { startTestService, type TestService } from '../../support/service.js';
import { messageOf, messagesOf, send } from '../mail/mail-calls.js';

// A service on a restored database fetches what happened since, and repeats nothing to others.

let stub: ProviderStub;
let catcher: MailCatcher;
let made: TestService;
let restored: TestService;
let copy: TestDatabase;
let client: TestClient;
let there: TestClient;

const wish = () => ({
  doesJobs: false,
  mail: { url: catcher.url, from: 'billing@quittance.example', dkim: null },
  gateways: [
    {
      name: 'mollie',
      provider: 'mollie',
      accounts: '*',
      settings: { api_key: 'key', api_base: stub.apiBase },
    },
  ],
});

/** A round of each job, as they run by themselves. */
async function rounds({ app }: TestService): Promise<void> {
  await app.get(RestoredLookUps).run();
  await app.get(CheckoutLookUps).run();
  await app.get(PaymentListReads).run();
  await app.get(RefundLookUps).run();
}

async function mails(service: TestService) {
  await untilAllHaveEnded(service);
  await service.app.get(MailWorker).run();
  return catcher.taken();
}

async function aPage(at: TestService, of: TestClient) {
  const invoice = await of.anInvoice();
  const link = await of.aPaymentLink(invoice, { gateway: 'mollie' });
  const [row] = await at.database.query<{ object: string }>(
    'SELECT provider_object_id AS object FROM payment_links WHERE payment_link_id = $1',
    [uuidOf('plink', link.id)],
  );
  return { invoice, link, object: row?.object ?? '' };
}

function isPaid({ object, link }: { object: string; link: { id: string } }): void {
  const at = made.clock.now().toISOString();
  stub.payments[object] = {
    resource: 'payment',
    id: object,
    mode: 'test',
    status: 'paid',
    amount: { currency: 'EUR', value: '119.00' },
    metadata: { payment_link_id: link.id },
    createdAt: at,
    paidAt: at,
  };
}

const paymentsOf = async ({ id }: { id: string }) =>
  (await there.get<{ data: { id: string }[] }>(`/v1/finance/documents/${id}/payments`)).body.data;

let before: Awaited<ReturnType<typeof aPage>>;
let refunded: Awaited<ReturnType<typeof aPage>>;
let after: Awaited<ReturnType<typeof aPage>>;
let mailed: { id: string };

beforeAll(async () => {
  [stub, catcher] = await Promise.all([startProviderStub(), MailCatcher.start()]);
  made = await startTestService(wish());
  client = await made.aClient();
  stub.objects['/v2/payments'] = { _embedded: { payments: [] } };
  stub.objects['/v2/settlements'] = { _embedded: { settlements: [] } };
  await rounds(made);
  expect(await mails(made)).toEqual([]);
  [before, refunded] = [await aPage(made, client), await aPage(made, client)];
  isPaid(refunded);
  made.clock.advance({ seconds: 7200 });
  await rounds(made);
  const { body } = await client.get<{ data: { id: string }[] }>(
    `/v1/finance/documents/${refunded.invoice.id}/payments`,
  );
  // The provider never got it, and nobody knows.
  stub.next = ['broken'];
  const asked = await client.post<{ refund: { status: string } }>(
    `/v1/finance/payments/${body.data[0]?.id}/refunds`,
    {
      amount: 1900,
      reason: 'Too much',
    },
  );
  expect(asked.body.refund).toMatchObject({ status: 'unknown' });
  mailed = await send(client, before.invoice);
  copy = await aRestoredCopy(made.database);
  // All of this is not in the backup.
  after = await aPage(made, client);
  for (const page of [before, after]) isPaid(page);
  const payments = [before, after].map(({ object }) => stub.payments[object]);
  stub.objects['/v2/payments'] = { _embedded: { payments } };
  made.clock.advance({ seconds: 600 });
  restored = await startTestService({ ...wish(), database: copy, clock: made.clock });
  there = await restored.aClient({ of: client });
});
afterAll(async () => {
  await restored.close();
  await made.close();
  await copy.drop();
  await Promise.all([stub.close(), catcher.stop()]);
});

describe('a restored database', () => {
  it('has what was paid after the backup, once, at once, also by a link that it does not know', async () => {
    expect(await there.read(before.invoice)).toMatchObject({ amount_paid: 0 });
    const [list] = await copy.query<{ next: Date }>(
      'SELECT next_read_at AS next FROM payment_list_reads',
    );
    expect(list!.next.getTime()).toBeGreaterThan(restored.clock.now().getTime() + 7_200_000);
    await rounds(restored);
    restored.clock.advance({ seconds: 7200 });
    await rounds(restored);
    expect(await there.read(before.invoice)).toMatchObject({ status: 'paid' });
    expect(await paymentsOf(before.invoice)).toHaveLength(1);
    const lost = await restored.database.query(
      'SELECT provider_payment_id FROM provider_receipts WHERE unmatched_reason IS NOT NULL',
    );
    expect(lost).toEqual([{ provider_payment_id: after.object }]);
  });

  it('sends no refund again until somebody says so, and then once', async () => {
    await rounds(restored);
    expect(stub.refunds).toEqual([]);
    const held = restored.app.get(HeldRefunds);
    expect(await held.survey()).toMatchObject({ held: true, count: 1, oldest: expect.any(Date) });
    expect((await restored.metrics()).text).toMatch(/^refunds_held 1$/m);
    await held.release();
    await rounds(restored);
    await rounds(restored);
    expect(stub.refunds).toMatchObject([{ paymentId: refunded.object, amount: '19.00' }]);
    expect(await held.survey()).toMatchObject({ held: false, count: 0 });
  });

  it('keeps messages that were queued, and sends those of from now on', async () => {
    const fresh = await send(there, refunded.invoice);
    // Held by the first round, which the call above came before.
    expect(await mails(restored)).toEqual([]);
    const later = await send(there, await there.anInvoice());
    expect((await mails(restored)).map(({ messageId }) => messageId)).toHaveLength(1);
    expect(await messageOf(there, later)).toMatchObject({ status: 'sent' });
    expect(await messageOf(there, mailed)).toMatchObject({
      status: 'queued',
      reason: 'held_since_restore',
      attempts: 0,
    });
    const held = restored.app.get(HeldMail);
    const { held: count, oldest } = await held.survey();
    expect(oldest).toBeInstanceOf(Date);
    expect((await restored.metrics()).text).toMatch(new RegExp(`^mail_held ${count}$`, 'm'));
    expect(await held.release()).toBe(count);
    expect(await mails(restored)).toHaveLength(count);
    for (const one of [mailed, fresh])
      expect(await messageOf(there, one)).toMatchObject({ status: 'sent', reason: null });
  });

  it('drops them, each told, where somebody says that', async () => {
    const invoice = await there.anInvoice();
    await send(there, invoice);
    await restored.database.query(
      `UPDATE held_work SET history = 'another' WHERE kind IN ('mail', 'schedules')`,
    );
    expect(await restored.app.get(HeldMail).discard()).toBe(1);
    expect(await mails(restored)).toEqual([]);
    expect(await messagesOf(there, invoice)).toMatchObject([
      { status: 'canceled', reason: 'discarded' },
    ]);
    const told = await restored.database.query(
      `SELECT 1 FROM events WHERE type = 'message.canceled'`,
    );
    expect(told).toHaveLength(1);
  });

  it('says by its timeline that a server was restored to an instant, or a standby took over', async () => {
    const place = async () =>
      (await there.get<{ next_cursor: string }>('/v1/events?after=now')).body.next_cursor;
    const first = await place();
    const timeline = async (number: number) =>
      restored.database.query(`CREATE OR REPLACE FUNCTION book_timeline() RETURNS int
        LANGUAGE sql STABLE RETURN ${number}`);
    await timeline(7);
    expect((await there.get(`/v1/events?after=${first}`)).body).toMatchObject({
      code: 'history_changed',
    });
    expect(await restored.app.get(HeldRefunds).survey()).toMatchObject({ held: true });
    await timeline(1);
    expect((await there.get(`/v1/events?after=${first}`)).status).toBe(200);
    expect(await restored.app.get(HeldRefunds).survey()).toMatchObject({ held: false });
  });

  it('has sound books', async () => {
    expect(await restored.app.get(IntegrityQuery).differences()).toMatchObject({ differences: [] });
  });
});
