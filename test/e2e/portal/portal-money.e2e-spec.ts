import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { PaymentLinkBody } from '../../../src/payments/collecting/wire/payment-link.js';
import type { TestClient } from '../../support/client.js';
import { aCreditNote } from '../../support/documents.js';
import { sandboxDelivery } from '../../support/sandbox-delivery.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectBooksToAgree, good, pathOf } from '../documents/document-calls.js';
import { next } from '../gateways/stripe-events.js';

// A client reads first what has happened, or what is asked for, and is asked for no more than that.

const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };
const TODAY = '20 November 2026';

let service: TestService;
let client: TestClient;
let invoice: DocumentBody;
let path: string;
beforeAll(async () => {
  service = await startTestService();
  service.clock.set('2026-11-20T12:00:00Z');
});
afterAll(async () => {
  await expectBooksToAgree(service);
  await service.close();
});
beforeEach(async () => {
  client = await service.aClient();
  const bank_accounts = [{ iban: 'DE89370400440532013000' }];
  good(await client.patch('/v1/finance/seller', { bank_accounts }), 200);
  invoice = await client.anInvoice({ payment_terms_days: 14 });
  path = `/v1/portal/${await client.aPortalToken(invoice)}`;
});

const pageAt = async (url = path) =>
  (await service.call(url, { headers: { accept: 'text/html' } })).text;

/** The lines of the head's sums, without marks. */
async function head(): Promise<string[]> {
  const page = await pageAt();
  const [, sums = ''] = /<div class="sums">(.*?)<\/div>/s.exec(page) ?? [];
  return sums.split('</p>').flatMap((line) => line.replace(/<[^>]*>/g, '').trim() || []);
}

async function pay(amount = 11_900): Promise<string> {
  const { body } = await client.pay(invoice, { amount });
  return (body['payment'] as { id: string }).id;
}
const refund = async (id: string, amount: number) =>
  good(
    await client.post(`/v1/finance/payments/${id}/refunds`, { amount, meaning: 'owed_again' }),
    201,
  );

describe('the head of the page', () => {
  it('asks for what is due, by its day', async () => {
    expect(await head()).toEqual(['Amount due', '€119.00', 'Due date 4 December 2026']);
  });

  it('leads with what was paid, and when', async () => {
    await pay();
    expect(await head()).toEqual(['Paid', '€119.00', `Paid on ${TODAY}`]);
    expect(await pageAt()).not.toContain('Pay now');
  });

  it('leads with what went back, where nothing is due for it', async () => {
    await refund(await pay(), 11_900);
    await aCreditNote(client, invoice);
    const { status } = await client.read(invoice);
    expect([status, await head()]).toEqual([
      'paid',
      ['Refunded', '€119.00', `Refunded on ${TODAY}`, `Paid on ${TODAY}`],
    ]);
    expect(await pageAt()).toContain('<p class="state ">Refunded in full</p>');
  });

  it('tells of a part that went back', async () => {
    const id = await pay();
    await refund(id, 900);
    const refunded = `€9.00 refunded on ${TODAY}`;
    expect(await head()).toEqual([
      'Amount due',
      '€9.00',
      'of €119.00',
      'Due date 4 December 2026',
      refunded,
    ]);
    await aCreditNote(client, invoice, { amount: 900 });
    expect(await head()).toEqual(['Paid', '€119.00', `Paid on ${TODAY}`, refunded]);
  });

  it('names a note that left nothing to pay', async () => {
    await aCreditNote(client, invoice);
    expect(await head()).toEqual(['Credited', '€119.00']);
  });
});

async function linked(amount = 11_900) {
  const link = await client.aPaymentLink(invoice, { gateway: 'sandbox', amount });
  return { link, id: `sbx_${next()}` };
}
async function tell(type: string, { link, id }: { link: PaymentLinkBody; id: string }, over = {}) {
  const at = service.clock.now().toISOString();
  const money = { amount: link.amount, currency: link.currency, paid_at: at };
  const data = { payment_id: id, payment_link_id: link.id, at, ...money, ...over };
  const delivery = sandboxDelivery(service, `payment.${type}`, data);
  return good(await service.call('/v1/webhooks/sandbox', { method: 'POST', ...delivery }), 200);
}

describe('a page of money on its way', () => {
  it('asks for nothing where all is', async () => {
    await tell('processing', await linked());
    const page = await pageAt();
    expect(await head()).toEqual(['On its way', '€119.00']);
    expect(page).toContain('<p class="state ">On its way</p>');
    expect(page).not.toContain('DE89 3704');
    expect(page).not.toContain('data-copy');
    expect(page).not.toContain('id="reject"');
    expect(page).toMatch(/On its way<\/th>.*Amount due<\/th>[^€]*€0\.00/s);
  });

  it('is not overdue, and is again when the money does not come', async () => {
    const waiting = await linked();
    await tell('processing', waiting);
    service.clock.set('2026-12-24T12:00:00Z');
    try {
      expect(await pageAt()).not.toContain('Overdue');
      await tell('failed', waiting, { reason: 'no_funds' });
      expect(await pageAt()).toContain('Overdue');
      expect(await pageAt()).toContain('DE89 3704');
    } finally {
      service.clock.set('2026-11-20T12:00:00Z');
    }
  });

  it('asks for the rest, at the provider and by the code', async () => {
    await tell('processing', await linked(5000));
    expect(await head()).toEqual([
      'Amount due',
      '€69.00',
      'of €119.00',
      'On its way €50.00',
      'Due date 4 December 2026',
    ]);
    const page = await pageAt();
    expect(page).toContain('DE89 3704');
    expect(page).not.toContain('despite_processing');
    const answer = await service.call(`${path}/pay`, { method: 'POST', body: {} });
    expect(answer.body).toMatchObject({ amount: 6900 });
  });

  it('lets nobody reject it, and says why', async () => {
    await tell('processing', await linked());
    const form = { method: 'POST', body: 'reason=No', headers: FORM };
    const refused = await service.call(`${path}/reject`, form);
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining('A payment is on its way. Please wait until it has arrived.'),
    ]);
    expect(await client.read(invoice)).toMatchObject({ status: 'open' });
  });
});

const cancel = ({ link }: { link: PaymentLinkBody }) =>
  client.post(`/v1/finance/payment-links/${link.id}/cancel`);
const inAMonth = () => service.clock.advance({ days: 40 });

const back = async ({ id }: { id: string }) => [
  await pageAt(`/v1/portal/return/${id}`),
  await pageAt(`${path}?payment=${id}`),
];

describe('the way back from the provider', () => {
  it.each([
    ['paid', (of) => tell('succeeded', of), 'Your payment of €119.00 has arrived.'],
    ['on its way', (of) => tell('processing', of), 'Your payment of €119.00 is on its way.'],
    ['open', async () => {}, 'has not arrived here yet'],
    [
      'failed',
      (of) => tell('failed', of, { reason: 'x' }),
      'You were not charged; you can try again.',
    ],
    ['canceled', cancel, 'This payment page is closed. If you have just paid there'],
    ['expired', async () => inAMonth(), 'This payment page has expired.'],
    [
      'unmatched',
      async (of) => {
        good(await client.post(pathOf(invoice, 'void')), 200);
        await tell('succeeded', of);
      },
      'please do not pay again',
    ],
    [
      'taken back',
      async (of) => {
        await tell('succeeded', of);
        await tell('reversed', of, { at: new Date(service.clock.now().getTime() + 1000) });
      },
      'This payment page is closed.',
    ],
  ] satisfies [string, (of: Awaited<ReturnType<typeof linked>>) => Promise<unknown>, string][])(
    'of a link that is %s says so',
    async (_state, step, said) => {
      const waiting = await linked();
      await step(waiting);
      try {
        for (const page of await back(waiting.link)) expect(page).toContain(said);
      } finally {
        service.clock.set('2026-11-20T12:00:00Z');
      }
    },
  );
});
