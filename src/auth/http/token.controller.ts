import { Body, Controller, Header, HttpCode, Post, Req, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../../platform/http/access.js';
import { Takes } from '../../platform/http/bodies.js';
import { ApiProblems } from '../../platform/http/openapi.js';
import { HttpProblem } from '../../platform/http/problem.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { type TokenAnswer, Tokens } from '../application/tokens.service.js';
import { OAuthErrors } from './oauth-errors.js';
import { RevokeRequest, TokenRequest, TokenResponse } from './token.dto.js';

interface Credentials {
  id: string;
  secret: string;
}

@ApiTags('auth')
@Controller('v1/auth')
@UseInterceptors(OAuthErrors)
export class TokenController {
  constructor(private readonly tokens: Tokens) {}

  @Post('token')
  @Takes('form')
  @HttpCode(200)
  @Public()
  @Header('Pragma', 'no-cache')
  @ApiOperation({ summary: 'Exchange credentials for an access token', operationId: 'getToken' })
  @ApiConsumes('application/json', 'application/x-www-form-urlencoded')
  @ApiBody({ type: TokenRequest })
  @ApiOkResponse({ type: TokenResponse })
  @ApiProblems('invalid_request', 'invalid_client', 'invalid_grant', 'invalid_scope')
  async token(@Req() request: ApiRequest, @Body() body: TokenRequest): Promise<TokenAnswer> {
    const credentials = credentialsOf(request, body);
    if ((body.grant_type ?? 'client_credentials') === 'refresh_token') {
      if (!body.refresh_token) throw invalidRequest('Send refresh_token with this grant_type.');
      const { refresh_token: token, scope } = body;
      return this.tokens.refresh(token, scope, credentials);
    }
    const { id, secret } = required(credentials);
    return this.tokens.exchange(id, secret, body.scope);
  }

  @Post('revoke')
  @Takes('form')
  @HttpCode(200)
  @Public()
  @ApiOperation({ summary: 'End a refresh token and its family', operationId: 'revokeToken' })
  @ApiConsumes('application/json', 'application/x-www-form-urlencoded')
  @ApiBody({ type: RevokeRequest })
  @ApiOkResponse({ description: 'Also for an unknown token (RFC 7009).' })
  @ApiProblems('invalid_request', 'invalid_client')
  async revoke(@Req() request: ApiRequest, @Body() body: RevokeRequest): Promise<object> {
    const { id, secret } = required(credentialsOf(request, body));
    await this.tokens.revoke(id, secret, body.token);
    return {};
  }
}

function invalidRequest(detail: string): HttpProblem {
  return new HttpProblem(400, 'invalid_request', detail);
}

function required(credentials: Credentials | null): Credentials {
  if (credentials) return credentials;
  throw invalidRequest('Send client_id and client_secret, in the body or as HTTP Basic.');
}

/** From HTTP Basic (RFC 6749 2.3.1: both parts form-encoded) or the body, never from both. */
function credentialsOf(
  request: ApiRequest,
  body: { client_id?: string; client_secret?: string },
): Credentials | null {
  const header = request.headers.authorization;
  if (header !== undefined) {
    const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(header)?.[1];
    const [id, ...secret] = Buffer.from(encoded ?? '', 'base64')
      .toString()
      .split(':');
    if (!encoded || !id || secret.length === 0) {
      throw invalidRequest('Authorization must be HTTP Basic here, or absent.');
    }
    if (body.client_secret !== undefined) {
      throw invalidRequest('Send the client’s credentials once: in the body or as HTTP Basic.');
    }
    return { id: formDecoded(id), secret: formDecoded(secret.join(':')) };
  }
  if (body.client_id === undefined || body.client_secret === undefined) return null;
  return { id: body.client_id, secret: body.client_secret };
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
