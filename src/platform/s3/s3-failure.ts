import type { S3Config } from '../config/s3-config.js';

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

  static of(config: S3Config, status: number, code = String(status), said = ''): S3Failure {
    const text = remedy(code, config) ?? (said || 'it says no more');
    return new S3Failure(status, code, `${config.endpoint} answers ${code} (${status}): ${text}`);
  }

  static noAnswer({ endpoint, variables }: S3Config, cause: unknown): S3Failure {
    const { cause: inner, message } = cause as Error & { cause?: Error };
    const why = inner?.message || message;
    const text = `${endpoint} does not answer (${why}): see ${variables.endpoint}`;
    return new S3Failure(0, 'no_answer', text, { cause });
  }

  /** The bucket answers, and has no such object: a proxy's 404 says nothing of it. */
  get isAbsence(): boolean {
    return this.code === 'NoSuchKey';
  }

  /** The store keeps an object for a time, or this key may not delete. */
  get isRefusal(): boolean {
    return this.status === 403 || this.code === 'AccessDenied' || this.code === 'ObjectLocked';
  }
}

function remedy(code: string, { bucket, variables }: S3Config): string | undefined {
  const keys = `${variables.keyId} and ${variables.secret}`;
  switch (code) {
    case 'NoSuchBucket':
      return `make the bucket ${bucket}, or name another one in ${variables.to}`;
    case 'NoSuchKey':
      return `there is no such object in the place of ${variables.to}`;
    case 'InvalidAccessKeyId':
    case 'SignatureDoesNotMatch':
      return `the keys are wrong: see ${keys}, and ${variables.region}`;
    case 'AccessDenied':
      return `the key may not do that in ${bucket}: see ${keys}`;
    default:
      return undefined;
  }
}
