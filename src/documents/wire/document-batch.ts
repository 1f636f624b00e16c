import { z } from 'zod';
import type { Problem } from '../../platform/http/problem.js';
import { DocumentBody } from './document-body.js';
import { answerShape, boundedList, requestShape } from '../../platform/http/validation/shapes.js';
import { field } from '../../platform/http/validation/fields.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

/** Documents in one call. */
export const MOST_IN_BATCH = 100;

export const CreateDocumentsRequest = requestShape('CreateDocumentsRequest', {
  /** Each is judged by itself: one that is wrong does not keep the others out. */
  documents: unjudgedList('CreateDocumentRequest', MOST_IN_BATCH),
});
export type CreateDocumentsRequest = z.output<typeof CreateDocumentsRequest>;

export const BatchResultBody = answerShape('BatchResultBody', {
  status: z
    .number()
    .meta({ type: 'integer', description: 'As `POST /v1/finance/documents` answers it.' }),
  document: DocumentBody.optional(),
  problem: z
    .custom<Problem>()
    .optional()
    .meta({
      allOf: [{ $ref: '#/components/schemas/Problem' }],
      description: 'Why it was not made. Pointers begin with `/documents/` and its place.',
    }),
});
export type BatchResultBody = z.output<typeof BatchResultBody>;

export const BatchResultsBody = answerShape('BatchResultsBody', {
  results: z.array(BatchResultBody).describe('In the order of the request.'),
});
export type BatchResultsBody = z.output<typeof BatchResultsBody>;

/** A list of which only the number of items is judged; each item is judged by itself later. */
function unjudgedList(itemName: string, max: number): z.ZodType<unknown[]> {
  const list = boundedList(() => z.unknown(), { max });
  const items = { $ref: `#/components/schemas/${itemName}` };
  return field(
    z.lazy(() => list),
    [FieldRefusal.invalid_list, FieldRefusal.too_few_items, FieldRefusal.too_many_items],
    { minItems: 1, maxItems: max, items },
    {},
  );
}
