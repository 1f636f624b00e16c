import { CountedEnds } from '../../platform/http/paging.js';
import { ApiProperty } from '@nestjs/swagger';
import { publicId } from '../../kernel/ids.js';
import { SCOPES } from '../../platform/http/access.js';
import { InstantText, Text, WholeNumber } from '../../platform/http/validation/fields.js';
import { ListOf } from '../../platform/http/validation/list-fields.js';
import { MergePatchOf } from '../../platform/http/validation/merge-patch.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { SomeFieldsOf } from '../../platform/http/validation/composed-bodies.js';
import type {
  ApiClientChange,
  ApiClientRotation,
  NewApiClient,
} from '../application/api-clients.service.js';
import { AddressList, LARGEST_ADDRESS_LIST } from '../domain/address-list.js';
import type { ApiClient } from '../domain/api-client.js';

nameWords({ Scope: SCOPES });

const isScope = (text: unknown) => SCOPES.some((scope) => scope === text);
const isBlock = (text: unknown) => typeof text === 'string' && AddressList.isBlock(text);

export class CreateClientRequest {
  @Text({ max: 200, description: 'What the client is for.', example: 'web shop' })
  name!: string;

  @ListOf(
    {
      code: 'unknown_scope',
      test: isScope,
      message: `must be a list of scopes, each one of ${SCOPES.join(', ')}`,
      max: SCOPES.length,
      item: { message: `must be one of ${SCOPES.join(', ')}`, schema: { enum: [...SCOPES] } },
    },
    { description: 'What its tokens may do; they may do no more than yours.' },
  )
  scopes!: string[];

  @ListOf(
    {
      code: 'invalid_addresses',
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
  )
  addresses?: string[];

  @InstantText({ optional: true, description: 'When the client ends. Default: when yours does.' })
  expires_at?: string;
}

export class PatchClientRequest extends MergePatchOf(CreateClientRequest) {}

const LIMITS = ['scopes', 'addresses', 'expires_at'] as const;

export class RotateClientRequest extends MergePatchOf(SomeFieldsOf(CreateClientRequest, LIMITS)) {
  @WholeNumber({
    min: 0,
    max: 720,
    optional: true,
    description:
      'How long the old secret still works. Default: 24; 0 with more rights, which the old ' +
      'secret must not have. After a leak send 0: it ends the old secret and all access tokens ' +
      'at once.',
  })
  overlap_hours?: number;
}

export class ClientBody {
  @ApiProperty({ example: 'cli_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty() name!: string;
  @ApiProperty({ type: [String] }) scopes!: string[];
  @ApiProperty({ type: [String], nullable: true, description: 'null means any address.' })
  addresses!: string[] | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) expires_at!: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Two secrets work until then.',
  })
  previous_secret_ends_at!: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it was last used, to about a minute.',
  })
  last_used_at!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) revoked_at!: string | null;
  @ApiProperty({ format: 'date-time' }) created_at!: string;
  @ApiProperty() version!: number;
}

export class ClientWithSecretBody extends ClientBody {
  @ApiProperty({ description: 'The secret is shown only here.' }) client_secret!: string;
}

export class ClientPage extends CountedEnds {
  @ApiProperty({ type: [ClientBody] }) data!: ClientBody[];
}

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
