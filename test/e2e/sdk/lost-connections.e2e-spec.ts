import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Calls } from '../../../sdk/typescript/src/calls.js';
import { RefusedCall } from '../../../sdk/typescript/src/failures.js';
import { startTestService, type TestService } from '../../support/service.js';
import { CuttingProxy } from './cutting-proxy.js';

// The hand-written part of the SDK against the service, on a way that loses answers.

interface Paid {
  payment: { id: string };
  amount_due: number;
}

let service: TestService;
let proxy: CuttingProxy;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  proxy = await CuttingProxy.to(service.url);
  return async () => proxy.close();
});
afterAll(() => service.close());

async function aCaller() {
  const client = await service.aClient();
  const settings = { baseUrl: proxy.url, clientId: client.id, clientSecret: client.secret };
  return { client, calls: new Calls(settings, undefined, RefusedCall) };
}

it.each([0, 1, 2])('a payment whose answer is lost %d times is recorded once', async (cuts) => {
  const { client, calls } = await aCaller();
  const invoice = await client.anInvoice();
  const path = `/v1/finance/documents/${invoice.id}/payments`;
  await calls.fetch(path);
  proxy.cuts = cuts;
  const way = { repeats: true, once: true, parseAs: 'json' as const };
  const paid = await calls.send(way, {}, async ({ fetch, headers }) => {
    const body = JSON.stringify({ amount: 2500, method: 'bank_transfer' });
    const json = { ...headers, 'Content-Type': 'application/json' };
    const answer = await fetch(`${proxy.url}${path}`, { method: 'POST', headers: json, body });
    return { data: (await answer.json()) as Paid };
  });
  expect(proxy.cut).toBe(cuts);
  const { body } = await client.get<{ data: { id: string }[] }>(path);
  expect(body.data.map(({ id }) => id)).toEqual([paid.payment.id]);
  expect(paid.amount_due).toBe(invoice.amount_due - 2500);
});

it('a token that ended by the clock of the service is renewed, and the call is done', async () => {
  const { calls } = await aCaller();
  await calls.fetch('/v1/finance/customers');
  service.clock.advance({ seconds: 1860 });
  const answer = await calls.fetch('/v1/finance/customers');
  expect(answer.status).toBe(200);
});

it('events are followed over broken connections, none twice and none passed over', async () => {
  const { client, calls } = await aCaller();
  const following = calls.follow<{ type: string; document_id: string }>('/v1/events/stream', {
    after: 'beginning',
    types: ['document.issued'],
  });
  const made: string[] = [];
  const got: string[] = [];
  made.push((await client.anInvoice()).id);
  for await (const { document_id: id } of following) {
    got.push(id);
    if (got.length === 4) break;
    proxy.breakAll();
    made.push((await client.anInvoice()).id);
  }
  expect(got).toEqual(made);
});
