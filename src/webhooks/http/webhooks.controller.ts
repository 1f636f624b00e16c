import { z } from 'zod';
import { Controller, Param, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { DomainRefusal } from '../../kernel/domain-refusal.js';
import { answerShape } from '../../platform/http/validation/shapes.js';
import { RefusalLog } from '../../auth/index.js';
import { NO_ACCOUNT } from '../../kernel/ids.js';
import {
  countedGateway,
  type Delivery,
  DELIVERY_ANSWERS,
  GatewayDeliveries,
  Gateways,
  InvalidSignature,
  isSignedThroughout,
  problemOf,
  GatewayRefusal,
} from '../../payments/index.js';
import { HttpProblem } from '../../platform/http/problem.js';
import { type ApiRequest, originOf } from '../../platform/http/request.js';
import { RateLimits } from '../../platform/http/limits/rate-limits.js';
import { Post } from '../../platform/http/route.js';
import { Log } from '../../platform/observability/log.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { CommonRefusal } from '../../kernel/common-refusals.js';

const WebhookAnswer = answerShape('WebhookAnswer', {
  status: z
    .enum(DELIVERY_ANSWERS)
    .describe('`accepted`: many reports at once, which are stored, and worked off afterwards.'),
});
type WebhookAnswer = z.output<typeof WebhookAnswer>;

@ApiTags('webhooks')
@Controller('v1/webhooks')
export class WebhooksController {
  constructor(
    private readonly gateways: Gateways,
    private readonly deliveries: GatewayDeliveries,
    private readonly refusals: RefusalLog,
    private readonly limits: RateLimits,
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {}

  @Post(':gateway', 'provider_signature', {
    summary: 'Report what happened, as a payment provider',
    description:
      'The provider sends its own body and signature headers. `gateway` is a configured ' +
      'name, such as `gateway-a` (Stripe), or the id of a gateway of an account, `gw_...`. Some ' +
      'providers are answered in words of their own, as plain text.',
    takes: 'webhook',
    answers: {
      json: [WebhookAnswer],
      text: ['text/plain'],
      others: [
        { status: 204, description: 'Accepted, where the provider wants no body.' },
        {
          status: 498,
          description: 'Invalid Token: `invalid_signature`, where the provider wants this status.',
          problem: GatewayRefusal.invalid_signature,
        },
      ],
    },
    problems: [
      GatewayRefusal.gateway_not_found,
      GatewayRefusal.invalid_signature,
      GatewayRefusal.gateway_unavailable,
      GatewayRefusal.gateway_key_missing,
      GatewayRefusal.gateway_unreadable,
    ],
  })
  async receiveWebhook(
    @Param('gateway') name: string,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookAnswer | undefined> {
    const gateway = await this.gateways.find(name);
    const rawBody = request.rawBody ?? Buffer.alloc(0);
    const delivery: Delivery = { rawBody, headers: request.headers };
    try {
      await gateway.verify(delivery);
      const told = this.deliveries.read(gateway, delivery);
      const isSigned = isSignedThroughout(told);
      if (isSigned) this.limits.trustProvider(request);
      const status = await this.deliveries.receive(gateway, delivery, told);
      this.metrics.countWebhook(countedGateway(gateway), status);
      const { accepted } = gateway.answers;
      if (accepted) {
        response
          .status(accepted.status)
          .type('text/plain')
          .send(accepted.text ?? undefined);
        return undefined;
      }
      // Anybody may send an unsigned id, and must not learn from the answer which ids there are.
      return { status: isSigned ? status : ('ok' as const) };
    } catch (error) {
      this.metrics.countWebhook(countedGateway(gateway), problemOf(error));
      if (CommonRefusal.document_busy.is(error)) throw COME_AGAIN.later();
      if (!(error instanceof InvalidSignature)) throw error;
      const refusal = { action: 'signature.refused', accountId: NO_ACCOUNT } as const;
      const of = { ...refusal, subject: gateway.name, ...originOf(request) };
      this.refusals.note(of, countedGateway(gateway));
      this.log.warn({ gateway: name, reason: error.reason }, 'webhook refused');
      // Every cause gets the same answer, so that a forger learns nothing.
      const { code, example } = GatewayRefusal.invalid_signature;
      throw new HttpProblem(gateway.answers.refused ?? 400, code, example);
    }
  }
}

/** A 409 would tell the provider that its event is wrong. */
const COME_AGAIN = new DomainRefusal(
  CommonRefusal.document_busy.code,
  'unavailable',
  'Another request holds the document of this payment; send the event again.',
);
