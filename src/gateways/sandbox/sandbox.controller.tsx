import { Controller, Param, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Documents } from '../../documents/index.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import { publicId, uuidOf } from '../../kernel/ids.js';
import { Text } from '../../platform/http/validation/fields.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { Get, Post } from '../../platform/http/route.js';
import {
  Gateways,
  type PaymentLink,
  PaymentLinks,
  paymentLinkStatus,
} from '../../payments/index.js';
import { SandboxGateway } from './sandbox.gateway.js';
import { sandboxPage } from './sandbox-page.js';

const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self' https: http:; frame-ancestors 'none'";

class SandboxQuery {
  @Text({ max: 2100, optional: true })
  return_url?: string;

  @Text({ max: 64, optional: true })
  signature?: string;
}

/** The pay page of the sandbox provider: pressing the button sends a real, signed webhook. */
@ApiExcludeController()
@Controller('v1/sandbox/:gateway/:link')
export class SandboxController {
  constructor(
    private readonly gateways: Gateways,
    private readonly links: PaymentLinks,
    private readonly documents: Documents,
    private readonly clock: Clock,
  ) {}

  @Get('', 'public', { summary: 'The pay page', answers: { text: ['text/html'] } })
  async page(
    @Param('gateway') gatewayName: string,
    @Param('link') linkText: string,
    @Query() query: SandboxQuery,
    @Res() response: Response,
  ) {
    const { link, gateway } = await this.find(gatewayName, linkText);
    const view = await this.documents.find(link.accountId, link.documentId);
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    response.type('html').send(
      sandboxPage({
        view,
        amount: link.amount,
        status: paymentLinkStatus(link, this.clock.now()),
        back: wayBack(gateway, link, query),
      }),
    );
  }

  @Post('', 'public', {
    summary: 'Pay, as a client would',
    takes: 'form',
    answers: { text: ['text/html'] },
  })
  async pay(
    @Param('gateway') gatewayName: string,
    @Param('link') linkText: string,
    @Query() query: SandboxQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    const { link, gateway } = await this.find(gatewayName, linkText);
    const paid = { id: publicId('plink', link.id), amount: link.amount };
    const { body, headers } = gateway.samplePaidDelivery(paid, this.clock.now());
    // To ourselves, the way a provider would: over HTTP, signed, to the public route.
    const url = `http://127.0.0.1:${request.socket.localPort}/v1/webhooks/${gateway.name}`;
    const answer = await fetch(url, { method: 'POST', body, headers });
    if (!answer.ok) {
      throw DomainError.unavailable('gateway_unavailable', 'The sandbox webhook was not taken.');
    }
    response.redirect(
      303,
      wayBack(gateway, link, query) ?? `/v1/sandbox/${gateway.name}/${paid.id}`,
    );
  }

  private async find(
    name: string,
    text: string,
  ): Promise<{ link: PaymentLink; gateway: SandboxGateway }> {
    const gateway = await this.gateways.find(name);
    const id = uuidOf('plink', text);
    const link = id && gateway instanceof SandboxGateway ? await this.links.findAny(id) : undefined;
    if (link && link.gateway === name) return { link, gateway: gateway as SandboxGateway };
    throw DomainError.notFound('sandbox_link_not_found', 'There is no such sandbox pay page.');
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
