import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DomainError, isPassing } from '../../kernel/domain-error.js';
import type { Row } from '../database/row.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { Retention } from '../database/retention.js';
import { type RowsStatement, rowsInto } from '../database/sql-statement.js';
import type { CommitGuard, Lookup } from '../database/tx.js';
import { textOfAnswer } from '../http/answers/json-adapter.js';
import type { ApiRequest } from '../http/request.js';
import { StoredReply } from '../http/answers/stored-reply.js';
import { Keyring } from '../keyring.js';
import { tracing } from '../tracing/tracing.js';
import { CommonRefusal } from '../../kernel/common-refusals.js';
import { RequestRefusal } from '../http/request-refusals.js';

/** Refusals about the stored answer. */
export const ABOUT_THE_KEY: ReadonlySet<string> = new Set([
  CommonRefusal.idempotency_key_reused.code,
  CommonRefusal.stored_answer_unreadable.code,
]);
const KEY = /^[\x20-\x7e]{1,255}$/;

interface KeyedRequest {
  accountId: string;
  clientId: string;
  route: string;
  key: string;
  requestSha256: Buffer;
}

/**
 * The answers to keys (RFC draft "The Idempotency-Key HTTP Header Field"). The answer is stored in
 * the transaction of its effect, and sent again, byte for byte, to the same request. A refusal had no
 * effect and is not stored: the same request is judged anew. A key counts for one route of one client
 * of one account (decision 1).
 */
@Injectable()
export class Idempotency {
  /** A stored answer may hold a secret that is shown once (decision 2). */
  private readonly cipher: Keyring;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    config: Config,
    retention: Retention,
  ) {
    this.cipher = Keyring.derived(config.secrets, 'quittance stored answers');
    retention.add({
      what: 'idempotency keys',
      keptMs: config.idempotencyHours * 3_600_000,
      statement: `DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM idempotency_keys WHERE created_at < $1 LIMIT $2)) RETURNING 1`,
    });
  }

  /** The key of a request, ready to guard its transaction. @throws HttpProblem for a bad key */
  of(request: ApiRequest, status: number): Once {
    const key = request.headers['idempotency-key'];
    const { user } = request;
    if (key === undefined || !user) return new Once(this, null, status);
    if (typeof key !== 'string' || !KEY.test(key)) {
      throw RequestRefusal.invalid_idempotency_key.of(
        'Idempotency-Key must be one value of 1 to 255 printable ASCII characters.',
      );
    }
    const route = `${request.method} ${(request.route as { path: string }).path}`;
    const head = Buffer.from(`${request.originalUrl}\n${typeOf(request)}`);
    const asked = Buffer.concat([head, request.rawBody ?? Buffer.alloc(0)]);
    const requestSha256 = hash('sha256', asked, 'buffer');
    const keyed = { accountId: user.accountId, clientId: user.clientId, route, key, requestSha256 };
    return new Once(this, keyed, status);
  }

  lookup({ accountId, clientId, route, key }: KeyedRequest): Lookup {
    const values = [accountId, clientId, route, key];
    return { text: LOOKUP, types: LOOKUP_TYPES, values, claims: `key ${values.join(' ')}` };
  }

  record(keyed: KeyedRequest, status: number, body: string): RowsStatement {
    const row = {
      account_id: keyed.accountId,
      client_id: keyed.clientId,
      route: keyed.route,
      key: keyed.key,
      request_sha256: keyed.requestSha256,
      status,
      body: this.cipher.encrypt(Buffer.from(body)),
      created_at: this.clock.serverNow(),
    };
    return rowsInto('idempotency_keys', [row]);
  }

  /** Sends what is stored, or refuses the key that was used for something else. */
  replay(keyed: KeyedRequest, row: KeptColumns | undefined): void {
    if (!row) return;
    if (!keyed.requestSha256.equals(row.request_sha256)) throw reused();
    const body = this.cipher.decrypt(row.body);
    if (!body) throw unreadable();
    throw new StoredReply(row.status, body);
  }

  /**
   * Refuses what the key did not do before. Something that was done is never refused: between the
   * request and its repeat, an account or a price may have changed.
   */
  async refuse(keyed: KeyedRequest, error: DomainError): Promise<never> {
    if (isPassing(error) || ABOUT_THE_KEY.has(error.code)) throw error;
    const [done] = await this.database.query<KeptColumns>(LOOKUP, this.lookup(keyed).values);
    this.replay(keyed, done);
    throw error;
  }

  /** @throws DomainError `idempotency_key_reused` if another request has one of these keys */
  async assertSame({ accountId, clientId, route, requestSha256 }: KeyedRequest, keys: string[]) {
    const others = await this.database.query(
      `SELECT FROM idempotency_keys
       WHERE account_id = $1 AND client_id = $2 AND route = $3 AND key = ANY ($4) AND request_sha256 <> $5
       LIMIT 1`,
      [accountId, clientId, route, keys, requestSha256],
    );
    if (others.length > 0) throw reused();
  }
}

type KeptColumns = Pick<Row<'idempotency_keys'>, 'status' | 'body' | 'request_sha256'>;

const LOOKUP = `SELECT status, body, request_sha256 FROM idempotency_keys
  WHERE account_id = $1 AND client_id = $2 AND route = $3 AND key = $4`;
const LOOKUP_TYPES = ['uuid', 'uuid', 'text', 'text'];

/** The type that decides how an image or a bank's file is read. JSON is always read as JSON. */
function typeOf(request: ApiRequest): string {
  if (request.headers['content-type']?.startsWith('application/json')) return '';
  return request.is(['image/*', 'text/*', 'application/xml']) || '';
}

/** The request was carried out before, and is not carried out again. */
function unreadable(): DomainError {
  return CommonRefusal.stored_answer_unreadable.of(
    'This request was answered before, and the answer can no longer be read; nothing was done now. ' +
      'Look at what it was about, and use a new key only if it has to be done again.',
  );
}

function reused(): DomainError {
  return CommonRefusal.idempotency_key_reused.of();
}

const keyOfPart = (key: string, index: number) => `${hash('sha256', key, 'base64url')}/${index}`;

function scopeOf({ clientId, route, key }: KeyedRequest): Buffer {
  return hash('sha256', JSON.stringify([clientId, route, key]), 'buffer');
}

/** Lets one request happen only once. Without a key it does nothing. */
export class Once {
  constructor(
    private readonly store: Idempotency,
    private readonly keyed: KeyedRequest | null,
    private readonly status: number,
  ) {}

  /**
   * The same for one of several parts of a request, each with a transaction of its own. Its key is
   * made of that of the request and its place. So a repeat does only the parts that are missing.
   */
  part(index: number): Once {
    const { keyed, store, status } = this;
    if (!keyed) return this;
    return new Once(store, { ...keyed, key: keyOfPart(keyed.key, index) }, status);
  }

  /**
   * Parts that were refused are not stored, so those that were have to be asked before the first one.
   * @throws DomainError `idempotency_key_reused` if another request had this key
   */
  async assertSameParts(most: number): Promise<void> {
    const { keyed, store } = this;
    if (!keyed) return;
    const keys = Array.from({ length: most }, (_, index) => keyOfPart(keyed.key, index));
    await store.assertSame(keyed, keys);
  }

  get hasKey(): boolean {
    return this.keyed !== null;
  }

  /**
   * Runs `work` with a guard for its transaction and presents the result.
   * @param present turns the result into the response body; called once
   * @param statusOf the status of a result, where a route has several
   */
  async run<Result, Body extends object>(
    present: (result: Result) => Body,
    work: (guard: CommitGuard<Result> | undefined) => Promise<Result>,
    statusOf: (result: Result) => number = () => this.status,
  ): Promise<Body> {
    const { keyed, store } = this;
    if (!keyed) {
      const done = await work(undefined);
      statusOf(done);
      return present(done);
    }
    let body: Body | undefined;
    const guard: CommitGuard<Result> = {
      request: () => ({ scope: scopeOf(keyed), sha256: keyed.requestSha256 }),
      lookup: store.lookup(keyed),
      onFound: (row) => store.replay(keyed, row as KeptColumns | undefined),
      record: (result) => {
        body = present(result);
        return store.record(keyed, statusOf(result), textOfAnswer(body));
      },
    };
    return tracing.span('idempotency', {}, async (span) => {
      try {
        const result = await work(guard);
        return body ?? present(result);
      } catch (error) {
        if (error instanceof StoredReply) span.set({ 'quittance.replayed': true });
        if (error instanceof DomainError) return store.refuse(keyed, error);
        throw error;
      }
    });
  }
}
