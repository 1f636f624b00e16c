import { ApiProperty } from '@nestjs/swagger';
import { PageEnds, WHOLE } from '../../platform/http/paging.js';
import type { PastEvent } from '../../events/index.js';
import { ACTOR_TYPES } from '../../kernel/actor.js';
import { publicId } from '../../kernel/ids.js';
import { DocumentWarningBody } from './document-body.dto.js';

const NULLABLE_TEXT = { type: String, nullable: true } as const;

class ActorBody {
  @ApiProperty({ enum: ACTOR_TYPES }) type!: string;
  @ApiProperty(NULLABLE_TEXT) id!: string | null;
}

class HistoryEntryBody {
  @ApiProperty({ example: 'evt_01h455vb4pex5vsknk084sn02q' }) event_id!: string;
  @ApiProperty({ example: 'document.issued' }) type!: string;
  @ApiProperty({ description: 'The place in the document’s history; 1 is the first.' })
  sequence!: number;
  @ApiProperty({ format: 'date-time' }) occurred_at!: string;
  @ApiProperty({ type: ActorBody, nullable: true, description: 'null before it was recorded.' })
  actor!: ActorBody | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'The status before.' }) from!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'The status after.' }) to!: string | null;
  @ApiProperty({ type: Number, nullable: true, description: 'The version after it.' })
  version!: number | null;
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'The fields that an edit changed, with their old and new values.',
  })
  changes!: object[];
  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Why, where somebody said so: of a void, a write-off, a rejection, a reversal.',
  })
  reason!: string | null;
  @ApiProperty({ type: [DocumentWarningBody], description: 'The warnings when it was issued.' })
  warnings!: DocumentWarningBody[];
}

export class HistoryBody extends PageEnds {
  @ApiProperty({ type: [HistoryEntryBody] }) data!: HistoryEntryBody[];
}

export function presentHistory(events: readonly PastEvent[]): HistoryBody {
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
function reasonIn({ type, data }: PastEvent): string | null {
  if ('reason' in data && data.reason !== undefined) return data.reason;
  if (!type.endsWith('.rejected') || !('document' in data)) return null;
  return data.document?.rejection_reason ?? null;
}
