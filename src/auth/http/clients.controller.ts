import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import type { ExpectedVersions } from '../../kernel/versions.js';
import { IfMatch } from '../../platform/http/if-match.js';
import { Cursors, DEFAULT_PAGE_SIZE, toPage, withTotalCount } from '../../platform/http/paging.js';
import { selecting } from '../../platform/http/selected-fields.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Delete, Get, Patch, Post } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { ApiClients, type ApiClientWithSecret } from '../application/api-clients.service.js';
import { ApiClientsQuery } from '../infrastructure/api-clients.query.js';
import {
  ClientBody,
  ClientPage,
  ClientWithSecretBody,
  CreateClientRequest,
  PatchClientRequest,
  presentClient,
  RotateClientRequest,
  toClientChange,
  toNewClient,
  toRotation,
  ListClientsQuery,
} from '../wire/client.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { AuthRefusal } from '../domain/auth-refusals.js';

const CURSORS = new Cursors({ list: 'clients' }, []);
const FIELD_PROBLEMS = [
  FieldRefusal.validation_failed,
  FieldRefusal.unknown_field,
  AuthRefusal.unknown_scope,
  AuthRefusal.invalid_addresses,
  AuthRefusal.client_exceeds_caller,
] as const;

@ApiTags('clients')
@Controller('v1/clients')
export class ClientsController {
  constructor(
    private readonly clients: ApiClients,
    private readonly query: ApiClientsQuery,
  ) {}

  @Get('', 'clients:manage', {
    summary: 'List API clients, newest first',
    description: 'Revoked ones are in the list, too. No answer ever has a secret again.',
    answers: ClientPage,
  })
  async listClients(
    @CallerOf() { accountId }: Caller,
    @Query({ schema: ListClientsQuery }) query: ListClientsQuery,
  ) {
    const { limit = DEFAULT_PAGE_SIZE, cursor } = query;
    const after = CURSORS.read(cursor)?.id ?? null;
    const clients = await this.query.list(accountId, after, limit + 1);
    const keyOf = ({ clientId: id }: { clientId: Uuid }) => CURSORS.keyOf({ keys: [], id });
    const page = toPage(clients, limit, keyOf, selecting(query, presentClient));
    return withTotalCount(page, query, (most) => this.query.count(accountId, most));
  }

  @Post('', 'clients:manage', {
    summary: 'Create an API client with your rights, or fewer',
    description:
      'The answer has `client_secret`, and no later one does. A scope that you lack is refused.',
    example: { name: 'Shop', scopes: ['documents:read'] },
    creates: ClientWithSecretBody,
    at: 'clients/{id}',
    problems: [AuthRefusal.too_many_clients, ...FIELD_PROBLEMS],
  })
  async createClient(
    @CallerOf() caller: Caller,
    @Body({ schema: CreateClientRequest }) body: CreateClientRequest,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentWithSecret, (guard) =>
      this.clients.create(byClient(caller), caller, toNewClient(body), guard),
    );
  }

  @Get(':id', 'clients:manage', {
    summary: 'Read an API client',
    description:
      'With its scopes, its addresses, and when it was revoked. Its secrets are never told again.',
    answers: ClientBody,
    problems: [AuthRefusal.client_not_found],
  })
  async getClient(@CallerOf() { accountId }: Caller, @Param('id') id: string) {
    const client = await this.query.find(accountId, clientId(id));
    if (!client) throw AuthRefusal.client_not_found.of();
    return presentClient(client);
  }

  @Patch(':id', 'clients:manage', {
    summary: 'Rename or limit an API client',
    example: { name: 'Shop of the north' },
    description:
      'The body is a JSON Merge Patch; lists are replaced as a whole. Tokens with rights ' +
      'that the client has lost end within seconds. More rights need a new secret: `rotate` ' +
      'takes the same fields. A client may rename itself, but not limit itself.',
    takes: 'mergePatch',
    answers: ClientBody,
    problems: [
      AuthRefusal.client_not_found,
      AuthRefusal.client_revoked,
      AuthRefusal.client_is_caller,
      AuthRefusal.new_secret_needed,
      ...FIELD_PROBLEMS,
    ],
  })
  async updateClient(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: PatchClientRequest }) body: PatchClientRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    const change = toClientChange(body);
    return once.run(presentClient, (guard) =>
      this.clients.change(byClient(caller), caller, clientId(id), change, expected, guard),
    );
  }

  @Post(':id/rotate', 'clients:manage', {
    summary: 'Give an API client a new secret',
    example: { overlap_hours: 24 },
    description:
      'Limits that you send hold from now on. The old secret still works for a while, unless ' +
      'they give the client more rights. You need all rights that it ever had. A client may ' +
      'rotate itself, but not end its own secret at once.',
    answers: ClientWithSecretBody,
    problems: [
      AuthRefusal.client_not_found,
      AuthRefusal.client_revoked,
      AuthRefusal.client_is_caller,
      AuthRefusal.new_secret_needed,
      AuthRefusal.too_many_clients,
      ...FIELD_PROBLEMS,
    ],
  })
  async rotateClient(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: RotateClientRequest }) body: RotateClientRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    const rotation = toRotation(body);
    return once.run(presentWithSecret, (guard) =>
      this.clients.rotate(byClient(caller), caller, clientId(id), rotation, expected, guard),
    );
  }

  @Delete(':id', 'clients:manage', {
    summary: 'Revoke an API client for good',
    description:
      'Its secrets end at once, and its tokens within seconds. It stays in the list, with ' +
      '`revoked_at`. You need all rights that it ever had. A client may not revoke itself.',
    answers: ClientBody,
    problems: [
      AuthRefusal.client_not_found,
      AuthRefusal.client_is_caller,
      AuthRefusal.client_exceeds_caller,
    ],
  })
  async revokeClient(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentClient, (guard) =>
      this.clients.revoke(byClient(caller), caller, clientId(id), expected, guard),
    );
  }
}

/** The UUID in a path. @throws DomainError `client_not_found` for any other text */
function clientId(text: string): Uuid {
  const uuid = uuidOf('cli', text);
  if (!uuid) throw AuthRefusal.client_not_found.of();
  return uuid;
}

function presentWithSecret({ client, secret }: ApiClientWithSecret): ClientWithSecretBody {
  return { ...presentClient(client), client_secret: secret };
}
