import { z } from 'zod';
import { publicId, uuidOf } from '../../kernel/ids.js';
import {
  type Message,
  MESSAGE_KINDS,
  MESSAGE_STATUSES,
  SENDABLE_KINDS,
  type SendableKind,
} from '../domain/message.js';
import { answerShape, queryShape, requestShape } from '../../platform/http/validation/shapes.js';
import { isEmailAddress } from '../../kernel/mailbox.js';
import { field, oneOf, passing } from '../../platform/http/validation/fields.js';
import { isExtensionKind } from '../domain/written-letter.js';
import { paragraph } from '../../platform/http/validation/text-fields.js';
import { listOf } from '../../platform/http/validation/list-fields.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { countedPage, listQuery } from '../../platform/http/paging.js';
import { idParameter } from '../../platform/http/validation/standard-fields.js';
import type { SendRequest } from '../application/messages.service.js';
import type { MessageFilter } from '../infrastructure/messages.query.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

const MOST_RECIPIENTS = 10;
nameWords({ MessageStatus: MESSAGE_STATUSES, MessageKind: MESSAGE_KINDS });

export const SendDocumentRequest = requestShape('SendDocumentRequest', {
  kind: field(
    passing<SendableKind>(
      FieldRefusal.not_in_list,
      (value) => isExtensionKind(value) || SENDABLE_KINDS.some((kind) => kind === value),
      `must be one of ${SENDABLE_KINDS.join(', ')}`,
    ),
    [FieldRefusal.not_in_list],
    { type: 'string', enum: [...SENDABLE_KINDS] },
    {
      optional: true,
      description:
        'The document itself, a receipt for what is paid, or a reminder of what is due. Default: `document`.',
    },
  ),
  to: listOf(
    {
      refusal: FieldRefusal.invalid_email,
      test: isEmailAddress,
      message: `must be a list of 1 to ${MOST_RECIPIENTS} e-mail addresses`,
      max: MOST_RECIPIENTS,
      item: { message: 'must be an e-mail address', schema: { maxLength: 254 } },
    },
    {
      optional: true,
      description: 'Default: the e-mail address of the customer on the document.',
      example: ['accounts@globex.example'],
    },
  ),
  note: paragraph({ max: 2000, optional: true, description: 'Your own words, above the details.' }),
});
export type SendDocumentRequest = z.output<typeof SendDocumentRequest>;

export function toSendRequest({ kind, to, note }: SendDocumentRequest): SendRequest {
  return { kind: kind ?? 'document', to: to ?? [], note: note ?? null };
}

export const ListMessagesQuery = queryShape({
  ...listQuery(() => MessageBody).shape,
  document_id: idParameter('doc'),
  status: oneOf(MESSAGE_STATUSES, { optional: true }),
});
export type ListMessagesQuery = z.output<typeof ListMessagesQuery>;

export function toMessageFilter({ document_id, status }: ListMessagesQuery): MessageFilter {
  return {
    documentId: document_id === undefined ? undefined : uuidOf('doc', document_id),
    status,
  };
}

export const MessageBody = answerShape('MessageBody', {
  id: z.string().meta({ example: 'msg_01h455vb4pex5vsknk084sn02q' }),
  document_id: z.string().nullable().meta({ example: 'doc_01h455vb4pex5vsknk084sn02q' }),
  kind: z.string().meta({ enum: MESSAGE_KINDS }),
  to: z.array(z.string()),
  note: z.string().nullable(),
  status: z
    .string()
    .meta({ enum: MESSAGE_STATUSES, description: '`sent`: the mail server has taken it.' }),
  reason: z
    .string()
    .nullable()
    .describe('Why it waits, failed or was canceled: a code, or the words of the mail server.'),
  attempts: z.number().meta({ type: 'integer' }),
  next_attempt_at: z.string().nullable().meta({ format: 'date-time' }),
  created_at: z.string().meta({ format: 'date-time' }),
  sent_at: z.string().nullable().meta({ format: 'date-time' }),
});
export type MessageBody = z.output<typeof MessageBody>;

export const MessageList = countedPage('MessageList', MessageBody);
export type MessageList = z.output<typeof MessageList>;

/** The public form of a message. */
export function presentMessage(message: Message): MessageBody {
  return {
    id: publicId('msg', message.id),
    document_id: message.documentId && publicId('doc', message.documentId),
    kind: message.kind,
    to: message.recipients,
    note: message.note,
    status: message.status,
    reason: message.reason,
    attempts: message.attempts,
    next_attempt_at: message.nextAttemptAt?.toISOString() ?? null,
    created_at: message.createdAt.toISOString(),
    sent_at: message.status === 'sent' ? (message.settledAt?.toISOString() ?? null) : null,
  };
}
