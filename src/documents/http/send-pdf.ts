import { create as contentDisposition } from 'content-disposition';
import type { Request, Response } from 'express';
import type { StoredPdf } from '../application/document-pdfs.service.js';
import { FlagParameter } from '../../platform/http/validation/standard-fields.js';
import { sendStored } from './send-stored.js';

export class PdfQuery {
  @FlagParameter({
    optional: true,
    description: 'The PDF of its issue, without a mark of what became of it since.',
  })
  as_issued?: boolean;
}

/** The header with the file name, as RFC 6266 and RFC 8187 want it. */
export function sendPdf(request: Request, response: Response, stored: StoredPdf): void {
  response.set({
    'Content-Type': 'application/pdf',
    'Content-Disposition': contentDisposition(stored.fileName, { type: 'inline' }),
  });
  sendStored(request, response, stored.pdf, stored.sha256.toString('hex'));
}
