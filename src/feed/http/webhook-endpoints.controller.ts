import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import type { ExpectedVersions } from '../../kernel/versions.js';
import { IfMatch } from '../../platform/http/if-match.js';
import { pageById } from '../../platform/http/paging.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { RequestRefusal } from '../../platform/http/request-refusals.js';
import { Delete, Get, Patch, Post } from '../../platform/http/route.js';
import { NoFields } from '../../platform/http/validation/shapes.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import {
  type EndpointWithSecret,
  WebhookEndpoints,
} from '../application/webhook-endpoints.service.js';
import { EndpointRefusal } from '../domain/endpoint-refusals.js';
import { WebhookEndpointsQuery } from '../infrastructure/webhook-endpoints.query.js';
import { readScopesOf } from '../wire/event-types.js';
import {
  CreateWebhookEndpointRequest,
  PatchWebhookEndpointRequest,
  presentEndpoint,
  RotateWebhookSecretRequest,
  toEndpointChange,
  toNewEndpoint,
  WebhookEndpointBody,
  WebhookEndpointPage,
  WebhookEndpointWithSecretBody,
  ListWebhookEndpointsQuery,
} from '../wire/webhook-endpoint.js';
import { endpointId } from './endpoint-id.js';

const FIELD_PROBLEMS = [
  FieldRefusal.validation_failed,
  FieldRefusal.unknown_field,
  EndpointRefusal.unknown_event_type,
  EndpointRefusal.https_needed,
  RequestRefusal.url_not_allowed,
] as const;

@ApiTags('webhook endpoints')
@Controller('v1/webhook-endpoints')
export class WebhookEndpointsController {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly query: WebhookEndpointsQuery,
  ) {}

  @Get('', 'webhooks:manage', {
    summary: 'List webhook endpoints, newest first',
    description: 'Where events are sent to. No answer ever has a secret again.',
    answers: WebhookEndpointPage,
  })
  async listWebhookEndpoints(
    @CallerOf() { accountId }: Caller,
    @Query({ schema: ListWebhookEndpointsQuery }) query: ListWebhookEndpointsQuery,
  ) {
    return pageById({ list: 'webhook-endpoints' }, query, {
      rows: async (after, count) => this.query.list(accountId, after, count),
      present: presentEndpoint,
      total: async (most) => this.query.count(accountId, most),
    });
  }

  @Post('', 'webhooks:manage', {
    summary: 'Have events sent to an address',
    description:
      'Each event is a POST, signed by Standard Webhooks, at least once. The answer has the secret, and no later one does. It is told what your scopes read, and nothing else.',
    example: { url: 'https://shop.example.com/quittance', types: ['document.paid', 'payment.*'] },
    creates: WebhookEndpointWithSecretBody,
    at: 'webhook-endpoints/{id}',
    problems: [EndpointRefusal.too_many_webhook_endpoints, ...FIELD_PROBLEMS],
  })
  async createWebhookEndpoint(
    @CallerOf() caller: Caller,
    @Body({ schema: CreateWebhookEndpointRequest }) body: CreateWebhookEndpointRequest,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentWithSecret, (guard) =>
      this.endpoints.create(
        byClient(caller),
        readScopesOf(caller.scopes),
        toNewEndpoint(body),
        guard,
      ),
    );
  }

  @Get(':id', 'webhooks:manage', {
    summary: 'Read a webhook endpoint',
    description: 'With why it is disabled, if it is.',
    answers: WebhookEndpointBody,
    problems: [EndpointRefusal.webhook_endpoint_not_found],
  })
  async getWebhookEndpoint(@CallerOf() { accountId }: Caller, @Param('id') id: string) {
    const endpoint = await this.query.find(accountId, endpointId(id));
    if (!endpoint) throw EndpointRefusal.webhook_endpoint_not_found.of();
    return presentEndpoint(endpoint);
  }

  @Patch(':id', 'webhooks:manage', {
    summary: 'Change a webhook endpoint',
    description:
      'The body is a JSON Merge Patch; lists are replaced as a whole. Whoever sends `types` gives the endpoint the scopes of their own token.',
    example: { types: ['document.*'] },
    takes: 'mergePatch',
    answers: WebhookEndpointBody,
    problems: [EndpointRefusal.webhook_endpoint_not_found, ...FIELD_PROBLEMS],
  })
  async updateWebhookEndpoint(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: PatchWebhookEndpointRequest }) body: PatchWebhookEndpointRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    const asked = { by: byClient(caller), id: endpointId(id), expected };
    const scopes = readScopesOf(caller.scopes);
    return once.run(presentEndpoint, (guard) =>
      this.endpoints.change({ ...asked, guard }, scopes, toEndpointChange(body)),
    );
  }

  @Post(':id/rotate', 'webhooks:manage', {
    summary: 'Give a webhook endpoint a new secret',
    description:
      'Deliveries have a signature of each while the old one lasts, so that receivers change over without a gap.',
    example: { overlap_hours: 24 },
    answers: WebhookEndpointWithSecretBody,
    problems: [
      EndpointRefusal.webhook_endpoint_not_found,
      FieldRefusal.validation_failed,
      FieldRefusal.unknown_field,
    ],
  })
  async rotateWebhookSecret(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: RotateWebhookSecretRequest }) body: RotateWebhookSecretRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    const asked = { by: byClient(caller), id: endpointId(id), expected };
    return once.run(presentWithSecret, (guard) =>
      this.endpoints.rotate({ ...asked, guard }, body.overlap_hours),
    );
  }

  @Post(':id/enable', 'webhooks:manage', {
    summary: 'Send events to a webhook endpoint again',
    description:
      'What was on its way when it was disabled goes on. Events of meanwhile are sent by a replay.',
    answers: WebhookEndpointBody,
    problems: [EndpointRefusal.webhook_endpoint_not_found],
  })
  async enableWebhookEndpoint(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    const asked = { by: byClient(caller), id: endpointId(id), expected };
    return once.run(presentEndpoint, (guard) => this.endpoints.enable({ ...asked, guard }));
  }

  @Post(':id/disable', 'webhooks:manage', {
    summary: 'Send a webhook endpoint nothing for now',
    description: 'What is on its way waits. Events that happen meanwhile are not queued for it.',
    answers: WebhookEndpointBody,
    problems: [EndpointRefusal.webhook_endpoint_not_found],
  })
  async disableWebhookEndpoint(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    const asked = { by: byClient(caller), id: endpointId(id), expected };
    return once.run(presentEndpoint, (guard) => this.endpoints.disable({ ...asked, guard }));
  }

  @Delete(':id', 'webhooks:manage', {
    summary: 'Delete a webhook endpoint',
    description: 'Nothing is sent to it any more, also not what was on its way.',
    answers: 'nothing',
    problems: [EndpointRefusal.webhook_endpoint_not_found],
  })
  async deleteWebhookEndpoint(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    const asked = { by: byClient(caller), id: endpointId(id), expected };
    await once.run(
      () => ({}),
      (guard) => this.endpoints.remove({ ...asked, guard }),
    );
  }
}

function presentWithSecret({
  endpoint,
  secret,
}: EndpointWithSecret): WebhookEndpointWithSecretBody {
  return { ...presentEndpoint(endpoint), secret };
}
