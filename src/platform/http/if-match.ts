import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { ExpectedVersions } from '../../kernel/versions.js';
import { fromHeader } from './route.js';
import { RequestRefusal } from './request-refusals.js';

const TAG = /(?:W\/)?"[!#-~\x80-\xff]*"/g;
/** A list of entity tags. RFC 9110 5.6.1 lets empty items pass. */
const TAGS =
  /^[ \t,]*(?:W\/)?"[!#-~\x80-\xff]*"(?:[ \t]*,[ \t,]*(?:W\/)?"[!#-~\x80-\xff]*")*[ \t,]*$/;
const VERSION = /^"([1-9]\d{0,9})"$/;

/**
 * The versions that `If-Match` allows (RFC 9110 13.1.1); our tags are `"<version>"`. Null without
 * the header, and for `*`. Weak tags, and tags that are not ours, match nothing.
 */
export function ifMatch({ headers }: Pick<Request, 'headers'>): ExpectedVersions {
  const header = headers['if-match']?.trim();
  if (header === undefined || header === '*') return null;
  if (!TAGS.test(header)) {
    throw RequestRefusal.invalid_if_match.of(
      'If-Match must be * or the ETag that was read, with its quotes, such as "3".',
    );
  }
  const tags = header.match(TAG) ?? [];
  return tags.flatMap((tag) => VERSION.exec(tag)?.[1] ?? []).map(Number);
}

const Read = createParamDecorator(
  (read: (request: Request) => unknown, context: ExecutionContext) =>
    read(context.switchToHttp().getRequest<Request>()),
);

const HEADER = {
  name: 'If-Match',
  required: false,
  description:
    'The `ETag` that was read. If there is a later version, the answer is 412 and nothing ' +
    'is changed.',
  schema: { type: 'string', example: '"3"' },
} as const;

/** The versions that the request's `If-Match` allows, or what `read` makes of it. */
export const IfMatch = (read: (request: Request) => unknown = ifMatch) =>
  fromHeader(HEADER, Read(read));
