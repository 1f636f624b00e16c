import { ApiProperty } from '@nestjs/swagger';
import { publicId } from '../../kernel/ids.js';
import { InstantText, Matching, Text } from '../../platform/http/validation/fields.js';
import { CountedEnds, CountedQuery } from '../../platform/http/paging.js';
import { NetworkText } from '../../platform/http/validation/standard-fields.js';
import { AUDIT_ACTOR_TYPES, type AuditEntry } from '../infrastructure/audit.query.js';

export class ListAuditQuery extends CountedQuery {
  @Matching(
    {
      code: 'invalid_action',
      test: (text) => /^[a-z_-]{1,40}(\.[a-z_-]{1,40}){0,3}(\.\*)?$/.test(text),
      message: 'must be an action such as client.created, or client.* for all that begin so',
    },
    { optional: true, example: 'client.*' },
  )
  action?: string;

  @Text({ max: 255, optional: true, description: 'Id of a client, or name of an operator.' })
  actor?: string;

  @Text({ max: 255, optional: true, description: 'The id or name of what was changed.' })
  subject?: string;

  @NetworkText({ optional: true, description: 'The address or network that the calls came from.' })
  address?: string;

  @InstantText({ optional: true })
  from?: string;

  @InstantText({ optional: true, description: 'Only entries before this instant.' })
  to?: string;
}

class AuditActorBody {
  @ApiProperty({ enum: AUDIT_ACTOR_TYPES }) type!: string;
  @ApiProperty({ type: String, nullable: true }) id!: string | null;
}

const FIELDS = { type: 'object', additionalProperties: true, nullable: true } as const;

export class AuditEntryBody {
  @ApiProperty({ example: 'aud_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty({ example: 'seller.updated' }) action!: string;
  @ApiProperty({ type: String, nullable: true, description: 'The id or name of what was changed.' })
  subject!: string | null;
  @ApiProperty({ type: AuditActorBody, description: 'Its type is `none` for a refused call.' })
  actor!: AuditActorBody;
  @ApiProperty({ type: String, nullable: true, example: '192.0.2.17' }) address!: string | null;
  @ApiProperty({ type: String, nullable: true }) request_id!: string | null;
  @ApiProperty({ ...FIELDS, description: 'The fields that changed, with their values before.' })
  before!: object | null;
  @ApiProperty({ ...FIELDS, description: 'The fields that changed, with their values after.' })
  after!: object | null;
  @ApiProperty({
    type: 'integer',
    description: 'Equal refusals of one minute share an entry; this is their number.',
  })
  occurrences!: number;
  @ApiProperty({ format: 'date-time' }) occurred_at!: string;
}

export class AuditPage extends CountedEnds {
  @ApiProperty({ type: [AuditEntryBody] }) data!: AuditEntryBody[];
}

export function presentAuditEntry(entry: AuditEntry): AuditEntryBody {
  return {
    id: publicId('aud', entry.id),
    action: entry.action,
    subject: entry.subject,
    actor: { type: entry.actorType, id: entry.actorId },
    address: entry.address,
    request_id: entry.requestId,
    before: entry.before,
    after: entry.after,
    occurrences: entry.occurrences,
    occurred_at: entry.occurredAt.toISOString(),
  };
}
