import { create as contentDisposition } from 'content-disposition';
import type { Request, Response } from 'express';
import { sendStored } from '../../documents/index.js';
import type { EInvoiceFile } from '../application/e-invoices.service.js';

export function sendXml(request: Request, response: Response, file: EInvoiceFile): void {
  send(request, response, file, { type: 'application/xml', disposition: 'attachment' });
}

export function sendHybrid(request: Request, response: Response, file: EInvoiceFile): void {
  send(request, response, file, { type: 'application/pdf', disposition: 'inline' });
}

function send(
  request: Request,
  response: Response,
  { fileName, bytes, sha256 }: EInvoiceFile,
  { type, disposition }: { type: string; disposition: 'attachment' | 'inline' },
): void {
  response.set({
    'Content-Type': type,
    'Content-Disposition': contentDisposition(fileName, { type: disposition }),
  });
  sendStored(request, response, bytes, sha256.toString('hex'));
}
