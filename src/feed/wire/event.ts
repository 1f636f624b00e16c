import { z } from 'zod';
import { ActorBody } from '../../documents/index.js';
import { type PastEvent, positionIn } from '../../events/index.js';
import { publicId } from '../../kernel/ids.js';
import { nameWebhooks } from '../../platform/http/openapi/webhooks.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { PageEnds, PageQuery } from '../../platform/http/paging.js';
import { answerShape, queryShape, some } from '../../platform/http/validation/shapes.js';
import { instantText } from '../../platform/http/validation/date-fields.js';
import { wholeNumber } from '../../platform/http/validation/fields.js';
import { idParameter, parameter, someOf } from '../../platform/http/validation/standard-fields.js';
import { matching } from '../../platform/http/validation/text-fields.js';
import { FeedRefusal } from '../domain/feed-refusals.js';
import { EVENT_TYPES, EVENTS, scopeOf, TYPES_TO_ASK_FOR } from './event-types.js';

nameWords({ EventType: EVENT_TYPES, EventTypeFilter: TYPES_TO_ASK_FOR });

export const EventBody = answerShape('EventBody', {
  id: z.string().meta({ example: 'evt_01h455vb4pex5vsknk084sn02q' }),
  type: z.string().meta({ enum: [...EVENT_TYPES], example: 'document.paid' }),
  account_id: z.string().meta({ example: 'acc_01h455vb4pex5vsknk084sn02q' }),
  api_version: z.string().meta({ enum: ['v1'] }),
  occurred_at: z.string().meta({ format: 'date-time' }),
  actor: ActorBody.nullable().describe('null before it was recorded.'),
  document_id: z.string().nullable().describe('The document in whose history it is, if it is.'),
  sequence: z
    .number()
    .nullable()
    .meta({ type: 'integer', description: 'Its place in that history, from 1 without a gap.' }),
  data: z.custom<object>().meta({
    type: 'object',
    additionalProperties: true,
    description:
      'What it is about, as it was then, and what changed; by type, as docs/events.md lists them. `document` and `previous_status` are there with the scope documents:read.',
  }),
});
export type EventBody = z.output<typeof EventBody>;

const IN_HISTORY = { document_id: 'doc_01h455vb4pex5vsknk084sn02q', sequence: 3 };

nameWebhooks(
  EventBody,
  Object.fromEntries(
    Object.entries(EVENTS).map(([type, told]) => {
      const isInHistory = told.data.shape['document'] instanceof z.ZodObject;
      return [type, { ...told, scope: scopeOf(type)!, around: isInHistory ? IN_HISTORY : {} }];
    }),
  ),
);

export const EventPage = answerShape('EventPage', {
  ...PageEnds.shape,
  next_cursor: z
    .string()
    .nullable()
    .describe('The `cursor` of the next page; of an answer to `after`, the next `after`, always.'),
  data: z.array(EventBody),
});
export type EventPage = z.output<typeof EventPage>;

const LONGEST_WAIT_SECONDS = 25;

export const ListEventsQuery = queryShape({
  ...PageQuery.shape,
  after: matching(
    {
      refusal: FeedRefusal.invalid_position,
      test: (text) => ['beginning', 'now'].includes(text) || positionIn(text) !== undefined,
      message: FeedRefusal.invalid_position.example,
    },
    {
      optional: true,
      example: 'beginning',
      description:
        'For programs: events behind this place, oldest first, in the order of their commits. `beginning`, `now`, or the `next_cursor` of the answer before, which never misses one.',
    },
  ),
  wait: parameter(
    (value) => (/^\d{1,2}$/.test(value) ? Number(value) : value),
    wholeNumber({
      min: 0,
      max: LONGEST_WAIT_SECONDS,
      optional: true,
      description: 'With `after`: as many seconds to wait for an event, if there is none.',
    }),
  ),
  types: someOf(TYPES_TO_ASK_FOR, {
    description: 'Types, or all of a subject: `document.*`. Default: all that your scopes read.',
  }),
  document: idParameter('doc', { description: 'Events of this document, and of mail about it.' }),
  customer: idParameter('cus', {
    description: 'Events of this customer, of its documents and money.',
  }),
  payment: idParameter('pay', { description: 'Events of this payment.' }),
  from: instantText({ optional: true }),
  to: instantText({ optional: true, description: 'Only events before this instant.' }),
});
export type ListEventsQuery = z.output<typeof ListEventsQuery>;

export const FollowEventsQuery = queryShape(
  some(ListEventsQuery.shape, ['after', 'types', 'document', 'customer', 'payment']),
);
export type FollowEventsQuery = z.output<typeof FollowEventsQuery>;

/** @param readsDocuments whether the caller may see documents in events of money */
export function presentEvent(event: PastEvent, readsDocuments: boolean): EventBody {
  const { document: _, previous_status: __, ...ofMoney } = event.data as Record<string, unknown>;
  return {
    id: publicId('evt', event.id),
    type: event.type,
    account_id: publicId('acc', event.accountId),
    api_version: 'v1',
    occurred_at: event.occurredAt.toISOString(),
    actor: event.actor,
    document_id: event.documentId && publicId('doc', event.documentId),
    sequence: event.sequence,
    data: readsDocuments ? event.data : ofMoney,
  };
}
