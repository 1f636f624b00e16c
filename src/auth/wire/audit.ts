import { z } from 'zod';
import { answerShape, queryShape } from '../../platform/http/validation/shapes.js';
import { publicId } from '../../kernel/ids.js';
import { instantText } from '../../platform/http/validation/date-fields.js';
import { matching, shortText } from '../../platform/http/validation/text-fields.js';
import { countedPage, listQuery } from '../../platform/http/paging.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { isNetwork } from '../domain/network.js';
import { AUDIT_ACTOR_TYPES, type AuditEntry } from '../infrastructure/audit.query.js';
import { AuthRefusal } from '../domain/auth-refusals.js';

export const ListAuditQuery = queryShape({
  ...listQuery(() => AuditEntryBody).shape,
  action: matching(
    {
      refusal: AuthRefusal.invalid_action,
      test: (text) => /^[a-z_-]{1,40}(\.[a-z_-]{1,40}){0,3}(\.\*)?$/.test(text),
      message: 'must be an action such as client.created, or client.* for all that begin so',
    },
    { optional: true, example: 'client.*' },
  ),
  actor: shortText({
    max: 255,
    optional: true,
    description: 'Id of a client, or name of an operator.',
  }),
  subject: shortText({
    max: 255,
    optional: true,
    description: 'The id or name of what was changed.',
  }),
  address: matching(
    {
      refusal: FieldRefusal.invalid_network,
      test: isNetwork,
      message: 'must be an IP address or a network such as 192.0.2.0/24',
    },
    {
      example: '192.0.2.0/24',
      optional: true,
      description: 'The address or network that the calls came from.',
    },
  ),
  from: instantText({ optional: true }),
  to: instantText({ optional: true, description: 'Only entries before this instant.' }),
});
export type ListAuditQuery = z.output<typeof ListAuditQuery>;

const AuditActorBody = answerShape('AuditActorBody', {
  type: z.string().meta({ enum: AUDIT_ACTOR_TYPES }),
  id: z.string().nullable(),
});
type AuditActorBody = z.output<typeof AuditActorBody>;

const FIELDS = z.custom<object>().meta({ type: 'object', additionalProperties: true });

export const AuditEntryBody = answerShape('AuditEntryBody', {
  id: z.string().meta({ example: 'aud_01h455vb4pex5vsknk084sn02q' }),
  action: z.string().meta({ example: 'seller.updated' }),
  subject: z.string().nullable().describe('The id or name of what was changed.'),
  actor: z.lazy(() => AuditActorBody).describe('Its type is `none` for a refused call.'),
  address: z.string().nullable().meta({ example: '192.0.2.17' }),
  request_id: z.string().nullable(),
  before: FIELDS.nullable().describe('The fields that changed, with their values before.'),
  after: FIELDS.nullable().describe('The fields that changed, with their values after.'),
  occurrences: z.number().meta({
    type: 'integer',
    description: 'Equal refusals of one minute share an entry; this is their number.',
  }),
  occurred_at: z.string().meta({ format: 'date-time' }),
});
export type AuditEntryBody = z.output<typeof AuditEntryBody>;

export const AuditPage = countedPage('AuditPage', AuditEntryBody);
export type AuditPage = z.output<typeof AuditPage>;

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
