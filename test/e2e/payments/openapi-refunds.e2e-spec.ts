import { afterAll, beforeAll, it } from 'vitest';
import type { Answer } from '../../support/http.js';
import { PAYMENTS } from '../books/books.js';
import { good } from '../documents/document-calls.js';
import { paidByCard, refund, type RefundService, startRefundService } from './refund-calls.js';
import { expectAsDescribed, type OpenApi } from '../schema-check.js';

let world: RefundService;
let document: OpenApi;
beforeAll(async () => {
  world = await startRefundService();
  document = (await world.service.call<OpenApi>('/v1/openapi.json')).body;
});
afterAll(() => world.close());

const expectDescribed = (method: string, path: string, answer: Answer<object>) =>
  expectAsDescribed(document, method, path, answer as Answer);

it('describes refunds and unmatched receipts as they are', async () => {
  const { client, service } = world;
  const { payment } = await paidByCard(world);
  const refunds = `${PAYMENTS}/{id}/refunds`;
  expectDescribed('post', refunds, await refund(client, payment, { amount: 100 }));
  expectDescribed('post', refunds, await refund(client, payment, { amount: 99_999 }));
  world.stub.next = ['broken', 'refused'];
  const unknown = await refund(client, payment, { amount: 100, reference: 'A', reason: 'B' });
  expectDescribed('post', refunds, unknown);
  expectDescribed('get', refunds, await client.get(`${PAYMENTS}/${payment.id}/refunds`));
  const one = `/v1/finance/refunds/${good(unknown, 201).refund.id}`;
  expectDescribed('post', '/v1/finance/refunds/{id}/look-up', await client.post(`${one}/look-up`));
  expectDescribed('get', '/v1/finance/refunds/{id}', await client.get(one));
  expectDescribed('get', '/v1/finance/refunds/{id}', await client.get('/v1/finance/refunds/x'));

  const receipts = '/v1/finance/unmatched-receipts';
  const invoice = await client.anInvoice();
  const link = await client.aPaymentLink(invoice);
  await client.void(invoice);
  await service.deliverPaid(link);
  const list = await client.get<{ data: { id: string }[] }>(receipts);
  expectDescribed('get', receipts, list);
  expectDescribed('get', receipts, await client.get(`${receipts}?status=lost`));
  const receipt = `${receipts}/${list.body.data[0]?.id}`;
  expectDescribed('get', `${receipts}/{id}`, await client.get(receipt));
  const part = await client.post(`${receipt}/refunds`, { amount: 100 });
  expectDescribed('post', `${receipts}/{id}/refunds`, part);
  const assigned = await client.post(`${receipt}/assign`, { customer_id: invoice.customer_id });
  expectDescribed('post', `${receipts}/{id}/assign`, assigned);
  expectDescribed('post', `${receipts}/{id}/assign`, await client.post(`${receipt}/assign`));
});
