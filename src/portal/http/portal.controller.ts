import { Body, Controller, Param, Query, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import {
  DocumentSteps,
  Locale,
  PortalTokens,
  printed,
  DocumentRefusal,
} from '../../documents/index.js';
import { Clock } from '../../kernel/clock.js';
import { publicId } from '../../kernel/ids.js';
import { PayPages, PaymentRefusal, GatewayRefusal } from '../../payments/index.js';
import { Config } from '../../platform/config/config.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { Get, Post } from '../../platform/http/route.js';
import { PortalPages } from '../application/portal-pages.service.js';
import { FormRefusals } from './form-refusals.js';
import { keepToken, paymentNotice } from './payment-return.js';
import { inLanguageOf, languageAsked, portalUrl } from './portal-language.js';
import { sendPortalPage } from './portal-page.js';
import {
  AcceptRequest,
  ClientPayPageBody,
  PayRequest,
  PortalDocumentBody,
  PortalQuery,
  presentPayPage,
  presentPortal,
  RejectRequest,
  Success,
} from '../wire/portal.js';
import { isVisit } from './visits.js';
import { RequestRefusal } from '../../platform/http/request-refusals.js';
import { CommonRefusal } from '../../kernel/common-refusals.js';
import { FieldRefusal, invalidFields } from '../../kernel/field-refusals.js';

/** The pages and steps of a portal token; no header is needed, a browser is enough. */
@ApiTags('portal')
@Controller('v1/portal')
export class PortalController {
  constructor(
    private readonly tokens: PortalTokens,
    private readonly steps: DocumentSteps,
    private readonly pages: PortalPages,
    private readonly payPages: PayPages,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  @Get(':token', 'portal_token', {
    summary: 'Open the document as a page, or read it as JSON',
    description:
      'A browser gets a page without script, in the language that is asked for, else in that of the document; a program that asks for JSON gets the same facts.',
    answers: { json: [PortalDocumentBody], html: true },
    problems: [DocumentRefusal.portal_link_not_found],
  })
  async getPortal(
    @Param('token') token: string,
    @Query({ schema: PortalQuery }) query: PortalQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    response.vary('Accept, Accept-Language');
    if (request.accepts(['html', 'json']) === 'json') {
      response.json(presentPortal(await this.pages.open(token)));
    } else {
      const portal = inLanguageOf(request, await this.pages.openPage(token, isVisit(request)));
      const paid = portal.links.find(({ id }) => publicId('plink', id) === query.payment);
      const locale = Locale.of(portal.view.language);
      const notice = paid
        ? paymentNotice(paid, this.clock.now(), locale)
        : thanksFor(query.answered, portal.view.status, locale);
      sendPortalPage(response, portal, token, notice);
    }
  }

  @Post(':token/pay', 'portal_token', {
    summary: 'Go to a page to pay at',
    description:
      'For what is due and not on its way, at a gateway of the seller; sent again it leads to the same page. A form of the page is led on to it, a program gets its address.',
    example: { gateway: 'sandbox' },
    takes: 'form',
    page: true,
    answers: ClientPayPageBody,
    problems: [
      DocumentRefusal.portal_link_not_found,
      RequestRefusal.cross_site_request,
      DocumentRefusal.document_not_payable,
      DocumentRefusal.payment_processing,
      PaymentRefusal.too_many_payment_links,
      CommonRefusal.document_busy,
      GatewayRefusal.gateway_not_found,
      GatewayRefusal.gateway_unavailable,
      GatewayRefusal.gateway_refused,
      GatewayRefusal.gateway_disabled,
      GatewayRefusal.gateway_unreadable,
    ],
  })
  @UseInterceptors(FormRefusals)
  async payDocument(
    @Param('token') token: string,
    @Body({ schema: PayRequest }) body: PayRequest,
    @Query({ schema: PortalQuery }) _query: PortalQuery,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ) {
    const page = await this.payPages.open({
      ...(await this.tokens.resolve(token)),
      gateway: body.gateway ?? null,
      despiteProcessing: [true, 'true'].includes(body.despite_processing ?? false),
    });
    if (!isForm(request)) return presentPayPage(page);
    keepToken(response, token, this.config.baseUrl.startsWith('https:'));
    response.redirect(303, page.url);
    return undefined;
  }

  @Post(':token/accept', 'portal_token', {
    summary: 'Accept a quote, as its client',
    description:
      'Only an open quote; a second answer is refused with 409. A form of the page is led back to it.',
    example: { name: 'Ada Lovelace' },
    takes: 'form',
    page: true,
    answers: Success,
    problems: [
      DocumentRefusal.portal_link_not_found,
      RequestRefusal.cross_site_request,
      DocumentRefusal.document_not_acceptable,
      CommonRefusal.document_busy,
    ],
  })
  @UseInterceptors(FormRefusals)
  async acceptDocument(
    @Param('token') token: string,
    @Body({ schema: AcceptRequest }) body: AcceptRequest,
    @Query({ schema: PortalQuery }) _query: PortalQuery,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { documentId, ...by } = await this.tokens.resolve(token);
    const statement = isForm(request) ? await this.confirmed(token, request, body) : undefined;
    await this.steps.accept(by, documentId, {
      ...(body.name !== undefined && { by: body.name }),
      ...(statement !== undefined && { statement }),
    });
    return done(token, 'accepted', request, response);
  }

  @Post(':token/reject', 'portal_token', {
    summary: 'Reject a document, as its client',
    description:
      'With a reason, which the seller sees. Only where nothing is paid or credited, and no payment is on its way; a second answer is refused with 409.',
    example: { reason: 'Too expensive for this year.' },
    takes: 'form',
    page: true,
    answers: Success,
    problems: [
      DocumentRefusal.portal_link_not_found,
      RequestRefusal.cross_site_request,
      DocumentRefusal.document_not_rejectable,
      DocumentRefusal.payment_processing,
      FieldRefusal.invalid_text,
      CommonRefusal.document_busy,
    ],
  })
  @UseInterceptors(FormRefusals)
  async rejectDocument(
    @Param('token') token: string,
    @Body({ schema: RejectRequest }) body: RejectRequest,
    @Query({ schema: PortalQuery }) _query: PortalQuery,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { documentId, ...by } = await this.tokens.resolve(token);
    await this.steps.reject(by, documentId, body.reason);
    return done(token, 'rejected', request, response);
  }

  /**
   * The sentence beside the box of the page that was ticked.
   * @throws DomainError 422 where a form lacks its name or its tick
   */
  private async confirmed(
    token: string,
    request: ApiRequest,
    { name, confirmed }: AcceptRequest,
  ): Promise<string> {
    const missing = [...(name ? [] : ['name']), ...(confirmed === 'true' ? [] : ['confirmed'])];
    if (missing.length > 0) {
      throw invalidFields(
        missing.map((field) => FieldRefusal.required.field(`/${field}`, `${field} is required.`)),
      );
    }
    const { view } = inLanguageOf(request, await this.pages.openPage(token));
    const { texts, heading } = printed(view);
    return texts.answer.confirm(heading);
  }
}

/** A browser goes back to the page, which now shows the answer; a program gets JSON. */
function done(
  token: string,
  answered: string,
  request: ApiRequest,
  response: Response,
): Success | undefined {
  if (!isForm(request)) return { success: true };
  const page = portalUrl(token, '', languageAsked(request));
  response.redirect(303, `${page}${page.includes('?') ? '&' : '?'}answered=${answered}`);
  return undefined;
}

function isForm(request: ApiRequest): boolean {
  return Boolean(request.is('application/x-www-form-urlencoded'));
}

/** Only for the answer that the document really has. */
function thanksFor(answered: string | undefined, status: string, { texts }: Locale) {
  if (answered === undefined || answered !== status) return undefined;
  return answered === 'accepted' ? texts.answer.accepted : texts.answer.rejected;
}
