import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { documentId, DocumentRefusal } from '../../documents/index.js';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { NoFields } from '../../platform/http/validation/shapes.js';
import { pageById } from '../../platform/http/paging.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Post } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { MessageRetries } from '../application/message-retries.service.js';
import { Messages } from '../application/messages.service.js';
import {
  presentMessage,
  ListMessagesQuery,
  MessageBody,
  MessageList,
  SendDocumentRequest,
  toMessageFilter,
  toSendRequest,
} from '../wire/message.js';
import { MessagesQuery } from '../infrastructure/messages.query.js';
import { MailRefusal } from '../domain/refusals.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

@ApiTags('mail')
@Controller('v1/finance')
export class MessagesController {
  constructor(
    private readonly messages: Messages,
    private readonly retries: MessageRetries,
    private readonly query: MessagesQuery,
  ) {}

  @Post('documents/:id/send', 'documents:write', {
    summary: 'Send a document by e-mail',
    description:
      'A message in the language of the document, with a link to its page and the PDF. It waits in a queue; `status` tells what became of it.',
    example: { to: ['accounts@globex.example'], note: 'Thank you for your order.' },
    creates: MessageBody,
    at: 'finance/messages/{id}',
    problems: [
      DocumentRefusal.document_not_found,
      DocumentRefusal.document_not_issued,
      DocumentRefusal.customer_erased,
      MailRefusal.document_not_sendable,
      MailRefusal.recipient_required,
      MailRefusal.reminders_refused,
      MailRefusal.too_many_messages,
      MailRefusal.mail_not_configured,
      FieldRefusal.invalid_email,
    ],
  })
  async sendDocument(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: SendDocumentRequest }) body: SendDocumentRequest,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentMessage, (guard) =>
      this.messages.send(byClient(caller), documentId(id), toSendRequest(body), guard),
    );
  }

  @Get('messages', 'documents:read', {
    summary: 'List messages, newest first',
    description:
      'Of all documents, or of one; those that wait, were sent, or failed. A message without a document is a statement of account, or tells the seller of something of its own.',
    answers: MessageList,
  })
  async listMessages(
    @CallerOf() { accountId }: Caller,
    @Query({ schema: ListMessagesQuery }) asked: ListMessagesQuery,
  ) {
    const filter = toMessageFilter(asked);
    return pageById({ list: 'messages', filter }, asked, {
      rows: async (after, count) => this.query.list(accountId, filter, after, count),
      present: presentMessage,
      total: async (most) => this.query.count(accountId, filter, most),
    });
  }

  @Get('messages/:id', 'documents:read', {
    summary: 'Read a message',
    description: 'With what became of it, and when it is tried again.',
    answers: MessageBody,
    problems: [MailRefusal.message_not_found],
  })
  async getMessage(@CallerOf() { accountId }: Caller, @Param('id') id: string) {
    return presentMessage(await this.query.find(accountId, messageId(id)));
  }

  @Post('messages/:id/retry', 'documents:write', {
    summary: 'Send a message again that failed or was canceled',
    description: 'It is tried from the beginning. One that was sent is refused: send another.',
    answers: MessageBody,
    problems: [
      MailRefusal.message_not_found,
      MailRefusal.message_not_failed,
      MailRefusal.too_many_messages,
      MailRefusal.mail_not_configured,
    ],
  })
  async retryMessage(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentMessage, (guard) =>
      this.retries.retry(byClient(caller), messageId(id), guard),
    );
  }
}

function messageId(text: string): Uuid {
  const id = uuidOf('msg', text);
  if (!id) throw MailRefusal.message_not_found.of();
  return id;
}
