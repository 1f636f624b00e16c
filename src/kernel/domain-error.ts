/**
 * The kinds of failures, as a closed set. `platform/http` maps each kind to one HTTP status;
 * nothing below it knows HTTP.
 *
 * - `invalid`: the request is well formed but its meaning is wrong
 * - `not_found`: there is no such thing for this caller
 * - `conflict`: the state of the thing, or a race, forbids it now
 * - `stale`: the caller decided on an older version of the thing
 * - `forbidden`: the caller may not do this
 * - `unavailable`: cannot be decided now, try again
 */
export type DomainErrorKind =
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

  static invalid(code: string, pointer: string, detail: string, context: ErrorContext = {}) {
    return new DomainError('invalid', code, detail, context, [{ pointer, code, message: detail }]);
  }

  /**
   * Of at least one wrong field: a single one keeps its code, several are `validation_failed`.
   * @param isCut there are more than these
   */
  static invalidFields(fields: readonly FieldError[], isCut = false): DomainError {
    const [only] = fields;
    if (fields.length === 1 && only) {
      return new DomainError('invalid', only.code, only.message, {}, fields);
    }
    const detail = isCut
      ? `More than ${fields.length} fields are wrong; errors lists the first of them.`
      : `${fields.length} fields are wrong; errors lists each of them.`;
    const context: ErrorContext = isCut ? { errors_truncated: true } : {};
    return new DomainError('invalid', 'validation_failed', detail, context, fields);
  }

  static notFound(code: string, detail: string) {
    return new DomainError('not_found', code, detail);
  }

  static conflict(code: string, detail: string, context: ErrorContext = {}) {
    return new DomainError('conflict', code, detail, context);
  }

  static stale(detail: string, context: ErrorContext = {}) {
    return new DomainError('stale', 'version_mismatch', detail, context);
  }

  static unavailable(code: string, detail: string, retryAfterSeconds = 1) {
    return new DomainError('unavailable', code, detail, { retry_after: retryAfterSeconds });
  }
}
