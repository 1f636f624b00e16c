import { createHash, createHmac, randomFillSync, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import pg from 'pg';
import * as sql from './bare-sql.js';

/**
 * The least that a server could do for the same money: `node:http`, `pg`, and the statements of the
 * service. They go in the same two flushes of one transaction (row lock; then all writes and
 * COMMIT). It parses the JSON, hashes the request for the idempotency record and, for webhooks,
 * verifies the HMAC. It has no router, access token, validation, log, metrics, security headers or
 * error answers. It encrypts no stored answers and calls, and its ids have no prefix.
 */
interface Query {
  text: string;
  values: unknown[];
}
type Row = Record<string, string | number | Date | null>;
type Reply = [status: number, body: string];

const env = (name: string) => process.env[name] ?? '';
const account = env('BENCH_ACCOUNT');
const client = env('BENCH_CLIENT');
const gateway = env('BENCH_GATEWAY');
const secret = env('BENCH_WEBHOOK_SECRET');
const ROUTE = 'POST /v1/finance/documents/:id/payments';

const pool = new pg.Pool({
  connectionString: env('DATABASE_URL'),
  max: Number(env('DATABASE_POOL_SIZE')),
  pipeline: true,
});

const names = new Map<string, string>();
function prepared({ text, values }: Query): pg.QueryConfig {
  let name = names.get(text);
  if (name === undefined) names.set(text, (name = `b${names.size}`));
  return { name, text, values };
}

/** BEGIN and the reads in one flush, `decide`, then the writes and COMMIT in another. */
async function transaction(
  reads: Query[],
  decide: (rows: (Row | undefined)[]) => { writes: Query[]; reply: Reply },
): Promise<Reply> {
  const connection = await pool.connect();
  try {
    const begun = connection.query('BEGIN');
    const found = reads.map((read) => connection.query(prepared(read)));
    await begun;
    const rows = (await Promise.all(found)).map((result) => result.rows[0] as Row | undefined);
    const { writes, reply } = decide(rows);
    const sent = writes.map((write) => connection.query(prepared(write)));
    const commit = connection.query('COMMIT');
    await Promise.all(sent);
    const { command } = await commit;
    if (command !== 'COMMIT') throw new Error(command);
    connection.release();
    return reply;
  } catch (error) {
    connection.release(true);
    throw error;
  }
}

function pay(documentId: string, key: string, raw: Buffer): Promise<Reply> {
  const body = JSON.parse(raw.toString()) as { amount: number; method: string; reference: string };
  const digest = createHash('sha256').update(documentId).update(raw).digest();
  const reads = [
    { text: sql.LOCK_DOCUMENT, values: [account, documentId] },
    { text: sql.FIND_KEY, values: [account, client, ROUTE, key] },
  ];
  return transaction(reads, ([document, stored]) => {
    if (stored) return { writes: [], reply: [200, String(stored['body'])] };
    const now = new Date();
    const taken = take(document, body.amount, now, { ...body, source: null });
    const text = JSON.stringify({ success: true, ...taken.sums, payment: taken.payment });
    const record: unknown[] = [account, client, ROUTE, key, digest, 201, Buffer.from(text), now];
    const writes = [...taken.writes, { text: sql.INSERT_KEY, values: record }];
    return { writes, reply: [201, text] };
  });
}

interface StripeEvent {
  id: string;
  type: string;
  created: number;
  data: {
    object: {
      payment_intent: string;
      amount_total: number;
      metadata: { payment_link_id: string };
    };
  };
}

function receive(raw: Buffer, header: string): Promise<Reply> {
  const [, time = '', given = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  const expected = createHmac('sha256', secret).update(`${time}.`).update(raw).digest();
  if (!given || !timingSafeEqual(Buffer.from(given, 'hex'), expected)) throw new Error('forged');
  const event = JSON.parse(raw.toString()) as StripeEvent;
  const { payment_intent: intent, amount_total: amount, metadata } = event.data.object;
  const linkId = metadata.payment_link_id;
  const reads = [
    { text: sql.LOCK_DOCUMENT_OF_LINK, values: [linkId] },
    { text: sql.FIND_LINK, values: [linkId] },
    { text: sql.FIND_EVENT, values: [gateway, event.id] },
    { text: sql.FIND_RECEIPT, values: [gateway, intent] },
  ];
  return transaction(reads, ([document, link, known, receipt]) => {
    const reply: Reply = [200, '{"status":"ok"}'];
    if (known || receipt || !link) return { writes: [], reply };
    const now = new Date();
    const paidAt = new Date(event.created * 1000);
    const source = { intent, linkId, paidAt, link };
    const taken = take(document, amount, now, { method: 'card', reference: intent, source });
    const writes = [
      ...taken.writes,
      { text: sql.MARK_LINK_PAID, values: [account, linkId, paidAt] },
      {
        text: sql.INSERT_RECEIPT,
        values: [
          gateway,
          intent,
          account,
          linkId,
          taken.payment.id,
          amount,
          taken.payment.currency,
          null,
          event.id,
          linkId,
          paidAt,
          now,
        ],
      },
      {
        text: sql.INSERT_PROVIDER_EVENT,
        values: [gateway, event.id, event.type, null, 'ok', null, now],
      },
      {
        text: sql.INSERT_DELIVERY,
        values: [
          account,
          uuidV7(),
          gateway,
          now,
          raw,
          JSON.stringify([{ link: linkId }]),
          [event.type],
        ],
      },
    ];
    return { writes, reply };
  });
}

type Source = { intent: string; linkId: string; paidAt: Date; link: Row } | null;

interface Given {
  method: string;
  reference: string;
  source: Source;
}

/** The common part of a payment and a webhook: payment, document, events. */
function take(document: Row | undefined, amount: number, now: Date, given: Given) {
  if (document?.['lifecycle'] !== 'open') throw new Error('not payable');
  const { method, reference, source } = given;
  const total = BigInt(String(document['total']));
  const amountPaid = BigInt(String(document['amount_paid'])) + BigInt(amount);
  if (amountPaid > total) throw new Error('too much');
  const sums = {
    amount_paid: Number(amountPaid),
    amount_due: Number(total - amountPaid),
    status: amountPaid === total ? 'paid' : 'partially_paid',
  };
  const payment = {
    id: uuidV7(),
    document_id: document['document_id'],
    customer_id: document['customer_id'],
    amount,
    applied: amount,
    credited: 0,
    currency: document['currency'],
    method,
    reference,
    note: null,
    metadata: {},
    paid_at: source?.paidAt ?? now,
    recorded_at: now,
    gateway: source && gateway,
    payment_link_id: source?.linkId ?? null,
  };
  const events = eventsOf(document, sums, payment, source);
  const record: unknown[] = [
    account,
    payment.id,
    payment.document_id,
    payment.customer_id,
    payment.currency,
    amount,
    amount,
    null,
  ];
  record.push(method, reference, null, payment.metadata, payment.paid_at, now);
  record.push(source ? null : client, payment.gateway, source?.intent ?? null);
  record.push(payment.payment_link_id);
  const version = Number(document['version']) + 1;
  const sequence = Number(document['event_sequence']) + events.length;
  const settledAt = amountPaid === total ? now : null;
  const state: unknown[] = [account, payment.document_id, amountPaid, 0, 0, 0, 0, settledAt];
  state.push(version, sequence);
  const writes: Query[] = [
    { text: sql.INSERT_PAYMENT, values: record },
    { text: sql.INSERT_TRANSFER, values: transferValues(payment, source, now) },
    { text: sql.UPDATE_DOCUMENT, values: state },
    { text: sql.insertEvents(events.length), values: eventValues(document, events, now, source) },
  ];
  return { writes, payment, sums };
}

interface Paid {
  id: string;
  document_id: unknown;
  customer_id: unknown;
  currency: unknown;
  amount: number;
  paid_at: Date;
}

/** The one leg of a payment that is applied as a whole. */
function transferValues(payment: Paid, source: Source, now: Date): unknown[] {
  const { id, document_id, customer_id, currency, amount, paid_at } = payment;
  const debit = `${source ? 'gateway_clearing' : 'cash'}/${String(currency)}`;
  const due = `receivables/${String(currency)}`;
  const entry = [account, 'payment.recorded', id, currency, customer_id, null, paid_at, now];
  return [...entry, uuidV7(), debit, due, amount, document_id];
}

interface Event {
  type: string;
  data: object;
}

function eventsOf(document: Row, sums: { status: string }, payment: object, source: Source) {
  const { document_id: id, kind, number, currency, customer_id, total } = document;
  const version = Number(document['version']) + 1;
  const shown = { id, kind, number, currency, customer_id, total: Number(total), version, ...sums };
  const previous_status = Number(document['amount_paid']) > 0 ? 'partially_paid' : 'open';
  const about = { document: shown, previous_status };
  const events: Event[] = [{ type: 'payment.recorded', data: { ...about, payment } }];
  if (source) {
    const link = { ...source.link, status: 'paid', paid_at: source.paidAt };
    events.push({ type: 'payment_link.paid', data: { ...about, payment_link: link } });
  }
  events.push({ type: `document.${sums.status}`, data: about });
  return events;
}

function eventValues(document: Row, events: Event[], now: Date, source: Source): unknown[] {
  const sequence = Number(document['event_sequence']);
  return events.flatMap(({ type, data }, index) => [
    account,
    uuidV7(),
    type,
    document['document_id'],
    sequence + 1 + index,
    JSON.stringify(data),
    now,
    source ? 'gateway' : 'client',
    source ? gateway : client,
  ]);
}

/** RFC 9562 5.7, so that the keys grow as they do in the service. */
function uuidV7(): string {
  const bytes = randomFillSync(Buffer.alloc(16));
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return `${parts.join('-')}-${hex.slice(20)}`;
}

function answer(request: IncomingMessage, raw: Buffer): Promise<Reply> {
  const url = request.url ?? '';
  const { headers } = request;
  const documentId = /^\/documents\/([^/]+)\/payments$/.exec(url)?.[1];
  if (documentId) return pay(documentId, String(headers['idempotency-key']), raw);
  if (url === '/webhook') return receive(raw, String(headers['stripe-signature']));
  return Promise.resolve([200, '{}']);
}

function handle(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const send = ([status, body]: Reply) => {
      const length = Buffer.byteLength(body);
      response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': length });
      response.end(body);
    };
    new Promise<Reply>((resolve) => resolve(answer(request, Buffer.concat(chunks)))).then(
      send,
      (error: unknown) => send([500, JSON.stringify({ error: String(error) })]),
    );
  });
}

createServer(handle).listen(Number(env('PORT')), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
