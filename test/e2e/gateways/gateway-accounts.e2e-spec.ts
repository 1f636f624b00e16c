import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidOf } from '../../../src/kernel/ids.js';
import {
  Gateways,
  ProviderReceiptClaims,
  gatewayAccountWarnings,
} from '../../../src/payments/index.js';
import type { GatewayConfig } from '../../../src/platform/config/gateway-config.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, testConfig, type TestService } from '../../support/service.js';
import { byOperator } from '../../../src/platform/process-identity.js';
import { expectBooksToAgree } from '../documents/document-calls.js';
import { expectProblem } from '../expectations.js';

/** The usual gateways, given away as told; `null`: nobody said. */
function gatewaysOf(owners: Record<string, string | null>): GatewayConfig[] {
  return testConfig(0).gateways.map((gateway) => ({
    ...gateway,
    accounts: owners[gateway.name] ?? undefined,
  }));
}

const pathOf = (invoice: { id: string }) => `/v1/finance/documents/${invoice.id}/payment-links`;

describe('gateways that were given to accounts', () => {
  /** As it was before: every account shares every gateway. */
  let before: TestService;
  let service: TestService;
  let anna: TestClient;
  let ben: TestClient;

  beforeAll(async () => {
    before = await startTestService();
    [anna, ben] = [await before.aClient(), await before.aClient()];
    service = await startTestService({
      database: before.database,
      gateways: gatewaysOf({
        'gateway-a': anna.accountId,
        'gateway-b': null,
        sandbox: `${anna.accountId}, acc_01h455vb4pex5vsknk084sn02q`,
      }),
    });
  });
  afterAll(async () => {
    await service.close();
    await before.close();
  });

  const nowOf = async (client: TestClient) => service.aClient({ of: client });

  it('make links for these, and do not exist for others', async () => {
    const [annaNow, benNow] = [await nowOf(anna), await nowOf(ben)];
    expect(await annaNow.aPaymentLink(await annaNow.anInvoice())).toMatchObject({ status: 'open' });
    const invoice = await benNow.anInvoice();
    const foreign = await benNow.post(pathOf(invoice), { gateway: 'gateway-a' });
    expectProblem(foreign, 404, 'gateway_not_found');
    expect(foreign.text).toContain('may use: none');
    const nobodys = await annaNow.post(pathOf(await annaNow.anInvoice()), { gateway: 'gateway-b' });
    expectProblem(nobodys, 409, 'gateway_not_assigned');
    expect(nobodys.text).toContain('GATEWAY_B_ACCOUNTS');
    expect((await benNow.get<{ data: unknown[] }>(pathOf(invoice))).body.data).toEqual([]);
  });

  it('take money for a link of others to no document and no account', async () => {
    const invoice = await ben.anInvoice();
    const link = await ben.aPaymentLink(invoice);
    expect((await service.deliverPaid(link)).body).toEqual({ status: 'ignored' });
    expect(await ben.read(invoice)).toMatchObject({ amount_paid: 0, status: 'open' });
    expect((await ben.get(`/v1/finance/payment-links/${link.id}`)).body.status).toBe('open');
    expect((await ben.get('/v1/finance/unmatched-receipts')).body['data']).toEqual([]);

    const [kept] = await service.database.query<{ provider_payment_id: string }>(
      `SELECT provider_payment_id, account_id, payment_link_id, unmatched_reason
       FROM provider_receipts WHERE link_reference = $1`,
      [link.id],
    );
    expect(kept).toMatchObject({
      account_id: null,
      payment_link_id: null,
      unmatched_reason: 'foreign_gateway',
    });
    const claim = async (client: TestClient) => {
      const by = byOperator(uuidOf('acc', client.accountId) ?? '');
      const id = kept?.provider_payment_id ?? '';
      return service.app.get(ProviderReceiptClaims).claim(by, 'gateway-a', id);
    };
    await expect(claim(ben)).rejects.toMatchObject({ code: 'gateway_not_found' });
    expect(await claim(anna)).toMatchObject({ reason: 'foreign_gateway' });
    await expectBooksToAgree(service);
  });

  it('still take the money of their own', async () => {
    const invoice = await anna.anInvoice();
    const link = await anna.aPaymentLink(invoice);
    expect((await service.deliverPaid(link)).body).toEqual({ status: 'ok' });
    expect(await anna.read(invoice)).toMatchObject({ status: 'paid' });
  });

  it('give nothing back for others, who can do so by hand', async () => {
    const invoice = await ben.anInvoice();
    const link = await ben.aPaymentLink(invoice, { gateway: 'sandbox' });
    await before.deliverPaid(link);
    const [payment] = (
      await ben.get<{ data: { id: string }[] }>(`/v1/finance/documents/${invoice.id}/payments`)
    ).body.data;
    const benNow = await nowOf(ben);
    const refunds = `/v1/finance/payments/${payment?.id}/refunds`;
    expectProblem(await benNow.post(refunds, { amount: 100 }), 409, 'payment_not_refundable');
    const byHand = await benNow.post(refunds, { amount: 100, method: 'bank_transfer' });
    expect(byHand.status).toBe(201);
  });

  it('are told to the operator where something is left to say', async () => {
    const gateways = service.app.get(Gateways).all();
    const query = service.database.query.bind(service.database);
    expect(await gatewayAccountWarnings(gateways, query as never)).toEqual([
      expect.stringContaining('GATEWAY_B_ACCOUNTS'),
      expect.stringContaining('acc_01h455vb4pex5vsknk084sn02q'),
    ]);
  });
});

describe('a gateway that nobody gave away', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ gateways: gatewaysOf({ sandbox: '*' }) });
  });
  afterAll(() => service.close());

  it('is of the only account, and of no one once there are two; old links stay good', async () => {
    const first = await service.aClient();
    const link = await first.aPaymentLink(await first.anInvoice());
    service.clock.advance({ seconds: 1 });
    const second = await service.aClient();
    for (const client of [first, second]) {
      const refused = await client.post(pathOf(await client.anInvoice()), { gateway: 'gateway-a' });
      expectProblem(refused, 409, 'gateway_not_assigned');
      const shared = await client.post(pathOf(await client.anInvoice()), { gateway: 'sandbox' });
      expect(shared.status).toBe(201);
    }
    expect((await service.deliverPaid(link)).body).toEqual({ status: 'ok' });

    // Of the second, made while every gateway was everybody's.
    const before = await startTestService({ database: service.database, clock: service.clock });
    const invoice = await second.anInvoice();
    const other = await (await before.aClient({ of: second })).aPaymentLink(invoice);
    await before.close();
    expect((await service.deliverPaid(other)).body).toEqual({ status: 'ignored' });
    expect(await second.read(invoice)).toMatchObject({ amount_paid: 0 });
    await expectBooksToAgree(service);
  });
});
