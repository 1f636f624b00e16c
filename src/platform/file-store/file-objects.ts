import type { Uuid } from '../../kernel/ids.js';
import type { S3Config } from '../config/s3-config.js';
import { AnswerTooLong } from '../http/outgoing/bounded-call.js';
import { S3Bucket, type S3Patience } from '../s3/s3-bucket.js';
import { S3Failure } from '../s3/s3-failure.js';
import { sha256Of } from '../sha256.js';

/** Somebody waits for it: a store that hangs is given up soon. */
const OF_CALLERS: S3Patience = { callMs: 8000, busyMs: [50], againMs: [] };
const KEY = /^files\/([0-9a-f-]{36})\/([0-9a-f]{64})$/;

/** An object is named by the bytes that it has; accounts share none. */
export interface FileName {
  accountId: Uuid;
  /** Hexadecimal. */
  sha256: string;
}

export interface StoredFile extends FileName {
  bytes: number;
  at: Date;
}

/** A fault of an object that a row names. */
export type FileDamage = 'missing' | 'changed';

/** Content-addressed objects: written once, and never another's bytes. */
export class FileObjects {
  private constructor(
    private readonly bucket: S3Bucket,
    private readonly config: S3Config,
  ) {}

  static async open(config: S3Config, patience?: S3Patience): Promise<FileObjects> {
    return new FileObjects(await S3Bucket.open(config, patience), config);
  }

  static async forCallers(config: S3Config): Promise<FileObjects> {
    return FileObjects.open(config, OF_CALLERS);
  }

  get place(): string {
    return `s3://${this.config.bucket}/${this.config.prefix}files/`;
  }

  /** @throws S3Failure, or Error where the store took other bytes */
  async put(name: FileName, content: Buffer): Promise<void> {
    await this.bucket.putWhole(this.keyOf(name), content);
  }

  /** The bytes of that name, or the reason why they are not there. @throws S3Failure */
  async get(name: FileName, limitBytes: number): Promise<Buffer | FileDamage> {
    try {
      const found = await this.bucket.getWhole(this.keyOf(name), limitBytes);
      return sha256Of(found) === name.sha256 ? found : 'changed';
    } catch (error) {
      if (error instanceof AnswerTooLong) return 'changed';
      if (error instanceof S3Failure && error.isAbsence) return 'missing';
      throw error;
    }
  }

  async delete(name: FileName): Promise<void> {
    await this.bucket.delete(this.keyOf(name));
  }

  /** In the order of accounts and digests; other objects are not ours. @throws S3Failure */
  async *pages(): AsyncGenerator<StoredFile[]> {
    for await (const page of this.bucket.pages(`${this.config.prefix}files/`)) {
      yield page.flatMap(({ key, bytes, at }) => {
        const [, accountId, sha256] = KEY.exec(key.slice(this.config.prefix.length)) ?? [];
        return accountId && sha256 ? [{ accountId: accountId as Uuid, sha256, bytes, at }] : [];
      });
    }
  }

  private keyOf({ accountId, sha256 }: FileName): string {
    return `${this.config.prefix}files/${accountId}/${sha256}`;
  }
}
