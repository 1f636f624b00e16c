import { createHash } from 'node:crypto';
import { Controller, Param, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { PdfRenderer, sendPdf, DocumentRefusal } from '../../documents/index.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { Get } from '../../platform/http/route.js';
import type { PortalView } from '../application/portal-documents.js';
import { PortalPages } from '../application/portal-pages.service.js';
import { inLanguageOf } from './portal-language.js';
import { PortalQuery } from '../wire/portal.js';
import { receiptHtml } from './receipt.js';
import { sendReceiptPage } from './receipt-page.js';

/** Receipts for what a client has paid. They are made when they are asked for, as payments go on. */
@ApiTags('portal')
@Controller('v1/portal')
export class ReceiptsController {
  constructor(
    private readonly pages: PortalPages,
    private readonly renderer: PdfRenderer,
  ) {}

  @Get('documents/:token/receipt', 'portal_token', {
    summary: 'Download the receipt as PDF',
    description:
      'All payments of the document so far, with date and method, what was refunded, and what is still due. In the language of the document.',
    answers: { binary: ['application/pdf'] },
    problems: [
      DocumentRefusal.portal_link_not_found,
      DocumentRefusal.document_receipt_not_found,
      DocumentRefusal.pdf_busy,
    ],
  })
  async getReceiptPdf(
    @Param('token') token: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    const { accountId, portal } = await this.paid(token);
    const pdf = await this.renderer.render(receiptHtml(portal), {
      owner: accountId,
      at: portal.view.updatedAt,
    });
    const sha256 = createHash('sha256').update(pdf).digest();
    sendPdf(request, response, { fileName: `${portal.view.number}-receipt.pdf`, pdf, sha256 });
  }

  @Get(':token/receipt', 'portal_token', {
    summary: 'Open the receipt as a page',
    description:
      'The same as its PDF, in the language that is asked for, else in that of the document.',
    answers: { html: true },
    problems: [DocumentRefusal.portal_link_not_found, DocumentRefusal.document_receipt_not_found],
  })
  async getReceipt(
    @Param('token') token: string,
    @Query({ schema: PortalQuery }) _query: PortalQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    const { portal } = await this.paid(token);
    response.vary('Accept-Language');
    sendReceiptPage(response, inLanguageOf(request, portal), token);
  }

  /** @throws DomainError `document_receipt_not_found` where nothing was paid */
  private async paid(token: string): Promise<{ accountId: string; portal: PortalView }> {
    const { accountId, ...portal } = await this.pages.openReceipt(token);
    if (portal.payments.length > 0) return { accountId, portal };
    throw DocumentRefusal.document_receipt_not_found.of();
  }
}
