import { STATUS_CODES } from 'node:http';
import { excerpt } from './excerpt.js';
import { DomainError, type DomainErrorKind, type FieldError } from '../../kernel/domain-error.js';
import { byCode, type DomainRefusal } from '../../kernel/domain-refusal.js';

/** RFC 9457 problem details, with a stable `code` and every wrong field at once. */
export interface Problem extends Partial<Record<string, unknown>> {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: string;
  request_id: string;
  /** Only if the operator records traces. */
  trace_id?: string;
  errors?: readonly FieldError[];
  /** There are more wrong fields than are listed. */
  errors_truncated?: true;
}

/** The most errors of one answer, and the most bytes of the whole answer: 64 KB. */
export const MOST_ERRORS = 100;
const LARGEST_ERRORS_BYTES = 49_152;
const LONGEST_TEXT = 1000;

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** An error that only HTTP knows, such as a wrong media type or a missing route. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';

  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    readonly headers: Readonly<Record<string, string>> = {},
    /** Members beside the standard ones, such as RFC 6749's `error`. */
    readonly members: Readonly<Record<string, unknown>> = {},
  ) {
    super(`${status} ${code}`);
  }
}

/** A refusal that only HTTP knows. */
export class HttpRefusal {
  constructor(
    readonly code: string,
    readonly status: number,
    readonly example: string,
  ) {}

  of(
    detail = this.example,
    headers?: Readonly<Record<string, string>>,
    members?: Readonly<Record<string, unknown>>,
  ): HttpProblem {
    return new HttpProblem(this.status, this.code, detail, headers, members);
  }

  /** Its sentence as it stands, and headers beside it. */
  with(headers: Readonly<Record<string, string>>): HttpProblem {
    return this.of(this.example, headers);
  }

  field(pointer: string, message: string): FieldError {
    return { pointer, code: this.code, message };
  }
}

/** Examples by code, by status. */
export function httpRefusals<const Of extends Record<number, Readonly<Record<string, string>>>>(
  told: Of,
) {
  return byCode(told, (code, status, example) => new HttpRefusal(code, Number(status), example));
}

/** The only table of statuses by kind. */
const STATUS_OF_KIND: Record<DomainErrorKind, number> = {
  malformed: 400,
  unauthenticated: 401,
  invalid: 422,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  stale: 412,
  unavailable: 503,
};

export type AnyRefusal = DomainRefusal | HttpRefusal;

export const statusOfRefusal = (refusal: AnyRefusal): number =>
  'kind' in refusal ? STATUS_OF_KIND[refusal.kind] : refusal.status;

interface ProblemAnswer {
  status: number;
  headers: Record<string, string>;
  problem: Problem;
}

/** The request, as a problem names it. */
export interface NamedRequest {
  id: string;
  traceId?: string | undefined;
}

/** The answer to an error that the service knows. A bug has none. */
export function answerTo(
  error: unknown,
  request: NamedRequest,
  instance: string,
): ProblemAnswer | undefined {
  if (error instanceof DomainError) {
    const { retry_after: retryAfter, ...context } = error.context;
    return {
      status: STATUS_OF_KIND[error.kind],
      headers: retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) },
      problem: problem(STATUS_OF_KIND[error.kind], error, request, instance, {
        ...context,
        ...(error.errors.length > 0 && { errors: error.errors }),
      }),
    };
  }
  if (error instanceof HttpProblem) {
    return {
      status: error.status,
      headers: { ...error.headers },
      problem: problem(error.status, error, request, instance, error.members),
    };
  }
  return undefined;
}

/** The first errors, with none that is too long to be sent back. */
function listed(errors: readonly FieldError[]): Pick<Problem, 'errors' | 'errors_truncated'> {
  const shown: FieldError[] = [];
  let bytes = 0;
  for (const { pointer, code, message } of errors) {
    const error = {
      pointer: excerpt(pointer, LONGEST_TEXT),
      code,
      message: excerpt(message, LONGEST_TEXT),
    };
    bytes += Buffer.byteLength(JSON.stringify(error));
    if (shown.length === MOST_ERRORS || bytes > LARGEST_ERRORS_BYTES) {
      return { errors: shown, errors_truncated: true };
    }
    shown.push(error);
  }
  return { errors: shown };
}

/** Names of statuses that no RFC has. GoCardless wants 498, which Esri named. */
const OTHER_TITLES = new Map([[498, 'Invalid Token']]);

export function problem(
  status: number,
  { code, detail }: { code: string; detail: string },
  { id, traceId }: NamedRequest,
  instance: string,
  { errors, ...members }: Readonly<Record<string, unknown>> = {},
): Problem {
  return {
    type: `urn:quittance:problem:${code}`,
    title: STATUS_CODES[status] ?? OTHER_TITLES.get(status) ?? 'Error',
    status,
    detail: excerpt(detail, LONGEST_TEXT),
    instance: excerpt(instance, LONGEST_TEXT),
    code,
    request_id: id,
    ...(traceId !== undefined && { trace_id: traceId }),
    ...members,
    ...(errors !== undefined && listed(errors as FieldError[])),
  };
}
