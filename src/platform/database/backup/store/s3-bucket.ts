import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AwsClient } from 'aws4fetch';
import type { BackupStoreConfig } from '../../../config/backup-store-config.js';
import { elementsIn, textIn } from './s3-answers.js';
import { S3Failure } from './s3-failure.js';

/** Of 10,000 at most: 160 GB. Two of them are in memory. */
const PART_BYTES = 16_777_216;
const MOST_PARTS = 10_000;
const CALL_MS = 60_000;
const PART_MS = 600_000;
/** Waits after a connection that failed; answers of 500 and above are tried again by the client. */
const AGAIN_MS = [500, 2000];
const RETRIES = 4;

export interface StoredObject {
  key: string;
  bytes: number;
  etag: string;
}

export interface Upload {
  id: string;
  key: string;
}

/** A bucket by the S3 API, as far as backups need it. */
export class S3Bucket {
  private constructor(
    private readonly config: BackupStoreConfig,
    private readonly client: AwsClient,
  ) {}

  static async open(config: BackupStoreConfig): Promise<S3Bucket> {
    const { AwsClient: Client } = await import('aws4fetch');
    const { keyId: accessKeyId, secret: secretAccessKey, region } = config;
    const service = 's3';
    return new S3Bucket(
      config,
      new Client({ accessKeyId, secretAccessKey, region, service, retries: RETRIES }),
    );
  }

  /** @throws S3Failure */
  async list(prefix: string): Promise<StoredObject[]> {
    const found: StoredObject[] = [];
    let more: string | undefined;
    do {
      const query = new URLSearchParams({ 'list-type': '2', prefix });
      if (more) query.set('continuation-token', more);
      const xml = await (await this.ask('GET', '', { query })).text();
      for (const { Key = '', Size, ETag } of elementsIn(xml, 'Contents'))
        found.push({ key: Key, bytes: Number(Size), etag: plain(ETag) });
      more = textIn(xml, 'NextContinuationToken');
    } while (more);
    return found;
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
      // Encrypted once more by a key of the provider, its digest is another one.
      const isPlain = !answer.headers.get('x-amz-server-side-encryption')?.startsWith('aws:');
      if (isPlain && etag !== md5.toString('hex')) throw changed(key);
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
    {
      query,
      body,
      headers,
      ms = CALL_MS,
    }: {
      query?: URLSearchParams;
      body?: Buffer;
      headers?: Record<string, string>;
      ms?: number | null;
    } = {},
  ): Promise<Response> {
    const { endpoint, bucket } = this.config;
    const path = key.split('/').map(encodeURIComponent).join('/');
    const url = `${endpoint}/${bucket}${key && `/${path}`}${query ? `?${query}` : ''}`;
    const sha256 = createHash('sha256').update(body ?? '');
    const init = {
      method,
      headers: { ...headers, 'x-amz-content-sha256': sha256.digest('hex') },
      ...(body && {
        body: new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.length),
      }),
    };
    for (let tried = 0; ; tried += 1) {
      try {
        const signal = ms === null ? undefined : AbortSignal.timeout(ms);
        const answer = await this.client.fetch(url, { ...init, ...(signal && { signal }) });
        if (answer.ok) return answer;
        const xml = await answer.text();
        throw this.failure(answer.status, textIn(xml, 'Code'), textIn(xml, 'Message'));
      } catch (error) {
        if (error instanceof S3Failure) throw error;
        const wait = AGAIN_MS[tried];
        if (wait === undefined) throw S3Failure.noAnswer(endpoint, error);
        await sleep(wait);
      }
    }
  }

  private failure(status: number, code?: string, message?: string): S3Failure {
    return S3Failure.of(this.config, status, code, message);
  }
}

const plain = (etag: string | null | undefined) => (etag ?? '').replaceAll('"', '');
const changed = (key: string) =>
  new Error(`${key} was changed on its way to the store, and is not kept; try again`);

/** The digests that stores tell of an object that was stored in parts. */
export class ObjectDigest {
  private readonly whole = createHash('md5');
  private readonly parts: Buffer[] = [];
  private bytes = 0;

  /** @returns the MD5 of the part */
  add(part: Uint8Array): Buffer {
    const md5 = createHash('md5').update(part).digest();
    this.parts.push(md5);
    this.whole.update(part);
    this.bytes += part.length;
    return md5;
  }

  /** Another form is of a store that encrypts once more: there the length alone is compared. */
  isOf({ bytes, etag }: Pick<StoredObject, 'bytes' | 'etag'>): boolean {
    if (bytes !== this.bytes) return false;
    const [, count] = /^[0-9a-f]{32}(-\d+)?$/.exec(etag) ?? [etag, 'other'];
    if (count === 'other') return true;
    if (count === undefined) return etag === this.whole.copy().digest('hex');
    const ofParts = createHash('md5').update(Buffer.concat(this.parts)).digest('hex');
    return etag === `${ofParts}-${this.parts.length}`;
  }
}

/** Pieces of one size, but for the last; at least one. */
export async function* partsOfUpload(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let part = Buffer.allocUnsafe(PART_BYTES);
  let filled = 0;
  let count = 0;
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length;) {
      const taken = chunk.subarray(at, at + PART_BYTES - filled);
      part.set(taken, filled);
      filled += taken.length;
      at += taken.length;
      if (filled < PART_BYTES) continue;
      yield part;
      count += 1;
      part = Buffer.allocUnsafe(PART_BYTES);
      filled = 0;
    }
  }
  if (filled > 0 || count === 0) yield part.subarray(0, filled);
}
