import { z } from 'zod';
import { answerShape, requestShape } from '../../platform/http/validation/shapes.js';

/** JSON or a form (RFC 6749), with credentials in the body or as HTTP Basic. */
export const TokenRequest = requestShape('TokenRequest', {
  grant_type: z
    .string()
    .optional()
    .meta({
      enum: ['client_credentials', 'refresh_token'],
      description: 'Default: `client_credentials`.',
    }),
  client_id: z.string().optional().meta({ example: 'cli_01kaj2x5c7e8s9v0m1n2p3q4r5' }),
  client_secret: z.string().optional().meta({ example: 'the secret that `client create` printed' }),
  refresh_token: z
    .string()
    .optional()
    .describe(
      'Needs `grant_type=refresh_token`, and the credentials of the client that got the token.',
    ),
  scope: z.string().optional().meta({
    description: 'Some of the client’s scopes, with spaces between them.',
    example: 'documents:read payments:write',
  }),
});
export type TokenRequest = z.output<typeof TokenRequest>;

export const RevokeRequest = requestShape('RevokeRequest', {
  token: z.string().describe('A refresh token or an access token.'),
  token_type_hint: z.string().optional().describe('Not needed: both kinds of tokens are found.'),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
});
export type RevokeRequest = z.output<typeof RevokeRequest>;

export const TokenResponse = answerShape('TokenResponse', {
  access_token: z
    .string()
    .meta({ example: 'eyJhbGciOi...', description: 'A bearer token, opaque to the client.' }),
  token_type: z.string().meta({ enum: ['Bearer'] }),
  expires_in: z
    .number()
    .meta({ example: 1800, description: 'How many seconds the access token is valid.' }),
  refresh_token: z
    .string()
    .optional()
    .describe(
      'It works once; the answer to its use has the next one. Absent only where the service only reads (`QUITTANCE_READ_ONLY`): ask there with the credentials again.',
    ),
  scope: z.string().meta({ example: 'documents:read payments:write' }),
});
export type TokenResponse = z.output<typeof TokenResponse>;
