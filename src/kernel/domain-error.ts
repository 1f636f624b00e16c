/**
 * The kinds of failures, as a closed set. `platform/http` maps each kind to one HTTP status;
 * nothing below it knows HTTP.
 *
 * - `malformed`: the request is not well formed, in the words of its protocol
 * - `unauthenticated`: nobody knows the caller
 * - `invalid`: the request is well formed but its meaning is wrong
 * - `not_found`: there is no such thing for this caller
 * - `conflict`: the state of the thing, or a race, forbids it now
 * - `stale`: the caller decided on an older version of the thing
 * - `forbidden`: the caller may not do this
 * - `unavailable`: cannot be decided now, try again
 */
export type DomainErrorKind =
  | 'malformed'
  | 'unauthenticated'
  | 'invalid'
  | 'not_found'
  | 'conflict'
  | 'forbidden'
  | 'stale'
  | 'unavailable';

/** One wrong field. `pointer` is a JSON Pointer (RFC 6901) into the request body. */
export interface FieldError {
  pointer: string;
  code: string;
  message: string;
}

/** Facts beside the sentence: they become members of the problem document, so keep them public. */
export type ErrorContext = Record<string, string | number | boolean | null>;

export class DomainError extends Error {
  override readonly name = 'DomainError';

  /**
   * @param code stable snake_case code, part of the public contract
   * @param detail a sentence for the caller that says what to do
   */
  constructor(
    readonly kind: DomainErrorKind,
    readonly code: string,
    readonly detail: string,
    readonly context: ErrorContext = {},
    readonly errors: readonly FieldError[] = [],
  ) {
    super(`${code}: ${detail}`);
  }

  /** This one and the next are for providers that an installation adds; we throw a `DomainRefusal`. */
  static conflict(code: string, detail: string, context: ErrorContext = {}) {
    return new DomainError('conflict', code, detail, context);
  }

  static unavailable(code: string, detail: string, retryAfterSeconds = 1) {
    return new DomainError('unavailable', code, detail, { retry_after: retryAfterSeconds });
  }
}

/** It passes without anybody mending something: a lock, a limit, a connection. */
export const isPassing = ({ kind, context }: DomainError): boolean =>
  kind === 'unavailable' || 'retry_after' in context;
