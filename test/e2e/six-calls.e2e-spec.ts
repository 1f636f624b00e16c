import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import request from 'supertest';
import type { TestClient } from '../support/client.js';
import { startTestService, type TestService } from '../support/service.js';

/** The six calls that never change: names, paths, types and values as integrations know them. */
describe('the fixed contract', () => {
  let service: TestService;
  let client: TestClient;

  beforeAll(async () => {
    service = await startTestService();
    client = await service.aClient();
  });
  afterAll(() => service.close());

  it('1. exchanges client_id and client_secret for a token', async () => {
    const { body } = await request(service.url)
      .post('/v1/auth/token')
      .send({ client_id: client.id, client_secret: client.secret })
      .expect(200)
      .expect('Content-Type', /^application\/json/)
      .expect('Cache-Control', 'no-store');
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 1800,
      refresh_token: expect.any(String),
      scope: expect.any(String),
    });
  });

  it('2. records a payment', async () => {
    const invoice = await client.anInvoice();
    const { body } = await request(service.url)
      .post(`/v1/finance/documents/${invoice.id}/payments`)
      .set('Authorization', `Bearer ${await client.bearer()}`)
      .send({ amount: 1900, method: 'bank transfer', reference: 'RF18 5390 0754 7034' })
      .expect(201);
    expect(body).toMatchObject({
      success: true,
      amount_paid: 1900,
      amount_due: 10_000,
      status: 'partially_paid',
    });
  });

  it('3. lets the client reject with a reason', async () => {
    const token = await client.aPortalToken(await client.aQuote());
    await request(service.url)
      .post(`/v1/portal/${token}/reject`)
      .send({ reason: 'Too expensive.' })
      .expect(200, { success: true });
  });

  it('4. streams the PDF to whoever holds the portal token', async () => {
    const token = await client.aPortalToken(await client.anInvoice());
    const { body } = await request(service.url)
      .get(`/v1/portal/documents/${token}/pdf`)
      .responseType('blob')
      .expect(200)
      .expect('Content-Type', 'application/pdf');
    expect((body as Buffer).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it.each(['gateway-a', 'gateway-b'])('5. and 6. marks the link of %s paid', async (gateway) => {
    const link = await client.aPaymentLink(await client.anInvoice(), { gateway });
    const { body, headers } = service.paidDelivery(link);
    await request(service.url)
      .post(`/v1/webhooks/${gateway}`)
      .set(headers)
      .send(body)
      .expect(200, { status: 'ok' });
    const read = await client.get(`/v1/finance/payment-links/${link.id}`);
    expect(read.body).toMatchObject({ status: 'paid' });
  });
});
