import { Controller, Param, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CommonRefusal } from '../../kernel/common-refusals.js';
import { documentId, DocumentPdfs, DocumentRefusal, sendPdf } from '../../documents/index.js';
import { type ApiRequest, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get } from '../../platform/http/route.js';
import { EInvoices } from '../application/e-invoices.service.js';
import { EInvoiceRefusal } from '../domain/refusals.js';
import { PdfQuery, XmlQuery } from '../wire/document-files.js';
import { sendHybrid, sendXml } from './send-e-invoice.js';

/** A document as files for others: PDF, XML, and one in the other. */
@ApiTags('documents')
@Controller('v1/finance/documents')
export class DocumentFilesController {
  constructor(
    private readonly pdfs: DocumentPdfs,
    private readonly eInvoices: EInvoices,
  ) {}

  @Get(':id/pdf', 'documents:read', {
    summary: 'Download the document as PDF',
    description:
      'It is made when it is first asked for, and keeps its bytes from then on. Copies of drafts are marked on each page, and so are those of what is void, replaced, rejected, invoiced or paid. They do not say how to pay. With `profile=factur-x` it is the PDF of the issue with the e-invoice in it.',
    answers: { binary: ['application/pdf'] },
    problems: [
      DocumentRefusal.document_not_found,
      DocumentRefusal.pdf_busy,
      EInvoiceRefusal.no_e_invoice,
      CommonRefusal.file_store_unavailable,
      CommonRefusal.file_unreadable,
    ],
  })
  async getDocumentPdf(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Query({ schema: PdfQuery }) { as_issued: asIssued, profile }: PdfQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    if (profile === undefined) {
      sendPdf(request, response, await this.pdfs.get(caller.accountId, documentId(id), asIssued));
    } else {
      const hybrid = await this.eInvoices.hybrid(caller.accountId, documentId(id));
      sendHybrid(request, response, hybrid);
    }
  }

  @Get(':id/xml', 'documents:read', {
    summary: 'Download the document as e-invoice',
    description:
      'An issued invoice or credit note as XML by EN 16931, in the profile that its buyer takes. It is written when it is first asked for, and keeps its bytes from then on.',
    answers: { binary: ['application/xml'] },
    problems: [
      DocumentRefusal.document_not_found,
      EInvoiceRefusal.no_e_invoice,
      CommonRefusal.file_store_unavailable,
      CommonRefusal.file_unreadable,
    ],
  })
  async getDocumentXml(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Query({ schema: XmlQuery }) { profile }: XmlQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    sendXml(request, response, await this.eInvoices.xml(caller.accountId, documentId(id), profile));
  }
}
