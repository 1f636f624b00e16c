import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../support/service.js';
describe('service', () => {
  let service: TestService;
  beforeAll(async () => { service = await startTestService(); });
  afterAll(() => service.close());
  it('works', async () => {
    const client = await service.aClient();
    const invoice = await client.anInvoice({ lines: 3 });
    expect(invoice.total).toBe(35700);
    expect((await client.pay(invoice)).body).toMatchObject({ success: true, amount_due: 33200 });
    expect((await client.pay(await client.aQuote())).status).toBe(409);
    const token = await client.aPortalToken(invoice);
    expect((await service.call(`/v1/portal/${token}`, { headers: { accept: 'application/json' } })).status).toBe(200);
    for (const gateway of ['gateway-a', 'gateway-b', 'sandbox']) {
      const link = await client.aPaymentLink(invoice, { gateway, amount: 500 });
      expect((await service.deliverPaid(link)).body).toEqual({ status: 'ok' });
    }
    expect((await client.read(invoice)).amount_paid).toBe(4000);
    expect(await service.database.query('SELECT sum(amount)::bigint AS sum FROM payments')).toEqual([{ sum: 4000n }]);
    service.clock.advance({ days: 40 });
    expect((await client.read(invoice)).is_overdue).toBe(true);
  });
});
