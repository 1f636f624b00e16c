/** One wrong field of a body, or one parameter of a query. */
export interface WrongField {
  /** A JSON Pointer into the body as it was sent; of a query, the parameter after a slash. */
  pointer: string;
  code: string;
  message: string;
}

/** A refusal as the service sends it, by RFC 9457. */
export interface RefusalBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: string;
  request_id: string;
  /** Only if the operator records traces. */
  trace_id?: string;
  errors?: WrongField[];
  [field: string]: unknown;
}

/** The service answered that it will not do it. `QuittanceError` is this with the codes of the API. */
export class RefusedCall extends Error {
  readonly status: number;
  /** Stable: branch on it. */
  readonly code: string;
  /** All wrong fields at once; empty where no field is to blame. */
  readonly errors: WrongField[];
  /** To tell the operator. */
  readonly requestId: string;
  /** All that was answered, such as `document_status`, or `version` of a stale `ifMatch`. */
  readonly problem: RefusalBody;

  constructor(problem: RefusalBody) {
    const { errors = [] } = problem;
    const fields = errors.map(({ pointer, message }) => `\n  ${pointer}: ${message}`);
    super(`${problem.detail} (${problem.code})${fields.join('')}`);
    this.name = 'QuittanceError';
    this.status = problem.status;
    this.code = problem.code;
    this.errors = errors;
    this.requestId = problem.request_id;
    this.problem = problem;
  }
}

/**
 * No answer of the service came: the connection was lost, a try took too long, or something between
 * answered in its place. A call that changes something may have been done.
 */
export class QuittanceConnectionError extends Error {
  override readonly name = 'QuittanceConnectionError';

  constructor(
    message: string,
    /** Of an answer that is not the service's own. */
    readonly status?: number,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** Reads a refusal. @returns undefined for the answer of something else, such as a proxy's page */
export function refusalIn(text: string): RefusalBody | undefined {
  try {
    const body = JSON.parse(text) as RefusalBody | null;
    return typeof body?.code === 'string' && typeof body.detail === 'string' ? body : undefined;
  } catch {
    return undefined;
  }
}
