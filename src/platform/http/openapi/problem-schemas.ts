import { oauthErrorOf } from '../oauth-error.js';
import { PROBLEM_FACTS } from './problem-facts.js';
import { type AnyRefusal, problem, statusOfRefusal } from '../problem.js';

const CODE = { $ref: '#/components/schemas/ProblemCode' };

/** The form of every refusal (RFC 9457). */
const PROBLEM = {
  type: 'object',
  additionalProperties: true,
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'],
  properties: {
    type: { type: 'string', example: 'urn:quittance:problem:document_not_found' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'A sentence that says what to do.' },
    instance: { type: 'string' },
    code: { ...CODE, description: 'It is stable; programs branch on it.' },
    request_id: { type: 'string' },
    trace_id: {
      type: 'string',
      description: 'The trace of the request, where the operator records traces.',
    },
    errors: {
      type: 'array',
      description: 'All wrong fields, at most 100.',
      maxItems: 100,
      items: {
        type: 'object',
        required: ['pointer', 'code', 'message'],
        properties: {
          pointer: {
            type: 'string',
            description: 'A JSON Pointer into the body; for a query, its parameter after a slash.',
          },
          code: CODE,
          message: { type: 'string' },
        },
      },
    },
    errors_truncated: { const: true, description: 'More fields are wrong than are listed.' },
    ...PROBLEM_FACTS,
  },
};

export const problemSchemas = (refusals: readonly AnyRefusal[]) => ({
  ProblemCode: {
    type: 'string',
    description: 'Every code of a refusal. The operation lists those that it may answer.',
    enum: refusals.map(({ code }) => code).sort(),
  },
  Problem: PROBLEM,
  /** The same for the routes under `/v1/auth/`, whose callers are OAuth 2 clients (RFC 6749 5.2). */
  OAuthError: {
    ...PROBLEM,
    required: ['error', 'error_description', ...PROBLEM.required],
    properties: {
      error: {
        type: 'string',
        enum: [
          'invalid_request',
          'invalid_client',
          'invalid_grant',
          'invalid_scope',
          'unsupported_grant_type',
          'temporarily_unavailable',
          'server_error',
        ],
        description: 'The error code of RFC 6749.',
      },
      error_description: { type: 'string', description: 'A sentence that says what to do.' },
      ...PROBLEM.properties,
    },
  },
});

/** One refusal of each code, as the document shows it. */
export function problemExample(refusal: AnyRefusal, status = statusOfRefusal(refusal)) {
  const { code, example: detail } = refusal;
  return problem(
    status,
    { code, detail },
    { id: '5f0c3e2e-7b0e-4f38-9d6f-2b8e4c1a9d10' },
    '/v1/...',
  );
}

export function oauthExample(refusal: AnyRefusal) {
  const shown = problemExample(refusal);
  return { error: oauthErrorOf(shown), error_description: shown.detail, ...shown };
}
