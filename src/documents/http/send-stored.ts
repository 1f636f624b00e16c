import type { Request, Response } from 'express';

/** The entity tags in a condition; null without one. No tag of ours has a comma. */
export function tagsOf(condition: string | undefined): string[] | null {
  return condition === undefined ? null : condition.split(',').map((tag) => tag.trim());
}

/**
 * Sends bytes that never change, with a strong ETag and 304 on a match. HEAD comes here, too. The
 * caller sets the content type before.
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
  // `request.fresh` would not do: it never matches an answer that must not be stored.
  const tags = tagsOf(request.headers['if-none-match']) ?? [];
  if (tags.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Length', bytes.length);
  response.end(request.method === 'HEAD' ? undefined : bytes);
}
