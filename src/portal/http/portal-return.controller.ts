import { Controller, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Locale } from '../../documents/index.js';
import { Clock } from '../../kernel/clock.js';
import { publicId, uuidOf } from '../../kernel/ids.js';
import { PaymentLinks, PaymentRefusal } from '../../payments/index.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { Get } from '../../platform/http/route.js';
import { browserLanguage } from './portal-language.js';
import { paymentNotice, tokenKept } from './payment-return.js';
import { sendSmallPage } from './small-page.js';

/** The page to which a provider sends a payer back. Its address tells nothing of the document. */
@ApiExcludeController()
@Controller('v1/portal/return/:link')
export class PortalReturnController {
  constructor(
    private readonly links: PaymentLinks,
    private readonly clock: Clock,
  ) {}

  @Get('', 'public', { summary: 'Come back from a pay page', answers: { text: ['text/html'] } })
  async comeBack(
    @Param('link') linkText: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    const id = uuidOf('plink', linkText);
    const link = id && (await this.links.findAny(id));
    if (!link) throw PaymentRefusal.payment_link_not_found.of();
    this.clock.enter(link.accountId);
    const token = tokenKept(request);
    if (token !== null) {
      response.redirect(303, `/v1/portal/${token}?payment=${publicId('plink', link.id)}`);
      return;
    }
    const language = browserLanguage(request);
    const locale = Locale.of(language);
    sendSmallPage(response, {
      language,
      title: locale.texts.pay.title,
      sentence: paymentNotice(link, this.clock.now(), locale),
    });
  }
}
