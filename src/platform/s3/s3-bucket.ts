import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AwsClient } from 'aws4fetch';
import type { S3Config } from '../config/s3-config.js';
import { AnswerTooLong, readLimited } from '../http/outgoing/bounded-call.js';
import { ObjectDigest, partsOfUpload, type StoredObject } from './object-parts.js';
import { fetchAt } from '../http/outgoing/outgoing-client.js';
import { sha256Of } from '../sha256.js';
import { elementsIn, textIn } from './s3-answers.js';
import { S3Failure } from './s3-failure.js';

const MOST_PARTS = 10_000;
const PART_MS = 600_000;

/** How long a call may take, and how often it is made. */
export interface S3Patience {
  callMs: number;
  /** Waits after answers of 500 and above, and of 429. */
  busyMs: readonly number[];
  /** Waits after a connection that failed. */
  againMs: readonly number[];
}

/** Nobody waits for it but a job or an operator. */
const OF_JOBS: S3Patience = {
  callMs: 60_000,
  busyMs: [50, 100, 200, 400],
  againMs: [500, 2000],
};

interface Asked {
  query?: URLSearchParams;
  body?: Buffer;
  headers?: Record<string, string>;
  /** Null: however long it takes. */
  ms?: number | null;
}

export interface Upload {
  id: string;
  key: string;
}

/** A bucket by the S3 API, as far as backups and files need it. */
export class S3Bucket {
  private constructor(
    private readonly config: S3Config,
    private readonly signer: AwsClient,
    private readonly fetch: typeof globalThis.fetch,
    private readonly patience: S3Patience,
  ) {}

  static async open(config: S3Config, patience: S3Patience = OF_JOBS): Promise<S3Bucket> {
    const { AwsClient: Client } = await import('aws4fetch');
    const { keyId: accessKeyId, secret: secretAccessKey, region } = config;
    const signer = new Client({ accessKeyId, secretAccessKey, region, service: 's3' });
    const fetch = fetchAt(config.endpoint);
    return new S3Bucket(config, signer, fetch, patience);
  }

  /** @throws S3Failure */
  async list(prefix: string): Promise<StoredObject[]> {
    const found: StoredObject[] = [];
    for await (const page of this.pages(prefix)) found.push(...page);
    return found;
  }

  /** In the order of their keys. @throws S3Failure */
  async *pages(prefix: string): AsyncGenerator<StoredObject[]> {
    let more: string | undefined;
    do {
      const query = new URLSearchParams({ 'list-type': '2', prefix });
      if (more) query.set('continuation-token', more);
      const xml = await (await this.ask('GET', '', { query })).text();
      yield elementsIn(xml, 'Contents').map(({ Key = '', Size, ETag, LastModified = '' }) => ({
        key: Key,
        bytes: Number(Size),
        etag: plain(ETag),
        at: new Date(LastModified),
      }));
      more = textIn(xml, 'NextContinuationToken');
    } while (more);
  }

  /** Stores a small object whole. The signature is over its SHA-256, by which the store takes it. @throws S3Failure */
  async putWhole(key: string, body: Buffer): Promise<void> {
    const md5 = createHash('md5').update(body).digest();
    const headers = { 'content-md5': md5.toString('base64') };
    const answer = await this.ask('PUT', key, { body, headers });
    await answer.body?.cancel();
    if (isOther(answer, md5)) throw changed(key);
  }

  /**
   * Reads a small object whole, within the time of one call.
   * @throws S3Failure, and AnswerTooLong for one that is larger
   */
  async getWhole(key: string, limitBytes: number): Promise<Buffer> {
    const answer = await this.ask('GET', key);
    try {
      if (Number(answer.headers.get('content-length')) > limitBytes) {
        await answer.body?.cancel();
        throw new AnswerTooLong();
      }
      return await readLimited(answer, limitBytes);
    } catch (error) {
      throw error instanceof AnswerTooLong ? error : S3Failure.noAnswer(this.config, error);
    }
  }

  /**
   * Stores all of a stream, a part at a time, each with its digests. Until its end there is no object;
   * what was begun is thrown away when it fails.
   * @throws S3Failure, or the failure of the stream
   */
  async put(key: string, content: AsyncIterable<Uint8Array>): Promise<StoredObject> {
    const query = new URLSearchParams({ uploads: '' });
    const id = textIn(await (await this.ask('POST', key, { query })).text(), 'UploadId') ?? '';
    try {
      return await this.putParts(key, id, content);
    } catch (error) {
      await this.abort({ id, key }).catch(() => undefined);
      throw error;
    }
  }

  private async putParts(
    key: string,
    id: string,
    content: AsyncIterable<Uint8Array>,
  ): Promise<StoredObject> {
    const digest = new ObjectDigest();
    const etags: string[] = [];
    for await (const part of partsOfUpload(content)) {
      const number = etags.length + 1;
      if (number > MOST_PARTS) throw new Error(`${key} is larger than ${MOST_PARTS} parts`);
      const md5 = digest.add(part);
      const query = new URLSearchParams({ partNumber: String(number), uploadId: id });
      const headers = { 'content-md5': md5.toString('base64') };
      const answer = await this.ask('PUT', key, { query, body: part, headers, ms: PART_MS });
      const etag = plain(answer.headers.get('etag'));
      await answer.body?.cancel();
      if (isOther(answer, md5)) throw changed(key);
      etags.push(etag);
    }
    const list = etags.map(
      (etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>"${etag}"</ETag></Part>`,
    );
    const body = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`);
    const query = new URLSearchParams({ uploadId: id });
    const xml = await (await this.ask('POST', key, { query, body, ms: PART_MS })).text();
    // It begins to answer before it knows.
    const code = textIn(xml, 'Code');
    if (code) throw this.failure(200, code, textIn(xml, 'Message'));
    const stored = (await this.list(key)).find((one) => one.key === key);
    if (stored && digest.isOf(stored)) return stored;
    await this.delete(key);
    throw changed(key);
  }

  /** @throws S3Failure */
  async get(key: string): Promise<ReadableStream<Uint8Array>> {
    const { body } = await this.ask('GET', key, { ms: null });
    if (!body) throw new Error(`${key} has no content`);
    return body;
  }

  async delete(key: string): Promise<void> {
    await (await this.ask('DELETE', key)).body?.cancel();
  }

  /** Those that nobody has ended, such as of a process that was killed. */
  async begun(prefix: string): Promise<(Upload & { at: Date })[]> {
    const query = new URLSearchParams({ uploads: '', prefix });
    const xml = await (await this.ask('GET', '', { query })).text();
    return elementsIn(xml, 'Upload').map(({ UploadId = '', Key = '', Initiated = '' }) => ({
      id: UploadId,
      key: Key,
      at: new Date(Initiated),
    }));
  }

  async abort({ id, key }: Upload): Promise<void> {
    const query = new URLSearchParams({ uploadId: id });
    await (await this.ask('DELETE', key, { query })).body?.cancel();
  }

  private async ask(
    method: string,
    key: string,
    { query, body, headers, ms = this.patience.callMs }: Asked = {},
  ): Promise<Response> {
    const { endpoint, bucket } = this.config;
    const path = key.split('/').map(encodeURIComponent).join('/');
    const url = `${endpoint}/${bucket}${key && `/${path}`}${query ? `?${query}` : ''}`;
    const init = {
      method,
      headers: { ...headers, 'x-amz-content-sha256': sha256Of(body ?? '') },
      ...(body && {
        body: new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.length),
      }),
    };
    for (let tried = 0; ; tried += 1) {
      const answer = await this.askOnce(url, init, ms).catch(async (error: unknown) => {
        const wait = this.patience.againMs[tried];
        if (wait === undefined) throw S3Failure.noAnswer(this.config, error);
        await sleep(wait);
      });
      if (!answer) continue;
      if (answer.ok) return answer;
      const wait = this.patience.busyMs[tried];
      const { status } = answer;
      if (wait === undefined || (status < 500 && status !== 429)) {
        const xml = await answer.text().catch(() => '');
        throw this.failure(status, textIn(xml, 'Code'), textIn(xml, 'Message'));
      }
      await answer.body?.cancel();
      await sleep(wait);
    }
  }

  private async askOnce(url: string, init: RequestInit, ms: number | null): Promise<Response> {
    const signal = ms === null ? null : AbortSignal.timeout(ms);
    return this.fetch(await this.signer.sign(url, { ...init, signal }));
  }

  private failure(status: number, code?: string, message?: string): S3Failure {
    return S3Failure.of(this.config, status, code, message);
  }
}

const plain = (etag: string | null | undefined) => (etag ?? '').replaceAll('"', '');
/** Encrypted once more by a key of the provider, its digest is another one. */
const isOther = ({ headers }: Response, md5: Buffer) =>
  !headers.get('x-amz-server-side-encryption')?.startsWith('aws:') &&
  plain(headers.get('etag')) !== md5.toString('hex');

const changed = (key: string) =>
  new Error(`${key} was changed on its way to the store, and is not kept; try again`);
