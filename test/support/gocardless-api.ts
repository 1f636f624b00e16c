import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from 'node:stream/consumers';

/** GoCardless's API on the loopback: objects by path, and lists that are filtered by `payment`. */
export interface GoCardlessStub {
  apiBase: string;
  /** `/payments/PM1` and so on, without their envelopes. */
  objects: Record<string, object>;
  events: { links: { payment?: string } }[];
  refunds: { links: { payment?: string } }[];
  calls: string[];
  /** The most calls that were answered at the same time. */
  mostAtOnce: number;
  /** Answered to every call, if it is set. */
  failure: number | null;
  close(): Promise<void>;
}

const SOME_TIME_MS = 5;

export async function startGoCardlessStub(): Promise<GoCardlessStub> {
  let under = 0;
  const server = createServer((request, response) => {
    void (async () => {
      under += 1;
      stub.mostAtOnce = Math.max(stub.mostAtOnce, under);
      const body = await text(request);
      const url = new URL(request.url ?? '/', stub.apiBase);
      stub.calls.push(`${request.method} ${url.pathname}`);
      await sleep(SOME_TIME_MS);
      const json = body === '' ? undefined : (JSON.parse(body) as Record<string, object>);
      const [status, answer] = stub.failure
        ? [stub.failure, {}]
        : request.method === 'POST'
          ? made(stub, url, json)
          : shown(stub, url);
      under -= 1;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer));
    })();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const stub: GoCardlessStub = {
    apiBase: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects: {},
    events: [],
    refunds: [],
    calls: [],
    mostAtOnce: 0,
    failure: null,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return stub;
}

function made(
  stub: GoCardlessStub,
  url: URL,
  json: Record<string, object> | undefined,
): [number, object] {
  const [, collection = ''] = url.pathname.split('/');
  const number = Object.keys(stub.objects).length + 1;
  if (collection === 'billing_request_flows') {
    return [201, { [collection]: { authorisation_url: `https://pay.test/BRF${number}` } }];
  }
  if (collection !== 'billing_requests') return [404, {}];
  const id = `BRQ${number}`;
  const request = { status: 'pending', links: {}, ...json?.[collection], id };
  stub.objects[`/billing_requests/${id}`] = request;
  return [201, { [collection]: request }];
}

function shown(stub: GoCardlessStub, url: URL): [number, object] {
  const [, collection = '', id] = url.pathname.split('/');
  const found = stub.objects[url.pathname];
  if (found) return [200, { [collection]: found }];
  if (id !== undefined || (collection !== 'events' && collection !== 'refunds')) return [404, {}];
  const payment = url.searchParams.get('payment');
  const listed = stub[collection].filter(({ links }) => links.payment === payment);
  return [200, { [collection]: listed, meta: { cursors: { before: null, after: null } } }];
}
