import { ApiProperty } from '@nestjs/swagger';
import { uuidOf } from '../../kernel/ids.js';
import { isEmailAddress } from '../../kernel/mailbox.js';
import { OneOf, Paragraph } from '../../platform/http/validation/fields.js';
import { ListOf } from '../../platform/http/validation/list-fields.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { CountedEnds, CountedQuery } from '../../platform/http/paging.js';
import { IdParameter } from '../../platform/http/validation/standard-fields.js';
import {
  SENDABLE_KINDS,
  type SendableKind,
  type SendRequest,
} from '../application/messages.service.js';
import { MESSAGE_KINDS, MESSAGE_STATUSES, type MessageStatus } from '../domain/message.js';
import type { MessageFilter } from '../infrastructure/messages.query.js';

const MOST_RECIPIENTS = 10;
nameWords({ MessageStatus: MESSAGE_STATUSES, MessageKind: MESSAGE_KINDS });

export class SendDocumentRequest {
  @OneOf(SENDABLE_KINDS, {
    optional: true,
    description:
      'The document itself, a receipt for what is paid, or a reminder of what is due. Default: `document`.',
  })
  kind?: SendableKind;

  @ListOf(
    {
      code: 'invalid_email',
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
  )
  to?: string[];

  @Paragraph({ max: 2000, optional: true, description: 'Your own words, above the details.' })
  note?: string;
}

export function toSendRequest({ kind, to, note }: SendDocumentRequest): SendRequest {
  return { kind: kind ?? 'document', to: to ?? [], note: note ?? null };
}

export class ListMessagesQuery extends CountedQuery {
  @IdParameter('doc')
  document_id?: string;

  @OneOf(MESSAGE_STATUSES, { optional: true })
  status?: MessageStatus;
}

export function toMessageFilter({ document_id, status }: ListMessagesQuery): MessageFilter {
  return {
    documentId: document_id === undefined ? undefined : uuidOf('doc', document_id),
    status,
  };
}

export class MessageBody {
  @ApiProperty({ example: 'msg_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty({ type: String, nullable: true, example: 'doc_01h455vb4pex5vsknk084sn02q' })
  document_id!: string | null;
  @ApiProperty({ enum: MESSAGE_KINDS }) kind!: string;
  @ApiProperty({ type: [String] }) to!: string[];
  @ApiProperty({ type: String, nullable: true }) note!: string | null;
  @ApiProperty({ enum: MESSAGE_STATUSES, description: '`sent`: the mail server has taken it.' })
  status!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why it waits, failed or was canceled: a code, or the words of the mail server.',
  })
  reason!: string | null;
  @ApiProperty({ type: 'integer' }) attempts!: number;
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  next_attempt_at!: string | null;
  @ApiProperty({ format: 'date-time' }) created_at!: string;
  @ApiProperty({ type: String, nullable: true, format: 'date-time' }) sent_at!: string | null;
}

export class MessageList extends CountedEnds {
  @ApiProperty({ type: [MessageBody] }) data!: MessageBody[];
}
