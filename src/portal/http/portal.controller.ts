import { Body, Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import {
  ApiConsumes,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiProperty,
  ApiTags,
  OmitType,
} from '@nestjs/swagger';
import type { Response } from 'express';
import {
  DocumentBody,
  DocumentPdfs,
  Documents,
  type DocumentView,
  PortalTokens,
  presentDocument,
  sendPdf,
} from '../../documents/index.js';
import { Clock } from '../../kernel/clock.js';
import { uuidOf } from '../../kernel/ids.js';
import { linkStatus, PaymentLinks } from '../../payments/index.js';
import { PortalToken } from '../../platform/http/access.js';
import { Text } from '../../platform/http/fields.js';
import { ApiProblems } from '../../platform/http/openapi.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { portalPage } from './portal-page.js';

/** What a client sees: all but the seller's own metadata. */
class PortalDocumentBody extends OmitType(DocumentBody, ['metadata']) {}

class RejectRequest {
  @Text({ max: 2000, example: 'The price is not what we agreed.' })
  reason!: string;
}

class Success {
  @ApiProperty({ enum: [true] })
  success!: true;
}

const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** What a client sees and does with a portal token; no header is needed, a browser is enough. */
@ApiTags('portal')
@Controller('v1/portal')
export class PortalController {
  constructor(
    private readonly tokens: PortalTokens,
    private readonly documents: Documents,
    private readonly pdfs: DocumentPdfs,
    private readonly links: PaymentLinks,
    private readonly clock: Clock,
  ) {}

  @Get('documents/:token/pdf')
  @PortalToken()
  @ApiOperation({ summary: 'The document as PDF', operationId: 'getPortalPdf' })
  @ApiProduces('application/pdf')
  @ApiOkResponse({
    content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
  })
  @ApiProblems('portal_link_not_found', 'pdf_busy')
  async pdf(
    @Param('token') token: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const { accountId, documentId } = await this.tokens.resolve(token);
    sendPdf(request, response, await this.pdfs.get(accountId, documentId));
  }

  @Get(':token')
  @PortalToken()
  @ApiOperation({ summary: 'The document’s page, or JSON by Accept', operationId: 'getPortal' })
  @ApiProduces('text/html', 'application/json')
  @ApiOkResponse({ type: PortalDocumentBody })
  @ApiProblems('portal_link_not_found')
  async page(
    @Param('token') token: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const { accountId, documentId } = await this.tokens.resolve(token);
    const view = await this.documents.find(accountId, documentId);
    response.vary('Accept');
    if (request.accepts(['html', 'json']) === 'json') {
      const { metadata: _ours, ...shown } = presentDocument(view);
      response.json(shown);
      return;
    }
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    response.type('html').send(await this.render(view, accountId, token));
  }

  @Post(':token/reject')
  @HttpCode(200)
  @PortalToken()
  @ApiOperation({ summary: 'The client declines, with a reason', operationId: 'rejectDocument' })
  @ApiConsumes('application/json', 'application/x-www-form-urlencoded')
  @ApiOkResponse({ type: Success })
  @ApiProblems('portal_link_not_found', 'document_not_rejectable', 'invalid_text', 'document_busy')
  async reject(
    @Param('token') token: string,
    @Body() body: RejectRequest,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Success | undefined> {
    const { accountId, documentId } = await this.tokens.resolve(token);
    await this.documents.reject(accountId, documentId, body.reason);
    if (isForm(request)) {
      response.redirect(303, `/v1/portal/${token}`);
      return undefined;
    }
    return { success: true };
  }

  private async render(view: DocumentView, accountId: string, token: string): Promise<string> {
    const now = this.clock.now();
    const documentId = uuidOf('doc', view.id) ?? '';
    const links = await this.links.ofDocument(accountId, documentId);
    return portalPage({
      view,
      pdfUrl: `/v1/portal/documents/${token}/pdf`,
      rejectUrl: `/v1/portal/${token}/reject`,
      canReject: view.status === 'open',
      payLinks: links.flatMap((link) =>
        link.url && linkStatus(link, now) === 'open' && view.amountDue.isPositive()
          ? [{ label: link.gateway, url: link.url }]
          : [],
      ),
    });
  }
}

function isForm(request: ApiRequest): boolean {
  return !!request.is('application/x-www-form-urlencoded');
}
