import { Injectable } from '@nestjs/common';
import { CommonRefusal } from '../../kernel/common-refusals.js';
import { publicId } from '../../kernel/ids.js';
import { Config } from '../config/config.js';
import { Log } from '../observability/log.js';
import { Metrics } from '../observability/metrics.js';
import { tracing } from '../tracing/tracing.js';
import { FileObjects, type FileName } from './file-objects.js';

/** Larger ones stay in the database, and larger objects are not ours. */
export const LARGEST_FILE_BYTES = 67_108_864;
const AGAIN_SECONDS = 10;
/** Somebody has to mend it first. */
const MENDED_SECONDS = 3600;
const CLIENT = { isClient: true };
const NOT_CONFIGURED =
  'the bytes of a file are in a store, and none is configured: set QUITTANCE_FILES_TO';

/** A row with bytes: its digest, and the bytes unless the store has them. */
export interface KeptFile extends FileName {
  content: Buffer | null;
}

/**
 * The one way to bytes of PDFs and attachments: in their row, or in an object store (decision 302).
 * Nobody calls it within a transaction.
 */
@Injectable()
export class FileStore {
  private opened: Promise<FileObjects> | undefined;
  private pausedUntil = 0;
  /** A store that did not take a file is not asked again at once. */
  pauseMs = 10_000;

  constructor(
    private readonly config: Config,
    private readonly log: Log,
    private readonly metrics: Metrics,
  ) {}

  /** Files are written to a store, unless it does not take them. */
  get isElsewhere(): boolean {
    return this.config.files !== null && !this.config.readOnly;
  }

  /**
   * Puts the bytes into the store, before the transaction that writes their row.
   * @returns what the row keeps: null once the store has them. A store that is away keeps nobody
   *   from writing: then the row has the bytes, until they are moved.
   */
  async keep({ accountId, sha256 }: FileName, content: Buffer): Promise<Buffer | null> {
    const isSmall = content.length <= LARGEST_FILE_BYTES;
    if (!this.isElsewhere || !isSmall || performance.now() < this.pausedUntil) return content;
    try {
      await this.called('put', async (store) => store.put({ accountId, sha256 }, content));
      return null;
    } catch (error) {
      this.pausedUntil = performance.now() + this.pauseMs;
      this.log.warn(
        { error, account_id: publicId('acc', accountId) },
        'the store did not take a file: its bytes are in the database until `files move`',
      );
      return content;
    }
  }

  /**
   * The bytes of a row, proved by their SHA-256 where they come from the store.
   * @param limitBytes of what may be read of it
   * @throws DomainError `file_store_unavailable`, `file_unreadable`
   */
  async bytesOf(
    { accountId, sha256, content }: KeptFile,
    limitBytes = LARGEST_FILE_BYTES,
  ): Promise<Buffer> {
    if (content) return content;
    if (!this.config.files) {
      this.log.error({ sha256 }, NOT_CONFIGURED);
      throw CommonRefusal.file_store_unavailable.later(AGAIN_SECONDS);
    }
    const found = await this.called('get', async (store) =>
      store.get({ accountId, sha256 }, limitBytes),
    ).catch((error: unknown) => {
      this.log.warn({ error, sha256 }, 'the store did not give a file');
      throw CommonRefusal.file_store_unavailable.later(AGAIN_SECONDS);
    });
    if (typeof found !== 'string') return found;
    this.metrics.countUnreadableFile(found);
    this.log.error(
      { account_id: publicId('acc', accountId), sha256, found },
      'a file of the store is not as its row says: see docs/files.md#a-file-that-is-gone',
    );
    throw CommonRefusal.file_unreadable.later(MENDED_SECONDS);
  }

  private async called<Result>(
    call: 'put' | 'get',
    work: (store: FileObjects) => Promise<Result>,
  ): Promise<Result> {
    const begun = performance.now();
    let outcome: 'done' | 'failed' = 'failed';
    try {
      return await tracing.span(
        `file store ${call}`,
        {},
        async () => {
          const result = await work(await this.open());
          outcome = 'done';
          return result;
        },
        CLIENT,
      );
    } finally {
      this.metrics.observeFileCall(call, outcome, (performance.now() - begun) / 1000);
    }
  }

  private async open(): Promise<FileObjects> {
    const { files } = this.config;
    if (!files) throw new Error(NOT_CONFIGURED);
    this.opened ??= FileObjects.forCallers(files);
    return this.opened;
  }
}
