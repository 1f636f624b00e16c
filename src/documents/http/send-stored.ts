import type { Request, Response } from 'express';

/** The entity tags of a condition as they stand; null without one. None of ours has a comma. */
export function tagsOf(condition: string | undefined): string[] | null {
  return condition === undefined ? null : condition.split(',').map((tag) => tag.trim());
}

/**
 * Bytes that never change: strong ETag, 304 on a match; Express answers HEAD by it too. The type of
 * the content is set before.
 * @param sha256 hexadecimal
 */
export function sendStored(
  request: Request,
  response: Response,
  bytes: Buffer,
  sha256: string,
): void {
  const etag = `"${sha256}"`;
  response.set({ 'Cache-Control': 'private, no-store', ETag: etag });
  // Answered here and not by `request.fresh`, which never matches what must not be stored.
  const tags = tagsOf(request.headers['if-none-match']) ?? [];
  if (tags.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Length', bytes.length);
  response.end(request.method === 'HEAD' ? undefined : bytes);
}
