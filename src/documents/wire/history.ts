import { z } from 'zod';
import { answerShape } from '../../platform/http/validation/shapes.js';
import { WHOLE, wholeList } from '../../platform/http/paging.js';
import type { HistoryEvent } from '../../events/index.js';
import { ACTOR_TYPES } from '../../kernel/actor.js';
import { publicId } from '../../kernel/ids.js';
import { DocumentWarningBody } from './document-body.js';

export const ActorBody = answerShape('ActorBody', {
  type: z.string().meta({ enum: ACTOR_TYPES }),
  id: z.string().nullable(),
});
export type ActorBody = z.output<typeof ActorBody>;

const HistoryEntryBody = answerShape('HistoryEntryBody', {
  event_id: z.string().meta({ example: 'evt_01h455vb4pex5vsknk084sn02q' }),
  type: z.string().meta({ example: 'document.issued' }),
  sequence: z.number().describe('The place in the document’s history; 1 is the first.'),
  occurred_at: z.string().meta({ format: 'date-time' }),
  actor: ActorBody.nullable().describe('null before it was recorded.'),
  from: z.string().nullable().describe('The status before.'),
  to: z.string().nullable().describe('The status after.'),
  version: z.number().nullable().describe('The version after it.'),
  changes: z.custom<object[]>().meta({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'The fields that an edit changed, with their old and new values.',
  }),
  reason: z
    .string()
    .nullable()
    .describe('Why, where somebody said so: of a void, a write-off, a rejection, a reversal.'),
  warnings: z.array(DocumentWarningBody).describe('The warnings when it was issued.'),
});
type HistoryEntryBody = z.output<typeof HistoryEntryBody>;

export const HistoryBody = wholeList('HistoryBody', HistoryEntryBody);
export type HistoryBody = z.output<typeof HistoryBody>;

export function presentHistory(events: readonly HistoryEvent[]): HistoryBody {
  return {
    data: events.map((event) => {
      const { data } = event;
      const { document, previous_status: from } = 'document' in data ? data : {};
      return {
        event_id: publicId('evt', event.id),
        type: event.type,
        sequence: event.sequence,
        occurred_at: event.occurredAt.toISOString(),
        actor: event.actor,
        from: from ?? null,
        to: document?.status ?? null,
        version: document?.version ?? null,
        changes: 'changes' in data ? data.changes : [],
        reason: reasonIn(event),
        warnings: ('warnings' in data && data.warnings) || [],
      };
    }),
    ...WHOLE,
  };
}

/** The words of whoever did it. */
function reasonIn({ type, data }: HistoryEvent): string | null {
  if ('reason' in data && data.reason !== undefined) return data.reason;
  if (!type.endsWith('.rejected') || !('document' in data)) return null;
  return data.document?.rejection_reason ?? null;
}
