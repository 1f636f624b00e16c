/** The errors of RFC 6749 5.2. A `code` of ours that is one of them stays as it is. */
const OF_THE_TOKEN_ENDPOINT = new Set([
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'unsupported_grant_type',
]);

/** The `error` of a refusal. If 5.2 has no word for it, one of section 4.1.2.1 is taken. */
export function oauthErrorOf({ status, code }: { status: number; code: string }): string {
  if (OF_THE_TOKEN_ENDPOINT.has(code)) return code;
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}
