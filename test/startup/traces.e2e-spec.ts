import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Demo } from '../../src/demo/demo-account.js';
import { SystemClock } from '../../src/kernel/clock.js';
import { TestClient } from '../support/client.js';
import { call } from '../support/http.js';
import { aPlace, NO_CHROMIUM, type Place, type ServiceProgram, until } from './program.js';
import { TraceReceiver } from './trace-receiver.js';

/* The service as a process, and a collector that it sends its traces to. */

const PACKAGES = fileURLToPath(new URL('../support/loaded-packages.mjs', import.meta.url));
const TELLS_PACKAGES = { NODE_OPTIONS: `--import ${PACKAGES}` };
const CALLERS_TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLERS_SPAN = '00f067aa0ba902b7';

const SERVER = 2;

let receiver: TraceReceiver;
let hooks: Awaited<ReturnType<typeof aHookReceiver>>;
let place: Place;
let service: ServiceProgram;
let demo: Demo;
let client: TestClient;

const tracing = (to: TraceReceiver, delayMs = 100) => ({
  ...TELLS_PACKAGES,
  QUITTANCE_RATE_LIMIT: 'off',
  OTEL_EXPORTER_OTLP_ENDPOINT: to.url,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=of-the-collector',
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=tests',
  OTEL_BSP_SCHEDULE_DELAY: String(delayMs),
});

const clientOf = (url: string, { client_id, client_secret, account_id }: Demo) =>
  new TestClient(url, new SystemClock(), {
    id: client_id,
    secret: client_secret,
    accountId: account_id,
  });

beforeAll(async () => {
  receiver = await TraceReceiver.start();
  hooks = await aHookReceiver();
  place = await aPlace();
  service = await place.service({
    ...tracing(receiver),
    QUITTANCE_SEAL_SECONDS: '1',
    QUITTANCE_OUTGOING_RANGES: '127.0.0.0/8',
    QUITTANCE_OUTGOING_PORTS: '1-65535',
  });
  demo = await place.demo();
  client = clientOf(service.url, demo);
});
afterAll(async () => {
  await place.remove();
  await receiver.stop();
  hooks.server.close();
});

/** Of an account's webhook endpoint: it keeps the headers of each call. */
async function aHookReceiver() {
  const calls: IncomingHttpHeaders[] = [];
  const server = createServer((request, answer) => {
    calls.push(request.headers);
    request.resume();
    answer.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, calls, port: (server.address() as AddressInfo).port };
}

const loaded = ({ errors }: ServiceProgram) =>
  Array.from(errors.matchAll(/^loads (\S+)$/gm), ([, name]) => name).toSorted();

const linesOf = ({ output }: ServiceProgram) =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const told = () => linesOf(service).map(({ msg }) => msg);
const failures = () => told().filter((line) => String(line).startsWith('traces do not arrive'));

const pay = async (of: TestClient, key: string, headers: Record<string, string> = {}) =>
  of.pay(
    { id: demo.invoice_id },
    { amount: 1, method: 'cash', reference: `the reference ${key}` },
    { 'Idempotency-Key': key, ...headers },
  );

const received = async (what: string, isThere: () => boolean) =>
  until(`the collector has ${what}`, isThere);

const PAYMENT = 'POST /v1/finance/documents/:id/payments';

describe('with a collector', () => {
  it('shows a payment in the trace of its caller, down to each statement', async () => {
    const traceparent = `00-${CALLERS_TRACE}-${CALLERS_SPAN}-01`;
    const { status } = await pay(client, 'alone', { traceparent });
    expect(status).toBe(201);
    await received('the payment', () => receiver.named(PAYMENT).length > 0);
    // A token's client may be looked up first.
    const tree = receiver.tree(CALLERS_TRACE).filter((line) => line !== '  SELECT accounts');
    expect(tree.map((line) => line.trim())).toEqual([
      PAYMENT,
      'idempotency',
      'group commit',
      'transaction',
      'BEGIN',
      'SELECT documents',
      'SELECT idempotency_keys',
      expect.stringMatching(/^INSERT payments .*INSERT idempotency_keys/),
      'COMMIT',
    ]);
    expect(tree.map((line) => line.search(/\S/) / 2)).toEqual([0, 1, 2, 3, 4, 4, 4, 4, 4]);
    const [request] = receiver.named(PAYMENT);
    expect(request?.parentSpanId).toBe(CALLERS_SPAN);
    expect(request?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/v1/finance/documents/:id/payments',
      'http.response.status_code': 201,
      'quittance.account': demo.account_id,
    });
    expect(receiver.resource).toMatchObject({
      'service.name': 'quittance',
      'deployment.environment.name': 'tests',
    });
    expect(receiver.headers['x-api-key']).toBe('of-the-collector');
    const line = linesOf(service).find(({ trace_id: id }) => id === CALLERS_TRACE);
    expect(line).toMatchObject({ msg: 'request', status: 201 });
  });

  it('links payments that were committed together with the transaction of their group', async () => {
    const before = receiver.named(PAYMENT).length;
    const keys = Array.from({ length: 30 }, (_, index) => `together-${index}`);
    const answers = await Promise.all(keys.map((key) => pay(client, key)));
    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 201));
    await received('all payments', () => receiver.named(PAYMENT).length === before + keys.length);
    await received('a group', () => receiver.named('group transaction').length > 0);
    const [group] = receiver.named('group transaction');
    const { traceId = '', spanId = '', links = [], attributes = {}, parentSpanId } = group ?? {};
    expect(parentSpanId ?? '').toBe('');
    expect(links.length).toBe(Number(attributes['quittance.group.members']));
    const inGroup = receiver
      .named('group commit')
      .filter((span) => span.links.some((link) => link.spanId === spanId));
    expect(inGroup.length).toBe(links.length);
    expect(inGroup.map((span) => span.spanId).toSorted()).toEqual(
      links.map((link) => link.spanId).toSorted(),
    );
    // The members' traces are their own, and the statements are in that of the group.
    expect(new Set(inGroup.map((span) => span.traceId)).size).toBe(links.length);
    expect(receiver.tree(traceId)).toEqual(
      expect.arrayContaining(['group transaction', '  BEGIN', '  COMMIT']),
    );
    for (const member of inGroup) {
      expect(receiver.tree(member.traceId).map((line) => line.trim())).toEqual([
        PAYMENT,
        'idempotency',
        'group commit',
      ]);
    }
  });

  it('names the trace in a problem, and in lines of the log', async () => {
    const { status, body } = await client.get('/v1/finance/documents/doc_nothing');
    expect(status).toBe(404);
    const { trace_id: traceId, request_id: requestId } = body as Record<string, string>;
    expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    await received('the refusal', () => receiver.of(traceId!).length > 0);
    const request = receiver.of(traceId!).find(({ kind }) => kind === SERVER);
    expect(request).toMatchObject({
      name: 'GET /v1/finance/documents/:id',
      isError: false,
      attributes: { 'error.type': body['code'], 'quittance.request_id': requestId },
    });
    expect(linesOf(service).find((line) => line['request_id'] === requestId)).toMatchObject({
      trace_id: traceId,
    });
  });

  it('says that an answer was stored before', async () => {
    const { headers } = await pay(client, 'alone');
    expect(headers.get('idempotency-replayed')).toBe('true');
    await received('it', () =>
      receiver.named('idempotency').some((span) => span.attributes['quittance.replayed'] === true),
    );
  });

  it('shows printing, messages, deliveries and rounds that did something', async () => {
    const url = `http://127.0.0.1:${hooks.port}/hooks/of-secret-path?key=of-secret-query`;
    const { status } = await client.post('/v1/webhook-endpoints', { url, types: ['payment.*'] });
    expect(status).toBe(201);
    expect((await pay(client, 'delivered')).status).toBe(201);
    const sent = await client.post(`/v1/finance/documents/${demo.invoice_id}/send`, {
      to: ['reader@secret.example'],
    });
    expect(sent.status).toBe(201);
    await received('a delivery', () => receiver.named('delivery').length > 0);
    await received('a message', () => receiver.named('message').length > 0);
    await received('a round', () => receiver.named('seals').length > 0);
    const [delivery] = receiver.named('delivery');
    expect(receiver.tree(delivery!.traceId)).toEqual(['delivery', '  POST', '  settle']);
    expect(hooks.calls[0]).not.toHaveProperty('traceparent');
    const [message] = receiver.named('message');
    expect(message?.attributes).toMatchObject({ 'quittance.status': 'sent' });
    expect(receiver.tree(message!.traceId)).toEqual(
      expect.arrayContaining(['  pdf', '    wait for a page', '    print', '  mail server']),
    );
    // A round ends, and is sent, after its messages.
    const [round] = message!.links;
    await received('the round of the message', () =>
      receiver.named('mail').some(({ traceId }) => traceId === round?.traceId),
    );
    expect(message!.links.map(({ traceId }) => receiver.tree(traceId)[0])).toEqual(['mail']);
  });

  it('has no secret in all that it sent, and nothing of probes', async () => {
    const token = demo.invoice_portal_token;
    const paths = [
      `/v1/portal/${token}`,
      `/v1/portal/${token}/nowhere`,
      `/v1/portal/documents/${token}/pdf?token=${demo.quote_portal_token}`,
      `/v1/portal/${demo.quote_portal_token}x`,
      '/livez',
      '/readyz/',
    ];
    const statuses = await Promise.all(
      paths.map(async (path) => (await call(service.url + path)).status),
    );
    expect(statuses).toEqual([200, 404, 400, 404, 200, 200]);
    await received('the page of the document', () =>
      receiver.spans.some(({ name }) => name === 'GET /v1/portal/:token'),
    );
    await received('its PDF', () =>
      receiver.spans.some(({ name }) => name === 'GET /v1/portal/documents/:token/pdf'),
    );
    expect(receiver.sent.length).toBeGreaterThan(10_000);
    for (const secret of [
      token,
      demo.quote_portal_token,
      demo.client_secret,
      'the reference',
      'reader@secret.example',
      'of-secret-path',
      'of-secret-query',
      'Globex',
      'livez',
      'readyz',
    ]) {
      expect({ secret, isThere: receiver.sent.includes(secret) }).toEqual({
        secret,
        isThere: false,
      });
    }
  });

  it('goes on where the collector refuses or hangs, and tells it once', async () => {
    receiver.mood = 'refuse';
    for (const key of ['refused-1', 'refused-2', 'refused-3']) {
      const { missed } = receiver;
      expect((await pay(client, key)).status).toBe(201);
      await received('refused a batch', () => receiver.missed > missed);
    }
    await until('the log tells it', () => failures().length > 0);
    receiver.mood = 'take';
    expect((await pay(client, 'taken')).status).toBe(201);
    await until('the log tells that they arrive', () => told().includes('traces arrive again'));
    expect(failures()).toHaveLength(1);
    receiver.mood = 'hang';
    const { missed } = receiver;
    expect((await pay(client, 'hanging')).status).toBe(201);
    await received('got a batch', () => receiver.missed > missed);
    expect((await pay(client, 'still hanging')).status).toBe(201);
    receiver.mood = 'take';
  });

  it('loads OpenTelemetry, and none of its instrumentations', () => {
    expect(loaded(service)).toContain('@opentelemetry/sdk-trace-node');
    expect(loaded(service).filter((name) => /instrumentation|grpc/.test(name ?? ''))).toEqual([]);
  });
});

describe('several processes', () => {
  it('send what they have when they stop', async () => {
    const collector = await TraceReceiver.start();
    const several = await aPlace();
    try {
      const env = { ...tracing(collector, 600_000), ...NO_CHROMIUM, QUITTANCE_PROCESSES: '2' };
      const program = await several.service(env);
      await until('all are ready', () => program.output.includes('"processes":2'));
      const calls = Array.from({ length: 12 }, async () =>
        fetch(`${program.url}/v1/finance/documents`, { headers: { connection: 'close' } }),
      );
      const answers = await Promise.all(calls);
      expect(answers.map(({ status }) => status)).toEqual(calls.map(() => 401));
      expect(collector.spans).toEqual([]);
      program.signal('SIGTERM');
      expect((await program.ended).code).toBe(0);
      expect(collector.named('GET /v1/finance/documents')).toHaveLength(calls.length);
    } finally {
      await several.remove();
      await collector.stop();
    }
  });
});

describe('without a collector', () => {
  it('loads nothing of OpenTelemetry, and says nothing of traces', async () => {
    const plain = await aPlace();
    try {
      const program = await plain.service({ ...NO_CHROMIUM, ...TELLS_PACKAGES });
      const { body } = await call(`${program.url}/v1/finance/documents`, {
        headers: { traceparent: `00-${CALLERS_TRACE}-${CALLERS_SPAN}-01` },
      });
      expect(body).toMatchObject({ code: 'missing_token' });
      expect(body).not.toHaveProperty('trace_id');
      await until('the request is logged', () => program.output.includes('"msg":"request"'));
      expect(program.output).not.toContain('trace_id');
      // The API alone, which the client of Prometheus has loaded before.
      expect(loaded(program)).toEqual(['@opentelemetry/api']);
    } finally {
      await plain.remove();
    }
  });

  it('does not start with variables that would lose traces', async () => {
    const broken = await aPlace();
    try {
      const { code, errors } = await broken.command(['doctor'], {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
        OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
        OTEL_EXPORTER_OTLP_HEADERS: 'api-key',
        OTEL_TRACES_SAMPLER: 'some',
        OTEL_TRACES_SAMPLER_ARG: '2',
      });
      expect(code).not.toBe(0);
      expect(errors.match(/OTEL_\w+/g)).toEqual([
        'OTEL_EXPORTER_OTLP_ENDPOINT',
        'OTEL_EXPORTER_OTLP_PROTOCOL',
        'OTEL_EXPORTER_OTLP_HEADERS',
        'OTEL_TRACES_SAMPLER',
        'OTEL_TRACES_SAMPLER_ARG',
      ]);
      expect(errors).not.toContain('collector:4318');
    } finally {
      await broken.remove();
    }
  });
});
