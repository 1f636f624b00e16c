import { z } from 'zod';
import { answerShape, patchOf, requestShape, some } from '../../platform/http/validation/shapes.js';
import { countedPage, listQuery } from '../../platform/http/paging.js';
import { publicId } from '../../kernel/ids.js';
import { isScope, SCOPES } from '../../platform/http/access.js';
import { instantText } from '../../platform/http/validation/date-fields.js';
import { shortText } from '../../platform/http/validation/text-fields.js';
import { wholeNumber } from '../../platform/http/validation/fields.js';
import { listOf } from '../../platform/http/validation/list-fields.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import type {
  ApiClientChange,
  ApiClientRotation,
  NewApiClient,
} from '../application/api-clients.service.js';
import { AddressList, LARGEST_ADDRESS_LIST } from '../../kernel/address-list.js';
import type { ApiClient } from '../domain/api-client.js';
import { AuthRefusal } from '../domain/auth-refusals.js';

nameWords({ Scope: SCOPES });

/** Ours, and those of extensions. */
const MOST_SCOPES = 50;

const isBlock = (text: unknown) => typeof text === 'string' && AddressList.isBlock(text);

export const CreateClientRequest = requestShape('CreateClientRequest', {
  name: shortText({ max: 200, description: 'What the client is for.', example: 'web shop' }),
  scopes: listOf(
    {
      refusal: AuthRefusal.unknown_scope,
      test: isScope,
      message: `must be a list of scopes, each one of ${SCOPES.join(', ')}`,
      max: MOST_SCOPES,
      item: { message: `must be one of ${SCOPES.join(', ')}`, schema: { enum: [...SCOPES] } },
    },
    { description: 'What its tokens may do; they may do no more than yours.' },
  ),
  addresses: listOf(
    {
      refusal: AuthRefusal.invalid_addresses,
      test: isBlock,
      message: `must be a list of 1 to ${LARGEST_ADDRESS_LIST} blocks such as 192.0.2.0/24 or 2001:db8::/32`,
      max: LARGEST_ADDRESS_LIST,
      item: { message: 'must be a block such as 192.0.2.0/24 or 2001:db8::/32' },
    },
    {
      optional: true,
      example: ['192.0.2.0/24', '2001:db8::/32'],
      description: 'The networks from which it may ask for tokens and use them. Default: yours.',
    },
  ),
  expires_at: instantText({
    optional: true,
    description: 'When the client ends. Default: when yours does.',
  }),
});
export type CreateClientRequest = z.output<typeof CreateClientRequest>;

export const PatchClientRequest = requestShape(
  'PatchClientRequest',
  patchOf(CreateClientRequest.shape),
);
export type PatchClientRequest = z.output<typeof PatchClientRequest>;

const LIMITS = ['scopes', 'addresses', 'expires_at'] as const;

export const RotateClientRequest = requestShape('RotateClientRequest', {
  ...patchOf(some(CreateClientRequest.shape, LIMITS)),
  overlap_hours: wholeNumber({
    min: 0,
    max: 720,
    optional: true,
    description:
      'How long the old secret still works. Default: 24; 0 with more rights, which the old ' +
      'secret must not have. After a leak send 0: it ends the old secret and all access tokens ' +
      'at once.',
  }),
});
export type RotateClientRequest = z.output<typeof RotateClientRequest>;

export const ClientBody = answerShape('ClientBody', {
  id: z.string().meta({ example: 'cli_01h455vb4pex5vsknk084sn02q' }),
  name: z.string(),
  scopes: z.array(z.string()),
  addresses: z.array(z.string()).nullable().describe('null means any address.'),
  expires_at: z.string().nullable().meta({ format: 'date-time' }),
  previous_secret_ends_at: z
    .string()
    .nullable()
    .meta({ format: 'date-time', description: 'Two secrets work until then.' }),
  last_used_at: z
    .string()
    .nullable()
    .meta({ format: 'date-time', description: 'When it was last used, to about a minute.' }),
  revoked_at: z.string().nullable().meta({ format: 'date-time' }),
  created_at: z.string().meta({ format: 'date-time' }),
  version: z.number(),
});
export type ClientBody = z.output<typeof ClientBody>;

export const ClientWithSecretBody = answerShape('ClientWithSecretBody', {
  ...ClientBody.shape,
  client_secret: z.string().describe('The secret is shown only here.'),
});
export type ClientWithSecretBody = z.output<typeof ClientWithSecretBody>;

export const ClientPage = countedPage('ClientPage', ClientBody);
export type ClientPage = z.output<typeof ClientPage>;

export const ListClientsQuery = listQuery(() => ClientBody);
export type ListClientsQuery = z.output<typeof ListClientsQuery>;

export function presentClient(client: ApiClient): ClientBody {
  return {
    id: publicId('cli', client.clientId),
    name: client.name,
    scopes: [...client.scopes],
    addresses: client.addresses && [...client.addresses],
    expires_at: instant(client.expiresAt),
    previous_secret_ends_at: instant(client.previousSecretEndsAt),
    last_used_at: instant(client.lastUsedAt),
    revoked_at: instant(client.revokedAt),
    created_at: client.createdAt.toISOString(),
    version: client.version,
  };
}

export function toNewClient(body: CreateClientRequest): NewApiClient {
  return {
    name: body.name,
    scopes: body.scopes,
    ...(body.addresses != null && { addresses: body.addresses }),
    ...(body.expires_at != null && { expiresAt: new Date(body.expires_at) }),
  };
}

export function toClientChange({ name, ...limits }: PatchClientRequest): ApiClientChange {
  return { ...(name !== undefined && { name }), ...toLimits(limits) };
}

export function toRotation({ overlap_hours, ...limits }: RotateClientRequest): ApiClientRotation {
  return { overlapHours: overlap_hours, ...toLimits(limits) };
}

function toLimits({ scopes, addresses, expires_at: expiresAt }: Omit<PatchClientRequest, 'name'>) {
  return {
    ...(scopes !== undefined && { scopes: [...new Set(scopes)] }),
    ...(addresses !== undefined && { addresses }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
  };
}

function instant(date: Date | null): string | null {
  return date && date.toISOString();
}
