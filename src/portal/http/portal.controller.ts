import { Body, Controller, Param, Query, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiProperty, ApiTags, OmitType } from '@nestjs/swagger';
import type { Response } from 'express';
import {
  ChangeBody,
  DocumentBody,
  DocumentPdfs,
  DocumentSteps,
  Locale,
  PortalTokens,
  presentDocument,
  sendPdf,
} from '../../documents/index.js';
import { NoFields, Text, Tick } from '../../platform/http/fields.js';
import { LanguageTag } from '../../platform/http/standard-fields.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { Get, Post } from '../../platform/http/route.js';
import { paymentLinkStatus, PayPages } from '../../payments/index.js';
import { Config } from '../../platform/config/config.js';
import { Clock } from '../../kernel/clock.js';
import { publicId } from '../../kernel/ids.js';
import { keepToken, paymentNotice } from './payment-return.js';
import { type PortalDocument, PortalPages } from '../application/portal-pages.service.js';
import { FormRefusals } from './form-refusals.js';
import { sendPortalPage } from './portal-page.js';
import { inLanguageOf, languageAsked, portalUrl } from './portal-language.js';

class ProcessingBody {
  @ApiProperty() amount!: number;
  @ApiProperty() currency!: string;
  @ApiProperty({ format: 'date-time' }) since!: string;
}

class PortalQuery {
  @LanguageTag({
    optional: true,
    description: 'Of the page; the document’s own when absent, else one that the browser asks for.',
  })
  language?: string;

  @Text({
    max: 60,
    optional: true,
    description:
      'The payment link that the client comes back from; the page says what became of it.',
  })
  payment?: string;
}

/** A client sees all of a document but what is the seller's own. */
class PortalDocumentBody extends OmitType(DocumentBody, ['metadata', 'external_id']) {
  @ApiProperty({
    type: [ChangeBody],
    description: 'What a revision changed in the version before it.',
  })
  changes!: ChangeBody[];
  @ApiProperty({
    type: [ProcessingBody],
    description: 'Payments that a provider has on their way.',
  })
  payments_processing!: ProcessingBody[];
}

class RejectRequest {
  @Text({ max: 2000, example: 'The price is not what we agreed.' })
  reason!: string;
}

class PayRequest {
  @Text({ max: 60, optional: true, description: 'Needed where the seller offers several.' })
  gateway?: string;

  @Tick({ optional: true, description: 'Pay although money for it is on its way already.' })
  despite_processing?: boolean | 'true';
}

class PayPageBody {
  @ApiProperty({ description: 'The page of the provider.' }) url!: string;
  @ApiProperty({ example: 'gateway-a' }) gateway!: string;
  @ApiProperty({ description: 'What is due.' }) amount!: number;
  @ApiProperty() currency!: string;
  @ApiProperty({ format: 'date-time' }) expires_at!: string;
}

class Success {
  @ApiProperty({ enum: [true] })
  success!: true;
}

/** The pages and steps of a portal token; no header is needed, a browser is enough. */
@ApiTags('portal')
@Controller('v1/portal')
export class PortalController {
  constructor(
    private readonly tokens: PortalTokens,
    private readonly steps: DocumentSteps,
    private readonly pdfs: DocumentPdfs,
    private readonly pages: PortalPages,
    private readonly payPages: PayPages,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  @Get('documents/:token/pdf', 'portal_token', {
    summary: 'Download the document as PDF',
    description: 'The same file that the seller has. The token in the path is all that is needed.',
    answers: { binary: ['application/pdf'] },
    problems: ['portal_link_not_found', 'pdf_busy'],
  })
  async getPortalPdf(
    @Param('token') token: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    const { accountId, documentId } = await this.tokens.resolve(token);
    sendPdf(request, response, await this.pdfs.get(accountId, documentId));
  }

  @Get(':token', 'portal_token', {
    summary: 'Open the document as a page, or read it as JSON',
    description:
      'A browser gets a page without script, in the language that is asked for, else in that of the document; a program that asks for JSON gets the same facts.',
    answers: { json: [PortalDocumentBody], html: true },
    problems: ['portal_link_not_found'],
  })
  async getPortal(
    @Param('token') token: string,
    @Query() query: PortalQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    response.vary('Accept, Accept-Language');
    if (request.accepts(['html', 'json']) === 'json') {
      response.json(presentPortal(await this.pages.open(token)));
    } else {
      const portal = inLanguageOf(request, await this.pages.openPage(token));
      const paid = portal.links.find(({ id }) => publicId('plink', id) === query.payment);
      const status = paid && paymentLinkStatus(paid, this.clock.now());
      const locale = Locale.of(portal.view.language);
      const notice = paid && status && paymentNotice(status, paid.amount, locale);
      sendPortalPage(response, portal, token, notice);
    }
  }

  @Post(':token/pay', 'portal_token', {
    summary: 'Go to a page to pay at',
    description:
      'For what is due, at a gateway of the seller; sent again it leads to the same page. A form of the page is led on to it, a program gets its address.',
    example: { gateway: 'sandbox' },
    takes: 'form',
    page: true,
    answers: PayPageBody,
    problems: [
      'portal_link_not_found',
      'document_not_payable',
      'payment_processing',
      'too_many_payment_links',
      'document_busy',
      'gateway_not_found',
      'gateway_unavailable',
      'gateway_refused',
    ],
  })
  @UseInterceptors(FormRefusals)
  async payDocument(
    @Param('token') token: string,
    @Body() body: PayRequest,
    @Query() _query: PortalQuery,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { url, gateway, amount, expiresAt } = await this.payPages.open({
      ...(await this.tokens.resolve(token)),
      gateway: body.gateway ?? null,
      despiteProcessing: [true, 'true'].includes(body.despite_processing ?? false),
    });
    if (isForm(request)) {
      keepToken(response, token, this.config.baseUrl.startsWith('https:'));
      response.redirect(303, url);
      return undefined;
    }
    return {
      url,
      gateway,
      amount: amount.toMinorNumber(),
      currency: amount.currency,
      expires_at: expiresAt.toISOString(),
    };
  }

  @Post(':token/accept', 'portal_token', {
    summary: 'Accept a quote, as its client',
    description:
      'Only an open quote; a second answer is refused with 409. A form of the page is led back to it.',
    takes: 'form',
    page: true,
    answers: Success,
    problems: ['portal_link_not_found', 'document_not_acceptable', 'document_busy'],
  })
  @UseInterceptors(FormRefusals)
  async acceptDocument(
    @Param('token') token: string,
    @Body() _body: NoFields,
    @Query() _query: PortalQuery,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { documentId, ...by } = await this.tokens.resolve(token);
    await this.steps.accept(by, documentId);
    return done(token, request, response);
  }

  @Post(':token/reject', 'portal_token', {
    summary: 'Reject a document, as its client',
    description:
      'With a reason, which the seller sees. Only where nothing is paid or credited; a second answer is refused with 409.',
    example: { reason: 'Too expensive for this year.' },
    takes: 'form',
    page: true,
    answers: Success,
    problems: ['portal_link_not_found', 'document_not_rejectable', 'invalid_text', 'document_busy'],
  })
  @UseInterceptors(FormRefusals)
  async rejectDocument(
    @Param('token') token: string,
    @Body() body: RejectRequest,
    @Query() _query: PortalQuery,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { documentId, ...by } = await this.tokens.resolve(token);
    await this.steps.reject(by, documentId, body.reason);
    return done(token, request, response);
  }
}

/** Leaves out the seller's own actions, and drafts that clients do not know of yet. */
function presentPortal({ view, changes, processing }: PortalDocument): PortalDocumentBody {
  const { metadata: _labels, external_id: _key, ...shown } = presentDocument(view);
  return {
    ...shown,
    follow_ups: shown.follow_ups.filter(({ number }) => number !== null),
    available_actions: shown.available_actions.filter(({ action }) =>
      ['accept', 'reject'].includes(action),
    ),
    changes,
    payments_processing: processing.map(({ amount, since }) => ({
      amount: amount.toMinorNumber(),
      currency: amount.currency,
      since: since.toISOString(),
    })),
  };
}

/** A browser goes back to the page, which now shows the answer; a program gets JSON. */
function done(token: string, request: ApiRequest, response: Response): Success | undefined {
  if (!isForm(request)) return { success: true };
  response.redirect(303, portalUrl(token, '', languageAsked(request)));
  return undefined;
}

function isForm(request: ApiRequest): boolean {
  return Boolean(request.is('application/x-www-form-urlencoded'));
}
