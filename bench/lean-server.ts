import { createHash, randomFillSync } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import pg from 'pg';

/**
 * The least that a payment can be, whatever this service is: `node:http`, `pg` and five narrow
 * tables. One transaction for each payment, as durable, in two flushes. It has no accounts, foreign
 * keys, access tokens, validation or error answers.
 */
const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  max: Number(process.env['DATABASE_POOL_SIZE']),
  pipeline: true,
});

const LOCK = `SELECT currency, total, amount_paid, version FROM documents
  WHERE document_id = $1 FOR NO KEY UPDATE`;
const FIND_KEY = 'SELECT sha256, body FROM idempotency_keys WHERE key = $1';
const WRITE = `WITH p AS (INSERT INTO payments VALUES ($1, $2, $3, $4, $5, $6)),
  t AS (INSERT INTO transfers VALUES ($7, 'cash', 'receivables', $3, $2, $6)),
  e AS (INSERT INTO events VALUES ($8, $2, $9, 'payment.recorded', $10, $6)),
  d AS (UPDATE documents SET amount_paid = $11, version = $9 WHERE document_id = $2)
  INSERT INTO idempotency_keys VALUES ($12, $13, $14, $6)`;

interface Kept {
  sha256: Buffer;
  body: Buffer;
}

interface LeanDocument {
  currency: string;
  total: string;
  amount_paid: string;
  version: number;
}

async function pay(documentId: string, key: string, raw: Buffer): Promise<Buffer | string> {
  const { amount, method, reference } = JSON.parse(raw.toString()) as {
    amount: number;
    method: string;
    reference: string;
  };
  const sha256 = createHash('sha256').update(documentId).update(raw).digest();
  const client = await pool.connect();
  try {
    const [, found, kept] = await Promise.all([
      client.query('BEGIN'),
      client.query<LeanDocument>({ name: 'lock', text: LOCK, values: [documentId] }),
      client.query<Kept>({ name: 'key', text: FIND_KEY, values: [key] }),
    ]);
    const [document] = found.rows;
    const [known] = kept.rows;
    if (known) {
      await client.query('ROLLBACK');
      client.release();
      return known.body;
    }
    const paid = BigInt(document?.amount_paid ?? 0) + BigInt(amount);
    const total = BigInt(document?.total ?? 0);
    if (!document || paid > total) throw new Error('not payable');
    const version = document.version + 1;
    const status = paid === total ? 'paid' : 'partially_paid';
    const at = new Date();
    const sums = { amount_paid: Number(paid), amount_due: Number(total - paid), status };
    const payment = { id: uuidV7(), document_id: documentId, amount, method, reference, at };
    const body = JSON.stringify({ success: true, ...sums, payment });
    const event = JSON.stringify({ ...sums, version, payment });
    const entry = [payment.id, documentId, amount, method, reference, at];
    const rest = [uuidV7(), uuidV7(), version, event, paid, key, sha256, Buffer.from(body)];
    const [, { command }] = await Promise.all([
      client.query({ name: 'write', text: WRITE, values: [...entry, ...rest] }),
      client.query('COMMIT'),
    ]);
    if (command !== 'COMMIT') throw new Error(command);
    client.release();
    return body;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** RFC 9562 5.7. */
function uuidV7(): string {
  const bytes = randomFillSync(Buffer.alloc(16));
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function send(response: ServerResponse, status: number, body: Buffer | string): void {
  const length = Buffer.byteLength(body);
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': length });
  response.end(body);
}

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const id = /^\/documents\/([^/]+)\/payments$/.exec(request.url ?? '')?.[1];
    if (id === undefined) return send(response, 200, '{}');
    pay(id, String(request.headers['idempotency-key']), Buffer.concat(chunks)).then(
      (body) => send(response, 201, body),
      (error: unknown) => send(response, 500, JSON.stringify({ error: String(error) })),
    );
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
