import { ApiProperty } from '@nestjs/swagger';
import { OneOf, Text } from '../../platform/http/fields.js';

/** RFC 6749: as JSON or as a form; client credentials in the body or as HTTP Basic. */
export class TokenRequest {
  @OneOf(['client_credentials', 'refresh_token'], {
    optional: true,
    description: '`client_credentials` when absent.',
  })
  grant_type?: string;

  @Text({ max: 255, optional: true, example: 'cli_01kaj2x5c7e8s9v0m1n2p3q4r5' })
  client_id?: string;

  @Text({ max: 255, optional: true, example: 'the secret that `client create` printed' })
  client_secret?: string;

  @Text({ max: 255, optional: true, description: 'With `grant_type=refresh_token`.' })
  refresh_token?: string;

  @Text({
    min: 0,
    max: 1000,
    optional: true,
    description: 'Space-separated subset of the client’s scopes.',
    example: 'documents:read payments:write',
  })
  scope?: string;
}

export class RevokeRequest {
  @Text({ max: 255 })
  token!: string;

  @Text({ max: 255, optional: true })
  token_type_hint?: string;

  @Text({ max: 255, optional: true })
  client_id?: string;

  @Text({ max: 255, optional: true })
  client_secret?: string;
}

export class TokenResponse {
  @ApiProperty({ example: 'eyJhbGciOi...', description: 'Bearer token, opaque to the client.' })
  access_token!: string;

  @ApiProperty({ enum: ['Bearer'] })
  token_type!: string;

  @ApiProperty({ example: 1800, description: 'Seconds.' })
  expires_in!: number;

  @ApiProperty({ description: 'Works once; the answer to its use has the next one.' })
  refresh_token!: string;

  @ApiProperty({ example: 'documents:read payments:write' })
  scope!: string;
}
