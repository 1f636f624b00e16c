import { Controller, Header, Req, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type ApiRequest, originOf } from '../../platform/http/request.js';
import { Post } from '../../platform/http/route.js';
import { TokenRevocation } from '../application/token-revocation.service.js';
import { Tokens } from '../application/tokens.service.js';
import { authenticationMissing, credentialsOf } from './client-credentials.js';
import { OAuthErrors } from './oauth-errors.js';
import { invalidRequest, oauthParameters } from './oauth-parameters.js';
import { RevokeRequest, TokenRequest, TokenResponse } from '../wire/token.js';
import { AuthRefusal } from '../domain/auth-refusals.js';

const CREDENTIALS = ['client_id', 'client_secret'] as const;

@ApiTags('auth')
@Controller('v1/auth')
@UseInterceptors(OAuthErrors)
export class TokenController {
  constructor(
    private readonly tokens: Tokens,
    private readonly revocation: TokenRevocation,
  ) {}

  @Post('token', 'public', {
    summary: 'Exchange credentials for an access token',
    description:
      'Send `client_id` and `client_secret`, or the `refresh_token` of an earlier answer with them. The access token is valid for `expires_in` seconds.',
    example: { grant_type: 'client_credentials' },
    takes: 'form',
    reads: true,
    body: TokenRequest,
    answers: TokenResponse,
    problems: [
      AuthRefusal.invalid_request,
      AuthRefusal.invalid_client,
      AuthRefusal.invalid_grant,
      AuthRefusal.invalid_scope,
      AuthRefusal.unsupported_grant_type,
      AuthRefusal.token_busy,
    ],
  })
  @Header('Pragma', 'no-cache')
  async getToken(@Req() request: ApiRequest) {
    const names = [...CREDENTIALS, 'grant_type', 'refresh_token', 'scope'] as const;
    const sent: TokenRequest = oauthParameters(request.body, names);
    const { grant_type: grantType = 'client_credentials', scope } = sent;
    const credentials = credentialsOf(request, sent);
    const from = originOf(request);
    if (grantType === 'refresh_token') {
      if (!credentials) throw authenticationMissing();
      if (!sent.refresh_token) throw invalidRequest('Send refresh_token with this grant_type.');
      return this.tokens.refresh(credentials, sent.refresh_token, scope, from);
    }
    if (grantType !== 'client_credentials') throw unsupportedGrantType();
    if (credentials) return this.tokens.exchange(credentials, scope, from);
    throw invalidRequest('Send client_id and client_secret, in the body or as HTTP Basic.');
  }

  @Post('revoke', 'public', {
    summary: 'Revoke a token, and all tokens of its family',
    description:
      'Takes an access token or a refresh token (RFC 7009). It is also 200 for a token that is unknown, or no longer valid.',
    example: { token: 'a-token-that-is-not-needed-any-more' },
    takes: 'form',
    body: RevokeRequest,
    answers: { description: 'An unknown token gets the same answer (RFC 7009).' },
    problems: [AuthRefusal.invalid_request, AuthRefusal.invalid_client, AuthRefusal.token_busy],
  })
  async revokeToken(@Req() request: ApiRequest) {
    const sent: Partial<RevokeRequest> = oauthParameters(request.body, [
      ...CREDENTIALS,
      'token',
    ] as const);
    const credentials = credentialsOf(request, sent);
    if (!credentials) {
      throw invalidRequest('Send client_id and client_secret, in the body or as HTTP Basic.');
    }
    if (!sent.token) throw invalidRequest('Send the token that is to end.');
    await this.revocation.revoke(credentials, sent.token, originOf(request));
    return {};
  }
}

function unsupportedGrantType() {
  return AuthRefusal.unsupported_grant_type.of(
    'grant_type must be client_credentials or refresh_token.',
  );
}
