import type { DomainError } from '../../kernel/domain-error.js';
import { AuthRefusal } from '../domain/auth-refusals.js';
import type { ApiRequest } from '../../platform/http/request.js';
import type { Credentials } from '../application/client-authentication.js';
import { invalidRequest } from './oauth-parameters.js';

/**
 * The credentials of HTTP Basic (RFC 6749 2.3.1: both parts are form-encoded) or of the body, never
 * of both. Null if there are none.
 */
export function credentialsOf(
  request: ApiRequest,
  body: { client_id?: string; client_secret?: string },
): Credentials | null {
  const header = request.headers.authorization;
  if (header === undefined) {
    if (body.client_id === undefined || body.client_secret === undefined) return null;
    return { id: body.client_id, secret: body.client_secret };
  }
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(header)?.[1];
  const [id, ...secret] = Buffer.from(encoded ?? '', 'base64')
    .toString()
    .split(':');
  if (!encoded || !id || secret.length === 0) {
    throw invalidRequest('Authorization must be HTTP Basic here, or absent.');
  }
  const named = formDecoded(id);
  const isTwice = body.client_secret !== undefined || (body.client_id ?? named) !== named;
  if (isTwice) {
    throw invalidRequest('Send the client’s credentials once: in the body or as HTTP Basic.');
  }
  return { id: named, secret: formDecoded(secret.join(':')) };
}

/** RFC 6749 5.2: a refresh or a revocation needs to know its client. */
export function authenticationMissing(): DomainError {
  return AuthRefusal.invalid_client.of(
    'Send client_id and client_secret, in the body or as HTTP Basic.',
  );
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
