import { z } from 'zod';
import { CustomerBody } from './customer.js';
import { answerShape, queryShape } from '../../platform/http/validation/shapes.js';
import type { PageEnds } from '../../platform/http/paging.js';
import { someOf } from '../../platform/http/validation/standard-fields.js';
import { nameWords } from '../../platform/http/openapi/words.js';

export const EXPANSIONS = ['customer', 'payments', 'messages'] as const;

export type Expansion = (typeof EXPANSIONS)[number];

nameWords({ Expansion: EXPANSIONS });

export const expand = () =>
  someOf(EXPANSIONS, {
    description: 'Adds things beside a document to it, as `expanded`. Payments need payments:read.',
    example: ['customer'],
  });

/** The query of one document. */
export const ReadDocumentQuery = queryShape({
  expand: expand(),
});
export type ReadDocumentQuery = z.output<typeof ReadDocumentQuery>;

/** The newest payments or messages of a document; a list of their own has all of them. */
export interface SomeOfThem extends PageEnds {
  data: object[];
}

/** Things beside a document, as they are now. */
export const ExpandedBody = answerShape('ExpandedBody', {
  customer: CustomerBody.optional().describe(
    'The customer as it is now; `customer` is the copy that the document has.',
  ),
  payments: z
    .custom<SomeOfThem>()
    .optional()
    .meta({
      allOf: [{ $ref: '#/components/schemas/PaymentList' }],
      description: 'The newest 10 payments. If `has_more`, `GET .../{id}/payments` has all.',
    }),
  messages: z
    .custom<SomeOfThem>()
    .optional()
    .meta({
      allOf: [{ $ref: '#/components/schemas/MessageList' }],
      description: 'The newest 10 messages by e-mail. `GET /v1/finance/messages` has all.',
    }),
});
export type ExpandedBody = z.output<typeof ExpandedBody>;
