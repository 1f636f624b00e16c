import { create as contentDisposition } from 'content-disposition';
import type { Request, Response } from 'express';
import type { StoredPdf } from '../application/document-pdfs.service.js';

/** RFC 6266 and RFC 8187 file name, strong ETag, 304 on a match; Express answers HEAD by it too. */
export function sendPdf(request: Request, response: Response, stored: StoredPdf): void {
  response.set({
    'Content-Type': 'application/pdf',
    'Content-Disposition': contentDisposition(stored.fileName, { type: 'inline' }),
    'Cache-Control': 'private, no-store',
    ETag: `"${stored.sha256.toString('hex')}"`,
  });
  // Answered here and not by `request.fresh`, which never matches what must not be stored.
  if (matches(request.headers['if-none-match'], String(response.getHeader('ETag')))) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Length', stored.pdf.length);
  response.end(request.method === 'HEAD' ? undefined : stored.pdf);
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = new Set(ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, '')));
  return tags.has('*') || tags.has(etag);
}
