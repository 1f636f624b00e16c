import { domainRefusals } from '../../kernel/domain-refusal.js';
import type { FieldError } from '../../kernel/domain-error.js';
import { pointerStep } from './excerpt.js';
import { type HttpProblem, httpRefusals } from './problem.js';

/** Codes with another status at calls of providers, which do not send again what is answered 409. */
export const AT_WEBHOOKS: Readonly<Record<string, number>> = { document_busy: 503 };

/** Of the request itself, before any module sees it, and of the process that it reached. */
export const RequestRefusal = {
  ...httpRefusals({
    400: {
      malformed_json: 'The body is not well-formed JSON. Correct it and send it again.',
      duplicate_key: 'amount stands twice in one object; send it once.',
      body_too_complex:
        'The body has more than 1000 names, which is more than this call takes; send less at once.',
      malformed_path: 'The path is not valid percent-encoded UTF-8.',
      malformed_request: 'The request could not be read to its end.',
      invalid_query: 'limit must be a whole number from 1 to 100.',
      invalid_cursor: 'cursor is not one of ours; send next_cursor of the previous page unchanged.',
      invalid_if_match: 'If-Match must be * or the ETag that was read, such as "3".',
      unsupported_precondition: 'This call does not look at that precondition; leave it out.',
      invalid_idempotency_key: 'Idempotency-Key must be 1 to 255 printable ASCII characters.',
    },
    401: {
      missing_token: 'Send Authorization: Bearer <access token>; POST /v1/auth/token gives one.',
      invalid_token: 'The access token is wrong, expired or revoked; get a new one.',
    },
    403: {
      insufficient_scope: 'This call needs the scope payments:write; ask for a token that has it.',
      address_not_allowed: 'This client may not call from 203.0.113.7.',
    },
    404: {
      route_not_found: 'There is nothing at this path; /v1/openapi.json lists every route.',
    },
    405: {
      method_not_allowed: 'PUT is not possible here; this path takes GET, HEAD.',
    },
    408: {
      request_timeout: 'The request took too long to arrive; send it again.',
    },
    413: {
      body_too_large: 'The body is too large; send less at once.',
    },
    415: {
      unsupported_media_type: 'Send the body as JSON, with Content-Type: application/json.',
      unsupported_encoding: 'Compressed bodies are not read; send plain UTF-8.',
    },
    429: {
      rate_limited: 'Too many requests; wait 1 s and send it again.',
      too_many_failures:
        'Too many calls from this address failed; wait 3 s, then send a correct call.',
    },
    431: {
      headers_too_large: 'Path and headers are above 16 KB; send less in them.',
    },
    500: {
      internal_error: 'Something broke on our side; report the request_id to the operator.',
    },
    503: {
      metrics_unavailable: 'A process did not tell its metrics in time; ask again.',
      too_many_bodies: 'Too much is sent to this process at once; send it again in a second.',
    },
  }),
  ...domainRefusals({
    forbidden: {
      cross_site_request:
        'This came from a page of another site; open the link itself, and answer there.',
      route_closed: 'Nobody may call this route.',
    },
    invalid: {
      url_not_allowed: 'url must begin with https.',
    },
    unavailable: {
      export_busy: 'At most 2 exports of an account run at once; ask again in a moment.',
      starting: 'This process is starting; ask again.',
      draining: 'This process is stopping; ask another one.',
    },
  }),
};

/** Wrong parameters of a query; the pointer of each is its name after a slash. */
export function invalidQuery(errors: readonly FieldError[]): HttpProblem {
  const detail = errors.map(({ message }) => message).join(' ');
  return RequestRefusal.invalid_query.of(detail, {}, { errors });
}

/** One parameter that is wrong only together with the others. */
export function invalidParameter(name: string, message: string): HttpProblem {
  return invalidQuery([RequestRefusal.invalid_query.field(pointerStep(name), message)]);
}
