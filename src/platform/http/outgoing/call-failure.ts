/** Why a call has no answer. */
export type CallFailure =
  /** The URL may not be called, or not any more: the operator's settings changed. */
  | 'url_not_allowed'
  /** The name has an address that may not be called. */
  | 'address_not_allowed'
  | 'dns'
  | 'connection'
  | 'tls'
  /** Something came that was no HTTP. */
  | 'no_http'
  | 'timeout';

export class DnsFailed extends Error {
  constructor() {
    super('the name has no address');
  }
}

export class NoOpenAddress extends Error {
  constructor() {
    super('the address may not be called');
  }
}

const TLS_CODE = /^(CERT_|ERR_(TLS|SSL)_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO$)/;

/** The failure that an error of the network is. */
export function failureOf(error: unknown, timedOut: boolean): CallFailure {
  if (timedOut) return 'timeout';
  if (error instanceof DnsFailed) return 'dns';
  if (error instanceof NoOpenAddress) return 'address_not_allowed';
  const code = codeOf(error);
  if (code.startsWith('HPE_')) return 'no_http';
  return TLS_CODE.test(code) ? 'tls' : 'connection';
}

/** The word of the system or of OpenSSL, such as `ECONNREFUSED`. */
export function codeOf(error: unknown): string {
  const { code, errors } = error as { code?: unknown; errors?: readonly unknown[] };
  if (typeof code === 'string') return code;
  return errors?.[0] === undefined ? '' : codeOf(errors[0]);
}
