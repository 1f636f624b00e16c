import { Controller, Param, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CommonRefusal } from '../../kernel/common-refusals.js';
import { DocumentPdfs, DocumentRefusal, PortalTokens, sendPdf } from '../../documents/index.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { Get } from '../../platform/http/route.js';
import { EInvoices } from '../application/e-invoices.service.js';
import { EInvoiceRefusal } from '../domain/refusals.js';
import { PortalPdfQuery, XmlQuery } from '../wire/document-files.js';
import { sendHybrid, sendXml } from './send-e-invoice.js';

/** The same files for a client: the token in the path is all that is needed. */
@ApiTags('portal')
@Controller('v1/portal/documents/:token')
export class PortalFilesController {
  constructor(
    private readonly tokens: PortalTokens,
    private readonly pdfs: DocumentPdfs,
    private readonly eInvoices: EInvoices,
  ) {}

  @Get('pdf', 'portal_token', {
    summary: 'Download the document as PDF',
    description:
      'The same file that the seller has. The token in the path is all that is needed. With `profile=factur-x` it has the e-invoice in it.',
    answers: { binary: ['application/pdf'] },
    problems: [
      DocumentRefusal.portal_link_not_found,
      DocumentRefusal.pdf_busy,
      EInvoiceRefusal.no_e_invoice,
      CommonRefusal.file_store_unavailable,
      CommonRefusal.file_unreadable,
    ],
  })
  async getPortalPdf(
    @Param('token') token: string,
    @Query({ schema: PortalPdfQuery }) { profile }: PortalPdfQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    const { accountId, documentId } = await this.tokens.resolve(token);
    if (profile === undefined) {
      sendPdf(request, response, await this.pdfs.get(accountId, documentId));
    } else {
      sendHybrid(request, response, await this.eInvoices.hybrid(accountId, documentId));
    }
  }

  @Get('xml', 'portal_token', {
    summary: 'Download the document as e-invoice',
    description: 'The same file that the seller has. The token in the path is all that is needed.',
    answers: { binary: ['application/xml'] },
    problems: [
      DocumentRefusal.portal_link_not_found,
      EInvoiceRefusal.no_e_invoice,
      CommonRefusal.file_store_unavailable,
      CommonRefusal.file_unreadable,
    ],
  })
  async getPortalXml(
    @Param('token') token: string,
    @Query({ schema: XmlQuery }) { profile }: XmlQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    const { accountId, documentId } = await this.tokens.resolve(token);
    sendXml(request, response, await this.eInvoices.xml(accountId, documentId, profile));
  }
}
