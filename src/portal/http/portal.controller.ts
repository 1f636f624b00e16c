import { Body, Controller, Param, Query, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { DocumentRefusal, Locale, PortalTokens } from '../../documents/index.js';
import { Clock } from '../../kernel/clock.js';
import { publicId } from '../../kernel/ids.js';
import { PayPages, PaymentRefusal, GatewayRefusal } from '../../payments/index.js';
import { Config } from '../../platform/config/config.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { Get, Post } from '../../platform/http/route.js';
import { type OpenedPage, PortalPages } from '../application/portal-pages.service.js';
import { isForm } from './portal-form.js';
import { FormRefusals } from './form-refusals.js';
import { keepToken, paymentNotice } from './payment-return.js';
import { inLanguageOf } from './portal-language.js';
import { sendPortalPage } from './portal-page.js';
import {
  ClientPayPageBody,
  PayRequest,
  PortalDocumentBody,
  PortalQuery,
  presentPayPage,
  presentPortal,
} from '../wire/portal.js';
import { isVisit } from './visits.js';
import { RequestRefusal } from '../../platform/http/request-refusals.js';

/** The page of a portal token, and the way to pay; no header is needed, a browser is enough. */
@ApiTags('portal')
@Controller('v1/portal')
export class PortalController {
  constructor(
    private readonly tokens: PortalTokens,
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
        : thanksFor(query.answered, portal, locale);
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
}

/** Only for the answer that was really given. */
function thanksFor(
  answered: PortalQuery['answered'],
  { view: { status }, schedule }: OpenedPage,
  { texts: { answer, recurring } }: Locale,
) {
  if (answered === 'accepted' && status === 'accepted') return answer.accepted;
  if (answered === 'rejected' && status === 'rejected') return answer.rejected;
  if (answered === 'end_asked' && schedule?.isEndAsked) return recurring.asked;
  if (answered === 'ended' && schedule?.endDate && schedule.clientMay === 'nothing')
    return recurring.ended;
  return undefined;
}
