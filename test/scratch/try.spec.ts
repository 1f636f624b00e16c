import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../support/service.js';
  let service: TestService;
  beforeAll(async () => { service = await startTestService({ logLevel: 'error' }); });
  afterAll(() => service.close());
  it('works', async () => {
    const client = await service.aClient();
    const [voided] = [await client.anInvoice({issue: false}), await client.anInvoice()];
    const i = await client.post(`/v1/finance/documents/${voided.id}/issue`);
    const v = await client.post(`/v1/finance/documents/${voided.id}/void`);
    expect([i.status, v.status]).toBe(1);
  });
