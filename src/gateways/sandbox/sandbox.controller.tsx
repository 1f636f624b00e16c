import { Body, Controller, Param, Query, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import type { z } from 'zod';
import { Documents } from '../../documents/index.js';
import { Clock } from '../../kernel/clock.js';
import { publicId, uuidOf } from '../../kernel/ids.js';
import { oneOf } from '../../platform/http/validation/fields.js';
import { shortText } from '../../platform/http/validation/text-fields.js';
import { queryShape, requestShape } from '../../platform/http/validation/shapes.js';
import { Get, Post } from '../../platform/http/route.js';
import {
  Gateways,
  type PaymentLink,
  PaymentLinks,
  paymentLinkStatus,
  GatewayRefusal,
  PaymentRefusal,
} from '../../payments/index.js';
import { SandboxDeliveries } from './sandbox-deliveries.js';
import { SandboxTeller } from './sandbox-teller.js';
import { SandboxGateway } from './sandbox.gateway.js';
import { SANDBOX_OUTCOME_NAMES } from './sandbox-outcomes.js';
import { sandboxPage } from './sandbox-page.js';
import { RequestRefusal } from '../../platform/http/request-refusals.js';

const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self' https: http:; frame-ancestors 'none'";

const SandboxQuery = queryShape({
  return_url: shortText({ max: 2100, optional: true }),
  signature: shortText({ max: 64, optional: true }),
});
type SandboxQuery = z.output<typeof SandboxQuery>;

const SandboxChoice = requestShape('SandboxChoice', {
  /** Of the page that was shown. */
  token: shortText({ min: 0, max: 64, optional: true }),
  /** Absent: paid at once. `left`: nothing happens. */
  outcome: oneOf([...SANDBOX_OUTCOME_NAMES, 'left'], { optional: true }),
});
type SandboxChoice = z.output<typeof SandboxChoice>;

/** The pay page of the sandbox provider: each button is an end that a payment may have. */
@ApiExcludeController()
@Controller('v1/sandbox/:gateway/:link')
export class SandboxController {
  constructor(
    private readonly gateways: Gateways,
    private readonly links: PaymentLinks,
    private readonly documents: Documents,
    private readonly deliveries: SandboxDeliveries,
    private readonly teller: SandboxTeller,
    private readonly clock: Clock,
  ) {}

  @Get('', 'public', { summary: 'The pay page', answers: { text: ['text/html'] } })
  async page(
    @Param('gateway') gatewayName: string,
    @Param('link') linkText: string,
    @Query({ schema: SandboxQuery }) asked: SandboxQuery,
    @Res() response: Response,
  ) {
    const { link, linkId, gateway } = await this.find(gatewayName, linkText);
    const view = await this.documents.find(link.accountId, link.documentId);
    const payment = await this.deliveries.chosen(gateway.name, linkId);
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    response.type('html').send(
      sandboxPage({
        view,
        amount: link.amount,
        status: paymentLinkStatus(link, this.clock.now()),
        chosen: payment?.outcome ?? null,
        delaySeconds: gateway.delaySeconds,
        manner: gateway.manner,
        token: gateway.pageToken(linkId),
        back: wayBack(gateway, link, asked),
      }),
    );
  }

  @Post('', 'public', {
    summary: 'Choose what becomes of the payment',
    takes: 'form',
    answers: { text: ['text/html'] },
    problems: [
      GatewayRefusal.sandbox_link_not_found,
      RequestRefusal.cross_site_request,
      PaymentRefusal.payment_link_not_open,
    ],
  })
  async choose(
    @Param('gateway') gatewayName: string,
    @Param('link') linkText: string,
    @Query({ schema: SandboxQuery }) asked: SandboxQuery,
    @Body({ schema: SandboxChoice }) { token = '', outcome = 'paid' }: SandboxChoice,
    @Res() response: Response,
  ) {
    const { link, linkId, gateway } = await this.find(gatewayName, linkText);
    if (!gateway.isPageToken(linkId, token)) {
      throw RequestRefusal.cross_site_request.of(
        'This did not come from the pay page; open the page itself, and choose there.',
      );
    }
    if (outcome !== 'left') await this.teller.choose(gateway, link, outcome);
    response.redirect(
      303,
      wayBack(gateway, link, asked) ?? `/v1/sandbox/${gateway.name}/${linkId}`,
    );
  }

  private async find(
    name: string,
    text: string,
  ): Promise<{ link: PaymentLink; linkId: string; gateway: SandboxGateway }> {
    const gateway = await this.gateways.find(name);
    const id = uuidOf('plink', text);
    const link = id && gateway instanceof SandboxGateway ? await this.links.findAny(id) : undefined;
    if (link && link.gateway === name) {
      this.clock.enter(link.accountId);
      return { link, linkId: publicId('plink', link.id), gateway: gateway as SandboxGateway };
    }
    throw GatewayRefusal.sandbox_link_not_found.of();
  }
}

/** Only the one that was signed, so that nobody makes our page lead elsewhere. */
function wayBack(
  gateway: SandboxGateway,
  { id }: PaymentLink,
  { return_url: returnUrl, signature }: SandboxQuery,
): string | null {
  if (returnUrl === undefined || signature === undefined) return null;
  return gateway.isReturn(publicId('plink', id), returnUrl, signature) ? returnUrl : null;
}
