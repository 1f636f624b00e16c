const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** A call that does not leave this machine may be plain. */
export function isPlainHttp(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === 'http:' && !isOfThisMachine(url);
}

export function isOfThisMachine(url: string): boolean {
  return LOOPBACK.test(new URL(url).hostname);
}
