import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BackupStoreConfig } from '../../../config/backup-store-config.js';
import { keptOf } from '../../../config/kept-plan.js';
import { instantOf, stampOf } from '../backup-stamp.js';
import { decrypted, encrypted } from './age-streams.js';
import { ObjectDigest, partsOfUpload } from '../../../s3/object-parts.js';
import { S3Bucket } from '../../../s3/s3-bucket.js';
import { S3Failure } from '../../../s3/s3-failure.js';

/** `quittance-20261126T050000Z.backup.age`; a dump is of a server of the operator. */
const NAME = /^quittance-(\d{8}T\d{6}Z)\.(backup|dump)\.age$/;
const DAY_MS = 86_400_000;

export type StoredKind = 'backup' | 'dump';

export interface StoredBackup {
  name: string;
  kind: StoredKind;
  at: Date;
  bytes: number;
  etag: string;
}

/** Encrypted backups in S3-compatible storage. */
export class BackupStore {
  private constructor(
    private readonly config: BackupStoreConfig,
    private readonly bucket: S3Bucket,
  ) {}

  static async open(config: BackupStoreConfig): Promise<BackupStore> {
    return new BackupStore(config, await S3Bucket.open(config));
  }

  /** Newest first. Other objects are not ours. */
  async list(): Promise<StoredBackup[]> {
    const { prefix } = this.config;
    const found = await this.bucket.list(`${prefix}quittance-`);
    return found
      .flatMap(({ key, bytes, etag }) => {
        const name = key.slice(prefix.length);
        const told = toldBy(name);
        return told ? [{ name, bytes, etag, ...told }] : [];
      })
      .toSorted((one, other) => other.at.getTime() - one.at.getTime());
  }

  /** @throws if there is none */
  async find(name: string | undefined, kind?: StoredKind): Promise<StoredBackup> {
    const all = await this.list();
    const found = all.find((one) => (name ? one.name === name : !kind || one.kind === kind));
    if (found) return found;
    const { bucket, prefix } = this.config;
    throw new Error(
      `${name ?? 'a backup'} is not in s3://${bucket}/${prefix}; see \`backups list\``,
    );
  }

  /** Encrypts and stores; the name is there once all of it is. */
  async send(content: Readable, name: string): Promise<StoredBackup> {
    const { recipients, prefix } = this.config;
    const told = toldBy(name);
    if (!told) throw new Error(`${name} is no name of a backup`);
    if (recipients.length === 0) {
      throw new Error(
        'QUITTANCE_BACKUP_AGE_RECIPIENTS is missing: no backup leaves unencrypted; `backups key` makes a key',
      );
    }
    const { bytes, etag } = await this.bucket.put(
      prefix + name,
      await encrypted(content, recipients),
    );
    return { name, bytes, etag, ...told };
  }

  /** @throws with what is wrong, at the latest at its end */
  async read({ name }: StoredBackup, identities: readonly string[]): Promise<Readable> {
    return decrypted(await this.bucket.get(this.config.prefix + name), identities);
  }

  /** Reads all of it, and compares it with the digests of when it was stored. */
  async verify(of: StoredBackup): Promise<{ isSame: boolean; sha256: string }> {
    const content = await this.bucket.get(this.config.prefix + of.name);
    const sha256 = createHash('sha256');
    const digest = new ObjectDigest();
    for await (const part of partsOfUpload(Readable.fromWeb(content as never))) {
      sha256.update(part);
      digest.add(part);
    }
    return { isSame: digest.isOf(of), sha256: sha256.digest('hex') };
  }

  /**
   * Deletes what the plan does not keep, each kind by itself, and what was begun and never ended.
   * @returns names that the store keeps although they may go, such as by an object lock
   */
  async prune(now: Date): Promise<{ deleted: string[]; locked: string[] }> {
    const { prefix, kept } = this.config;
    const all = await this.list();
    const [backups, dumps] = ['backup', 'dump'].map((kind) =>
      all.filter((one) => one.kind === kind),
    );
    const staying = new Set([...keptOf(backups ?? [], kept), ...keptOf(dumps ?? [], kept)]);
    const deleted: string[] = [];
    const locked: string[] = [];
    for (const one of all) {
      if (staying.has(one)) continue;
      const isGone = await this.deleted(one);
      (isGone ? deleted : locked).push(one.name);
    }
    for (const upload of await this.begun()) {
      const isOurs = toldBy(upload.key.slice(prefix.length)) !== undefined;
      if (isOurs && now.getTime() - upload.at.getTime() > DAY_MS) await this.bucket.abort(upload);
    }
    return { deleted, locked };
  }

  /** Some stores have no such list, and forget uploads by themselves. */
  private async begun() {
    try {
      return await this.bucket.begun(`${this.config.prefix}quittance-`);
    } catch (error) {
      if (error instanceof S3Failure && (error.status === 501 || error.isRefusal)) return [];
      throw error;
    }
  }

  private async deleted({ name }: StoredBackup): Promise<boolean> {
    try {
      await this.bucket.delete(this.config.prefix + name);
      return true;
    } catch (error) {
      if (error instanceof S3Failure && error.isRefusal) return false;
      throw error;
    }
  }
}

/** `quittance-20261126T050000Z.dump.age` */
export function storedName(at: Date, kind: StoredKind): string {
  return `quittance-${stampOf(at)}.${kind}.age`;
}

function toldBy(name: string): { kind: StoredKind; at: Date } | undefined {
  const [, stamp, kind] = NAME.exec(name) ?? [];
  const at = instantOf(stamp);
  return at && { kind: kind as StoredKind, at };
}
