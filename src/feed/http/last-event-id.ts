import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { ApiRequest } from '../../platform/http/request.js';
import { fromHeader } from '../../platform/http/route.js';

const HEADER = {
  name: 'Last-Event-ID',
  required: false,
  description:
    'The `id` of the last event that was read, as a client sends it that connects anew. It counts before `after`.',
  schema: { type: 'string' },
} as const;

const Read = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { headers } = context.switchToHttp().getRequest<ApiRequest>();
  const last = headers['last-event-id'];
  // A client that has read none may send an empty one.
  return typeof last === 'string' && last !== '' ? last : undefined;
});

/** The place of a client that connects anew. */
export const LastEventId = () => fromHeader(HEADER, Read());
