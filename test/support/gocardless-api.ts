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
  /** Ids of billing requests by their Idempotency-Key. */
  requests: Map<string, string>;
  /** Debits by mandates by their Idempotency-Key, as they were asked for. */
  debits: Map<string, StubDebit>;
  /** The next debit is made, and its answer is lost. */
  losesAnswer: boolean;
  close(): Promise<void>;
}

/** A payment by a mandate. */
export interface StubDebit {
  id: string;
  status: string;
  amount: number;
  currency: string;
  charge_date?: string;
  created_at: string;
  metadata: { payment_link_id: string };
  links: { mandate: string };
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
          ? made(stub, url, json, String(request.headers['idempotency-key']))
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
    requests: new Map(),
    debits: new Map(),
    losesAnswer: false,
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
  key: string,
): [number, object] {
  const [, collection = '', named = '', , action] = url.pathname.split('/');
  if (action === 'cancel') return cancelled(stub, collection, named);
  if (collection === 'payments') return debited(stub, json?.[collection], key);
  const number = Object.keys(stub.objects).length + 1;
  if (collection === 'billing_request_flows') {
    return [201, { [collection]: { authorisation_url: `https://pay.test/BRF${number}` } }];
  }
  if (collection !== 'billing_requests') return [404, {}];
  const known = stub.requests.get(key);
  if (known) return conflict(known);
  const id = `BRQ${number}`;
  stub.requests.set(key, id);
  const request = { status: 'pending', links: {}, ...json?.[collection], id };
  stub.objects[`/billing_requests/${id}`] = request;
  return [201, { [collection]: request }];
}

function shown(stub: GoCardlessStub, url: URL): [number, object] {
  const [, collection = '', id] = url.pathname.split('/');
  const found = stub.objects[url.pathname];
  if (found) return [200, { [collection]: found }];
  const mandate = url.searchParams.get('mandate');
  if (id === undefined && collection === 'payments' && mandate !== null) {
    const of = [...stub.debits.values()].filter(({ links }) => links.mandate === mandate);
    return [200, { payments: of, meta: { cursors: { before: null, after: null } } }];
  }
  if (id !== undefined || (collection !== 'events' && collection !== 'refunds')) return [404, {}];
  const payment = url.searchParams.get('payment');
  const listed = stub[collection].filter(({ links }) => links.payment === payment);
  return [200, { [collection]: listed, meta: { cursors: { before: null, after: null } } }];
}

function conflict(id: string): [number, object] {
  const links = { conflicting_resource_id: id };
  const errors = [{ reason: 'idempotent_creation_conflict', message: 'No.', links }];
  return [409, { error: { type: 'invalid_state', code: 409, errors } }];
}

/** The same key is the same debit. */
function debited(stub: GoCardlessStub, asked: object | undefined, key: string): [number, object] {
  const known = stub.debits.get(key);
  if (known) return conflict(known.id);
  const wish = asked as Omit<StubDebit, 'id' | 'status' | 'created_at'>;
  const mandate = stub.objects[`/mandates/${wish.links.mandate}`] as { status: string };
  if (mandate.status !== 'active') {
    const errors = [{ reason: 'mandate_is_inactive', message: 'No.' }];
    return [422, { error: { type: 'invalid_state', code: 422, errors } }];
  }
  const id = `PMD${stub.debits.size + 1}X${key.slice(-6)}`;
  const created_at = new Date().toISOString();
  const debit = { ...wish, id, status: 'pending_submission', created_at };
  stub.debits.set(key, debit);
  stub.objects[`/payments/${id}`] = debit;
  if (!stub.losesAnswer) return [201, { payments: debit }];
  stub.losesAnswer = false;
  return [502, {}];
}

function cancelled(stub: GoCardlessStub, collection: string, id: string): [number, object] {
  const found = stub.objects[`/${collection}/${id}`] as { status: string } | undefined;
  if (!found) return [404, {}];
  const isOpen = ['pending', 'pending_submission', 'active'].includes(found.status);
  if (!isOpen) return [422, { error: { errors: [{ reason: 'cancellation_failed' }] } }];
  found.status = 'cancelled';
  return [200, { [collection]: found }];
}
