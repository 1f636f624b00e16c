/** A word of ours in an address: a pooler gives each transaction another session. */
const POOLER = /[?&]pooler=([^&#]*)/;
/** Words of libpq by which the server is wanted that takes changes; `any` would not do. */
const WRITABLE = new Set(['read-write', 'primary']);
const SCHEME = /^postgres(?:ql)?:\/\//;

/**
 * An address for each server that one address names, as libpq has it:
 * `postgres://app:secret@one:5432,two:5432/quittance?target_session_attrs=read-write`.
 * @returns one for each, without `target_session_attrs` and `pooler`; whether they are addresses is not looked at
 */
export function serverUrls(url: string): string[] {
  const scheme = SCHEME.exec(url)?.[0];
  if (scheme === undefined) return [url];
  const behind = url.slice(scheme.length);
  const end = behind.search(/[/?#]/);
  const authority = end < 0 ? behind : behind.slice(0, end);
  const at = authority.lastIndexOf('@') + 1;
  const before = scheme + authority.slice(0, at);
  const rest = withoutOurWords(behind.slice(authority.length));
  const hosts = authority.slice(at).split(',');
  return hosts.map((host) => `${before}${host}${rest}`);
}

/** A target that we could not serve on, if the address names one. */
export function refusedTarget(url: string): string | undefined {
  const wanted = /[?&]target_session_attrs=([^&#]*)/.exec(url)?.[1];
  return wanted === undefined || WRITABLE.has(wanted) ? undefined : wanted;
}

/** Whether nothing of a session lasts beyond a transaction: `?pooler=transaction`. */
export function isPooled(url: string): boolean {
  return POOLER.exec(url)?.[1] === 'transaction';
}

/** A kind of pooler that we do not know, if the address names one. */
export function refusedPooler(url: string): string | undefined {
  const kind = POOLER.exec(url)?.[1];
  return kind === undefined || kind === 'transaction' ? undefined : kind;
}

function withoutOurWords(after: string): string {
  const [path = '', query] = after.split('?', 2);
  const others = query?.split('&').filter((one) => !/^(target_session_attrs|pooler)=/.test(one));
  return others?.length ? `${path}?${others.join('&')}` : path;
}
