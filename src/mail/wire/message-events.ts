import { z } from 'zod';
import type { DataOf } from '../../events/index.js';
import { publicId } from '../../kernel/ids.js';
import { count, publicIdOf } from '../../platform/http/validation/answer-fields.js';
import { type Message, MESSAGE_STATUSES } from '../domain/message.js';

const step = z
  .object({
    message: z
      .object({
        id: publicIdOf('msg'),
        document_id: publicIdOf('doc').nullable(),
        kind: z.string().meta({ example: 'document' }),
        status: z.enum(MESSAGE_STATUSES),
        attempts: count,
      })
      .meta({
        id: 'Message',
        description:
          'No address and no words, as events are kept for ever: `GET /v1/finance/messages/{id}` has them.',
      }),
  })
  .meta({ id: 'MessageStep' });

const messageAs = (status: string): object => ({ message: { status } });

/** The events about messages by e-mail. */
export const MESSAGE_EVENTS = {
  'message.sent': {
    when: 'The mail server has taken a message.',
    data: step,
    example: messageAs('sent'),
  },
  'message.failed': {
    when: 'A message was given up: it has no address, or the mail server did not take it.',
    data: step,
    example: messageAs('failed'),
  },
  'message.canceled': {
    when: 'A message had nothing to say any more when its time came.',
    data: step,
    example: messageAs('canceled'),
  },
};

declare module '../../events/domain/event.js' {
  interface EventData extends DataOf<typeof MESSAGE_EVENTS> {}
}

export function messageStep({ id, documentId, kind, status, attempts }: Message) {
  return {
    message: {
      id: publicId('msg', id),
      document_id: documentId && publicId('doc', documentId),
      kind,
      status,
      attempts,
    },
  };
}
