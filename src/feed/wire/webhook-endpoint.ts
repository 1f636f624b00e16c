import { z } from 'zod';

import { publicId } from '../../kernel/ids.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { countedPage, listQuery } from '../../platform/http/paging.js';
import { oneOf, wholeNumber } from '../../platform/http/validation/fields.js';
import { listOf, metadata } from '../../platform/http/validation/list-fields.js';
import { answerShape, patchOf, requestShape, some } from '../../platform/http/validation/shapes.js';
import { webAddress } from '../../platform/http/validation/standard-fields.js';
import { shortText } from '../../platform/http/validation/text-fields.js';
import { EndpointRefusal } from '../domain/endpoint-refusals.js';
import {
  DISABLED_REASONS,
  ENDPOINT_STATUSES,
  type EndpointWish,
  PAYLOADS,
  SIGNINGS,
  type WebhookEndpoint,
} from '../domain/webhook-endpoint.js';
import { TYPES_TO_ASK_FOR } from './event-types.js';

nameWords({
  WebhookPayload: PAYLOADS,
  WebhookSigning: SIGNINGS,
  WebhookEndpointStatus: ENDPOINT_STATUSES,
  WebhookDisabledReason: DISABLED_REASONS,
});

const isType = (text: unknown) => TYPES_TO_ASK_FOR.some((type) => type === text);
const UNKNOWN_TYPE = EndpointRefusal.unknown_event_type.example;

export const CreateWebhookEndpointRequest = requestShape('CreateWebhookEndpointRequest', {
  url: webAddress({
    max: 2000,
    description:
      'Gets a POST for each event. https; of a test account http, too. It must not be an address of a private network, unless the operator allows it.',
    example: 'https://shop.example.com/quittance',
  }),
  types: listOf(
    {
      refusal: EndpointRefusal.unknown_event_type,
      test: isType,
      message: 'must be a list of types of events',
      max: TYPES_TO_ASK_FOR.length,
      item: { message: UNKNOWN_TYPE, schema: { enum: [...TYPES_TO_ASK_FOR] } },
    },
    {
      optional: true,
      example: ['document.paid', 'payment.*'],
      description:
        'Types, or all of a subject: `document.*`. Default: all that your scopes read. Those that they do not read never come.',
    },
  ),
  description: shortText({ max: 200, optional: true, example: 'web shop' }),
  metadata: metadata(),
  payload: oneOf(PAYLOADS, {
    optional: true,
    description:
      '`full` (default): the event as `GET /v1/events/{id}` has it. `thin`: without `data` and `actor`, for receivers that ask for it themselves.',
  }),
  signing: oneOf(SIGNINGS, {
    optional: true,
    description:
      '`hmac` (default): a secret that both have. `ed25519`: you verify with a public key, and nobody can sign with what you keep.',
  }),
});
export type CreateWebhookEndpointRequest = z.output<typeof CreateWebhookEndpointRequest>;

const CHANGED = ['url', 'types', 'description', 'metadata', 'payload'] as const;

export const PatchWebhookEndpointRequest = requestShape(
  'PatchWebhookEndpointRequest',
  patchOf(some(CreateWebhookEndpointRequest.shape, CHANGED)),
);
export type PatchWebhookEndpointRequest = z.output<typeof PatchWebhookEndpointRequest>;

export const RotateWebhookSecretRequest = requestShape('RotateWebhookSecretRequest', {
  overlap_hours: wholeNumber({
    min: 0,
    max: 720,
    optional: true,
    description:
      'How long deliveries have a signature of the old secret, too. Default: 24. After a leak send 0.',
  }),
});
export type RotateWebhookSecretRequest = z.output<typeof RotateWebhookSecretRequest>;

const id = z.string().meta({ example: 'whep_01h455vb4pex5vsknk084sn02q' });

export const WebhookEndpointBody = answerShape('WebhookEndpointBody', {
  id,
  url: z.string(),
  types: z.array(z.string()).nullable().describe('null means all that its scopes read.'),
  scopes: z
    .array(z.string())
    .describe('What it may be told: the scopes that its maker had when its types were last set.'),
  description: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  payload: z.enum(PAYLOADS).meta({ enum: [...PAYLOADS] }),
  signing: z.enum(SIGNINGS).meta({ enum: [...SIGNINGS] }),
  public_key: z
    .string()
    .nullable()
    .describe('Of `ed25519`: `whpk_` and the key in base64, to verify with.'),
  previous_secret_ends_at: z
    .string()
    .nullable()
    .meta({ format: 'date-time', description: 'Two signatures are sent until then.' }),
  status: z.enum(ENDPOINT_STATUSES).meta({ enum: [...ENDPOINT_STATUSES] }),
  disabled_reason: z
    .enum(DISABLED_REASONS)
    .nullable()
    .describe(
      '`asked`: by a call; `gone`: it answered 410; `failing`: every try of five days failed.',
    ),
  created_at: z.string().meta({ format: 'date-time' }),
  updated_at: z.string().meta({ format: 'date-time' }),
  version: z.number(),
});
export type WebhookEndpointBody = z.output<typeof WebhookEndpointBody>;

export const WebhookEndpointWithSecretBody = answerShape('WebhookEndpointWithSecretBody', {
  ...WebhookEndpointBody.shape,
  secret: z.string().nullable().meta({
    description: 'Of `hmac`: shown only here. null of `ed25519`, whose secret never leaves.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  }),
});
export type WebhookEndpointWithSecretBody = z.output<typeof WebhookEndpointWithSecretBody>;

export const WebhookEndpointPage = countedPage('WebhookEndpointPage', WebhookEndpointBody);
export type WebhookEndpointPage = z.output<typeof WebhookEndpointPage>;

export const ListWebhookEndpointsQuery = listQuery(() => WebhookEndpointBody);
export type ListWebhookEndpointsQuery = z.output<typeof ListWebhookEndpointsQuery>;

export function presentEndpoint(endpoint: WebhookEndpoint): WebhookEndpointBody {
  return {
    id: publicId('whep', endpoint.id),
    url: endpoint.url,
    types: endpoint.types && [...endpoint.types],
    scopes: [...endpoint.scopes],
    description: endpoint.description,
    metadata: { ...endpoint.metadata },
    payload: endpoint.payload,
    signing: endpoint.signing,
    public_key: endpoint.publicKey,
    previous_secret_ends_at: endpoint.previousSecretEndsAt?.toISOString() ?? null,
    status: endpoint.status,
    disabled_reason: endpoint.disabledReason,
    created_at: endpoint.createdAt.toISOString(),
    updated_at: endpoint.updatedAt.toISOString(),
    version: endpoint.version,
  };
}

export function toNewEndpoint(
  body: CreateWebhookEndpointRequest,
): EndpointWish & Pick<WebhookEndpoint, 'signing'> {
  return {
    url: body.url,
    types: body.types ? [...new Set(body.types)] : null,
    description: body.description ?? null,
    metadata: body.metadata ?? {},
    payload: body.payload ?? 'full',
    signing: body.signing ?? 'hmac',
  };
}

export function toEndpointChange(body: PatchWebhookEndpointRequest): Partial<EndpointWish> {
  const { url, types, description, metadata: own, payload } = body;
  return {
    ...(url !== undefined && { url }),
    ...(types !== undefined && { types: types && [...new Set(types)] }),
    ...(description !== undefined && { description }),
    ...(own !== undefined && { metadata: own ?? {} }),
    ...(payload !== undefined && { payload: payload ?? 'full' }),
  };
}
