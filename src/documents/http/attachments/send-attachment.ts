import { create as contentDisposition } from 'content-disposition';
import type { Request, Response } from 'express';
import type { SentAttachment } from '../../application/attachments.service.js';
import { sendStored } from '../send-stored.js';

/** Of whatever somebody uploaded, nothing runs: it is saved, and a page of it may do nothing. */
const NO_RIGHTS = "default-src 'none'; sandbox";

export function sendAttachment(request: Request, response: Response, file: SentAttachment): void {
  response.set({
    'Content-Type': file.media_type,
    'Content-Disposition': contentDisposition(file.name, { type: 'attachment' }),
    'Content-Security-Policy': NO_RIGHTS,
  });
  sendStored(request, response, file.content, file.sha256);
}
