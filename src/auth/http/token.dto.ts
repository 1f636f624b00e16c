import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** JSON or a form (RFC 6749), with credentials in the body or as HTTP Basic. */
export class TokenRequest {
  @ApiPropertyOptional({
    enum: ['client_credentials', 'refresh_token'],
    description: 'Default: `client_credentials`.',
  })
  grant_type?: string;

  @ApiPropertyOptional({ example: 'cli_01kaj2x5c7e8s9v0m1n2p3q4r5' })
  client_id?: string;

  @ApiPropertyOptional({ example: 'the secret that `client create` printed' })
  client_secret?: string;

  @ApiPropertyOptional({
    description:
      'Needs `grant_type=refresh_token`, and the credentials of the client that got the token.',
  })
  refresh_token?: string;

  @ApiPropertyOptional({
    description: 'Some of the client’s scopes, with spaces between them.',
    example: 'documents:read payments:write',
  })
  scope?: string;
}

export class RevokeRequest {
  @ApiProperty({ description: 'A refresh token or an access token.' })
  token!: string;

  @ApiPropertyOptional({ description: 'Not needed: both kinds of tokens are found.' })
  token_type_hint?: string;

  @ApiPropertyOptional()
  client_id?: string;

  @ApiPropertyOptional()
  client_secret?: string;
}

export class TokenResponse {
  @ApiProperty({ example: 'eyJhbGciOi...', description: 'A bearer token, opaque to the client.' })
  access_token!: string;

  @ApiProperty({ enum: ['Bearer'] })
  token_type!: string;

  @ApiProperty({ example: 1800, description: 'How many seconds the access token is valid.' })
  expires_in!: number;

  @ApiProperty({ description: 'It works once; the answer to its use has the next one.' })
  refresh_token!: string;

  @ApiProperty({ example: 'documents:read payments:write' })
  scope!: string;
}
