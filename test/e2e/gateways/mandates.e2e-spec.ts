import { describe, expect, it } from 'vitest';
import { MandateLookUps } from '../../../src/payments/collecting/application/mandates/mandate-look-ups.js';
import type { MandateBody } from '../../../src/payments/collecting/wire/mandate.js';
import {
  aPayer,
  anInvoiceOf,
  ask,
  client,
  collect,
  deliver,
  given,
  readMandate,
  round,
  service,
  stub,
  tells,
  typesOf,
  withDebits,
} from './debits.js';
import { next } from './stripe-events.js';

withDebits();

describe('a mandate', () => {
  it('is asked for at a page, and is active once the customer has agreed', async () => {
    const customer = await client.aCustomer();
    const { body } = await ask(customer);
    expect(body).toMatchObject({
      status: 'pending',
      customer_id: customer.id,
      collects_automatically: false,
    });
    expect(body.url).toContain('https://pay.test/BRF');
    await given(body);
    expect(await readMandate(body)).toMatchObject({
      status: 'active',
      scheme: 'sepa_core',
      account_ending: '11',
      reference: 'ACME-7Q2M9',
      url: null,
    });
    expect(await typesOf()).toEqual(
      expect.arrayContaining(['mandate.created', 'mandate.activated']),
    );
    const list = await client.get<{ data: MandateBody[] }>(
      `/v1/finance/mandates?customer_id=${customer.id}&status=active`,
    );
    expect(list.body.data.map(({ id }) => id)).toEqual([body.id]);
  });

  it('of which no event came is looked up', async () => {
    const { body } = await ask(await client.aCustomer());
    const [row] = await service.database.query<{ provider_request_id: string }>(
      'SELECT provider_request_id FROM mandates WHERE account_id = (SELECT max(account_id::text)::uuid FROM mandates)',
    );
    const name = `MD${next()}`;
    const metadata = { mandate_id: body.id };
    stub.objects[`/mandates/${name}`] = { id: name, status: 'active', metadata, links: {} };
    Object.assign(stub.objects[`/billing_requests/${row?.provider_request_id}`] ?? {}, {
      status: 'fulfilled',
      links: { mandate_request_mandate: name },
    });
    service.clock.advance({ hours: 1 });
    await service.app.get(MandateLookUps).run();
    expect(await readMandate(body)).toMatchObject({ status: 'active', provider_mandate_id: name });
  });

  it('that the payer cancels at the bank ends, and collects nothing more', async () => {
    const { customer, mandate, name } = await aPayer();
    const invoice = await anInvoiceOf(customer, 5);
    Object.assign(stub.objects[`/mandates/${name}`] ?? {}, { status: 'cancelled' });
    await deliver([tells('mandates.cancelled', { mandate: name })]);
    expect(await readMandate(mandate)).toMatchObject({
      status: 'canceled',
      failure: 'refer_to_payer',
    });
    expect(await round()).toBe(0);
    const answer = await collect(invoice);
    expect([answer.status, answer.body.code]).toEqual([409, 'mandate_not_active']);
    expect(await typesOf()).toContain('mandate.ended');
  });

  it('is canceled at the provider first', async () => {
    const { mandate, name } = await aPayer();
    const cancel = async () =>
      client.post<MandateBody & { code: string }>(`/v1/finance/mandates/${mandate.id}/cancel`);
    stub.failure = 503;
    expect((await cancel()).body.code).toBe('gateway_unavailable');
    expect(await readMandate(mandate)).toMatchObject({ status: 'active' });
    stub.failure = null;
    expect((await cancel()).body.status).toBe('canceled');
    expect(stub.objects[`/mandates/${name}`]).toMatchObject({ status: 'cancelled' });
    expect((await cancel()).body.code).toBe('mandate_over');
  });

  it('that GoCardless does not make has failed', async () => {
    const customer = await client.aCustomer();
    stub.failure = 503;
    const answer = await ask(customer);
    expect(answer.status).toBe(503);
    const { body } = await client.get<{ data: MandateBody[] }>('/v1/finance/mandates');
    expect(body.data).toMatchObject([{ status: 'failed', failure: 'gateway_unavailable' }]);
  });

  it('needs a gateway that keeps mandates', async () => {
    const customer = await client.aCustomer();
    const answer = await ask(customer, { gateway: 'nobody' });
    expect(answer.body).toMatchObject({ code: 'gateway_not_found' });
  });

  it('is of its account alone', async () => {
    const { customer, mandate } = await aPayer();
    const invoice = await anInvoiceOf(customer);
    const stranger = await service.aClient();
    for (const answer of [
      await stranger.get(`/v1/finance/mandates/${mandate.id}`),
      await stranger.post(`/v1/finance/mandates/${mandate.id}/cancel`),
      await stranger.patch(`/v1/finance/mandates/${mandate.id}`, { collects_automatically: false }),
      await stranger.post(`/v1/finance/customers/${customer.id}/mandates`, {
        gateway: 'gocardless',
        currency: 'EUR',
      }),
      await stranger.post(`/v1/finance/documents/${invoice.id}/collect`),
    ]) {
      expect(answer.status).toBe(404);
    }
    expect((await stranger.get('/v1/finance/mandates')).body['data']).toEqual([]);
  });
});
