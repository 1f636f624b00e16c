import { domainRefusals } from '../../kernel/domain-refusal.js';

/** Of clients, accounts and tokens. */
export const AuthRefusal = domainRefusals({
  malformed: {
    invalid_request: 'Send client_id and client_secret, in the body or as HTTP Basic.',
    invalid_grant: 'The refresh token is unknown, used, expired or revoked.',
    invalid_scope: 'This client may ask for: documents:read payments:write.',
    unsupported_grant_type: 'grant_type must be one of client_credentials, refresh_token.',
  },
  unauthenticated: {
    invalid_client: 'client_id or client_secret is wrong; `client create` makes a new pair.',
  },
  forbidden: {
    client_exceeds_caller:
      'This takes all that the client has or ever had, and you do not have payments:write; use a client that has it, or leave it out.',
  },
  not_found: {
    account_not_found: 'There is no such account.',
    audit_entry_not_found: 'There is no such audit entry.',
    client_not_found: 'There is no such client.',
  },
  conflict: {
    too_many_clients:
      'An account has at most 100 live clients; revoke those that nobody uses: the list shows their last use.',
    client_revoked: 'This client is revoked; make a new one.',
    client_is_caller: 'A client may not revoke itself; use another client, or the command line.',
    new_secret_needed:
      'More rights need a new secret: send these fields to POST /v1/clients/{id}/rotate, which ends the old one.',
  },
  invalid: {
    unknown_scope: 'scopes must be a list of scopes, each one of documents:read, ...',
    invalid_addresses:
      'addresses must be a list of 1 to 20 blocks such as 192.0.2.0/24 or 2001:db8::/32.',
    invalid_action: 'action must be one such as client.created, or client.* for all that begin so.',
  },
  unavailable: {
    token_busy: 'Another request uses this token; send it again in a second.',
  },
});
