import type { BackupStoreConfig } from '../../../config/backup-store-config.js';

const KEYS = 'QUITTANCE_BACKUP_S3_KEY_ID and QUITTANCE_BACKUP_S3_SECRET';

/** A no of the store, with what an operator does about it. */
export class S3Failure extends Error {
  private constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  static of(
    { bucket, endpoint }: BackupStoreConfig,
    status: number,
    code = String(status),
    said = '',
  ): S3Failure {
    const text = remedy(code, bucket) ?? (said || 'it says no more');
    return new S3Failure(status, code, `${endpoint} answers ${code} (${status}): ${text}`);
  }

  static noAnswer(endpoint: string, cause: unknown): S3Failure {
    const { cause: inner, message } = cause as Error & { cause?: Error };
    const why = inner?.message || message;
    const text = `${endpoint} does not answer (${why}): see QUITTANCE_BACKUP_S3_ENDPOINT`;
    return new S3Failure(0, 'no_answer', text, { cause });
  }

  /** The store keeps an object for a time, or this key may not delete. */
  get isRefusal(): boolean {
    return this.status === 403 || this.code === 'AccessDenied' || this.code === 'ObjectLocked';
  }
}

function remedy(code: string, bucket: string): string | undefined {
  switch (code) {
    case 'NoSuchBucket':
      return `make the bucket ${bucket}, or name another one in QUITTANCE_BACKUP_TO`;
    case 'NoSuchKey':
      return `there is no such backup; \`backups list\` has those that are`;
    case 'InvalidAccessKeyId':
    case 'SignatureDoesNotMatch':
      return `the keys are wrong: see ${KEYS}, and QUITTANCE_BACKUP_S3_REGION`;
    case 'AccessDenied':
      return `the key may not do that in ${bucket}: see ${KEYS}`;
    default:
      return undefined;
  }
}
