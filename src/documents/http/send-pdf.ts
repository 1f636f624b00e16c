import { create as contentDisposition } from 'content-disposition';
import type { Request, Response } from 'express';
import type { StoredPdf } from '../application/document-pdfs.service.js';
import { sendStored } from './send-stored.js';

/** The header with the file name, as RFC 6266 and RFC 8187 want it. */
export function sendPdf(request: Request, response: Response, stored: StoredPdf): void {
  response.set({
    'Content-Type': 'application/pdf',
    'Content-Disposition': contentDisposition(stored.fileName, { type: 'inline' }),
  });
  sendStored(request, response, stored.pdf, stored.sha256.toString('hex'));
}
