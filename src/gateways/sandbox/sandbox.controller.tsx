import { Controller, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { renderToString } from 'preact-render-to-string';
import { Locale } from '../../documents/index.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import { publicId, uuidOf } from '../../kernel/ids.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { Get, Post } from '../../platform/http/route.js';
import {
  type Gateway,
  Gateways,
  type PaymentLink,
  PaymentLinks,
  paymentLinkStatus,
} from '../../payments/index.js';

const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'";

/** The pay page of the sandbox provider: pressing the button sends a real, signed webhook. */
@ApiExcludeController()
@Controller('v1/sandbox/:gateway/:link')
export class SandboxController {
  constructor(
    private readonly gateways: Gateways,
    private readonly links: PaymentLinks,
    private readonly clock: Clock,
  ) {}

  @Get('', 'public', { summary: 'The pay page', answers: { text: ['text/html'] } })
  async page(
    @Param('gateway') gatewayName: string,
    @Param('link') linkText: string,
    @Res() response: Response,
  ) {
    const { link } = await this.find(gatewayName, linkText);
    const open = paymentLinkStatus(link, this.clock.now()) === 'open';
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    response.type('html').send(`<!doctype html>${renderToString(payPage(link, open))}`);
  }

  @Post('', 'public', {
    summary: 'Pay, as a client would',
    takes: 'form',
    answers: { text: ['text/html'] },
  })
  async pay(
    @Param('gateway') gatewayName: string,
    @Param('link') linkText: string,
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
    response.redirect(303, `/v1/sandbox/${gateway.name}/${paid.id}`);
  }

  private async find(name: string, text: string): Promise<{ link: PaymentLink; gateway: Gateway }> {
    const gateway = this.gateways.get(name);
    const id = uuidOf('plink', text);
    const link = id && gateway.provider === 'sandbox' ? await this.links.findAny(id) : undefined;
    if (link && link.gateway === name) return { link, gateway };
    throw DomainError.notFound('sandbox_link_not_found', 'There is no such sandbox pay page.');
  }
}

function payPage(link: PaymentLink, open: boolean) {
  const amount = Locale.of(null).money(link.amount);
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Sandbox payment</title>
        <style>
          {'body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:4rem auto;padding:0 1rem}' +
            'button{font:inherit;padding:.6rem 1.2rem}p{color:#444}'}
        </style>
      </head>
      <body>
        <h1>{amount}</h1>
        <p>This is the sandbox: no money moves, but the webhook is real.</p>
        {open ? (
          <form method="post">
            <button type="submit">Pay {amount}</button>
          </form>
        ) : (
          <p role="status">This link is {link.status === 'open' ? 'expired' : link.status}.</p>
        )}
      </body>
    </html>
  );
}
