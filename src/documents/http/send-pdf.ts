import { z } from 'zod';
import { queryShape } from '../../platform/http/validation/shapes.js';
import { create as contentDisposition } from 'content-disposition';
import type { Request, Response } from 'express';
import type { StoredPdf } from '../application/document-pdfs.service.js';
import { flagParameter } from '../../platform/http/validation/standard-fields.js';
import { sendStored } from './send-stored.js';

export const PdfQuery = queryShape({
  as_issued: flagParameter({
    optional: true,
    description: 'The PDF of its issue, without a mark of what became of it since.',
  }),
});
export type PdfQuery = z.output<typeof PdfQuery>;

/** The header with the file name, as RFC 6266 and RFC 8187 want it. */
export function sendPdf(request: Request, response: Response, stored: StoredPdf): void {
  response.set({
    'Content-Type': 'application/pdf',
    'Content-Disposition': contentDisposition(stored.fileName, { type: 'inline' }),
  });
  sendStored(request, response, stored.pdf, stored.sha256.toString('hex'));
}
