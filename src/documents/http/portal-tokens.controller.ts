import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { publicId, uuidOf } from '../../kernel/ids.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Delete, Get, Post } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { WHOLE } from '../../platform/http/paging.js';
import { Documents } from '../application/documents.service.js';
import { type IssuedPortalToken, PortalTokens } from '../application/portal-tokens.service.js';
import {
  CreatePortalTokenRequest,
  IssuedPortalTokenBody,
  PortalTokenList,
} from '../wire/portal-token.js';
import { documentId } from './documents.controller.js';
import { DocumentRefusal } from '../domain/refusals.js';

@ApiTags('documents')
@Controller('v1/finance/documents/:id/portal-tokens')
export class PortalTokensController {
  constructor(
    private readonly tokens: PortalTokens,
    private readonly documents: Documents,
  ) {}

  @Post('', 'documents:write', {
    summary: 'Create a portal link for the client',
    description:
      'The answer has the link and its token, and no later one does. Who holds it sees the document, until it expires or is revoked.',
    example: { expires_in_days: 30 },
    creates: IssuedPortalTokenBody,
    at: null,
    problems: [
      DocumentRefusal.document_not_found,
      DocumentRefusal.document_not_issued,
      DocumentRefusal.customer_erased,
    ],
  })
  async createPortalToken(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: CreatePortalTokenRequest }) body: CreatePortalTokenRequest,
    @OnceOnly() once: Once,
  ) {
    return once.run(present, (guard) =>
      this.tokens.create(byClient(caller), documentId(id), body.expires_in_days, guard),
    );
  }

  @Get('', 'documents:read', {
    summary: 'List the portal links of a document',
    description:
      'With the end of each, and whether it was revoked. The secret parts are not stored, so they are not in it.',
    answers: PortalTokenList,
    problems: [DocumentRefusal.document_not_found],
  })
  async listPortalTokens(@CallerOf() caller: Caller, @Param('id') id: string) {
    await this.documents.assertExists(caller.accountId, documentId(id));
    const rows = await this.tokens.list(caller.accountId, documentId(id));
    return {
      data: rows.map((row) => ({
        id: publicId('ptok', row.portalTokenId),
        created_at: row.createdAt.toISOString(),
        expires_at: row.expiresAt.toISOString(),
        first_viewed_at: row.firstViewedAt?.toISOString() ?? null,
        last_viewed_at: row.lastViewedAt?.toISOString() ?? null,
        revoked_at: row.revokedAt?.toISOString() ?? null,
      })),
      ...WHOLE,
    };
  }

  @Delete('', 'documents:write', {
    summary: 'Revoke all portal links of a document',
    description: 'All of them stop to work at once. New ones may be made.',
    answers: 'nothing',
    problems: [DocumentRefusal.document_not_found],
  })
  async revokePortalTokens(@CallerOf() caller: Caller, @Param('id') id: string) {
    await this.documents.assertExists(caller.accountId, documentId(id));
    await this.tokens.revoke(byClient(caller), documentId(id));
  }

  @Delete(':token_id', 'documents:write', {
    summary: 'Revoke one portal link',
    description: 'It stops to work at once. The same call may be sent again.',
    answers: 'nothing',
    problems: [DocumentRefusal.document_not_found, DocumentRefusal.portal_token_not_found],
  })
  async revokePortalToken(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Param('token_id') tokenId: string,
  ) {
    const uuid = uuidOf('ptok', tokenId);
    if (!uuid) {
      throw DocumentRefusal.portal_token_not_found.of();
    }
    await this.tokens.revoke(byClient(caller), documentId(id), uuid);
  }
}

function present(issued: IssuedPortalToken): IssuedPortalTokenBody {
  return {
    id: issued.id,
    token: issued.token,
    url: issued.url,
    expires_at: issued.expiresAt.toISOString(),
  };
}
