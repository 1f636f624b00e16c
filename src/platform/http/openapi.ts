import { applyDecorators } from '@nestjs/common';
import { ApiCreatedResponse, ApiHeader, ApiResponse } from '@nestjs/swagger';
import { problem } from './problem.js';

/** Codes by status, for the OpenAPI document: what a caller may branch on. */
const STATUS_OF_CODE: Record<string, number> = {
  invalid_request: 400,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_query: 400,
  invalid_cursor: 400,
  invalid_signature: 400,
  invalid_client: 401,
  document_not_found: 404,
  customer_not_found: 404,
  payment_not_found: 404,
  payment_link_not_found: 404,
  portal_link_not_found: 404,
  portal_token_not_found: 404,
  gateway_not_found: 404,
  sandbox_link_not_found: 404,
  document_not_payable: 409,
  document_not_draft: 409,
  document_not_voidable: 409,
  document_not_rejectable: 409,
  document_not_deletable: 409,
  document_has_no_number: 409,
  document_busy: 409,
  precondition_failed: 412,
  payment_link_not_open: 409,
  gateway_refused: 409,
  database_unavailable: 503,
  gateway_unavailable: 503,
  pdf_busy: 503,
};

/** Documents the refusals of a route, grouped by status, each with an example. Unknown: 422. */
export function ApiProblems(...codes: string[]) {
  const byStatus = new Map<number, string[]>();
  for (const code of codes) {
    const status = STATUS_OF_CODE[code] ?? 422;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return applyDecorators(
    ...[...byStatus].map(([status, group]) =>
      ApiResponse({
        status,
        description: group.join(', '),
        content: {
          'application/problem+json': {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: Object.fromEntries(
              group.map((code) => [code, { value: example(status, code) }]),
            ),
          },
        },
      }),
    ),
  );
}

function example(status: number, code: string) {
  const detail = 'A sentence that says what to do.';
  return problem(status, { code, detail }, '5f0c3e2e-7b0e-4f38-9d6f-2b8e4c1a9d10', '/v1/...');
}

/** 201 with a body of this class. */
export const ApiCreated = (type: new () => object) => ApiCreatedResponse({ type });

/** The optional `Idempotency-Key` of a write. */
export const ApiIdempotent = () =>
  applyDecorators(
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'The same key and body get the stored answer again, byte for byte, for 72 hours, with ' +
        '`Idempotency-Replayed: true`.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    }),
    ApiProblems('idempotency_key_reused'),
  );
